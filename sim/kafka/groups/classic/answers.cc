#include "sim/kafka/groups/classic/answers.h"

#include "sim/kafka/groups/classic/classic_group.h"

namespace wt::kafka {

JoinGroupResponse refuse_join(ErrorCode code, std::string member_id) {
  JoinGroupResponse response;
  response.error_code = code;
  response.member_id = std::move(member_id);
  return response;
}

SyncGroupResponse refuse_sync(ErrorCode code) {
  SyncGroupResponse response;
  response.error_code = code;
  return response;
}

HeartbeatResponse refuse_heartbeat(ErrorCode code) {
  HeartbeatResponse response;
  response.error_code = code;
  return response;
}

LeaveGroupResponse leave_unknown(const LeaveGroupRequest& request) {
  LeaveGroupResponse response;
  for (const LeaveGroupRequest::MemberIdentity& who : request.members) {
    LeaveGroupResponse::MemberResponse member;
    member.member_id = who.member_id;
    member.group_instance_id = who.group_instance_id;
    member.error_code = ErrorCode::kUnknownMemberId;
    response.members.push_back(std::move(member));
  }
  return response;
}

DescribeGroupsResponse::DescribedGroup describe_missing(const std::string& group, schema::Version version,
                                                        bool is_other_kind) {
  DescribeGroupsResponse::DescribedGroup described;
  described.group_id = group;
  described.group_state = classic_state_name(ClassicState::dead);
  if (version >= 6) {
    described.error_code = ErrorCode::kGroupIdNotFound;
    described.error_message = "Group " + group + (is_other_kind ? " is not a classic group." : " not found.");
  }
  return described;
}

ErrorCode check_join(const JoinGroupRequest& request, const GroupSettings& settings) {
  if (request.group_id.empty()) return ErrorCode::kInvalidGroupId;
  if (request.session_timeout_ms < settings.min_session_timeout_ms ||
      request.session_timeout_ms > settings.max_session_timeout_ms) {
    return ErrorCode::kInvalidSessionTimeout;
  }
  return ErrorCode::kNone;
}

}  // namespace wt::kafka

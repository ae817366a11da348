// Answers of the classic protocol that need no group.
#pragma once

#include <string>

#include "sim/kafka/groups/model/group.h"
#include "sim/kafka/wire/messages/classic_groups.h"
#include "sim/kafka/wire/messages/group_admin.h"

namespace wt::kafka {

// Answers where there is no group, or none of this kind.
JoinGroupResponse refuse_join(ErrorCode code, std::string member_id);
SyncGroupResponse refuse_sync(ErrorCode code);
HeartbeatResponse refuse_heartbeat(ErrorCode code);
LeaveGroupResponse leave_unknown(const LeaveGroupRequest& request);
DescribeGroupsResponse::DescribedGroup describe_missing(const std::string& group, schema::Version version,
                                                        bool is_other_kind);

// kNone, or why a JoinGroup is refused before anybody looks for the group.
ErrorCode check_join(const JoinGroupRequest& request, const GroupSettings& settings);

}  // namespace wt::kafka

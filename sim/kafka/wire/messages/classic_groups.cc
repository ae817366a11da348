#include "sim/kafka/wire/messages/classic_groups.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(JoinGroupRequest::JoinGroupRequestProtocol,
    WT_FIELD(name),
    WT_FIELD(metadata));
WT_MESSAGE(JoinGroupRequest, 0, 9, 6,
    WT_FIELD(group_id),
    WT_FIELD(session_timeout_ms),
    WT_FIELD(rebalance_timeout_ms).in(since(1)).ignorable(),
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).in(since(5)).or_null(),
    WT_FIELD(protocol_type),
    WT_FIELD(protocols),
    WT_FIELD(reason).in(since(8)).or_null().ignorable());

WT_STRUCT(JoinGroupResponse::JoinGroupResponseMember,
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).in(since(5)).or_null().ignorable(),
    WT_FIELD(metadata));
WT_MESSAGE(JoinGroupResponse, 0, 9, 6,
    WT_FIELD(throttle_time_ms).in(since(2)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(generation_id),
    WT_FIELD(protocol_type).in(since(7)).or_null().ignorable(),
    WT_FIELD(protocol_name).or_null(since(7)),
    WT_FIELD(leader),
    WT_FIELD(skip_assignment).in(since(9)),
    WT_FIELD(member_id),
    WT_FIELD(members));

WT_MESSAGE(HeartbeatRequest, 0, 4, 4,
    WT_FIELD(group_id),
    WT_FIELD(generation_id),
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).in(since(3)).or_null());

WT_MESSAGE(HeartbeatResponse, 0, 4, 4,
    WT_FIELD(throttle_time_ms).in(since(1)).ignorable(),
    WT_FIELD(error_code));

WT_STRUCT(LeaveGroupRequest::MemberIdentity,
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).or_null(),
    WT_FIELD(reason).in(since(5)).or_null().ignorable());
WT_MESSAGE(LeaveGroupRequest, 0, 5, 4,
    WT_FIELD(group_id),
    WT_FIELD(member_id).in(between(0, 2)),
    WT_FIELD(members).in(since(3)));

WT_STRUCT(LeaveGroupResponse::MemberResponse,
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).or_null(),
    WT_FIELD(error_code));
WT_MESSAGE(LeaveGroupResponse, 0, 5, 4,
    WT_FIELD(throttle_time_ms).in(since(1)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(members).in(since(3)));

WT_STRUCT(SyncGroupRequest::SyncGroupRequestAssignment,
    WT_FIELD(member_id),
    WT_FIELD(assignment));
WT_MESSAGE(SyncGroupRequest, 0, 5, 4,
    WT_FIELD(group_id),
    WT_FIELD(generation_id),
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).in(since(3)).or_null(),
    WT_FIELD(protocol_type).in(since(5)).or_null().ignorable(),
    WT_FIELD(protocol_name).in(since(5)).or_null().ignorable(),
    WT_FIELD(assignments));

WT_MESSAGE(SyncGroupResponse, 0, 5, 4,
    WT_FIELD(throttle_time_ms).in(since(1)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(protocol_type).in(since(5)).or_null().ignorable(),
    WT_FIELD(protocol_name).in(since(5)).or_null().ignorable(),
    WT_FIELD(assignment));

}  // namespace wt::kafka

#include "sim/kafka/wire/messages/group_admin.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(DescribeGroupsRequest, 0, 6, 5,
    WT_FIELD(groups),
    WT_FIELD(include_authorized_operations).in(since(3)));

WT_STRUCT(DescribeGroupsResponse::DescribedGroupMember,
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).in(since(4)).or_null().ignorable(),
    WT_FIELD(client_id),
    WT_FIELD(client_host),
    WT_FIELD(member_metadata),
    WT_FIELD(member_assignment));
WT_STRUCT(DescribeGroupsResponse::DescribedGroup,
    WT_FIELD(error_code),
    WT_FIELD(error_message).in(since(6)).or_null(),
    WT_FIELD(group_id),
    WT_FIELD(group_state),
    WT_FIELD(protocol_type),
    WT_FIELD(protocol_data),
    WT_FIELD(members),
    WT_FIELD(authorized_operations).in(since(3)));
WT_MESSAGE(DescribeGroupsResponse, 0, 6, 5,
    WT_FIELD(throttle_time_ms).in(since(1)).ignorable(),
    WT_FIELD(groups));

WT_MESSAGE(ListGroupsRequest, 0, 5, 3,
    WT_FIELD(states_filter).in(since(4)),
    WT_FIELD(types_filter).in(since(5)));

WT_STRUCT(ListGroupsResponse::ListedGroup,
    WT_FIELD(group_id),
    WT_FIELD(protocol_type),
    WT_FIELD(group_state).in(since(4)).ignorable(),
    WT_FIELD(group_type).in(since(5)).ignorable());
WT_MESSAGE(ListGroupsResponse, 0, 5, 3,
    WT_FIELD(throttle_time_ms).in(since(1)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(groups));

WT_MESSAGE(DeleteGroupsRequest, 0, 3, 2,
    WT_FIELD(groups_names));

WT_STRUCT(DeleteGroupsResponse::DeletableGroupResult,
    WT_FIELD(group_id),
    WT_FIELD(error_code),
    WT_FIELD(error_message).in(since(3)).or_null().ignorable());
WT_MESSAGE(DeleteGroupsResponse, 0, 3, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(results));

}  // namespace wt::kafka

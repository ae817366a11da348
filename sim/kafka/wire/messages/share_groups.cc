#include "sim/kafka/wire/messages/share_groups.h"

namespace wt::kafka {

// One field a line.
// clang-format off
WT_MESSAGE(ShareGroupHeartbeatRequest, 1, 1, 0,
    WT_FIELD(group_id),
    WT_FIELD(member_id),
    WT_FIELD(member_epoch),
    WT_FIELD(rack_id).or_null(),
    WT_FIELD(subscribed_topic_names).or_null());

WT_STRUCT(ShareGroupHeartbeatResponse::TopicPartitions,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_STRUCT(ShareGroupHeartbeatResponse::Assignment,
    WT_FIELD(topic_partitions));
WT_MESSAGE(ShareGroupHeartbeatResponse, 1, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(member_id).or_null(),
    WT_FIELD(member_epoch),
    WT_FIELD(heartbeat_interval_ms),
    WT_FIELD(assignment).or_null());

WT_MESSAGE(ShareGroupDescribeRequest, 1, 1, 0,
    WT_FIELD(group_ids),
    WT_FIELD(include_authorized_operations));

WT_STRUCT(ShareGroupDescribeResponse::TopicPartitions,
    WT_FIELD(topic_id),
    WT_FIELD(topic_name),
    WT_FIELD(partitions));
WT_STRUCT(ShareGroupDescribeResponse::Assignment,
    WT_FIELD(topic_partitions));
WT_STRUCT(ShareGroupDescribeResponse::Member,
    WT_FIELD(member_id),
    WT_FIELD(rack_id).or_null(),
    WT_FIELD(member_epoch),
    WT_FIELD(client_id),
    WT_FIELD(client_host),
    WT_FIELD(subscribed_topic_names),
    WT_FIELD(assignment));
WT_STRUCT(ShareGroupDescribeResponse::DescribedGroup,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(group_id),
    WT_FIELD(group_state),
    WT_FIELD(group_epoch),
    WT_FIELD(assignment_epoch),
    WT_FIELD(assignor_name),
    WT_FIELD(members),
    WT_FIELD(authorized_operations));
WT_MESSAGE(ShareGroupDescribeResponse, 1, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(groups));

}  // namespace wt::kafka

#include "sim/kafka/wire/messages/consumer_groups.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(ConsumerGroupHeartbeatRequest::TopicPartitions,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ConsumerGroupHeartbeatRequest, 0, 1, 0,
    WT_FIELD(group_id),
    WT_FIELD(member_id),
    WT_FIELD(member_epoch),
    WT_FIELD(instance_id).or_null(),
    WT_FIELD(rack_id).or_null(),
    WT_FIELD(rebalance_timeout_ms),
    WT_FIELD(subscribed_topic_names).or_null(),
    WT_FIELD(subscribed_topic_regex).in(since(1)).or_null(),
    WT_FIELD(server_assignor).or_null(),
    WT_FIELD(topic_partitions).or_null());

WT_STRUCT(ConsumerGroupAssignment::TopicPartitions,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_STRUCT(ConsumerGroupAssignment,
    WT_FIELD(topic_partitions));
WT_MESSAGE(ConsumerGroupHeartbeatResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(member_id).or_null(),
    WT_FIELD(member_epoch),
    WT_FIELD(heartbeat_interval_ms),
    WT_FIELD(assignment).or_null());

WT_MESSAGE(ConsumerGroupDescribeRequest, 0, 1, 0,
    WT_FIELD(group_ids),
    WT_FIELD(include_authorized_operations));

WT_STRUCT(ConsumerGroupDescribeResponse::TopicPartitions,
    WT_FIELD(topic_id),
    WT_FIELD(topic_name),
    WT_FIELD(partitions));
WT_STRUCT(ConsumerGroupDescribeResponse::Assignment,
    WT_FIELD(topic_partitions));
WT_STRUCT(ConsumerGroupDescribeResponse::Member,
    WT_FIELD(member_id),
    WT_FIELD(instance_id).or_null(),
    WT_FIELD(rack_id).or_null(),
    WT_FIELD(member_epoch),
    WT_FIELD(client_id),
    WT_FIELD(client_host),
    WT_FIELD(subscribed_topic_names),
    WT_FIELD(subscribed_topic_regex).or_null(),
    WT_FIELD(assignment),
    WT_FIELD(target_assignment),
    WT_FIELD(member_type).in(since(1)).ignorable());
WT_STRUCT(ConsumerGroupDescribeResponse::DescribedGroup,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(group_id),
    WT_FIELD(group_state),
    WT_FIELD(group_epoch),
    WT_FIELD(assignment_epoch),
    WT_FIELD(assignor_name),
    WT_FIELD(members),
    WT_FIELD(authorized_operations));
WT_MESSAGE(ConsumerGroupDescribeResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(groups));

}  // namespace wt::kafka

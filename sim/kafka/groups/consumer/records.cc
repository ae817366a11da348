#include "sim/kafka/groups/consumer/records.h"

namespace wt::kafka {

using schema::kNeverFlexible;

// One field a line.
// clang-format off
WT_MESSAGE(ConsumerGroupMetadataKey, 3, 3, kNeverFlexible,
    WT_FIELD(group_id));
WT_MESSAGE(ConsumerGroupMetadataValue, 0, 0, 0,
    WT_FIELD(epoch),
    WT_FIELD(metadata_hash).tagged_as(0));

WT_MESSAGE(ConsumerGroupPartitionMetadataKey, 4, 4, kNeverFlexible,
    WT_FIELD(group_id));
WT_STRUCT(ConsumerGroupPartitionMetadataValue::PartitionMetadata,
    WT_FIELD(partition),
    WT_FIELD(racks));
WT_STRUCT(ConsumerGroupPartitionMetadataValue::TopicMetadata,
    WT_FIELD(topic_id),
    WT_FIELD(topic_name),
    WT_FIELD(num_partitions),
    WT_FIELD(partition_metadata));
WT_MESSAGE(ConsumerGroupPartitionMetadataValue, 0, 0, 0,
    WT_FIELD(topics));

WT_MESSAGE(ConsumerGroupMemberMetadataKey, 5, 5, kNeverFlexible,
    WT_FIELD(group_id),
    WT_FIELD(member_id));
WT_STRUCT(ConsumerGroupClassicMemberMetadata::ClassicProtocol,
    WT_FIELD(name),
    WT_FIELD(metadata));
WT_STRUCT(ConsumerGroupClassicMemberMetadata,
    WT_FIELD(session_timeout_ms),
    WT_FIELD(supported_protocols));
WT_MESSAGE(ConsumerGroupMemberMetadataValue, 0, 0, 0,
    WT_FIELD(instance_id).or_null(),
    WT_FIELD(rack_id).or_null(),
    WT_FIELD(client_id),
    WT_FIELD(client_host),
    WT_FIELD(subscribed_topic_names),
    WT_FIELD(subscribed_topic_regex).or_null(),
    WT_FIELD(rebalance_timeout_ms),
    WT_FIELD(server_assignor).or_null(),
    WT_FIELD(classic_member_metadata).or_null().tagged_as(0));

WT_MESSAGE(ConsumerGroupTargetAssignmentMetadataKey, 6, 6, kNeverFlexible,
    WT_FIELD(group_id));
WT_MESSAGE(ConsumerGroupTargetAssignmentMetadataValue, 0, 0, 0,
    WT_FIELD(assignment_epoch),
    WT_FIELD(assignment_timestamp).tagged_as(0).ignorable());

WT_MESSAGE(ConsumerGroupTargetAssignmentMemberKey, 7, 7, kNeverFlexible,
    WT_FIELD(group_id),
    WT_FIELD(member_id));
WT_STRUCT(ConsumerGroupTargetAssignmentMemberValue::TopicPartition,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ConsumerGroupTargetAssignmentMemberValue, 0, 0, 0,
    WT_FIELD(topic_partitions));

WT_MESSAGE(ConsumerGroupCurrentMemberAssignmentKey, 8, 8, kNeverFlexible,
    WT_FIELD(group_id),
    WT_FIELD(member_id));
WT_STRUCT(ConsumerGroupCurrentMemberAssignmentValue::TopicPartitions,
    WT_FIELD(topic_id),
    WT_FIELD(partitions),
    WT_FIELD(assignment_epochs).or_null().tagged_as(0));
WT_MESSAGE(ConsumerGroupCurrentMemberAssignmentValue, 0, 0, 0,
    WT_FIELD(member_epoch),
    WT_FIELD(previous_member_epoch),
    WT_FIELD(state),
    WT_FIELD(assigned_partitions),
    WT_FIELD(partitions_pending_revocation));

WT_MESSAGE(ConsumerGroupRegularExpressionKey, 16, 16, kNeverFlexible,
    WT_FIELD(group_id),
    WT_FIELD(regular_expression));
WT_MESSAGE(ConsumerGroupRegularExpressionValue, 0, 0, 0,
    WT_FIELD(topics),
    WT_FIELD(version),
    WT_FIELD(timestamp));

}  // namespace wt::kafka

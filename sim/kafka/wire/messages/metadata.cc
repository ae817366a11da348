#include "sim/kafka/wire/messages/metadata.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(MetadataRequest::MetadataRequestTopic,
    WT_FIELD(topic_id).in(since(10)).ignorable(),
    WT_FIELD(name).or_null(since(10)));
WT_MESSAGE(MetadataRequest, 0, 13, 9,
    WT_FIELD(topics).or_null(since(1)),
    WT_FIELD(allow_auto_topic_creation).in(since(4)),
    WT_FIELD(include_cluster_authorized_operations).in(between(8, 10)),
    WT_FIELD(include_topic_authorized_operations).in(since(8)));

WT_STRUCT(MetadataResponse::MetadataResponseBroker,
    WT_FIELD(node_id),
    WT_FIELD(host),
    WT_FIELD(port),
    WT_FIELD(rack).in(since(1)).or_null().ignorable());
WT_STRUCT(MetadataResponse::MetadataResponsePartition,
    WT_FIELD(error_code),
    WT_FIELD(partition_index),
    WT_FIELD(leader_id),
    WT_FIELD(leader_epoch).in(since(7)).ignorable(),
    WT_FIELD(replica_nodes),
    WT_FIELD(isr_nodes),
    WT_FIELD(offline_replicas).in(since(5)).ignorable());
WT_STRUCT(MetadataResponse::MetadataResponseTopic,
    WT_FIELD(error_code),
    WT_FIELD(name).or_null(since(12)),
    WT_FIELD(topic_id).in(since(10)).ignorable(),
    WT_FIELD(is_internal).in(since(1)).ignorable(),
    WT_FIELD(partitions),
    WT_FIELD(topic_authorized_operations).in(since(8)));
WT_MESSAGE(MetadataResponse, 0, 13, 9,
    WT_FIELD(throttle_time_ms).in(since(3)).ignorable(),
    WT_FIELD(brokers),
    WT_FIELD(cluster_id).in(since(2)).or_null().ignorable(),
    WT_FIELD(controller_id).in(since(1)).ignorable(),
    WT_FIELD(topics),
    WT_FIELD(cluster_authorized_operations).in(between(8, 10)),
    WT_FIELD(error_code).in(since(13)).ignorable());

WT_STRUCT(TopicPartitionCursor,
    WT_FIELD(topic_name),
    WT_FIELD(partition_index));

WT_STRUCT(DescribeTopicPartitionsRequest::TopicRequest,
    WT_FIELD(name));
WT_MESSAGE(DescribeTopicPartitionsRequest, 0, 0, 0,
    WT_FIELD(topics),
    WT_FIELD(response_partition_limit),
    WT_FIELD(cursor).or_null());

WT_STRUCT(DescribeTopicPartitionsResponse::DescribeTopicPartitionsResponsePartition,
    WT_FIELD(error_code),
    WT_FIELD(partition_index),
    WT_FIELD(leader_id),
    WT_FIELD(leader_epoch).ignorable(),
    WT_FIELD(replica_nodes),
    WT_FIELD(isr_nodes),
    WT_FIELD(eligible_leader_replicas).or_null(),
    WT_FIELD(last_known_elr).or_null(),
    WT_FIELD(offline_replicas).ignorable());
WT_STRUCT(DescribeTopicPartitionsResponse::DescribeTopicPartitionsResponseTopic,
    WT_FIELD(error_code),
    WT_FIELD(name).or_null(),
    WT_FIELD(topic_id).ignorable(),
    WT_FIELD(is_internal).ignorable(),
    WT_FIELD(partitions),
    WT_FIELD(topic_authorized_operations));
WT_MESSAGE(DescribeTopicPartitionsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(topics),
    WT_FIELD(next_cursor).or_null());

}  // namespace wt::kafka

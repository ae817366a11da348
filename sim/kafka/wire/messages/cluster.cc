#include "sim/kafka/wire/messages/cluster.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(DescribeLogDirsRequest::DescribableLogDirTopic,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_MESSAGE(DescribeLogDirsRequest, 1, 5, 2,
    WT_FIELD(topics).or_null());

WT_STRUCT(DescribeLogDirsResponse::DescribeLogDirsPartition,
    WT_FIELD(partition_index),
    WT_FIELD(partition_size),
    WT_FIELD(offset_lag),
    WT_FIELD(is_future_key));
WT_STRUCT(DescribeLogDirsResponse::DescribeLogDirsTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_STRUCT(DescribeLogDirsResponse::DescribeLogDirsResult,
    WT_FIELD(error_code),
    WT_FIELD(log_dir),
    WT_FIELD(topics),
    WT_FIELD(total_bytes).in(since(4)).ignorable(),
    WT_FIELD(usable_bytes).in(since(4)).ignorable(),
    WT_FIELD(is_cordoned).in(since(5)).ignorable());
WT_MESSAGE(DescribeLogDirsResponse, 1, 5, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code).in(since(3)).ignorable(),
    WT_FIELD(results));

WT_STRUCT(ElectLeadersRequest::TopicPartitions,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_MESSAGE(ElectLeadersRequest, 0, 2, 2,
    WT_FIELD(election_type).in(since(1)),
    WT_FIELD(topic_partitions).or_null(),
    WT_FIELD(timeout_ms));

WT_STRUCT(ElectLeadersResponse::PartitionResult,
    WT_FIELD(partition_id),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_STRUCT(ElectLeadersResponse::ReplicaElectionResult,
    WT_FIELD(topic),
    WT_FIELD(partition_result));
WT_MESSAGE(ElectLeadersResponse, 0, 2, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code).in(since(1)),
    WT_FIELD(replica_election_results));

WT_MESSAGE(DescribeClusterRequest, 0, 2, 0,
    WT_FIELD(include_cluster_authorized_operations),
    WT_FIELD(endpoint_type).in(since(1)),
    WT_FIELD(include_fenced_brokers).in(since(2)));

WT_STRUCT(DescribeClusterResponse::DescribeClusterBroker,
    WT_FIELD(broker_id),
    WT_FIELD(host),
    WT_FIELD(port),
    WT_FIELD(rack).or_null(),
    WT_FIELD(is_fenced).in(since(2)));
WT_MESSAGE(DescribeClusterResponse, 0, 2, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(endpoint_type).in(since(1)),
    WT_FIELD(cluster_id),
    WT_FIELD(controller_id),
    WT_FIELD(brokers),
    WT_FIELD(cluster_authorized_operations));

}  // namespace wt::kafka

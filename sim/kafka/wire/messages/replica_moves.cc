#include "sim/kafka/wire/messages/replica_moves.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(AlterReplicaLogDirsRequest::AlterReplicaLogDirTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_STRUCT(AlterReplicaLogDirsRequest::AlterReplicaLogDir,
    WT_FIELD(path),
    WT_FIELD(topics));
WT_MESSAGE(AlterReplicaLogDirsRequest, 1, 2, 2,
    WT_FIELD(dirs));

WT_STRUCT(AlterReplicaLogDirsResponse::AlterReplicaLogDirPartitionResult,
    WT_FIELD(partition_index),
    WT_FIELD(error_code));
WT_STRUCT(AlterReplicaLogDirsResponse::AlterReplicaLogDirTopicResult,
    WT_FIELD(topic_name),
    WT_FIELD(partitions));
WT_MESSAGE(AlterReplicaLogDirsResponse, 1, 2, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(results));

WT_STRUCT(AlterPartitionReassignmentsRequest::ReassignablePartition,
    WT_FIELD(partition_index),
    WT_FIELD(replicas).or_null());
WT_STRUCT(AlterPartitionReassignmentsRequest::ReassignableTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(AlterPartitionReassignmentsRequest, 0, 1, 0,
    WT_FIELD(timeout_ms),
    WT_FIELD(allow_replication_factor_change).in(since(1)),
    WT_FIELD(topics));

WT_STRUCT(AlterPartitionReassignmentsResponse::ReassignablePartitionResponse,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_STRUCT(AlterPartitionReassignmentsResponse::ReassignableTopicResponse,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(AlterPartitionReassignmentsResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(allow_replication_factor_change).in(since(1)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(responses));

WT_STRUCT(ListPartitionReassignmentsRequest::ListPartitionReassignmentsTopics,
    WT_FIELD(name),
    WT_FIELD(partition_indexes));
WT_MESSAGE(ListPartitionReassignmentsRequest, 0, 0, 0,
    WT_FIELD(timeout_ms),
    WT_FIELD(topics).or_null());

WT_STRUCT(ListPartitionReassignmentsResponse::OngoingPartitionReassignment,
    WT_FIELD(partition_index),
    WT_FIELD(replicas),
    WT_FIELD(adding_replicas),
    WT_FIELD(removing_replicas));
WT_STRUCT(ListPartitionReassignmentsResponse::OngoingTopicReassignment,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(ListPartitionReassignmentsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(topics));

}  // namespace wt::kafka

#include "sim/kafka/wire/messages/fetch.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(FetchRequest::ReplicaState,
    WT_FIELD(replica_id),
    WT_FIELD(replica_epoch));
WT_STRUCT(FetchRequest::FetchPartition,
    WT_FIELD(partition),
    WT_FIELD(current_leader_epoch).in(since(9)).ignorable(),
    WT_FIELD(fetch_offset),
    WT_FIELD(last_fetched_epoch).in(since(12)),
    WT_FIELD(log_start_offset).in(since(5)).ignorable(),
    WT_FIELD(partition_max_bytes),
    WT_FIELD(replica_directory_id).in(since(17)).ignorable().tagged_as(0),
    WT_FIELD(high_watermark).in(since(18)).ignorable().tagged_as(1));
WT_STRUCT(FetchRequest::FetchTopic,
    WT_FIELD(topic).in(between(0, 12)).ignorable(),
    WT_FIELD(topic_id).in(since(13)).ignorable(),
    WT_FIELD(partitions));
WT_STRUCT(FetchRequest::ForgottenTopic,
    WT_FIELD(topic).in(between(0, 12)).ignorable(),
    WT_FIELD(topic_id).in(since(13)).ignorable(),
    WT_FIELD(partitions));
WT_MESSAGE(FetchRequest, 4, 18, 12,
    WT_FIELD(cluster_id).in(since(12)).or_null().ignorable().tagged_as(0),
    WT_FIELD(replica_id).in(between(0, 14)),
    WT_FIELD(replica_state).in(since(15)).tagged_as(1),
    WT_FIELD(max_wait_ms),
    WT_FIELD(min_bytes),
    WT_FIELD(max_bytes).ignorable(),
    WT_FIELD(isolation_level).ignorable(),
    WT_FIELD(session_id).in(since(7)).ignorable(),
    WT_FIELD(session_epoch).in(since(7)).ignorable(),
    WT_FIELD(topics),
    WT_FIELD(forgotten_topics_data).in(since(7)),
    WT_FIELD(rack_id).in(since(11)).ignorable());

WT_STRUCT(FetchResponse::EpochEndOffset,
    WT_FIELD(epoch),
    WT_FIELD(end_offset));
WT_STRUCT(FetchResponse::LeaderIdAndEpoch,
    WT_FIELD(leader_id),
    WT_FIELD(leader_epoch));
WT_STRUCT(FetchResponse::SnapshotId,
    WT_FIELD(end_offset),
    WT_FIELD(epoch));
WT_STRUCT(FetchResponse::AbortedTransaction,
    WT_FIELD(producer_id),
    WT_FIELD(first_offset));
WT_STRUCT(FetchResponse::PartitionData,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(high_watermark),
    WT_FIELD(last_stable_offset).ignorable(),
    WT_FIELD(log_start_offset).in(since(5)).ignorable(),
    WT_FIELD(diverging_epoch).in(since(12)).tagged_as(0),
    WT_FIELD(current_leader).in(since(12)).tagged_as(1),
    WT_FIELD(snapshot_id).in(since(12)).tagged_as(2),
    WT_FIELD(aborted_transactions).or_null().ignorable(),
    WT_FIELD(preferred_read_replica).in(since(11)),
    WT_FIELD(records).or_null());
WT_STRUCT(FetchResponse::FetchableTopicResponse,
    WT_FIELD(topic).in(between(0, 12)).ignorable(),
    WT_FIELD(topic_id).in(since(13)).ignorable(),
    WT_FIELD(partitions));
WT_STRUCT(FetchResponse::NodeEndpoint,
    WT_FIELD(node_id),
    WT_FIELD(host),
    WT_FIELD(port),
    WT_FIELD(rack).or_null());
WT_MESSAGE(FetchResponse, 4, 18, 12,
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(error_code).in(since(7)).ignorable(),
    WT_FIELD(session_id).in(since(7)),
    WT_FIELD(responses),
    WT_FIELD(node_endpoints).in(since(16)).tagged_as(0));

}  // namespace wt::kafka

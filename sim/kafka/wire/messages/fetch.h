// Fetch (1): record batches from partition leaders, for consumers and followers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Topics by name up to version 12, by id from 13. `session_id` and `session_epoch` (7 and up) make it
// incremental; a follower says who it is in `replica_id`, from version 15 on in `replica_state`.
struct FetchRequest {
  struct ReplicaState {
    std::int32_t replica_id = -1;
    std::int64_t replica_epoch = -1;
    WT_HAS_TABLE;
  };
  struct FetchPartition {
    std::int32_t partition = 0;
    std::int32_t current_leader_epoch = -1;
    std::int64_t fetch_offset = 0;
    std::int32_t last_fetched_epoch = -1;
    std::int64_t log_start_offset = -1;
    std::int32_t partition_max_bytes = 0;
    Uuid replica_directory_id;
    std::int64_t high_watermark = std::numeric_limits<std::int64_t>::max();
    WT_HAS_TABLE;
  };
  struct FetchTopic {
    std::string topic;
    Uuid topic_id;
    std::vector<FetchPartition> partitions;
    WT_HAS_TABLE;
  };
  struct ForgottenTopic {
    std::string topic;
    Uuid topic_id;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  std::optional<std::string> cluster_id;
  std::int32_t replica_id = -1;
  ReplicaState replica_state;
  std::int32_t max_wait_ms = 0;
  std::int32_t min_bytes = 0;
  std::int32_t max_bytes = std::numeric_limits<std::int32_t>::max();
  std::int8_t isolation_level = 0;
  std::int32_t session_id = 0;
  std::int32_t session_epoch = -1;
  std::vector<FetchTopic> topics;
  std::vector<ForgottenTopic> forgotten_topics_data;
  std::string rack_id;
  WT_HAS_TABLE;
};

// `diverging_epoch` answers a request whose last fetched epoch the log does not have.
struct FetchResponse {
  struct EpochEndOffset {
    std::int32_t epoch = -1;
    std::int64_t end_offset = -1;
    WT_HAS_TABLE;
  };
  struct LeaderIdAndEpoch {
    std::int32_t leader_id = -1;
    std::int32_t leader_epoch = -1;
    WT_HAS_TABLE;
  };
  struct SnapshotId {
    std::int64_t end_offset = -1;
    std::int32_t epoch = -1;
    WT_HAS_TABLE;
  };
  struct AbortedTransaction {
    std::int64_t producer_id = 0;
    std::int64_t first_offset = 0;
    WT_HAS_TABLE;
  };
  struct PartitionData {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::int64_t high_watermark = 0;
    std::int64_t last_stable_offset = -1;
    std::int64_t log_start_offset = -1;
    EpochEndOffset diverging_epoch;
    LeaderIdAndEpoch current_leader;
    SnapshotId snapshot_id;
    std::optional<std::vector<AbortedTransaction>> aborted_transactions = std::vector<AbortedTransaction>{};
    std::int32_t preferred_read_replica = -1;
    std::optional<SliceList> records;
    WT_HAS_TABLE;
  };
  struct FetchableTopicResponse {
    std::string topic;
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  struct NodeEndpoint {
    std::int32_t node_id = 0;
    std::string host;
    std::int32_t port = 0;
    std::optional<std::string> rack;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::int32_t session_id = 0;
  std::vector<FetchableTopicResponse> responses;
  std::vector<NodeEndpoint> node_endpoints;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

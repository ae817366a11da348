// Produce (0): record batches to partition leaders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Topics by name up to version 12, by id from 13. From version 12 on, a transactional produce also
// adds its partitions to the transaction.
struct ProduceRequest {
  struct PartitionProduceData {
    std::int32_t index = 0;
    std::optional<SliceList> records;
    WT_HAS_TABLE;
  };
  struct TopicProduceData {
    std::string name;
    Uuid topic_id;
    std::vector<PartitionProduceData> partition_data;
    WT_HAS_TABLE;
  };
  std::optional<std::string> transactional_id;
  std::int16_t acks = 0;
  std::int32_t timeout_ms = 0;
  std::vector<TopicProduceData> topic_data;
  WT_HAS_TABLE;
};

// From version 10 on, an answer that names a wrong leader hints at the right one; the hints' addresses
// are in `node_endpoints`.
struct ProduceResponse {
  struct BatchIndexAndErrorMessage {
    std::int32_t batch_index = 0;
    std::optional<std::string> batch_index_error_message;
    WT_HAS_TABLE;
  };
  struct LeaderIdAndEpoch {
    std::int32_t leader_id = -1;
    std::int32_t leader_epoch = -1;
    WT_HAS_TABLE;
  };
  struct PartitionProduceResponse {
    std::int32_t index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::int64_t base_offset = 0;
    std::int64_t log_append_time_ms = -1;
    std::int64_t log_start_offset = -1;
    std::vector<BatchIndexAndErrorMessage> record_errors;
    std::optional<std::string> error_message;
    LeaderIdAndEpoch current_leader;
    WT_HAS_TABLE;
  };
  struct TopicProduceResponse {
    std::string name;
    Uuid topic_id;
    std::vector<PartitionProduceResponse> partition_responses;
    WT_HAS_TABLE;
  };
  struct NodeEndpoint {
    std::int32_t node_id = 0;
    std::string host;
    std::int32_t port = 0;
    std::optional<std::string> rack;
    WT_HAS_TABLE;
  };
  std::vector<TopicProduceResponse> responses;
  std::int32_t throttle_time_ms = 0;
  std::vector<NodeEndpoint> node_endpoints;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

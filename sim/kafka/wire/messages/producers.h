// InitProducerId (22) and DescribeProducers (61): producer ids and epochs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct InitProducerIdRequest {
  std::optional<std::string> transactional_id = std::string{};
  std::int32_t transaction_timeout_ms = 0;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  bool enable2_pc = false;
  bool keep_prepared_txn = false;
  WT_HAS_TABLE;
};

struct InitProducerIdResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = 0;
  std::int64_t ongoing_txn_producer_id = -1;
  std::int16_t ongoing_txn_producer_epoch = -1;
  WT_HAS_TABLE;
};

struct DescribeProducersRequest {
  struct TopicRequest {
    std::string name;
    std::vector<std::int32_t> partition_indexes;
    WT_HAS_TABLE;
  };
  std::vector<TopicRequest> topics;
  WT_HAS_TABLE;
};

struct DescribeProducersResponse {
  struct ProducerState {
    std::int64_t producer_id = 0;
    std::int32_t producer_epoch = 0;
    std::int32_t last_sequence = -1;
    std::int64_t last_timestamp = -1;
    std::int32_t coordinator_epoch = 0;
    std::int64_t current_txn_start_offset = -1;
    WT_HAS_TABLE;
  };
  struct PartitionResponse {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    std::vector<ProducerState> active_producers;
    WT_HAS_TABLE;
  };
  struct TopicResponse {
    std::string name;
    std::vector<PartitionResponse> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<TopicResponse> topics;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

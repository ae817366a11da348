// DescribeTransactions (65) and ListTransactions (66).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeTransactionsRequest {
  std::vector<std::string> transactional_ids;
  WT_HAS_TABLE;
};

struct DescribeTransactionsResponse {
  struct TopicData {
    std::string topic;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct TransactionState {
    ErrorCode error_code = ErrorCode::kNone;
    std::string transactional_id;
    std::string transaction_state;
    std::int32_t transaction_timeout_ms = 0;
    std::int64_t transaction_start_time_ms = 0;
    std::int64_t producer_id = 0;
    std::int16_t producer_epoch = 0;
    std::vector<TopicData> topics;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<TransactionState> transaction_states;
  WT_HAS_TABLE;
};

struct ListTransactionsRequest {
  std::vector<std::string> state_filters;
  std::vector<std::int64_t> producer_id_filters;
  std::int64_t duration_filter = -1;
  std::optional<std::string> transactional_id_pattern;
  WT_HAS_TABLE;
};

struct ListTransactionsResponse {
  struct TransactionState {
    std::string transactional_id;
    std::int64_t producer_id = 0;
    std::string transaction_state;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<std::string> unknown_state_filters;
  std::vector<TransactionState> transaction_states;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

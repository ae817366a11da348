// InitializeShareGroupState (83), ReadShareGroupState (84), WriteShareGroupState (85), DeleteShareGroupState
// (86), ReadShareGroupStateSummary (87): what brokers ask the share coordinator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct InitializeShareGroupStateRequest {
  struct PartitionData {
    std::int32_t partition = 0;
    std::int32_t state_epoch = 0;
    std::int64_t start_offset = 0;
    WT_HAS_TABLE;
  };
  struct InitializeStateData {
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<InitializeStateData> topics;
  WT_HAS_TABLE;
};

struct InitializeShareGroupStateResponse {
  struct PartitionResult {
    std::int32_t partition = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  struct InitializeStateResult {
    Uuid topic_id;
    std::vector<PartitionResult> partitions;
    WT_HAS_TABLE;
  };
  std::vector<InitializeStateResult> results;
  WT_HAS_TABLE;
};

struct ReadShareGroupStateRequest {
  struct PartitionData {
    std::int32_t partition = 0;
    std::int32_t leader_epoch = 0;
    WT_HAS_TABLE;
  };
  struct ReadStateData {
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<ReadStateData> topics;
  WT_HAS_TABLE;
};

struct ReadShareGroupStateResponse {
  struct StateBatch {
    std::int64_t first_offset = 0;
    std::int64_t last_offset = 0;
    std::int8_t delivery_state = 0;
    std::int16_t delivery_count = 0;
    WT_HAS_TABLE;
  };
  struct PartitionResult {
    std::int32_t partition = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    std::int32_t state_epoch = 0;
    std::int64_t start_offset = 0;
    std::vector<StateBatch> state_batches;
    WT_HAS_TABLE;
  };
  struct ReadStateResult {
    Uuid topic_id;
    std::vector<PartitionResult> partitions;
    WT_HAS_TABLE;
  };
  std::vector<ReadStateResult> results;
  WT_HAS_TABLE;
};

struct WriteShareGroupStateRequest {
  struct StateBatch {
    std::int64_t first_offset = 0;
    std::int64_t last_offset = 0;
    std::int8_t delivery_state = 0;
    std::int16_t delivery_count = 0;
    WT_HAS_TABLE;
  };
  struct PartitionData {
    std::int32_t partition = 0;
    std::int32_t state_epoch = 0;
    std::int32_t leader_epoch = 0;
    std::int64_t start_offset = 0;
    std::int32_t delivery_complete_count = -1;
    std::vector<StateBatch> state_batches;
    WT_HAS_TABLE;
  };
  struct WriteStateData {
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<WriteStateData> topics;
  WT_HAS_TABLE;
};

struct WriteShareGroupStateResponse {
  struct PartitionResult {
    std::int32_t partition = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  struct WriteStateResult {
    Uuid topic_id;
    std::vector<PartitionResult> partitions;
    WT_HAS_TABLE;
  };
  std::vector<WriteStateResult> results;
  WT_HAS_TABLE;
};

struct DeleteShareGroupStateRequest {
  struct PartitionData {
    std::int32_t partition = 0;
    WT_HAS_TABLE;
  };
  struct DeleteStateData {
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<DeleteStateData> topics;
  WT_HAS_TABLE;
};

struct DeleteShareGroupStateResponse {
  struct PartitionResult {
    std::int32_t partition = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  struct DeleteStateResult {
    Uuid topic_id;
    std::vector<PartitionResult> partitions;
    WT_HAS_TABLE;
  };
  std::vector<DeleteStateResult> results;
  WT_HAS_TABLE;
};

struct ReadShareGroupStateSummaryRequest {
  struct PartitionData {
    std::int32_t partition = 0;
    std::int32_t leader_epoch = 0;
    WT_HAS_TABLE;
  };
  struct ReadStateSummaryData {
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<ReadStateSummaryData> topics;
  WT_HAS_TABLE;
};

struct ReadShareGroupStateSummaryResponse {
  struct PartitionResult {
    std::int32_t partition = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    std::int32_t state_epoch = 0;
    std::int32_t leader_epoch = 0;
    std::int64_t start_offset = 0;
    std::int32_t delivery_complete_count = -1;
    WT_HAS_TABLE;
  };
  struct ReadStateSummaryResult {
    Uuid topic_id;
    std::vector<PartitionResult> partitions;
    WT_HAS_TABLE;
  };
  std::vector<ReadStateSummaryResult> results;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

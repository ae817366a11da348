// ListOffsets (2) and OffsetForLeaderEpoch (23): offsets by time and by leader epoch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct ListOffsetsRequest {
  struct ListOffsetsPartition {
    std::int32_t partition_index = 0;
    std::int32_t current_leader_epoch = -1;
    std::int64_t timestamp = 0;
    WT_HAS_TABLE;
  };
  struct ListOffsetsTopic {
    std::string name;
    std::vector<ListOffsetsPartition> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t replica_id = 0;
  std::int8_t isolation_level = 0;
  std::vector<ListOffsetsTopic> topics;
  std::int32_t timeout_ms = 0;
  WT_HAS_TABLE;
};

struct ListOffsetsResponse {
  struct ListOffsetsPartitionResponse {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::int64_t timestamp = -1;
    std::int64_t offset = -1;
    std::int32_t leader_epoch = -1;
    WT_HAS_TABLE;
  };
  struct ListOffsetsTopicResponse {
    std::string name;
    std::vector<ListOffsetsPartitionResponse> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<ListOffsetsTopicResponse> topics;
  WT_HAS_TABLE;
};

struct OffsetForLeaderEpochRequest {
  struct OffsetForLeaderPartition {
    std::int32_t partition = 0;
    std::int32_t current_leader_epoch = -1;
    std::int32_t leader_epoch = 0;
    WT_HAS_TABLE;
  };
  struct OffsetForLeaderTopic {
    std::string topic;
    std::vector<OffsetForLeaderPartition> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t replica_id = -2;
  std::vector<OffsetForLeaderTopic> topics;
  WT_HAS_TABLE;
};

struct OffsetForLeaderEpochResponse {
  struct EpochEndOffset {
    ErrorCode error_code = ErrorCode::kNone;
    std::int32_t partition = 0;
    std::int32_t leader_epoch = -1;
    std::int64_t end_offset = -1;
    WT_HAS_TABLE;
  };
  struct OffsetForLeaderTopicResult {
    std::string topic;
    std::vector<EpochEndOffset> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<OffsetForLeaderTopicResult> topics;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

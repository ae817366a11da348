// DescribeShareGroupOffsets (90), AlterShareGroupOffsets (91), DeleteShareGroupOffsets (92).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeShareGroupOffsetsRequest {
  struct DescribeShareGroupOffsetsRequestTopic {
    std::string topic_name;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct DescribeShareGroupOffsetsRequestGroup {
    std::string group_id;
    std::optional<std::vector<DescribeShareGroupOffsetsRequestTopic>> topics =
        std::vector<DescribeShareGroupOffsetsRequestTopic>{};
    WT_HAS_TABLE;
  };
  std::vector<DescribeShareGroupOffsetsRequestGroup> groups;
  WT_HAS_TABLE;
};

struct DescribeShareGroupOffsetsResponse {
  struct DescribeShareGroupOffsetsResponsePartition {
    std::int32_t partition_index = 0;
    std::int64_t start_offset = 0;
    std::int32_t leader_epoch = 0;
    std::int64_t lag = -1;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  struct DescribeShareGroupOffsetsResponseTopic {
    std::string topic_name;
    Uuid topic_id;
    std::vector<DescribeShareGroupOffsetsResponsePartition> partitions;
    WT_HAS_TABLE;
  };
  struct DescribeShareGroupOffsetsResponseGroup {
    std::string group_id;
    std::vector<DescribeShareGroupOffsetsResponseTopic> topics;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DescribeShareGroupOffsetsResponseGroup> groups;
  WT_HAS_TABLE;
};

struct AlterShareGroupOffsetsRequest {
  struct AlterShareGroupOffsetsRequestPartition {
    std::int32_t partition_index = 0;
    std::int64_t start_offset = 0;
    WT_HAS_TABLE;
  };
  struct AlterShareGroupOffsetsRequestTopic {
    std::string topic_name;
    std::vector<AlterShareGroupOffsetsRequestPartition> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<AlterShareGroupOffsetsRequestTopic> topics;
  WT_HAS_TABLE;
};

struct AlterShareGroupOffsetsResponse {
  struct AlterShareGroupOffsetsResponsePartition {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  struct AlterShareGroupOffsetsResponseTopic {
    std::string topic_name;
    Uuid topic_id;
    std::vector<AlterShareGroupOffsetsResponsePartition> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  std::vector<AlterShareGroupOffsetsResponseTopic> responses;
  WT_HAS_TABLE;
};

struct DeleteShareGroupOffsetsRequest {
  struct DeleteShareGroupOffsetsRequestTopic {
    std::string topic_name;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<DeleteShareGroupOffsetsRequestTopic> topics;
  WT_HAS_TABLE;
};

struct DeleteShareGroupOffsetsResponse {
  struct DeleteShareGroupOffsetsResponseTopic {
    std::string topic_name;
    Uuid topic_id;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  std::vector<DeleteShareGroupOffsetsResponseTopic> responses;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

// OffsetCommit (8), OffsetFetch (9), OffsetDelete (47): committed offsets of groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct OffsetCommitRequest {
  struct OffsetCommitRequestPartition {
    std::int32_t partition_index = 0;
    std::int64_t committed_offset = 0;
    std::int32_t committed_leader_epoch = -1;
    std::optional<std::string> committed_metadata = std::string{};
    WT_HAS_TABLE;
  };
  struct OffsetCommitRequestTopic {
    std::string name;
    Uuid topic_id;
    std::vector<OffsetCommitRequestPartition> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::int32_t generation_id_or_member_epoch = -1;
  std::string member_id;
  std::optional<std::string> group_instance_id;
  std::int64_t retention_time_ms = -1;
  std::vector<OffsetCommitRequestTopic> topics;
  WT_HAS_TABLE;
};

struct OffsetCommitResponse {
  struct OffsetCommitResponsePartition {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct OffsetCommitResponseTopic {
    std::string name;
    Uuid topic_id;
    std::vector<OffsetCommitResponsePartition> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<OffsetCommitResponseTopic> topics;
  WT_HAS_TABLE;
};

// Versions up to 7 ask about one group (topics null: all), from 8 on about many.
struct OffsetFetchRequest {
  struct OffsetFetchRequestTopic {
    std::string name;
    std::vector<std::int32_t> partition_indexes;
    WT_HAS_TABLE;
  };
  struct OffsetFetchRequestTopics {
    std::string name;
    Uuid topic_id;
    std::vector<std::int32_t> partition_indexes;
    WT_HAS_TABLE;
  };
  struct OffsetFetchRequestGroup {
    std::string group_id;
    std::optional<std::string> member_id;
    std::int32_t member_epoch = -1;
    std::optional<std::vector<OffsetFetchRequestTopics>> topics = std::vector<OffsetFetchRequestTopics>{};
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::optional<std::vector<OffsetFetchRequestTopic>> topics = std::vector<OffsetFetchRequestTopic>{};
  std::vector<OffsetFetchRequestGroup> groups;
  bool require_stable = false;
  WT_HAS_TABLE;
};

struct OffsetFetchResponse {
  struct OffsetFetchResponsePartition {
    std::int32_t partition_index = 0;
    std::int64_t committed_offset = 0;
    std::int32_t committed_leader_epoch = -1;
    std::optional<std::string> metadata = std::string{};
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct OffsetFetchResponseTopic {
    std::string name;
    std::vector<OffsetFetchResponsePartition> partitions;
    WT_HAS_TABLE;
  };
  struct OffsetFetchResponsePartitions {
    std::int32_t partition_index = 0;
    std::int64_t committed_offset = 0;
    std::int32_t committed_leader_epoch = -1;
    std::optional<std::string> metadata = std::string{};
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct OffsetFetchResponseTopics {
    std::string name;
    Uuid topic_id;
    std::vector<OffsetFetchResponsePartitions> partitions;
    WT_HAS_TABLE;
  };
  struct OffsetFetchResponseGroup {
    std::string group_id;
    std::vector<OffsetFetchResponseTopics> topics;
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<OffsetFetchResponseTopic> topics;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<OffsetFetchResponseGroup> groups;
  WT_HAS_TABLE;
};

struct OffsetDeleteRequest {
  struct OffsetDeleteRequestPartition {
    std::int32_t partition_index = 0;
    WT_HAS_TABLE;
  };
  struct OffsetDeleteRequestTopic {
    std::string name;
    std::vector<OffsetDeleteRequestPartition> partitions;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::vector<OffsetDeleteRequestTopic> topics;
  WT_HAS_TABLE;
};

struct OffsetDeleteResponse {
  struct OffsetDeleteResponsePartition {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct OffsetDeleteResponseTopic {
    std::string name;
    std::vector<OffsetDeleteResponsePartition> partitions;
    WT_HAS_TABLE;
  };
  ErrorCode error_code = ErrorCode::kNone;
  std::int32_t throttle_time_ms = 0;
  std::vector<OffsetDeleteResponseTopic> topics;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

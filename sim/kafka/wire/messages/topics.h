// CreateTopics (19), DeleteTopics (20), DeleteRecords (21), CreatePartitions (37).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct CreateTopicsRequest {
  struct CreatableReplicaAssignment {
    std::int32_t partition_index = 0;
    std::vector<std::int32_t> broker_ids;
    WT_HAS_TABLE;
  };
  struct CreatableTopicConfig {
    std::string name;
    std::optional<std::string> value = std::string{};
    WT_HAS_TABLE;
  };
  struct CreatableTopic {
    std::string name;
    std::int32_t num_partitions = 0;
    std::int16_t replication_factor = 0;
    std::vector<CreatableReplicaAssignment> assignments;
    std::vector<CreatableTopicConfig> configs;
    WT_HAS_TABLE;
  };
  std::vector<CreatableTopic> topics;
  std::int32_t timeout_ms = 60000;
  bool validate_only = false;
  WT_HAS_TABLE;
};

struct CreateTopicsResponse {
  struct CreatableTopicConfigs {
    std::string name;
    std::optional<std::string> value = std::string{};
    bool read_only = false;
    std::int8_t config_source = -1;
    bool is_sensitive = false;
    WT_HAS_TABLE;
  };
  struct CreatableTopicResult {
    std::string name;
    Uuid topic_id;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    ErrorCode topic_config_error_code = ErrorCode::kNone;
    std::int32_t num_partitions = -1;
    std::int16_t replication_factor = -1;
    std::optional<std::vector<CreatableTopicConfigs>> configs = std::vector<CreatableTopicConfigs>{};
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<CreatableTopicResult> topics;
  WT_HAS_TABLE;
};

// Names only up to version 5; from 6 on each topic by name or id.
struct DeleteTopicsRequest {
  struct DeleteTopicState {
    std::optional<std::string> name;
    Uuid topic_id;
    WT_HAS_TABLE;
  };
  std::vector<DeleteTopicState> topics;
  std::vector<std::string> topic_names;
  std::int32_t timeout_ms = 0;
  WT_HAS_TABLE;
};

struct DeleteTopicsResponse {
  struct DeletableTopicResult {
    std::optional<std::string> name = std::string{};
    Uuid topic_id;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DeletableTopicResult> responses;
  WT_HAS_TABLE;
};

struct DeleteRecordsRequest {
  struct DeleteRecordsPartition {
    std::int32_t partition_index = 0;
    std::int64_t offset = 0;
    WT_HAS_TABLE;
  };
  struct DeleteRecordsTopic {
    std::string name;
    std::vector<DeleteRecordsPartition> partitions;
    WT_HAS_TABLE;
  };
  std::vector<DeleteRecordsTopic> topics;
  std::int32_t timeout_ms = 0;
  WT_HAS_TABLE;
};

struct DeleteRecordsResponse {
  struct DeleteRecordsPartitionResult {
    std::int32_t partition_index = 0;
    std::int64_t low_watermark = 0;
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct DeleteRecordsTopicResult {
    std::string name;
    std::vector<DeleteRecordsPartitionResult> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DeleteRecordsTopicResult> topics;
  WT_HAS_TABLE;
};

struct CreatePartitionsRequest {
  struct CreatePartitionsAssignment {
    std::vector<std::int32_t> broker_ids;
    WT_HAS_TABLE;
  };
  struct CreatePartitionsTopic {
    std::string name;
    std::int32_t count = 0;
    std::optional<std::vector<CreatePartitionsAssignment>> assignments =
        std::vector<CreatePartitionsAssignment>{};
    WT_HAS_TABLE;
  };
  std::vector<CreatePartitionsTopic> topics;
  std::int32_t timeout_ms = 0;
  bool validate_only = false;
  WT_HAS_TABLE;
};

struct CreatePartitionsResponse {
  struct CreatePartitionsTopicResult {
    std::string name;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<CreatePartitionsTopicResult> results;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

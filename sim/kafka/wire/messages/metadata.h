// Metadata (3) and DescribeTopicPartitions (75): brokers, topics, partitions, leaders.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// No topics at all: null from version 1 on, an empty list in version 0.
struct MetadataRequest {
  struct MetadataRequestTopic {
    Uuid topic_id;
    std::optional<std::string> name = std::string{};
    WT_HAS_TABLE;
  };
  std::optional<std::vector<MetadataRequestTopic>> topics = std::vector<MetadataRequestTopic>{};
  bool allow_auto_topic_creation = true;
  bool include_cluster_authorized_operations = false;
  bool include_topic_authorized_operations = false;
  WT_HAS_TABLE;
};

struct MetadataResponse {
  struct MetadataResponseBroker {
    std::int32_t node_id = 0;
    std::string host;
    std::int32_t port = 0;
    std::optional<std::string> rack;
    WT_HAS_TABLE;
  };
  struct MetadataResponsePartition {
    ErrorCode error_code = ErrorCode::kNone;
    std::int32_t partition_index = 0;
    std::int32_t leader_id = 0;
    std::int32_t leader_epoch = -1;
    std::vector<std::int32_t> replica_nodes;
    std::vector<std::int32_t> isr_nodes;
    std::vector<std::int32_t> offline_replicas;
    WT_HAS_TABLE;
  };
  struct MetadataResponseTopic {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> name = std::string{};
    Uuid topic_id;
    bool is_internal = false;
    std::vector<MetadataResponsePartition> partitions;
    std::int32_t topic_authorized_operations = std::numeric_limits<std::int32_t>::min();
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<MetadataResponseBroker> brokers;
  std::optional<std::string> cluster_id;
  std::int32_t controller_id = -1;
  std::vector<MetadataResponseTopic> topics;
  std::int32_t cluster_authorized_operations = std::numeric_limits<std::int32_t>::min();
  ErrorCode error_code = ErrorCode::kNone;
  WT_HAS_TABLE;
};

// Where a listing that a response cut short goes on. Not nested: clang 14 cannot default-construct a nested
// struct inside the std::optional members of the struct around it.
struct TopicPartitionCursor {
  std::string topic_name;
  std::int32_t partition_index = 0;
  WT_HAS_TABLE;
};

// `cursor` continues a listing that a response cut short.
struct DescribeTopicPartitionsRequest {
  struct TopicRequest {
    std::string name;
    WT_HAS_TABLE;
  };
  using Cursor = TopicPartitionCursor;
  std::vector<TopicRequest> topics;
  std::int32_t response_partition_limit = 2000;
  std::optional<Cursor> cursor;
  WT_HAS_TABLE;
};

struct DescribeTopicPartitionsResponse {
  struct DescribeTopicPartitionsResponsePartition {
    ErrorCode error_code = ErrorCode::kNone;
    std::int32_t partition_index = 0;
    std::int32_t leader_id = 0;
    std::int32_t leader_epoch = -1;
    std::vector<std::int32_t> replica_nodes;
    std::vector<std::int32_t> isr_nodes;
    std::optional<std::vector<std::int32_t>> eligible_leader_replicas;
    std::optional<std::vector<std::int32_t>> last_known_elr;
    std::vector<std::int32_t> offline_replicas;
    WT_HAS_TABLE;
  };
  struct DescribeTopicPartitionsResponseTopic {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> name = std::string{};
    Uuid topic_id;
    bool is_internal = false;
    std::vector<DescribeTopicPartitionsResponsePartition> partitions;
    std::int32_t topic_authorized_operations = std::numeric_limits<std::int32_t>::min();
    WT_HAS_TABLE;
  };
  using Cursor = TopicPartitionCursor;
  std::int32_t throttle_time_ms = 0;
  std::vector<DescribeTopicPartitionsResponseTopic> topics;
  std::optional<Cursor> next_cursor;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

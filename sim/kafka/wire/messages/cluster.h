// DescribeLogDirs (35), ElectLeaders (43), DescribeCluster (60): the brokers themselves.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeLogDirsRequest {
  struct DescribableLogDirTopic {
    std::string topic;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  std::optional<std::vector<DescribableLogDirTopic>> topics = std::vector<DescribableLogDirTopic>{};
  WT_HAS_TABLE;
};

struct DescribeLogDirsResponse {
  struct DescribeLogDirsPartition {
    std::int32_t partition_index = 0;
    std::int64_t partition_size = 0;
    std::int64_t offset_lag = 0;
    bool is_future_key = false;
    WT_HAS_TABLE;
  };
  struct DescribeLogDirsTopic {
    std::string name;
    std::vector<DescribeLogDirsPartition> partitions;
    WT_HAS_TABLE;
  };
  struct DescribeLogDirsResult {
    ErrorCode error_code = ErrorCode::kNone;
    std::string log_dir;
    std::vector<DescribeLogDirsTopic> topics;
    std::int64_t total_bytes = -1;
    std::int64_t usable_bytes = -1;
    bool is_cordoned = false;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<DescribeLogDirsResult> results;
  WT_HAS_TABLE;
};

struct ElectLeadersRequest {
  struct TopicPartitions {
    std::string topic;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  std::int8_t election_type = 0;
  std::optional<std::vector<TopicPartitions>> topic_partitions = std::vector<TopicPartitions>{};
  std::int32_t timeout_ms = 60000;
  WT_HAS_TABLE;
};

struct ElectLeadersResponse {
  struct PartitionResult {
    std::int32_t partition_id = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    WT_HAS_TABLE;
  };
  struct ReplicaElectionResult {
    std::string topic;
    std::vector<PartitionResult> partition_result;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<ReplicaElectionResult> replica_election_results;
  WT_HAS_TABLE;
};

struct DescribeClusterRequest {
  bool include_cluster_authorized_operations = false;
  std::int8_t endpoint_type = 1;
  bool include_fenced_brokers = false;
  WT_HAS_TABLE;
};

struct DescribeClusterResponse {
  struct DescribeClusterBroker {
    std::int32_t broker_id = 0;
    std::string host;
    std::int32_t port = 0;
    std::optional<std::string> rack;
    bool is_fenced = false;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  std::int8_t endpoint_type = 1;
  std::string cluster_id;
  std::int32_t controller_id = -1;
  std::vector<DescribeClusterBroker> brokers;
  std::int32_t cluster_authorized_operations = std::numeric_limits<std::int32_t>::min();
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

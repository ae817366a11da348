// AlterReplicaLogDirs (34), AlterPartitionReassignments (45), ListPartitionReassignments (46): where replicas
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct AlterReplicaLogDirsRequest {
  struct AlterReplicaLogDirTopic {
    std::string name;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct AlterReplicaLogDir {
    std::string path;
    std::vector<AlterReplicaLogDirTopic> topics;
    WT_HAS_TABLE;
  };
  std::vector<AlterReplicaLogDir> dirs;
  WT_HAS_TABLE;
};

struct AlterReplicaLogDirsResponse {
  struct AlterReplicaLogDirPartitionResult {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct AlterReplicaLogDirTopicResult {
    std::string topic_name;
    std::vector<AlterReplicaLogDirPartitionResult> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<AlterReplicaLogDirTopicResult> results;
  WT_HAS_TABLE;
};

struct AlterPartitionReassignmentsRequest {
  struct ReassignablePartition {
    std::int32_t partition_index = 0;
    std::optional<std::vector<std::int32_t>> replicas;
    WT_HAS_TABLE;
  };
  struct ReassignableTopic {
    std::string name;
    std::vector<ReassignablePartition> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t timeout_ms = 60000;
  bool allow_replication_factor_change = true;
  std::vector<ReassignableTopic> topics;
  WT_HAS_TABLE;
};

struct AlterPartitionReassignmentsResponse {
  struct ReassignablePartitionResponse {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    WT_HAS_TABLE;
  };
  struct ReassignableTopicResponse {
    std::string name;
    std::vector<ReassignablePartitionResponse> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  bool allow_replication_factor_change = true;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::vector<ReassignableTopicResponse> responses;
  WT_HAS_TABLE;
};

struct ListPartitionReassignmentsRequest {
  struct ListPartitionReassignmentsTopics {
    std::string name;
    std::vector<std::int32_t> partition_indexes;
    WT_HAS_TABLE;
  };
  std::int32_t timeout_ms = 60000;
  std::optional<std::vector<ListPartitionReassignmentsTopics>> topics;
  WT_HAS_TABLE;
};

struct ListPartitionReassignmentsResponse {
  struct OngoingPartitionReassignment {
    std::int32_t partition_index = 0;
    std::vector<std::int32_t> replicas;
    std::vector<std::int32_t> adding_replicas;
    std::vector<std::int32_t> removing_replicas;
    WT_HAS_TABLE;
  };
  struct OngoingTopicReassignment {
    std::string name;
    std::vector<OngoingPartitionReassignment> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::vector<OngoingTopicReassignment> topics;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

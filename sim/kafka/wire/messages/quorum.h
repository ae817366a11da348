// DescribeQuorum (55), AddRaftVoter (80), RemoveRaftVoter (81): the controller quorum.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeQuorumRequest {
  struct PartitionData {
    std::int32_t partition_index = 0;
    WT_HAS_TABLE;
  };
  struct TopicData {
    std::string topic_name;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  std::vector<TopicData> topics;
  WT_HAS_TABLE;
};

struct DescribeQuorumResponse {
  struct ReplicaState {
    std::int32_t replica_id = 0;
    Uuid replica_directory_id;
    std::int64_t log_end_offset = 0;
    std::int64_t last_fetch_timestamp = -1;
    std::int64_t last_caught_up_timestamp = -1;
    WT_HAS_TABLE;
  };
  struct PartitionData {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::int32_t leader_id = 0;
    std::int32_t leader_epoch = 0;
    std::int64_t high_watermark = 0;
    std::vector<ReplicaState> current_voters;
    std::vector<ReplicaState> observers;
    WT_HAS_TABLE;
  };
  struct TopicData {
    std::string topic_name;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  struct Listener {
    std::string name;
    std::string host;
    std::uint16_t port = 0;
    WT_HAS_TABLE;
  };
  struct Node {
    std::int32_t node_id = 0;
    std::vector<Listener> listeners;
    WT_HAS_TABLE;
  };
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::vector<TopicData> topics;
  std::vector<Node> nodes;
  WT_HAS_TABLE;
};

struct AddRaftVoterRequest {
  struct Listener {
    std::string name;
    std::string host;
    std::uint16_t port = 0;
    WT_HAS_TABLE;
  };
  std::optional<std::string> cluster_id = std::string{};
  std::int32_t timeout_ms = 0;
  std::int32_t voter_id = 0;
  Uuid voter_directory_id;
  std::vector<Listener> listeners;
  bool ack_when_committed = true;
  WT_HAS_TABLE;
};

struct AddRaftVoterResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  WT_HAS_TABLE;
};

struct RemoveRaftVoterRequest {
  std::optional<std::string> cluster_id = std::string{};
  std::int32_t voter_id = 0;
  Uuid voter_directory_id;
  WT_HAS_TABLE;
};

struct RemoveRaftVoterResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

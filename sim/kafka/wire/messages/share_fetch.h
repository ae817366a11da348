// ShareFetch (78), ShareAcknowledge (79): the records of share groups.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct ShareFetchRequest {
  struct AcknowledgementBatch {
    std::int64_t first_offset = 0;
    std::int64_t last_offset = 0;
    std::vector<std::int8_t> acknowledge_types;
    WT_HAS_TABLE;
  };
  struct FetchPartition {
    std::int32_t partition_index = 0;
    std::vector<AcknowledgementBatch> acknowledgement_batches;
    WT_HAS_TABLE;
  };
  struct FetchTopic {
    Uuid topic_id;
    std::vector<FetchPartition> partitions;
    WT_HAS_TABLE;
  };
  struct ForgottenTopic {
    Uuid topic_id;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  std::optional<std::string> group_id;
  std::optional<std::string> member_id = std::string{};
  std::int32_t share_session_epoch = 0;
  std::int32_t max_wait_ms = 0;
  std::int32_t min_bytes = 0;
  std::int32_t max_bytes = std::numeric_limits<std::int32_t>::max();
  std::int32_t max_records = 0;
  std::int32_t batch_size = 0;
  std::int8_t share_acquire_mode = 0;
  bool is_renew_ack = false;
  std::vector<FetchTopic> topics;
  std::vector<ForgottenTopic> forgotten_topics_data;
  WT_HAS_TABLE;
};

struct ShareFetchResponse {
  struct LeaderIdAndEpoch {
    std::int32_t leader_id = 0;
    std::int32_t leader_epoch = 0;
    WT_HAS_TABLE;
  };
  struct AcquiredRecords {
    std::int64_t first_offset = 0;
    std::int64_t last_offset = 0;
    std::int16_t delivery_count = 0;
    WT_HAS_TABLE;
  };
  struct PartitionData {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    ErrorCode acknowledge_error_code = ErrorCode::kNone;
    std::optional<std::string> acknowledge_error_message;
    LeaderIdAndEpoch current_leader;
    SliceList records;
    std::vector<AcquiredRecords> acquired_records;
    WT_HAS_TABLE;
  };
  struct ShareFetchableTopicResponse {
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  struct NodeEndpoint {
    std::int32_t node_id = 0;
    std::string host;
    std::int32_t port = 0;
    std::optional<std::string> rack;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  std::int32_t acquisition_lock_timeout_ms = 0;
  std::vector<ShareFetchableTopicResponse> responses;
  std::vector<NodeEndpoint> node_endpoints;
  WT_HAS_TABLE;
};

struct ShareAcknowledgeRequest {
  struct AcknowledgementBatch {
    std::int64_t first_offset = 0;
    std::int64_t last_offset = 0;
    std::vector<std::int8_t> acknowledge_types;
    WT_HAS_TABLE;
  };
  struct AcknowledgePartition {
    std::int32_t partition_index = 0;
    std::vector<AcknowledgementBatch> acknowledgement_batches;
    WT_HAS_TABLE;
  };
  struct AcknowledgeTopic {
    Uuid topic_id;
    std::vector<AcknowledgePartition> partitions;
    WT_HAS_TABLE;
  };
  std::optional<std::string> group_id;
  std::optional<std::string> member_id = std::string{};
  std::int32_t share_session_epoch = 0;
  bool is_renew_ack = false;
  std::vector<AcknowledgeTopic> topics;
  WT_HAS_TABLE;
};

struct ShareAcknowledgeResponse {
  struct LeaderIdAndEpoch {
    std::int32_t leader_id = 0;
    std::int32_t leader_epoch = 0;
    WT_HAS_TABLE;
  };
  struct PartitionData {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    LeaderIdAndEpoch current_leader;
    WT_HAS_TABLE;
  };
  struct ShareAcknowledgeTopicResponse {
    Uuid topic_id;
    std::vector<PartitionData> partitions;
    WT_HAS_TABLE;
  };
  struct NodeEndpoint {
    std::int32_t node_id = 0;
    std::string host;
    std::int32_t port = 0;
    std::optional<std::string> rack;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  std::int32_t acquisition_lock_timeout_ms = 0;
  std::vector<ShareAcknowledgeTopicResponse> responses;
  std::vector<NodeEndpoint> node_endpoints;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

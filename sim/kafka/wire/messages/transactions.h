// AddPartitionsToTxn (24), AddOffsetsToTxn (25), EndTxn (26), WriteTxnMarkers (27), TxnOffsetCommit (28).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Clients send versions up to 3 (one transaction); 4 and up are for brokers, in batches.
struct AddPartitionsToTxnRequest {
  struct AddPartitionsToTxnTopic {
    std::string name;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct AddPartitionsToTxnTransaction {
    std::string transactional_id;
    std::int64_t producer_id = 0;
    std::int16_t producer_epoch = 0;
    bool verify_only = false;
    std::vector<AddPartitionsToTxnTopic> topics;
    WT_HAS_TABLE;
  };
  std::vector<AddPartitionsToTxnTransaction> transactions;
  std::string v3_and_below_transactional_id;
  std::int64_t v3_and_below_producer_id = 0;
  std::int16_t v3_and_below_producer_epoch = 0;
  std::vector<AddPartitionsToTxnTopic> v3_and_below_topics;
  WT_HAS_TABLE;
};

struct AddPartitionsToTxnResponse {
  struct AddPartitionsToTxnPartitionResult {
    std::int32_t partition_index = 0;
    ErrorCode partition_error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct AddPartitionsToTxnTopicResult {
    std::string name;
    std::vector<AddPartitionsToTxnPartitionResult> results_by_partition;
    WT_HAS_TABLE;
  };
  struct AddPartitionsToTxnResult {
    std::string transactional_id;
    std::vector<AddPartitionsToTxnTopicResult> topic_results;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<AddPartitionsToTxnResult> results_by_transaction;
  std::vector<AddPartitionsToTxnTopicResult> results_by_topic_v3_and_below;
  WT_HAS_TABLE;
};

struct AddOffsetsToTxnRequest {
  std::string transactional_id;
  std::int64_t producer_id = 0;
  std::int16_t producer_epoch = 0;
  std::string group_id;
  WT_HAS_TABLE;
};

struct AddOffsetsToTxnResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  WT_HAS_TABLE;
};

struct EndTxnRequest {
  std::string transactional_id;
  std::int64_t producer_id = 0;
  std::int16_t producer_epoch = 0;
  bool committed = false;
  WT_HAS_TABLE;
};

// From version 5 on with the producer id and epoch of the next transaction.
struct EndTxnResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  WT_HAS_TABLE;
};

// Between brokers, and from the admin tool that ends hanging transactions.
struct WriteTxnMarkersRequest {
  struct WritableTxnMarkerTopic {
    std::string name;
    std::vector<std::int32_t> partition_indexes;
    WT_HAS_TABLE;
  };
  struct WritableTxnMarker {
    std::int64_t producer_id = 0;
    std::int16_t producer_epoch = 0;
    bool transaction_result = false;
    std::vector<WritableTxnMarkerTopic> topics;
    std::int32_t coordinator_epoch = 0;
    std::int8_t transaction_version = 0;
    WT_HAS_TABLE;
  };
  std::vector<WritableTxnMarker> markers;
  WT_HAS_TABLE;
};

struct WriteTxnMarkersResponse {
  struct WritableTxnMarkerPartitionResult {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct WritableTxnMarkerTopicResult {
    std::string name;
    std::vector<WritableTxnMarkerPartitionResult> partitions;
    WT_HAS_TABLE;
  };
  struct WritableTxnMarkerResult {
    std::int64_t producer_id = 0;
    std::vector<WritableTxnMarkerTopicResult> topics;
    WT_HAS_TABLE;
  };
  std::vector<WritableTxnMarkerResult> markers;
  WT_HAS_TABLE;
};

struct TxnOffsetCommitRequest {
  struct TxnOffsetCommitRequestPartition {
    std::int32_t partition_index = 0;
    std::int64_t committed_offset = 0;
    std::int32_t committed_leader_epoch = -1;
    std::optional<std::string> committed_metadata = std::string{};
    WT_HAS_TABLE;
  };
  struct TxnOffsetCommitRequestTopic {
    std::string name;
    Uuid topic_id;
    std::vector<TxnOffsetCommitRequestPartition> partitions;
    WT_HAS_TABLE;
  };
  std::string transactional_id;
  std::string group_id;
  std::int64_t producer_id = 0;
  std::int16_t producer_epoch = 0;
  std::int32_t generation_id_or_member_epoch = -1;
  std::string member_id;
  std::optional<std::string> group_instance_id;
  std::vector<TxnOffsetCommitRequestTopic> topics;
  WT_HAS_TABLE;
};

struct TxnOffsetCommitResponse {
  struct TxnOffsetCommitResponsePartition {
    std::int32_t partition_index = 0;
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  struct TxnOffsetCommitResponseTopic {
    std::string name;
    Uuid topic_id;
    std::vector<TxnOffsetCommitResponsePartition> partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<TxnOffsetCommitResponseTopic> topics;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

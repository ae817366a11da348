#include "sim/kafka/handlers/partition_errors.h"

namespace wt::kafka {

ErrorCode error_of(broker::Refusal refusal) {
  switch (refusal) {
    case broker::Refusal::none:
      return ErrorCode::kNone;
    case broker::Refusal::fenced_leader_epoch:
      return ErrorCode::kFencedLeaderEpoch;
    case broker::Refusal::unknown_leader_epoch:
      return ErrorCode::kUnknownLeaderEpoch;
    case broker::Refusal::not_leader:
    case broker::Refusal::opening:
      return ErrorCode::kNotLeaderOrFollower;
    case broker::Refusal::offset_out_of_range:
      return ErrorCode::kOffsetOutOfRange;
    case broker::Refusal::offset_not_available:
      return ErrorCode::kOffsetNotAvailable;
    case broker::Refusal::bad_batch:
      return ErrorCode::kCorruptMessage;
    case broker::Refusal::stale_producer_epoch:
      return ErrorCode::kInvalidProducerEpoch;
    case broker::Refusal::out_of_order_sequence:
      return ErrorCode::kOutOfOrderSequenceNumber;
    case broker::Refusal::not_enough_replicas:
      return ErrorCode::kNotEnoughReplicas;
    case broker::Refusal::not_enough_replicas_after_append:
      return ErrorCode::kNotEnoughReplicasAfterAppend;
    case broker::Refusal::open_transaction:
      return ErrorCode::kInvalidTxnState;
    case broker::Refusal::storage_unknown:
      return ErrorCode::kKafkaStorageError;
    case broker::Refusal::storage_refused:
      return ErrorCode::kRequestTimedOut;
  }
  return ErrorCode::kUnknownServerError;
}

ErrorCode error_of(broker::Lookup lookup, bool by_id) {
  switch (lookup) {
    case broker::Lookup::found:
      return ErrorCode::kNone;
    case broker::Lookup::unknown_topic:
      return by_id ? ErrorCode::kUnknownTopicId : ErrorCode::kUnknownTopicOrPartition;
    case broker::Lookup::unknown_partition:
      return ErrorCode::kUnknownTopicOrPartition;
    case broker::Lookup::not_replica:
      return ErrorCode::kNotLeaderOrFollower;
  }
  return ErrorCode::kUnknownServerError;
}

}  // namespace wt::kafka

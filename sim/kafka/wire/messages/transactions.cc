#include "sim/kafka/wire/messages/transactions.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(AddPartitionsToTxnRequest::AddPartitionsToTxnTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_STRUCT(AddPartitionsToTxnRequest::AddPartitionsToTxnTransaction,
    WT_FIELD(transactional_id),
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(verify_only),
    WT_FIELD(topics));
WT_MESSAGE(AddPartitionsToTxnRequest, 0, 5, 3,
    WT_FIELD(transactions).in(since(4)),
    WT_FIELD(v3_and_below_transactional_id).in(between(0, 3)),
    WT_FIELD(v3_and_below_producer_id).in(between(0, 3)),
    WT_FIELD(v3_and_below_producer_epoch).in(between(0, 3)),
    WT_FIELD(v3_and_below_topics).in(between(0, 3)));

WT_STRUCT(AddPartitionsToTxnResponse::AddPartitionsToTxnPartitionResult,
    WT_FIELD(partition_index),
    WT_FIELD(partition_error_code));
WT_STRUCT(AddPartitionsToTxnResponse::AddPartitionsToTxnTopicResult,
    WT_FIELD(name),
    WT_FIELD(results_by_partition));
WT_STRUCT(AddPartitionsToTxnResponse::AddPartitionsToTxnResult,
    WT_FIELD(transactional_id),
    WT_FIELD(topic_results));
WT_MESSAGE(AddPartitionsToTxnResponse, 0, 5, 3,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code).in(since(4)).ignorable(),
    WT_FIELD(results_by_transaction).in(since(4)),
    WT_FIELD(results_by_topic_v3_and_below).in(between(0, 3)));

WT_MESSAGE(AddOffsetsToTxnRequest, 0, 4, 3,
    WT_FIELD(transactional_id),
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(group_id));

WT_MESSAGE(AddOffsetsToTxnResponse, 0, 4, 3,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code));

WT_MESSAGE(EndTxnRequest, 0, 5, 3,
    WT_FIELD(transactional_id),
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(committed));

WT_MESSAGE(EndTxnResponse, 0, 5, 3,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(producer_id).in(since(5)).ignorable(),
    WT_FIELD(producer_epoch).in(since(5)).ignorable());

WT_STRUCT(WriteTxnMarkersRequest::WritableTxnMarkerTopic,
    WT_FIELD(name),
    WT_FIELD(partition_indexes));
WT_STRUCT(WriteTxnMarkersRequest::WritableTxnMarker,
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(transaction_result),
    WT_FIELD(topics),
    WT_FIELD(coordinator_epoch),
    WT_FIELD(transaction_version).in(since(2)).ignorable());
WT_MESSAGE(WriteTxnMarkersRequest, 1, 2, 1,
    WT_FIELD(markers));

WT_STRUCT(WriteTxnMarkersResponse::WritableTxnMarkerPartitionResult,
    WT_FIELD(partition_index),
    WT_FIELD(error_code));
WT_STRUCT(WriteTxnMarkersResponse::WritableTxnMarkerTopicResult,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_STRUCT(WriteTxnMarkersResponse::WritableTxnMarkerResult,
    WT_FIELD(producer_id),
    WT_FIELD(topics));
WT_MESSAGE(WriteTxnMarkersResponse, 1, 2, 1,
    WT_FIELD(markers));

WT_STRUCT(TxnOffsetCommitRequest::TxnOffsetCommitRequestPartition,
    WT_FIELD(partition_index),
    WT_FIELD(committed_offset),
    WT_FIELD(committed_leader_epoch).in(since(2)).ignorable(),
    WT_FIELD(committed_metadata).or_null());
WT_STRUCT(TxnOffsetCommitRequest::TxnOffsetCommitRequestTopic,
    WT_FIELD(name).in(between(0, 5)).ignorable(),
    WT_FIELD(topic_id).in(since(6)).ignorable(),
    WT_FIELD(partitions));
WT_MESSAGE(TxnOffsetCommitRequest, 0, 6, 3,
    WT_FIELD(transactional_id),
    WT_FIELD(group_id),
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(generation_id_or_member_epoch).in(since(3)),
    WT_FIELD(member_id).in(since(3)),
    WT_FIELD(group_instance_id).in(since(3)).or_null(),
    WT_FIELD(topics));

WT_STRUCT(TxnOffsetCommitResponse::TxnOffsetCommitResponsePartition,
    WT_FIELD(partition_index),
    WT_FIELD(error_code));
WT_STRUCT(TxnOffsetCommitResponse::TxnOffsetCommitResponseTopic,
    WT_FIELD(name).in(between(0, 5)).ignorable(),
    WT_FIELD(topic_id).in(since(6)).ignorable(),
    WT_FIELD(partitions));
WT_MESSAGE(TxnOffsetCommitResponse, 0, 6, 3,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(topics));

}  // namespace wt::kafka

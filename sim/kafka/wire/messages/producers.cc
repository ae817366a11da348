#include "sim/kafka/wire/messages/producers.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(InitProducerIdRequest, 0, 6, 2,
    WT_FIELD(transactional_id).or_null(),
    WT_FIELD(transaction_timeout_ms),
    WT_FIELD(producer_id).in(since(3)),
    WT_FIELD(producer_epoch).in(since(3)),
    WT_FIELD(enable2_pc).in(since(6)),
    WT_FIELD(keep_prepared_txn).in(since(6)));

WT_MESSAGE(InitProducerIdResponse, 0, 6, 2,
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(ongoing_txn_producer_id).in(since(6)),
    WT_FIELD(ongoing_txn_producer_epoch).in(since(6)));

WT_STRUCT(DescribeProducersRequest::TopicRequest,
    WT_FIELD(name),
    WT_FIELD(partition_indexes));
WT_MESSAGE(DescribeProducersRequest, 0, 0, 0,
    WT_FIELD(topics));

WT_STRUCT(DescribeProducersResponse::ProducerState,
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(last_sequence),
    WT_FIELD(last_timestamp),
    WT_FIELD(coordinator_epoch),
    WT_FIELD(current_txn_start_offset));
WT_STRUCT(DescribeProducersResponse::PartitionResponse,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(active_producers));
WT_STRUCT(DescribeProducersResponse::TopicResponse,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(DescribeProducersResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(topics));

}  // namespace wt::kafka

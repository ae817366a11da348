#include "sim/kafka/wire/messages/transaction_admin.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(DescribeTransactionsRequest, 0, 0, 0,
    WT_FIELD(transactional_ids));

WT_STRUCT(DescribeTransactionsResponse::TopicData,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_STRUCT(DescribeTransactionsResponse::TransactionState,
    WT_FIELD(error_code),
    WT_FIELD(transactional_id),
    WT_FIELD(transaction_state),
    WT_FIELD(transaction_timeout_ms),
    WT_FIELD(transaction_start_time_ms),
    WT_FIELD(producer_id),
    WT_FIELD(producer_epoch),
    WT_FIELD(topics));
WT_MESSAGE(DescribeTransactionsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(transaction_states));

WT_MESSAGE(ListTransactionsRequest, 0, 2, 0,
    WT_FIELD(state_filters),
    WT_FIELD(producer_id_filters),
    WT_FIELD(duration_filter).in(since(1)),
    WT_FIELD(transactional_id_pattern).in(since(2)).or_null());

WT_STRUCT(ListTransactionsResponse::TransactionState,
    WT_FIELD(transactional_id),
    WT_FIELD(producer_id),
    WT_FIELD(transaction_state));
WT_MESSAGE(ListTransactionsResponse, 0, 2, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(unknown_state_filters),
    WT_FIELD(transaction_states));

}  // namespace wt::kafka

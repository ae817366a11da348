#include "sim/kafka/wire/messages/produce.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(ProduceRequest::PartitionProduceData,
    WT_FIELD(index),
    WT_FIELD(records).or_null());
WT_STRUCT(ProduceRequest::TopicProduceData,
    WT_FIELD(name).in(between(0, 12)).ignorable(),
    WT_FIELD(topic_id).in(since(13)).ignorable(),
    WT_FIELD(partition_data));
WT_MESSAGE(ProduceRequest, 3, 13, 9,
    WT_FIELD(transactional_id).or_null(),
    WT_FIELD(acks),
    WT_FIELD(timeout_ms),
    WT_FIELD(topic_data));

WT_STRUCT(ProduceResponse::BatchIndexAndErrorMessage,
    WT_FIELD(batch_index),
    WT_FIELD(batch_index_error_message).or_null());
WT_STRUCT(ProduceResponse::LeaderIdAndEpoch,
    WT_FIELD(leader_id),
    WT_FIELD(leader_epoch));
WT_STRUCT(ProduceResponse::PartitionProduceResponse,
    WT_FIELD(index),
    WT_FIELD(error_code),
    WT_FIELD(base_offset),
    WT_FIELD(log_append_time_ms).ignorable(),
    WT_FIELD(log_start_offset).in(since(5)).ignorable(),
    WT_FIELD(record_errors).in(since(8)).ignorable(),
    WT_FIELD(error_message).in(since(8)).or_null().ignorable(),
    WT_FIELD(current_leader).in(since(10)).tagged_as(0));
WT_STRUCT(ProduceResponse::TopicProduceResponse,
    WT_FIELD(name).in(between(0, 12)).ignorable(),
    WT_FIELD(topic_id).in(since(13)).ignorable(),
    WT_FIELD(partition_responses));
WT_STRUCT(ProduceResponse::NodeEndpoint,
    WT_FIELD(node_id),
    WT_FIELD(host),
    WT_FIELD(port),
    WT_FIELD(rack).or_null());
WT_MESSAGE(ProduceResponse, 3, 13, 9,
    WT_FIELD(responses),
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(node_endpoints).in(since(10)).tagged_as(0));

}  // namespace wt::kafka

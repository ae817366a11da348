#include "sim/kafka/wire/messages/share_state.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(InitializeShareGroupStateRequest::PartitionData,
    WT_FIELD(partition),
    WT_FIELD(state_epoch),
    WT_FIELD(start_offset));
WT_STRUCT(InitializeShareGroupStateRequest::InitializeStateData,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(InitializeShareGroupStateRequest, 0, 0, 0,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(InitializeShareGroupStateResponse::PartitionResult,
    WT_FIELD(partition),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_STRUCT(InitializeShareGroupStateResponse::InitializeStateResult,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(InitializeShareGroupStateResponse, 0, 0, 0,
    WT_FIELD(results));

WT_STRUCT(ReadShareGroupStateRequest::PartitionData,
    WT_FIELD(partition),
    WT_FIELD(leader_epoch));
WT_STRUCT(ReadShareGroupStateRequest::ReadStateData,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ReadShareGroupStateRequest, 0, 0, 0,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(ReadShareGroupStateResponse::StateBatch,
    WT_FIELD(first_offset),
    WT_FIELD(last_offset),
    WT_FIELD(delivery_state),
    WT_FIELD(delivery_count));
WT_STRUCT(ReadShareGroupStateResponse::PartitionResult,
    WT_FIELD(partition),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(state_epoch),
    WT_FIELD(start_offset),
    WT_FIELD(state_batches));
WT_STRUCT(ReadShareGroupStateResponse::ReadStateResult,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ReadShareGroupStateResponse, 0, 0, 0,
    WT_FIELD(results));

WT_STRUCT(WriteShareGroupStateRequest::StateBatch,
    WT_FIELD(first_offset),
    WT_FIELD(last_offset),
    WT_FIELD(delivery_state),
    WT_FIELD(delivery_count));
WT_STRUCT(WriteShareGroupStateRequest::PartitionData,
    WT_FIELD(partition),
    WT_FIELD(state_epoch),
    WT_FIELD(leader_epoch),
    WT_FIELD(start_offset),
    WT_FIELD(delivery_complete_count).in(since(1)).ignorable(),
    WT_FIELD(state_batches));
WT_STRUCT(WriteShareGroupStateRequest::WriteStateData,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(WriteShareGroupStateRequest, 0, 1, 0,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(WriteShareGroupStateResponse::PartitionResult,
    WT_FIELD(partition),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_STRUCT(WriteShareGroupStateResponse::WriteStateResult,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(WriteShareGroupStateResponse, 0, 1, 0,
    WT_FIELD(results));

WT_STRUCT(DeleteShareGroupStateRequest::PartitionData,
    WT_FIELD(partition));
WT_STRUCT(DeleteShareGroupStateRequest::DeleteStateData,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(DeleteShareGroupStateRequest, 0, 0, 0,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(DeleteShareGroupStateResponse::PartitionResult,
    WT_FIELD(partition),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_STRUCT(DeleteShareGroupStateResponse::DeleteStateResult,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(DeleteShareGroupStateResponse, 0, 0, 0,
    WT_FIELD(results));

WT_STRUCT(ReadShareGroupStateSummaryRequest::PartitionData,
    WT_FIELD(partition),
    WT_FIELD(leader_epoch));
WT_STRUCT(ReadShareGroupStateSummaryRequest::ReadStateSummaryData,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ReadShareGroupStateSummaryRequest, 0, 1, 0,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(ReadShareGroupStateSummaryResponse::PartitionResult,
    WT_FIELD(partition),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(state_epoch),
    WT_FIELD(leader_epoch),
    WT_FIELD(start_offset),
    WT_FIELD(delivery_complete_count).in(since(1)).ignorable());
WT_STRUCT(ReadShareGroupStateSummaryResponse::ReadStateSummaryResult,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ReadShareGroupStateSummaryResponse, 0, 1, 0,
    WT_FIELD(results));

}  // namespace wt::kafka

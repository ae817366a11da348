#include "sim/kafka/wire/messages/list_offsets.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(ListOffsetsRequest::ListOffsetsPartition,
    WT_FIELD(partition_index),
    WT_FIELD(current_leader_epoch).in(since(4)).ignorable(),
    WT_FIELD(timestamp));
WT_STRUCT(ListOffsetsRequest::ListOffsetsTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(ListOffsetsRequest, 1, 11, 6,
    WT_FIELD(replica_id),
    WT_FIELD(isolation_level).in(since(2)),
    WT_FIELD(topics),
    WT_FIELD(timeout_ms).in(since(10)).ignorable());

WT_STRUCT(ListOffsetsResponse::ListOffsetsPartitionResponse,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(timestamp),
    WT_FIELD(offset),
    WT_FIELD(leader_epoch).in(since(4)));
WT_STRUCT(ListOffsetsResponse::ListOffsetsTopicResponse,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(ListOffsetsResponse, 1, 11, 6,
    WT_FIELD(throttle_time_ms).in(since(2)).ignorable(),
    WT_FIELD(topics));

WT_STRUCT(OffsetForLeaderEpochRequest::OffsetForLeaderPartition,
    WT_FIELD(partition),
    WT_FIELD(current_leader_epoch).ignorable(),
    WT_FIELD(leader_epoch));
WT_STRUCT(OffsetForLeaderEpochRequest::OffsetForLeaderTopic,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_MESSAGE(OffsetForLeaderEpochRequest, 2, 4, 4,
    WT_FIELD(replica_id).in(since(3)).ignorable(),
    WT_FIELD(topics));

WT_STRUCT(OffsetForLeaderEpochResponse::EpochEndOffset,
    WT_FIELD(error_code),
    WT_FIELD(partition),
    WT_FIELD(leader_epoch).ignorable(),
    WT_FIELD(end_offset));
WT_STRUCT(OffsetForLeaderEpochResponse::OffsetForLeaderTopicResult,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_MESSAGE(OffsetForLeaderEpochResponse, 2, 4, 4,
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(topics));

}  // namespace wt::kafka

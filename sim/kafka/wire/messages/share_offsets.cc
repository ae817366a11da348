#include "sim/kafka/wire/messages/share_offsets.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(DescribeShareGroupOffsetsRequest::DescribeShareGroupOffsetsRequestTopic,
    WT_FIELD(topic_name),
    WT_FIELD(partitions));
WT_STRUCT(DescribeShareGroupOffsetsRequest::DescribeShareGroupOffsetsRequestGroup,
    WT_FIELD(group_id),
    WT_FIELD(topics).or_null());
WT_MESSAGE(DescribeShareGroupOffsetsRequest, 0, 1, 0,
    WT_FIELD(groups));

WT_STRUCT(DescribeShareGroupOffsetsResponse::DescribeShareGroupOffsetsResponsePartition,
    WT_FIELD(partition_index),
    WT_FIELD(start_offset),
    WT_FIELD(leader_epoch),
    WT_FIELD(lag).in(since(1)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_STRUCT(DescribeShareGroupOffsetsResponse::DescribeShareGroupOffsetsResponseTopic,
    WT_FIELD(topic_name),
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_STRUCT(DescribeShareGroupOffsetsResponse::DescribeShareGroupOffsetsResponseGroup,
    WT_FIELD(group_id),
    WT_FIELD(topics),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_MESSAGE(DescribeShareGroupOffsetsResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(groups));

WT_STRUCT(AlterShareGroupOffsetsRequest::AlterShareGroupOffsetsRequestPartition,
    WT_FIELD(partition_index),
    WT_FIELD(start_offset));
WT_STRUCT(AlterShareGroupOffsetsRequest::AlterShareGroupOffsetsRequestTopic,
    WT_FIELD(topic_name),
    WT_FIELD(partitions));
WT_MESSAGE(AlterShareGroupOffsetsRequest, 0, 0, 0,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(AlterShareGroupOffsetsResponse::AlterShareGroupOffsetsResponsePartition,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_STRUCT(AlterShareGroupOffsetsResponse::AlterShareGroupOffsetsResponseTopic,
    WT_FIELD(topic_name),
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(AlterShareGroupOffsetsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(responses));

WT_STRUCT(DeleteShareGroupOffsetsRequest::DeleteShareGroupOffsetsRequestTopic,
    WT_FIELD(topic_name));
WT_MESSAGE(DeleteShareGroupOffsetsRequest, 0, 0, 0,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(DeleteShareGroupOffsetsResponse::DeleteShareGroupOffsetsResponseTopic,
    WT_FIELD(topic_name),
    WT_FIELD(topic_id),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_MESSAGE(DeleteShareGroupOffsetsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(responses));

}  // namespace wt::kafka

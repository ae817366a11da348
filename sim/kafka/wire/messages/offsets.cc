#include "sim/kafka/wire/messages/offsets.h"

namespace wt::kafka {

using schema::between;
using schema::kNeverFlexible;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(OffsetCommitRequest::OffsetCommitRequestPartition,
    WT_FIELD(partition_index),
    WT_FIELD(committed_offset),
    WT_FIELD(committed_leader_epoch).in(since(6)).ignorable(),
    WT_FIELD(committed_metadata).or_null());
WT_STRUCT(OffsetCommitRequest::OffsetCommitRequestTopic,
    WT_FIELD(name).in(between(0, 9)).ignorable(),
    WT_FIELD(topic_id).in(since(10)).ignorable(),
    WT_FIELD(partitions));
WT_MESSAGE(OffsetCommitRequest, 2, 10, 8,
    WT_FIELD(group_id),
    WT_FIELD(generation_id_or_member_epoch).ignorable(),
    WT_FIELD(member_id).ignorable(),
    WT_FIELD(group_instance_id).in(since(7)).or_null(),
    WT_FIELD(retention_time_ms).in(between(0, 4)).ignorable(),
    WT_FIELD(topics));

WT_STRUCT(OffsetCommitResponse::OffsetCommitResponsePartition,
    WT_FIELD(partition_index),
    WT_FIELD(error_code));
WT_STRUCT(OffsetCommitResponse::OffsetCommitResponseTopic,
    WT_FIELD(name).in(between(0, 9)).ignorable(),
    WT_FIELD(topic_id).in(since(10)).ignorable(),
    WT_FIELD(partitions));
WT_MESSAGE(OffsetCommitResponse, 2, 10, 8,
    WT_FIELD(throttle_time_ms).in(since(3)).ignorable(),
    WT_FIELD(topics));

WT_STRUCT(OffsetFetchRequest::OffsetFetchRequestTopic,
    WT_FIELD(name),
    WT_FIELD(partition_indexes));
WT_STRUCT(OffsetFetchRequest::OffsetFetchRequestTopics,
    WT_FIELD(name).in(between(0, 9)).ignorable(),
    WT_FIELD(topic_id).in(since(10)).ignorable(),
    WT_FIELD(partition_indexes));
WT_STRUCT(OffsetFetchRequest::OffsetFetchRequestGroup,
    WT_FIELD(group_id),
    WT_FIELD(member_id).in(since(9)).or_null().ignorable(),
    WT_FIELD(member_epoch).in(since(9)).ignorable(),
    WT_FIELD(topics).or_null());
WT_MESSAGE(OffsetFetchRequest, 1, 10, 6,
    WT_FIELD(group_id).in(between(0, 7)),
    WT_FIELD(topics).in(between(0, 7)).or_null(since(2)),
    WT_FIELD(groups).in(since(8)),
    WT_FIELD(require_stable).in(since(7)));

WT_STRUCT(OffsetFetchResponse::OffsetFetchResponsePartition,
    WT_FIELD(partition_index),
    WT_FIELD(committed_offset),
    WT_FIELD(committed_leader_epoch).in(since(5)).ignorable(),
    WT_FIELD(metadata).or_null(),
    WT_FIELD(error_code));
WT_STRUCT(OffsetFetchResponse::OffsetFetchResponseTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_STRUCT(OffsetFetchResponse::OffsetFetchResponsePartitions,
    WT_FIELD(partition_index),
    WT_FIELD(committed_offset),
    WT_FIELD(committed_leader_epoch).ignorable(),
    WT_FIELD(metadata).or_null(),
    WT_FIELD(error_code));
WT_STRUCT(OffsetFetchResponse::OffsetFetchResponseTopics,
    WT_FIELD(name).in(between(0, 9)).ignorable(),
    WT_FIELD(topic_id).in(since(10)).ignorable(),
    WT_FIELD(partitions));
WT_STRUCT(OffsetFetchResponse::OffsetFetchResponseGroup,
    WT_FIELD(group_id),
    WT_FIELD(topics),
    WT_FIELD(error_code));
WT_MESSAGE(OffsetFetchResponse, 1, 10, 6,
    WT_FIELD(throttle_time_ms).in(since(3)).ignorable(),
    WT_FIELD(topics).in(between(0, 7)),
    WT_FIELD(error_code).in(between(2, 7)).ignorable(),
    WT_FIELD(groups).in(since(8)));

WT_STRUCT(OffsetDeleteRequest::OffsetDeleteRequestPartition,
    WT_FIELD(partition_index));
WT_STRUCT(OffsetDeleteRequest::OffsetDeleteRequestTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(OffsetDeleteRequest, 0, 0, kNeverFlexible,
    WT_FIELD(group_id),
    WT_FIELD(topics));

WT_STRUCT(OffsetDeleteResponse::OffsetDeleteResponsePartition,
    WT_FIELD(partition_index),
    WT_FIELD(error_code));
WT_STRUCT(OffsetDeleteResponse::OffsetDeleteResponseTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(OffsetDeleteResponse, 0, 0, kNeverFlexible,
    WT_FIELD(error_code),
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(topics));

}  // namespace wt::kafka

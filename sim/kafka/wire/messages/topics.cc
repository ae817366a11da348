#include "sim/kafka/wire/messages/topics.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(CreateTopicsRequest::CreatableReplicaAssignment,
    WT_FIELD(partition_index),
    WT_FIELD(broker_ids));
WT_STRUCT(CreateTopicsRequest::CreatableTopicConfig,
    WT_FIELD(name),
    WT_FIELD(value).or_null());
WT_STRUCT(CreateTopicsRequest::CreatableTopic,
    WT_FIELD(name),
    WT_FIELD(num_partitions),
    WT_FIELD(replication_factor),
    WT_FIELD(assignments),
    WT_FIELD(configs));
WT_MESSAGE(CreateTopicsRequest, 2, 7, 5,
    WT_FIELD(topics),
    WT_FIELD(timeout_ms),
    WT_FIELD(validate_only));

WT_STRUCT(CreateTopicsResponse::CreatableTopicConfigs,
    WT_FIELD(name),
    WT_FIELD(value).or_null(),
    WT_FIELD(read_only),
    WT_FIELD(config_source).ignorable(),
    WT_FIELD(is_sensitive));
WT_STRUCT(CreateTopicsResponse::CreatableTopicResult,
    WT_FIELD(name),
    WT_FIELD(topic_id).in(since(7)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null().ignorable(),
    WT_FIELD(topic_config_error_code).in(since(5)).ignorable().tagged_as(0),
    WT_FIELD(num_partitions).in(since(5)).ignorable(),
    WT_FIELD(replication_factor).in(since(5)).ignorable(),
    WT_FIELD(configs).in(since(5)).or_null().ignorable());
WT_MESSAGE(CreateTopicsResponse, 2, 7, 5,
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(topics));

WT_STRUCT(DeleteTopicsRequest::DeleteTopicState,
    WT_FIELD(name).or_null(),
    WT_FIELD(topic_id));
WT_MESSAGE(DeleteTopicsRequest, 1, 6, 4,
    WT_FIELD(topics).in(since(6)),
    WT_FIELD(topic_names).in(between(0, 5)).ignorable(),
    WT_FIELD(timeout_ms));

WT_STRUCT(DeleteTopicsResponse::DeletableTopicResult,
    WT_FIELD(name).or_null(since(6)),
    WT_FIELD(topic_id).in(since(6)).ignorable(),
    WT_FIELD(error_code),
    WT_FIELD(error_message).in(since(5)).or_null().ignorable());
WT_MESSAGE(DeleteTopicsResponse, 1, 6, 4,
    WT_FIELD(throttle_time_ms).ignorable(),
    WT_FIELD(responses));

WT_STRUCT(DeleteRecordsRequest::DeleteRecordsPartition,
    WT_FIELD(partition_index),
    WT_FIELD(offset));
WT_STRUCT(DeleteRecordsRequest::DeleteRecordsTopic,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(DeleteRecordsRequest, 0, 2, 2,
    WT_FIELD(topics),
    WT_FIELD(timeout_ms));

WT_STRUCT(DeleteRecordsResponse::DeleteRecordsPartitionResult,
    WT_FIELD(partition_index),
    WT_FIELD(low_watermark),
    WT_FIELD(error_code));
WT_STRUCT(DeleteRecordsResponse::DeleteRecordsTopicResult,
    WT_FIELD(name),
    WT_FIELD(partitions));
WT_MESSAGE(DeleteRecordsResponse, 0, 2, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(topics));

WT_STRUCT(CreatePartitionsRequest::CreatePartitionsAssignment,
    WT_FIELD(broker_ids));
WT_STRUCT(CreatePartitionsRequest::CreatePartitionsTopic,
    WT_FIELD(name),
    WT_FIELD(count),
    WT_FIELD(assignments).or_null());
WT_MESSAGE(CreatePartitionsRequest, 0, 3, 2,
    WT_FIELD(topics),
    WT_FIELD(timeout_ms),
    WT_FIELD(validate_only));

WT_STRUCT(CreatePartitionsResponse::CreatePartitionsTopicResult,
    WT_FIELD(name),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_MESSAGE(CreatePartitionsResponse, 0, 3, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(results));

}  // namespace wt::kafka

#include "sim/kafka/wire/messages/share_fetch.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(ShareFetchRequest::AcknowledgementBatch,
    WT_FIELD(first_offset),
    WT_FIELD(last_offset),
    WT_FIELD(acknowledge_types));
WT_STRUCT(ShareFetchRequest::FetchPartition,
    WT_FIELD(partition_index),
    WT_FIELD(acknowledgement_batches));
WT_STRUCT(ShareFetchRequest::FetchTopic,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_STRUCT(ShareFetchRequest::ForgottenTopic,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ShareFetchRequest, 1, 2, 0,
    WT_FIELD(group_id).or_null(),
    WT_FIELD(member_id).or_null(),
    WT_FIELD(share_session_epoch),
    WT_FIELD(max_wait_ms),
    WT_FIELD(min_bytes),
    WT_FIELD(max_bytes),
    WT_FIELD(max_records),
    WT_FIELD(batch_size),
    WT_FIELD(share_acquire_mode).in(since(2)).ignorable(),
    WT_FIELD(is_renew_ack).in(since(2)),
    WT_FIELD(topics),
    WT_FIELD(forgotten_topics_data));

WT_STRUCT(ShareFetchResponse::LeaderIdAndEpoch,
    WT_FIELD(leader_id),
    WT_FIELD(leader_epoch));
WT_STRUCT(ShareFetchResponse::AcquiredRecords,
    WT_FIELD(first_offset),
    WT_FIELD(last_offset),
    WT_FIELD(delivery_count));
WT_STRUCT(ShareFetchResponse::PartitionData,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(acknowledge_error_code),
    WT_FIELD(acknowledge_error_message).or_null(),
    WT_FIELD(current_leader),
    WT_FIELD(records),
    WT_FIELD(acquired_records));
WT_STRUCT(ShareFetchResponse::ShareFetchableTopicResponse,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_STRUCT(ShareFetchResponse::NodeEndpoint,
    WT_FIELD(node_id),
    WT_FIELD(host),
    WT_FIELD(port),
    WT_FIELD(rack).or_null());
WT_MESSAGE(ShareFetchResponse, 1, 2, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(acquisition_lock_timeout_ms),
    WT_FIELD(responses),
    WT_FIELD(node_endpoints));

WT_STRUCT(ShareAcknowledgeRequest::AcknowledgementBatch,
    WT_FIELD(first_offset),
    WT_FIELD(last_offset),
    WT_FIELD(acknowledge_types));
WT_STRUCT(ShareAcknowledgeRequest::AcknowledgePartition,
    WT_FIELD(partition_index),
    WT_FIELD(acknowledgement_batches));
WT_STRUCT(ShareAcknowledgeRequest::AcknowledgeTopic,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_MESSAGE(ShareAcknowledgeRequest, 1, 2, 0,
    WT_FIELD(group_id).or_null(),
    WT_FIELD(member_id).or_null(),
    WT_FIELD(share_session_epoch),
    WT_FIELD(is_renew_ack).in(since(2)),
    WT_FIELD(topics));

WT_STRUCT(ShareAcknowledgeResponse::LeaderIdAndEpoch,
    WT_FIELD(leader_id),
    WT_FIELD(leader_epoch));
WT_STRUCT(ShareAcknowledgeResponse::PartitionData,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(current_leader));
WT_STRUCT(ShareAcknowledgeResponse::ShareAcknowledgeTopicResponse,
    WT_FIELD(topic_id),
    WT_FIELD(partitions));
WT_STRUCT(ShareAcknowledgeResponse::NodeEndpoint,
    WT_FIELD(node_id),
    WT_FIELD(host),
    WT_FIELD(port),
    WT_FIELD(rack).or_null());
WT_MESSAGE(ShareAcknowledgeResponse, 1, 2, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(acquisition_lock_timeout_ms).in(since(2)).ignorable(),
    WT_FIELD(responses),
    WT_FIELD(node_endpoints));

}  // namespace wt::kafka

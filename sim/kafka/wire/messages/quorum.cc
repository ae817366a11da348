#include "sim/kafka/wire/messages/quorum.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(DescribeQuorumRequest::PartitionData,
    WT_FIELD(partition_index));
WT_STRUCT(DescribeQuorumRequest::TopicData,
    WT_FIELD(topic_name),
    WT_FIELD(partitions));
WT_MESSAGE(DescribeQuorumRequest, 0, 2, 0,
    WT_FIELD(topics));

WT_STRUCT(DescribeQuorumResponse::ReplicaState,
    WT_FIELD(replica_id),
    WT_FIELD(replica_directory_id).in(since(2)),
    WT_FIELD(log_end_offset),
    WT_FIELD(last_fetch_timestamp).in(since(1)).ignorable(),
    WT_FIELD(last_caught_up_timestamp).in(since(1)).ignorable());
WT_STRUCT(DescribeQuorumResponse::PartitionData,
    WT_FIELD(partition_index),
    WT_FIELD(error_code),
    WT_FIELD(error_message).in(since(2)).or_null().ignorable(),
    WT_FIELD(leader_id),
    WT_FIELD(leader_epoch),
    WT_FIELD(high_watermark),
    WT_FIELD(current_voters),
    WT_FIELD(observers));
WT_STRUCT(DescribeQuorumResponse::TopicData,
    WT_FIELD(topic_name),
    WT_FIELD(partitions));
WT_STRUCT(DescribeQuorumResponse::Listener,
    WT_FIELD(name),
    WT_FIELD(host),
    WT_FIELD(port));
WT_STRUCT(DescribeQuorumResponse::Node,
    WT_FIELD(node_id),
    WT_FIELD(listeners));
WT_MESSAGE(DescribeQuorumResponse, 0, 2, 0,
    WT_FIELD(error_code),
    WT_FIELD(error_message).in(since(2)).or_null().ignorable(),
    WT_FIELD(topics),
    WT_FIELD(nodes).in(since(2)));

WT_STRUCT(AddRaftVoterRequest::Listener,
    WT_FIELD(name),
    WT_FIELD(host),
    WT_FIELD(port));
WT_MESSAGE(AddRaftVoterRequest, 0, 1, 0,
    WT_FIELD(cluster_id).or_null(),
    WT_FIELD(timeout_ms),
    WT_FIELD(voter_id),
    WT_FIELD(voter_directory_id),
    WT_FIELD(listeners),
    WT_FIELD(ack_when_committed).in(since(1)));

WT_MESSAGE(AddRaftVoterResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null().ignorable());

WT_MESSAGE(RemoveRaftVoterRequest, 0, 0, 0,
    WT_FIELD(cluster_id).or_null(),
    WT_FIELD(voter_id),
    WT_FIELD(voter_directory_id));

WT_MESSAGE(RemoveRaftVoterResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null().ignorable());

}  // namespace wt::kafka

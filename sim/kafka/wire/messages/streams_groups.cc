#include "sim/kafka/wire/messages/streams_groups.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(StreamsGroupHeartbeatParts::KeyValue,
    WT_FIELD(key),
    WT_FIELD(value));
WT_STRUCT(StreamsGroupHeartbeatParts::TopicInfo,
    WT_FIELD(name),
    WT_FIELD(partitions),
    WT_FIELD(replication_factor),
    WT_FIELD(topic_configs));
WT_STRUCT(StreamsGroupHeartbeatParts::CopartitionGroup,
    WT_FIELD(source_topics),
    WT_FIELD(source_topic_regex),
    WT_FIELD(repartition_source_topics));
WT_STRUCT(StreamsGroupHeartbeatParts::Subtopology,
    WT_FIELD(subtopology_id),
    WT_FIELD(source_topics),
    WT_FIELD(source_topic_regex),
    WT_FIELD(state_changelog_topics),
    WT_FIELD(repartition_sink_topics),
    WT_FIELD(repartition_source_topics),
    WT_FIELD(copartition_groups));
WT_STRUCT(StreamsGroupHeartbeatParts::Topology,
    WT_FIELD(epoch),
    WT_FIELD(subtopologies));
WT_STRUCT(StreamsGroupHeartbeatParts::TaskIds,
    WT_FIELD(subtopology_id),
    WT_FIELD(partitions));
WT_STRUCT(StreamsGroupHeartbeatParts::Endpoint,
    WT_FIELD(host),
    WT_FIELD(port));
WT_STRUCT(StreamsGroupHeartbeatParts::TaskOffset,
    WT_FIELD(subtopology_id),
    WT_FIELD(partition),
    WT_FIELD(offset));
WT_MESSAGE(StreamsGroupHeartbeatRequest, 0, 1, 0,
    WT_FIELD(group_id),
    WT_FIELD(member_id),
    WT_FIELD(member_epoch),
    WT_FIELD(endpoint_information_epoch),
    WT_FIELD(instance_id).or_null(),
    WT_FIELD(rack_id).or_null(),
    WT_FIELD(rebalance_timeout_ms),
    WT_FIELD(topology).or_null(),
    WT_FIELD(active_tasks).or_null(),
    WT_FIELD(standby_tasks).or_null(),
    WT_FIELD(warmup_tasks).or_null(),
    WT_FIELD(process_id).or_null(),
    WT_FIELD(user_endpoint).or_null(),
    WT_FIELD(client_tags).or_null(),
    WT_FIELD(task_offsets).or_null(),
    WT_FIELD(task_end_offsets).or_null(),
    WT_FIELD(shutdown_application));

WT_STRUCT(StreamsGroupHeartbeatResponse::Status,
    WT_FIELD(status_code),
    WT_FIELD(status_detail));
WT_STRUCT(StreamsGroupHeartbeatResponse::TaskIds,
    WT_FIELD(subtopology_id),
    WT_FIELD(partitions));
WT_STRUCT(StreamsGroupHeartbeatResponse::Endpoint,
    WT_FIELD(host),
    WT_FIELD(port));
WT_STRUCT(StreamsGroupHeartbeatResponse::TopicPartition,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_STRUCT(StreamsGroupHeartbeatResponse::EndpointToPartitions,
    WT_FIELD(user_endpoint),
    WT_FIELD(active_partitions),
    WT_FIELD(standby_partitions));
WT_MESSAGE(StreamsGroupHeartbeatResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(member_id),
    WT_FIELD(member_epoch),
    WT_FIELD(heartbeat_interval_ms),
    WT_FIELD(acceptable_recovery_lag_legacy).in(between(0, 0)),
    WT_FIELD(task_offset_interval_ms),
    WT_FIELD(acceptable_recovery_lag).in(since(1)).ignorable(),
    WT_FIELD(status).or_null(),
    WT_FIELD(active_tasks).or_null(),
    WT_FIELD(standby_tasks).or_null(),
    WT_FIELD(warmup_tasks).or_null(),
    WT_FIELD(topology_description_required).in(since(1)),
    WT_FIELD(endpoint_information_epoch),
    WT_FIELD(partitions_by_user_endpoint).or_null());

WT_MESSAGE(StreamsGroupDescribeRequest, 0, 1, 0,
    WT_FIELD(group_ids),
    WT_FIELD(include_authorized_operations),
    WT_FIELD(include_topology_description).in(since(1)));

WT_STRUCT(StreamsGroupDescribeParts::KeyValue,
    WT_FIELD(key),
    WT_FIELD(value));
WT_STRUCT(StreamsGroupDescribeParts::TopicInfo,
    WT_FIELD(name),
    WT_FIELD(partitions),
    WT_FIELD(replication_factor),
    WT_FIELD(topic_configs));
WT_STRUCT(StreamsGroupDescribeParts::Subtopology,
    WT_FIELD(subtopology_id),
    WT_FIELD(source_topics),
    WT_FIELD(repartition_sink_topics),
    WT_FIELD(state_changelog_topics),
    WT_FIELD(repartition_source_topics));
WT_STRUCT(StreamsGroupDescribeParts::Topology,
    WT_FIELD(epoch),
    WT_FIELD(subtopologies).or_null());
WT_STRUCT(StreamsGroupDescribeParts::Endpoint,
    WT_FIELD(host),
    WT_FIELD(port));
WT_STRUCT(StreamsGroupDescribeParts::TaskOffset,
    WT_FIELD(subtopology_id),
    WT_FIELD(partition),
    WT_FIELD(offset));
WT_STRUCT(StreamsGroupDescribeParts::TaskIds,
    WT_FIELD(subtopology_id),
    WT_FIELD(partitions));
WT_STRUCT(StreamsGroupDescribeParts::Assignment,
    WT_FIELD(active_tasks),
    WT_FIELD(standby_tasks),
    WT_FIELD(warmup_tasks));
WT_STRUCT(StreamsGroupDescribeResponse::Member,
    WT_FIELD(member_id),
    WT_FIELD(member_epoch),
    WT_FIELD(instance_id).or_null(),
    WT_FIELD(rack_id).or_null(),
    WT_FIELD(client_id),
    WT_FIELD(client_host),
    WT_FIELD(topology_epoch),
    WT_FIELD(process_id),
    WT_FIELD(user_endpoint).or_null(),
    WT_FIELD(client_tags),
    WT_FIELD(task_offsets),
    WT_FIELD(task_end_offsets),
    WT_FIELD(assignment),
    WT_FIELD(target_assignment),
    WT_FIELD(is_classic));
WT_STRUCT(StreamsGroupDescribeParts::TopologyDescriptionNode,
    WT_FIELD(name),
    WT_FIELD(node_type),
    WT_FIELD(source_topics),
    WT_FIELD(sink_topic).or_null(),
    WT_FIELD(stores),
    WT_FIELD(successors));
WT_STRUCT(StreamsGroupDescribeParts::TopologyDescriptionSubtopology,
    WT_FIELD(subtopology_id),
    WT_FIELD(nodes));
WT_STRUCT(StreamsGroupDescribeParts::TopologyDescriptionGlobalStore,
    WT_FIELD(source),
    WT_FIELD(processor));
WT_STRUCT(StreamsGroupDescribeParts::TopologyDescription,
    WT_FIELD(subtopologies),
    WT_FIELD(global_stores));
WT_STRUCT(StreamsGroupDescribeResponse::DescribedGroup,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(group_id),
    WT_FIELD(group_state),
    WT_FIELD(group_epoch),
    WT_FIELD(assignment_epoch),
    WT_FIELD(topology).or_null(),
    WT_FIELD(members),
    WT_FIELD(authorized_operations),
    WT_FIELD(topology_description).in(since(1)).or_null(),
    WT_FIELD(topology_description_status).in(since(1)),
    WT_FIELD(assignor_name).in(since(1)).or_null().ignorable());
WT_MESSAGE(StreamsGroupDescribeResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(groups));

WT_MESSAGE(StreamsGroupTopologyDescriptionUpdateRequest, 0, 0, 0,
    WT_FIELD(group_id),
    WT_FIELD(member_id),
    WT_FIELD(topology_epoch),
    WT_FIELD(topology_description));

WT_MESSAGE(StreamsGroupTopologyDescriptionUpdateResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());

}  // namespace wt::kafka

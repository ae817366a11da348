// StreamsGroupHeartbeat (88), StreamsGroupDescribe (89), StreamsGroupTopologyDescriptionUpdate (93).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Not nested in the message: clang 14 cannot default-construct a nested struct inside the std::optional
// members of the struct around it.
struct StreamsGroupHeartbeatParts {
  struct KeyValue {
    std::string key;
    std::string value;
    WT_HAS_TABLE;
  };
  struct TopicInfo {
    std::string name;
    std::int32_t partitions = 0;
    std::int16_t replication_factor = 0;
    std::vector<KeyValue> topic_configs;
    WT_HAS_TABLE;
  };
  struct CopartitionGroup {
    std::vector<std::int16_t> source_topics;
    std::vector<std::int16_t> source_topic_regex;
    std::vector<std::int16_t> repartition_source_topics;
    WT_HAS_TABLE;
  };
  struct Subtopology {
    std::string subtopology_id;
    std::vector<std::string> source_topics;
    std::vector<std::string> source_topic_regex;
    std::vector<TopicInfo> state_changelog_topics;
    std::vector<std::string> repartition_sink_topics;
    std::vector<TopicInfo> repartition_source_topics;
    std::vector<CopartitionGroup> copartition_groups;
    WT_HAS_TABLE;
  };
  struct Topology {
    std::int32_t epoch = 0;
    std::vector<Subtopology> subtopologies;
    WT_HAS_TABLE;
  };
  struct TaskIds {
    std::string subtopology_id;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct Endpoint {
    std::string host;
    std::uint16_t port = 0;
    WT_HAS_TABLE;
  };
  struct TaskOffset {
    std::string subtopology_id;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WT_HAS_TABLE;
  };
};

struct StreamsGroupHeartbeatRequest {
  using KeyValue = StreamsGroupHeartbeatParts::KeyValue;
  using TopicInfo = StreamsGroupHeartbeatParts::TopicInfo;
  using CopartitionGroup = StreamsGroupHeartbeatParts::CopartitionGroup;
  using Subtopology = StreamsGroupHeartbeatParts::Subtopology;
  using Topology = StreamsGroupHeartbeatParts::Topology;
  using TaskIds = StreamsGroupHeartbeatParts::TaskIds;
  using Endpoint = StreamsGroupHeartbeatParts::Endpoint;
  using TaskOffset = StreamsGroupHeartbeatParts::TaskOffset;
  std::string group_id;
  std::string member_id;
  std::int32_t member_epoch = 0;
  std::int32_t endpoint_information_epoch = 0;
  std::optional<std::string> instance_id;
  std::optional<std::string> rack_id;
  std::int32_t rebalance_timeout_ms = -1;
  std::optional<Topology> topology;
  std::optional<std::vector<TaskIds>> active_tasks;
  std::optional<std::vector<TaskIds>> standby_tasks;
  std::optional<std::vector<TaskIds>> warmup_tasks;
  std::optional<std::string> process_id;
  std::optional<Endpoint> user_endpoint;
  std::optional<std::vector<KeyValue>> client_tags;
  std::optional<std::vector<TaskOffset>> task_offsets;
  std::optional<std::vector<TaskOffset>> task_end_offsets;
  bool shutdown_application = false;
  WT_HAS_TABLE;
};

struct StreamsGroupHeartbeatResponse {
  struct Status {
    std::int8_t status_code = 0;
    std::string status_detail;
    WT_HAS_TABLE;
  };
  struct TaskIds {
    std::string subtopology_id;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct Endpoint {
    std::string host;
    std::uint16_t port = 0;
    WT_HAS_TABLE;
  };
  struct TopicPartition {
    std::string topic;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct EndpointToPartitions {
    Endpoint user_endpoint;
    std::vector<TopicPartition> active_partitions;
    std::vector<TopicPartition> standby_partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  std::string member_id;
  std::int32_t member_epoch = 0;
  std::int32_t heartbeat_interval_ms = 0;
  std::int32_t acceptable_recovery_lag_legacy = 0;
  std::int32_t task_offset_interval_ms = 0;
  std::int64_t acceptable_recovery_lag = -1;
  std::optional<std::vector<Status>> status = std::vector<Status>{};
  std::optional<std::vector<TaskIds>> active_tasks;
  std::optional<std::vector<TaskIds>> standby_tasks;
  std::optional<std::vector<TaskIds>> warmup_tasks;
  bool topology_description_required = false;
  std::int32_t endpoint_information_epoch = 0;
  std::optional<std::vector<EndpointToPartitions>> partitions_by_user_endpoint;
  WT_HAS_TABLE;
};

struct StreamsGroupDescribeRequest {
  std::vector<std::string> group_ids;
  bool include_authorized_operations = false;
  bool include_topology_description = false;
  WT_HAS_TABLE;
};

// See above.
struct StreamsGroupDescribeParts {
  struct KeyValue {
    std::string key;
    std::string value;
    WT_HAS_TABLE;
  };
  struct TopicInfo {
    std::string name;
    std::int32_t partitions = 0;
    std::int16_t replication_factor = 0;
    std::vector<KeyValue> topic_configs;
    WT_HAS_TABLE;
  };
  struct Subtopology {
    std::string subtopology_id;
    std::vector<std::string> source_topics;
    std::vector<std::string> repartition_sink_topics;
    std::vector<TopicInfo> state_changelog_topics;
    std::vector<TopicInfo> repartition_source_topics;
    WT_HAS_TABLE;
  };
  struct Topology {
    std::int32_t epoch = 0;
    std::optional<std::vector<Subtopology>> subtopologies;
    WT_HAS_TABLE;
  };
  struct Endpoint {
    std::string host;
    std::uint16_t port = 0;
    WT_HAS_TABLE;
  };
  struct TaskOffset {
    std::string subtopology_id;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WT_HAS_TABLE;
  };
  struct TaskIds {
    std::string subtopology_id;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct Assignment {
    std::vector<TaskIds> active_tasks;
    std::vector<TaskIds> standby_tasks;
    std::vector<TaskIds> warmup_tasks;
    WT_HAS_TABLE;
  };
  struct TopologyDescriptionNode {
    std::string name;
    std::int8_t node_type = 0;
    std::vector<std::string> source_topics;
    std::optional<std::string> sink_topic;
    std::vector<std::string> stores;
    std::vector<std::string> successors;
    WT_HAS_TABLE;
  };
  struct TopologyDescriptionSubtopology {
    std::string subtopology_id;
    std::vector<TopologyDescriptionNode> nodes;
    WT_HAS_TABLE;
  };
  struct TopologyDescriptionGlobalStore {
    TopologyDescriptionNode source;
    TopologyDescriptionNode processor;
    WT_HAS_TABLE;
  };
  struct TopologyDescription {
    std::vector<TopologyDescriptionSubtopology> subtopologies;
    std::vector<TopologyDescriptionGlobalStore> global_stores;
    WT_HAS_TABLE;
  };
};

struct StreamsGroupDescribeResponse {
  using KeyValue = StreamsGroupDescribeParts::KeyValue;
  using TopicInfo = StreamsGroupDescribeParts::TopicInfo;
  using Subtopology = StreamsGroupDescribeParts::Subtopology;
  using Topology = StreamsGroupDescribeParts::Topology;
  using Endpoint = StreamsGroupDescribeParts::Endpoint;
  using TaskOffset = StreamsGroupDescribeParts::TaskOffset;
  using TaskIds = StreamsGroupDescribeParts::TaskIds;
  using Assignment = StreamsGroupDescribeParts::Assignment;
  using TopologyDescriptionNode = StreamsGroupDescribeParts::TopologyDescriptionNode;
  using TopologyDescriptionSubtopology = StreamsGroupDescribeParts::TopologyDescriptionSubtopology;
  using TopologyDescriptionGlobalStore = StreamsGroupDescribeParts::TopologyDescriptionGlobalStore;
  using TopologyDescription = StreamsGroupDescribeParts::TopologyDescription;
  struct Member {
    std::string member_id;
    std::int32_t member_epoch = 0;
    std::optional<std::string> instance_id;
    std::optional<std::string> rack_id;
    std::string client_id;
    std::string client_host;
    std::int32_t topology_epoch = 0;
    std::string process_id;
    std::optional<Endpoint> user_endpoint;
    std::vector<KeyValue> client_tags;
    std::vector<TaskOffset> task_offsets;
    std::vector<TaskOffset> task_end_offsets;
    Assignment assignment;
    Assignment target_assignment;
    bool is_classic = false;
    WT_HAS_TABLE;
  };
  struct DescribedGroup {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    std::string group_id;
    std::string group_state;
    std::int32_t group_epoch = 0;
    std::int32_t assignment_epoch = 0;
    std::optional<Topology> topology;
    std::vector<Member> members;
    std::int32_t authorized_operations = std::numeric_limits<std::int32_t>::min();
    std::optional<TopologyDescription> topology_description;
    std::int8_t topology_description_status = 0;
    std::optional<std::string> assignor_name;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DescribedGroup> groups;
  WT_HAS_TABLE;
};

struct StreamsGroupTopologyDescriptionUpdateRequest {
  using TopologyDescription = StreamsGroupDescribeParts::TopologyDescription;
  std::string group_id;
  std::string member_id;
  std::int32_t topology_epoch = 0;
  TopologyDescription topology_description;
  WT_HAS_TABLE;
};

struct StreamsGroupTopologyDescriptionUpdateResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

// The records of consumer groups (KIP-848) in `__consumer_offsets`. A key's version is the record's kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/groups/model/record.h"

namespace wt::kafka {

struct ConsumerGroupMetadataKey {
  std::string group_id;
  WT_HAS_TABLE;
};
struct ConsumerGroupMetadataValue {
  std::int32_t epoch = 0;
  std::int64_t metadata_hash = 0;
  WT_HAS_TABLE;
};

// Written by brokers before 4.1; newer ones only remove it.
struct ConsumerGroupPartitionMetadataKey {
  std::string group_id;
  WT_HAS_TABLE;
};
struct ConsumerGroupPartitionMetadataValue {
  struct PartitionMetadata {
    std::int32_t partition = 0;
    std::vector<std::string> racks;
    WT_HAS_TABLE;
  };
  struct TopicMetadata {
    Uuid topic_id;
    std::string topic_name;
    std::int32_t num_partitions = 0;
    std::vector<PartitionMetadata> partition_metadata;
    WT_HAS_TABLE;
  };
  std::vector<TopicMetadata> topics;
  WT_HAS_TABLE;
};

struct ConsumerGroupMemberMetadataKey {
  std::string group_id;
  std::string member_id;
  WT_HAS_TABLE;
};
// Of a member that speaks the classic protocol.
struct ConsumerGroupClassicMemberMetadata {
  struct ClassicProtocol {
    std::string name;
    Slice metadata;
    WT_HAS_TABLE;
    friend bool operator==(const ClassicProtocol& a, const ClassicProtocol& b) {
      return a.name == b.name && a.metadata == b.metadata;
    }
  };
  std::int32_t session_timeout_ms = 0;
  std::vector<ClassicProtocol> supported_protocols;
  WT_HAS_TABLE;
  friend bool operator==(const ConsumerGroupClassicMemberMetadata& a,
                         const ConsumerGroupClassicMemberMetadata& b) {
    return a.session_timeout_ms == b.session_timeout_ms && a.supported_protocols == b.supported_protocols;
  }
};
struct ConsumerGroupMemberMetadataValue {
  std::optional<std::string> instance_id;
  std::optional<std::string> rack_id;
  std::string client_id;
  std::string client_host;
  std::vector<std::string> subscribed_topic_names;
  std::optional<std::string> subscribed_topic_regex;
  std::int32_t rebalance_timeout_ms = -1;
  std::optional<std::string> server_assignor;
  // Nothing for other members, which Kafka writes: what it leaves out are metadata without content.
  std::optional<ConsumerGroupClassicMemberMetadata> classic_member_metadata =
      ConsumerGroupClassicMemberMetadata();
  WT_HAS_TABLE;
};

struct ConsumerGroupTargetAssignmentMetadataKey {
  std::string group_id;
  WT_HAS_TABLE;
};
struct ConsumerGroupTargetAssignmentMetadataValue {
  std::int32_t assignment_epoch = 0;
  std::int64_t assignment_timestamp = 0;
  WT_HAS_TABLE;
};

struct ConsumerGroupTargetAssignmentMemberKey {
  std::string group_id;
  std::string member_id;
  WT_HAS_TABLE;
};
struct ConsumerGroupTargetAssignmentMemberValue {
  struct TopicPartition {
    Uuid topic_id;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  std::vector<TopicPartition> topic_partitions;
  WT_HAS_TABLE;
};

struct ConsumerGroupCurrentMemberAssignmentKey {
  std::string group_id;
  std::string member_id;
  WT_HAS_TABLE;
};
struct ConsumerGroupCurrentMemberAssignmentValue {
  struct TopicPartitions {
    Uuid topic_id;
    std::vector<std::int32_t> partitions;
    // When each was assigned to the member; as many as `partitions`. Nothing where nobody knows, which
    // Kafka writes: what it leaves out is an empty list.
    std::optional<std::vector<std::int32_t>> assignment_epochs = std::vector<std::int32_t>();
    WT_HAS_TABLE;
  };
  std::int32_t member_epoch = 0;
  std::int32_t previous_member_epoch = 0;
  std::int8_t state = 0;
  std::vector<TopicPartitions> assigned_partitions;
  std::vector<TopicPartitions> partitions_pending_revocation;
  WT_HAS_TABLE;
};

struct ConsumerGroupRegularExpressionKey {
  std::string group_id;
  std::string regular_expression;
  WT_HAS_TABLE;
};
struct ConsumerGroupRegularExpressionValue {
  std::vector<std::string> topics;
  std::int64_t version = 0;
  std::int64_t timestamp = 0;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

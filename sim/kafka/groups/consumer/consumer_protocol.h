// What consumers put into the bytes of the classic protocol: two bytes of version, then a subscription or an
// assignment. A newer version than is known begins like the newest that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/groups/consumer/member.h"
#include "sim/kafka/groups/consumer/reconcile.h"

namespace wt::controller {
class MetadataImage;
}

namespace wt::kafka {

struct ConsumerProtocolTopic {
  std::string topic;
  std::vector<std::int32_t> partitions;
  WT_HAS_TABLE;
};

struct ConsumerProtocolSubscription {
  std::vector<std::string> topics;
  std::optional<Slice> user_data;
  std::vector<ConsumerProtocolTopic> owned_partitions;
  std::int32_t generation_id = -1;
  std::optional<std::string> rack_id;
  WT_HAS_TABLE;
};

struct ConsumerProtocolAssignment {
  std::vector<ConsumerProtocolTopic> assigned_partitions;
  std::optional<Slice> user_data;
  WT_HAS_TABLE;
};

// Nothing: the bytes are something else.
std::optional<ConsumerProtocolSubscription> parse_subscription(const Slice& bytes);
std::optional<ConsumerProtocolAssignment> parse_assignment(const Slice& bytes);

// In the version of a member's subscription. Nothing: that is no subscription.
std::optional<Slice> assignment_bytes(const TopicPartitions& partitions,
                                      const controller::MetadataImage& image, const Slice& subscription);

// Topics that exist, by their ids.
TopicPartitions to_partitions(const std::vector<ConsumerProtocolTopic>& topics,
                              const controller::MetadataImage& image);
OwnedTopics to_owned(const std::vector<ConsumerProtocolTopic>& topics,
                     const controller::MetadataImage& image);

}  // namespace wt::kafka

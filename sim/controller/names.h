// Topic names: Kafka's short names, Pulsar's full names, and what they hide from each other.
//
// A Kafka topic `x` is the Pulsar topic `persistent://public/default/x`. A topic of another namespace
// is known to Kafka by its full name. The metadata holds the name as Kafka shows it. Pulsar sees
// partition i as the topic `x-partition-i`; Kafka never lists that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/controller/errors.h"

namespace wt::controller {

inline constexpr std::size_t kMaxTopicNameBytes = 249;
inline constexpr std::string_view kDefaultTenant = "public";
inline constexpr std::string_view kDefaultNamespace = "default";

struct TopicName {
  std::string tenant = std::string(kDefaultTenant);
  std::string name_space = std::string(kDefaultNamespace);
  std::string local;  // "x"

  // "persistent://tenant/namespace/x"
  std::string full() const;
  // As Kafka shows it: "x" in the default namespace, else the full name.
  std::string kafka() const;
};

// Takes "x", "tenant/namespace/x" and "persistent://tenant/namespace/x". Nothing for anything else.
std::optional<TopicName> parse_topic_name(std::string_view text);
// "x" → "persistent://public/default/x"; a full name stays.
std::string full_topic_name(std::string_view kafka_name);
// "persistent://public/default/x" → "x"; what is no name of the default namespace stays.
std::string kafka_topic_name(std::string_view name);

// Kafka's rules and sentences; with `allow_full_names` the rules hold for the local part.
Error validate_topic_name(std::string_view name, bool allow_full_names = false);
// Whether '.' or '_' is in it; such names may collide.
bool has_collision_chars(std::string_view name);
// With every '.' as '_'.
std::string unified_topic_name(std::string_view name);

struct PartitionName {
  std::string_view topic;
  std::int32_t partition = 0;
};
// "x-partition-3" → {"x", 3}; nothing for any other name, also not for "x-partition-03".
std::optional<PartitionName> split_partition_name(std::string_view name);
std::string partition_name(std::string_view topic, std::int32_t partition);

// Topics that a broker keeps for itself.
bool is_internal_topic(std::string_view name);

}  // namespace wt::controller

// Definitions of Kafka's configs: names, types, defaults, allowed values; and the checks that a
// controller makes on what a client sets. Sentences are those of a 4.4 broker, where nothing else is said.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/errors.h"
#include "sim/controller/image.h"

namespace wt::controller {

// Releases by their minor version: 4 is Kafka 4.4.
inline constexpr int kOldestRelease = 0;
inline constexpr int kNewestRelease = 4;

// Values as in DescribeConfigs.
enum class ConfigType : std::int8_t {
  boolean = 1,
  string = 2,
  integer = 3,
  short_integer = 4,
  long_integer = 5,
  floating = 6,
  list = 7,
  class_name = 8,
  password = 9
};
enum class ConfigSource : std::int8_t {
  unknown = 0,
  topic = 1,
  broker = 2,
  broker_default = 3,
  static_file = 4,
  builtin = 5,
  group = 8,
  client_metrics = 7
};

// What a value must satisfy beyond its type.
enum class ConfigRule : std::uint8_t {
  none,
  at_least,
  between,
  one_of,
  list_of,
  throttled_replicas,
  gzip_level
};

struct ConfigDef {
  std::string_view name;
  ConfigType type = ConfigType::string;
  // Text of the default; absent: no default (null).
  std::optional<std::string_view> default_value;
  // Name of the broker config that gives the default; empty: none. For broker configs their own name.
  std::string_view broker_synonym;
  ConfigRule rule = ConfigRule::none;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::string_view values;  // of one_of and list_of: "a, b"
  bool sensitive = false;
  bool read_only = false;  // static broker config
  std::int8_t first_release = kOldestRelease;
  std::int8_t last_release = kNewestRelease;
};

// All in order of the names, as the brokers of that release have them.
std::span<const ConfigDef> topic_config_defs(int release = kNewestRelease);
std::span<const ConfigDef> broker_config_defs(int release = kNewestRelease);
std::span<const ConfigDef> group_config_defs(int release = kNewestRelease);
std::span<const ConfigDef> client_metrics_config_defs();
std::span<const ConfigDef> config_defs(ConfigResourceType type, int release = kNewestRelease);
// Null when there is no such config.
const ConfigDef* find_config(std::span<const ConfigDef> defs, std::string_view name);

// What a topic config is now: set on the topic, else on the default of all brokers, else built in.
struct EffectiveConfig {
  std::optional<std::string> value;
  ConfigSource source = ConfigSource::builtin;
};
EffectiveConfig effective_topic_config(const MetadataImage& image, std::string_view topic,
                                       std::string_view key);
// The same as a number or a truth; for configs that have a default of that type.
std::int64_t topic_config_int(const MetadataImage& image, std::string_view topic, std::string_view key);
bool topic_config_bool(const MetadataImage& image, std::string_view topic, std::string_view key);

// "a, b" → {"a", "b"}; nothing but blanks → {}.
std::vector<std::string> split_list(std::string_view text);

// Checks type, range and allowed values.
Error validate_config_value(const ConfigDef& def, std::string_view value);
// Checks all configs of a topic together, unknown names too.
Error validate_topic_configs(const ConfigMap& configs, int release = kNewestRelease);
// … of a group, and of a subscription of client metrics (config_groups.cc). `broker_configs` are those that
// brokers have in their files, such as group.consumer.min.session.timeout.ms.
Error validate_group_configs(const ConfigMap& configs,
                             const std::map<std::string, std::int64_t, std::less<>>& broker_configs = {},
                             int release = kNewestRelease);
Error validate_client_metrics_configs(const ConfigMap& configs);

}  // namespace wt::controller

#include "sim/kafka/groups/settings.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

namespace wt::kafka {
namespace {

using controller::ConfigResourceType;

class Reader {
 public:
  Reader(const controller::MetadataImage& image, std::int32_t broker, std::string_view group)
      : image_(image), broker_(std::to_string(broker)), group_(group) {}

  // `broker_key` of this broker or of all; `group_key` of the group goes before it.
  void read(std::int32_t& number, std::string_view broker_key, std::string_view group_key = {}) const {
    const std::string* value =
        group_key.empty() ? nullptr : image_.config(ConfigResourceType::group, group_, group_key);
    if (value == nullptr) value = image_.config(ConfigResourceType::broker, broker_, broker_key);
    if (value == nullptr) value = image_.config(ConfigResourceType::broker, "", broker_key);
    if (value != nullptr) std::from_chars(value->data(), value->data() + value->size(), number);
  }

 private:
  const controller::MetadataImage& image_;
  std::string broker_;
  std::string_view group_;
};

}  // namespace

GroupSettings group_settings(const controller::MetadataImage& image, std::int32_t broker,
                             const GroupSettings& defaults, std::string_view group) {
  GroupSettings settings = defaults;
  const Reader reader(image, broker, group);
  reader.read(settings.consumer_session_timeout_ms, "group.consumer.session.timeout.ms",
              "consumer.session.timeout.ms");
  reader.read(settings.consumer_heartbeat_interval_ms, "group.consumer.heartbeat.interval.ms",
              "consumer.heartbeat.interval.ms");
  reader.read(settings.consumer_assignment_interval_ms, "group.consumer.assignment.interval.ms",
              "consumer.assignment.interval.ms");
  return settings;
}

void apply_switches(const Switches& switches, GroupSettings& settings) {
  settings.rejoin_with_epoch_zero = switches.member_rejoin_with_epoch_zero;
  settings.commit_with_older_epoch = switches.commit_with_older_member_epoch;
  if (!switches.assignment_interval) settings.consumer_assignment_interval_ms = 0;
}

// --- static configs ---

namespace {

// In the order of MigrationPolicy.
constexpr std::string_view kPolicies[] = {"disabled", "upgrade", "downgrade", "bidirectional"};

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMinute_ms = 60'000;

template <std::int32_t GroupSettings::*kField>
void set_number(GroupCoordinatorOptions& options, std::int64_t value) {
  options.settings.*kField = static_cast<std::int32_t>(value);
}

// What a group may choose is the controller's business (controller::validate_group_configs).
void set_nothing(GroupCoordinatorOptions&, std::int64_t) {}

// By their bits.
constexpr std::string_view kProtocols[] = {"classic", "consumer", "streams", "share"};
constexpr std::string_view kProtocolsConfig = "group.coordinator.rebalance.protocols";

constexpr GroupConfig kConfigs[] = {
    {"group.consumer.assignment.interval.ms", 0, kMost,
     set_number<&GroupSettings::consumer_assignment_interval_ms>},
    {"group.consumer.heartbeat.interval.ms", 1, kMost,
     set_number<&GroupSettings::consumer_heartbeat_interval_ms>},
    {"group.consumer.max.assignment.interval.ms", 0, kMost, set_nothing},
    {"group.consumer.max.heartbeat.interval.ms", 1, kMost, set_nothing},
    {"group.consumer.max.session.timeout.ms", 1, kMost, set_nothing},
    {"group.consumer.max.size", 1, kMost, set_number<&GroupSettings::consumer_max_size>},
    {kMigrationPolicyConfig, 0, std::size(kPolicies) - 1,
     [](GroupCoordinatorOptions& options, std::int64_t value) {
       options.settings.consumer_migration = static_cast<MigrationPolicy>(value);
     },
     migration_policy, "disabled, upgrade, downgrade or bidirectional"},
    {"group.consumer.min.assignment.interval.ms", 0, kMost, set_nothing},
    {"group.consumer.min.heartbeat.interval.ms", 1, kMost, set_nothing},
    {"group.consumer.min.session.timeout.ms", 1, kMost, set_nothing},
    {"group.consumer.regex.refresh.interval.ms", 10'000, kMost,
     set_number<&GroupSettings::consumer_regex_refresh_interval_ms>},
    {"group.consumer.session.timeout.ms", 1, kMost, set_number<&GroupSettings::consumer_session_timeout_ms>},
    {kProtocolsConfig, 1, (1 << std::size(kProtocols)) - 1,
     [](GroupCoordinatorOptions& options, std::int64_t value) {
       options.protocols = static_cast<std::uint8_t>(value);
     },
     rebalance_protocols, "a list of classic, consumer, streams and share, with classic in it"},
    {"group.initial.rebalance.delay.ms", 0, kMost, set_number<&GroupSettings::initial_rebalance_delay_ms>},
    {"group.max.session.timeout.ms", 1, kMost, set_number<&GroupSettings::max_session_timeout_ms>},
    {"group.max.size", 1, kMost, set_number<&GroupSettings::max_size>},
    {"group.min.session.timeout.ms", 1, kMost, set_number<&GroupSettings::min_session_timeout_ms>},
    {"offset.metadata.max.bytes", 0, kMost, set_number<&GroupSettings::offset_metadata_max_bytes>},
    {"offsets.retention.check.interval.ms", 1, kMost,
     [](GroupCoordinatorOptions& options, std::int64_t value) {
       options.retention_check_interval_ms = value;
     }},
    {"offsets.retention.minutes", 1, kMost,
     [](GroupCoordinatorOptions& options, std::int64_t value) { options.retention_ms = value * kMinute_ms; }},
    {"offsets.topic.num.partitions", 1, 1000,
     [](GroupCoordinatorOptions& options, std::int64_t value) {
       options.partitions = static_cast<std::int32_t>(value);
     }},
    {"offsets.topic.replication.factor", 1, 64,
     [](GroupCoordinatorOptions& options, std::int64_t value) {
       options.replication_factor = static_cast<std::int16_t>(value);
     }},
    {"offsets.topic.segment.bytes", 1, kMost,
     [](GroupCoordinatorOptions& options, std::int64_t value) {
       options.segment_bytes = static_cast<std::int32_t>(value);
     }},
};

}  // namespace

std::optional<std::int64_t> migration_policy(std::string_view word) {
  std::string low(word);
  for (char& c : low) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto* found = std::find(std::begin(kPolicies), std::end(kPolicies), low);
  if (found == std::end(kPolicies)) return std::nullopt;
  return found - std::begin(kPolicies);
}

std::string group_config_text(std::string_view name, std::int64_t value) {
  if (name == kMigrationPolicyConfig) return std::string(kPolicies[static_cast<std::size_t>(value)]);
  if (name != kProtocolsConfig) return std::to_string(value);
  std::string words;
  for (std::size_t i = 0; i < std::size(kProtocols); ++i) {
    if (((value >> i) & 1) != 0) words += (words.empty() ? "" : ",") + std::string(kProtocols[i]);
  }
  return words;
}

std::optional<std::int64_t> rebalance_protocols(std::string_view list) {
  std::int64_t protocols = 0;
  for (;;) {
    const std::size_t comma = list.find(',');
    std::string_view word = list.substr(0, comma);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    const auto* found = std::find(std::begin(kProtocols), std::end(kProtocols), word);
    if (found == std::end(kProtocols)) return std::nullopt;
    const std::int64_t bit = std::int64_t{1} << (found - std::begin(kProtocols));
    if ((protocols & bit) != 0) return std::nullopt;
    protocols |= bit;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  if ((protocols & kClassicProtocol) == 0) return std::nullopt;
  return protocols;
}

std::optional<std::int64_t> read_group_config(const GroupConfig& config, std::string_view value) {
  if (config.read != nullptr) return config.read(value);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  if (number < config.low || number > config.high) return std::nullopt;
  return number;
}

const GroupConfig* find_group_config(std::string_view name) {
  const auto* found = std::find_if(std::begin(kConfigs), std::end(kConfigs),
                                   [name](const GroupConfig& config) { return config.name == name; });
  return found == std::end(kConfigs) ? nullptr : found;
}

}  // namespace wt::kafka

// Checks on configs of groups and of client metrics, beyond their types.
#include <charconv>
#include <string>

#include "sim/controller/config_defs.h"

namespace wt::controller {
namespace {

using BrokerConfigs = std::map<std::string, std::int64_t, std::less<>>;

// What a broker with default settings lets a group choose.
struct GroupRange {
  std::string_view name;
  std::int64_t low;
  std::int64_t high;
};
constexpr GroupRange kGroupRanges[] = {
    {"consumer.assignment.interval.ms", 0, 15000},   {"consumer.heartbeat.interval.ms", 5000, 15000},
    {"consumer.session.timeout.ms", 45000, 60000},   {"share.assignment.interval.ms", 0, 15000},
    {"share.delivery.count.limit", 2, 10},           {"share.heartbeat.interval.ms", 5000, 15000},
    {"share.partition.max.record.locks", 100, 4000}, {"share.record.lock.duration.ms", 15000, 60000},
    {"share.session.timeout.ms", 45000, 60000},      {"streams.assignment.interval.ms", 0, 15000},
    {"streams.heartbeat.interval.ms", 5000, 15000},  {"streams.session.timeout.ms", 45000, 60000},
};
constexpr std::int64_t kMaxStandbyReplicas = 2;
constexpr std::string_view kGroupKinds[] = {"consumer", "share", "streams"};
// From this release on a broker says how far the range goes, before it which config says so.
constexpr int kReleaseThatTellsRanges = 4;

constexpr std::string_view kMatchKeys[] = {"client_id",
                                           "client_instance_id",
                                           "client_software_name",
                                           "client_software_version",
                                           "client_source_address",
                                           "client_source_port"};

// Of a value that has passed the check of its type.
std::int64_t number_of(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t+");
  if (first == std::string_view::npos) return 0;
  text.remove_prefix(first);
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::int64_t broker_config(const BrokerConfigs& broker_configs, std::string_view key,
                           std::int64_t otherwise) {
  const auto found = broker_configs.find(key);
  return found == broker_configs.end() ? otherwise : found->second;
}

// "consumer.session.timeout.ms" is bounded by "group.consumer.min.session.timeout.ms".
std::string bound_name(const GroupRange& range, std::string_view which) {
  const std::size_t dot = range.name.find('.');
  std::string key = "group." + std::string(range.name.substr(0, dot)) + ".";
  key += which;
  key += range.name.substr(dot);
  return key;
}

Error invalid_config(std::string why) {
  return Error(ErrorCode::invalid_config, std::move(why));
}

bool is_offset_reset(std::string_view value) {
  return value == "earliest" || value == "latest" || value.starts_with("by_duration:P");
}

Error check_range(const GroupRange& range, std::int64_t number, const BrokerConfigs& broker_configs,
                  int release) {
  const std::string key(range.name);
  const std::string min = bound_name(range, "min");
  const std::string max = bound_name(range, "max");
  const std::int64_t low = broker_config(broker_configs, min, range.low);
  const std::int64_t high = broker_config(broker_configs, max, range.high);
  if (number >= low && number <= high) return {};
  if (release < kReleaseThatTellsRanges) {
    return invalid_config(number < low ? key + " must be greater than or equal to " + min
                                       : key + " must be less than or equal to " + max);
  }
  return invalid_config(key + " must be in the range " + std::to_string(low) + " to " + std::to_string(high) +
                        " inclusive.");
}

// What a group has, else what its brokers have for it.
std::int64_t number_for_group(const ConfigMap& configs, const BrokerConfigs& broker_configs,
                              const std::string& key, int release) {
  if (const auto own = configs.find(key); own != configs.end()) return number_of(own->second);
  const ConfigDef* def = find_config(group_config_defs(release), key);
  return broker_config(broker_configs, "group." + key, number_of(*def->default_value));
}

// A session must outlast the time between two heartbeats.
Error check_sessions(const ConfigMap& configs, const BrokerConfigs& broker_configs, int release) {
  for (const std::string_view kind : kGroupKinds) {
    const std::string session = std::string(kind) + ".session.timeout.ms";
    const std::string heartbeat = std::string(kind) + ".heartbeat.interval.ms";
    if (!configs.contains(session) && !configs.contains(heartbeat)) continue;
    if (number_for_group(configs, broker_configs, session, release) <=
        number_for_group(configs, broker_configs, heartbeat, release))
      return invalid_config(session + " must be greater than " + heartbeat);
  }
  return {};
}

}  // namespace

Error validate_group_configs(const ConfigMap& configs, const BrokerConfigs& broker_configs, int release) {
  for (const auto& [key, value] : configs) {
    const ConfigDef* def = find_config(group_config_defs(release), key);
    if (def == nullptr) return invalid_config("Unknown group config name: " + key);
    Error error = validate_config_value(*def, value);
    if (!error.ok()) return error;
    if (key == "share.auto.offset.reset" && !is_offset_reset(value)) {
      return invalid_config("Invalid value " + value + " for configuration " + key + ": Invalid value `" +
                            value + "` for configuration " + key +
                            ". The value must be either 'earliest', 'latest' or of the format "
                            "'by_duration:<PnDTnHnMn.nS>'.");
    }
    if (key == "streams.assignor.name" && value != "sticky") {
      return invalid_config("streams.assignor.name '" + value +
                            "' is not a registered task assignor. Registered assignors are: [sticky].");
    }
    if (key == "streams.num.standby.replicas" && number_of(value) > kMaxStandbyReplicas) {
      return invalid_config(key + " must be less than or equal to " +
                            (release < kReleaseThatTellsRanges ? "group.streams.max.standby.replicas"
                                                               : std::to_string(kMaxStandbyReplicas)));
    }
    for (const GroupRange& range : kGroupRanges) {
      if (range.name != key) continue;
      error = check_range(range, number_of(value), broker_configs, release);
      if (!error.ok()) return error;
    }
  }
  return check_sessions(configs, broker_configs, release);
}

Error validate_client_metrics_configs(const ConfigMap& configs) {
  for (const auto& [key, value] : configs) {
    const ConfigDef* def = find_config(client_metrics_config_defs(), key);
    if (def == nullptr)
      return Error(ErrorCode::invalid_request, "Unknown client metrics configuration: " + key);
    Error error = validate_config_value(*def, value);
    if (!error.ok()) return error;
    if (key == "interval.ms" && (number_of(value) < 100 || number_of(value) > 3600000)) {
      return Error(ErrorCode::invalid_request, "Invalid value " + value +
                                                   " for interval.ms, interval must be between 100 and "
                                                   "3600000 (1 hour)");
    }
    if (key != "match") continue;
    for (const std::string& pattern : split_list(value)) {
      bool known = false;
      for (const std::string_view match : kMatchKeys)
        known = known || (pattern.starts_with(match) && pattern.substr(match.size()).starts_with('='));
      if (!known) return invalid_config("Illegal client matching pattern: " + pattern);
    }
  }
  return {};
}

}  // namespace wt::controller

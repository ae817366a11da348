#include "sim/controller/config_defs.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace wt::controller {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Error invalid_value(const ConfigDef& def, std::string_view value, const std::string& why) {
  return Error(ErrorCode::invalid_config, "Invalid value " + std::string(value) + " for configuration " +
                                              std::string(def.name) + ": " + why);
}

// Whole numbers, with a sign or not.
std::optional<std::int64_t> parse_whole(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

Error check_whole(const ConfigDef& def, std::string_view value, std::int64_t low, std::int64_t high,
                  std::string_view type_name) {
  const auto number = parse_whole(value);
  if (!number || *number < low || *number > high)
    return invalid_value(def, value, "Not a number of type " + std::string(type_name));
  const std::string shown = std::to_string(*number);
  const bool has_low = def.rule == ConfigRule::at_least || def.rule == ConfigRule::between;
  if (has_low && *number < def.low)
    return invalid_value(def, shown, "Value must be at least " + std::to_string(def.low));
  if (def.rule == ConfigRule::between && *number > def.high)
    return invalid_value(def, shown, "Value must be no more than " + std::to_string(def.high));
  if (def.rule == ConfigRule::gzip_level && *number != -1 && (*number < def.low || *number > def.high))
    return invalid_value(def, shown, "Value must be between 1 and 9 or equal to -1");
  return {};
}

// As Java prints it.
std::string double_text(double number) {  // float-ok: the value of the config is one
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), number);
  std::string text(buffer, result.ptr);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

Error check_double(const ConfigDef& def, std::string_view value) {
  double number = 0;  // float-ok: the value of the config is one
  const auto result = std::from_chars(value.data(), value.data() + value.size(), number);
  if (result.ec != std::errc() || result.ptr != value.data() + value.size())
    return invalid_value(def, value, "Not a number of type DOUBLE");
  if (def.rule != ConfigRule::between) return {};
  if (!(number >= static_cast<double>(def.low)))  // float-ok: as above
    return invalid_value(def, double_text(number), "Value must be at least " + std::to_string(def.low));
  if (number > static_cast<double>(def.high))  // float-ok: as above
    return invalid_value(def, double_text(number), "Value must be no more than " + std::to_string(def.high));
  return {};
}

bool is_one_of(std::string_view value, std::string_view values) {
  while (!values.empty()) {
    const std::size_t comma = values.find(',');
    if (trimmed(values.substr(0, comma)) == value) return true;
    if (comma == std::string_view::npos) return false;
    values.remove_prefix(comma + 1);
  }
  return false;
}

// "partition:broker", both whole numbers.
bool is_throttled_replica(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return colon != std::string_view::npos && digits(text.substr(0, colon)) && digits(text.substr(colon + 1));
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

Error check_throttled(const ConfigDef& def, const std::vector<std::string>& parts) {
  if (parts.size() == 1 && parts.front() == "*") return {};
  if (std::all_of(parts.begin(), parts.end(), is_throttled_replica)) return {};
  const std::string name(def.name);
  return invalid_value(def, "[" + joined(parts, ", ") + "]",
                       name +
                           " must be the literal '*' or a list of replicas in the following format: "
                           "[partitionId]:[brokerId],[partitionId]:[brokerId],...");
}

Error check_list(const ConfigDef& def, std::string_view value) {
  const std::vector<std::string> parts = split_list(value);
  if (def.rule == ConfigRule::throttled_replicas) return check_throttled(def, parts);
  if (def.rule != ConfigRule::list_of) return {};
  for (const std::string& part : parts) {
    if (part.empty())
      return Error(ErrorCode::invalid_config,
                   "Configuration '" + std::string(def.name) + "' values must not be empty.");
  }
  for (const std::string& part : parts) {
    if (!is_one_of(part, def.values))
      return invalid_value(def, part, "String must be one of: " + std::string(def.values));
  }
  return {};
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  text = trimmed(text);
  if (text.empty()) return parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::span<const ConfigDef> config_defs(ConfigResourceType type, int release) {
  switch (type) {
    case ConfigResourceType::topic:
      return topic_config_defs(release);
    case ConfigResourceType::broker:
      return broker_config_defs(release);
    case ConfigResourceType::group:
      return group_config_defs(release);
    case ConfigResourceType::client_metrics:
      return client_metrics_config_defs();
    case ConfigResourceType::unknown:
      break;
  }
  return {};
}

const ConfigDef* find_config(std::span<const ConfigDef> defs, std::string_view name) {
  const auto it = std::partition_point(defs.begin(), defs.end(),
                                       [name](const ConfigDef& def) { return def.name < name; });
  return it != defs.end() && it->name == name ? &*it : nullptr;
}

Error validate_config_value(const ConfigDef& def, std::string_view value) {
  value = trimmed(value);
  switch (def.type) {
    case ConfigType::boolean:
      if (equal_ignoring_case(value, "true") || equal_ignoring_case(value, "false")) return {};
      return invalid_value(def, value, "Expected value to be either true or false");
    case ConfigType::integer:
      return check_whole(def, value, std::numeric_limits<std::int32_t>::min(),
                         std::numeric_limits<std::int32_t>::max(), "INT");
    case ConfigType::short_integer:
      return check_whole(def, value, std::numeric_limits<std::int16_t>::min(),
                         std::numeric_limits<std::int16_t>::max(), "SHORT");
    case ConfigType::long_integer:
      return check_whole(def, value, std::numeric_limits<std::int64_t>::min(),
                         std::numeric_limits<std::int64_t>::max(), "LONG");
    case ConfigType::floating:
      return check_double(def, value);
    case ConfigType::list:
      return check_list(def, value);
    case ConfigType::string:
      if (def.rule == ConfigRule::one_of && !is_one_of(value, def.values))
        return invalid_value(def, value, "String must be one of: " + std::string(def.values));
      return {};
    case ConfigType::class_name:
    case ConfigType::password:
      return {};
  }
  return {};
}

Error validate_topic_configs(const ConfigMap& configs, int release) {
  const auto defs = topic_config_defs(release);
  for (const auto& [key, value] : configs) {
    if (find_config(defs, key) == nullptr)
      return Error(ErrorCode::invalid_config, "Unknown topic config name: " + key);
  }
  for (const auto& [key, value] : configs) {
    Error error = validate_config_value(*find_config(defs, key), value);
    if (!error.ok()) return error;
  }
  const auto number = [&configs](std::string_view key) {
    const auto found = configs.find(key);
    const std::string_view text = found != configs.end()
                                      ? std::string_view(found->second)
                                      : find_config(topic_config_defs(), key)->default_value.value_or("0");
    return parse_whole(trimmed(text)).value_or(0);
  };
  const std::int64_t min_lag = number("min.compaction.lag.ms");
  const std::int64_t max_lag = number("max.compaction.lag.ms");
  if (min_lag > max_lag)
    return Error(ErrorCode::invalid_config, "conflict topic config setting min.compaction.lag.ms (" +
                                                std::to_string(min_lag) + ") > max.compaction.lag.ms (" +
                                                std::to_string(max_lag) + ")");
  const auto tiered = configs.find("remote.storage.enable");
  if (tiered != configs.end() && equal_ignoring_case(trimmed(tiered->second), "true"))
    return Error(ErrorCode::invalid_config,
                 "Tiered Storage functionality is disabled in the broker. Topic cannot be configured with "
                 "remote log storage.");
  return {};
}

EffectiveConfig effective_topic_config(const MetadataImage& image, std::string_view topic,
                                       std::string_view key) {
  EffectiveConfig effective;
  if (const std::string* set = image.config(ConfigResourceType::topic, topic, key)) {
    effective.value = *set;
    effective.source = ConfigSource::topic;
    return effective;
  }
  const ConfigDef* def = find_config(topic_config_defs(), key);
  if (def == nullptr) return effective;
  if (!def->broker_synonym.empty()) {
    if (const std::string* set = image.config(ConfigResourceType::broker, "", def->broker_synonym)) {
      effective.value = *set;
      effective.source = ConfigSource::broker_default;
      return effective;
    }
  }
  if (def->default_value) effective.value = std::string(*def->default_value);
  return effective;
}

std::int64_t topic_config_int(const MetadataImage& image, std::string_view topic, std::string_view key) {
  const EffectiveConfig config = effective_topic_config(image, topic, key);
  return config.value ? parse_whole(trimmed(*config.value)).value_or(0) : 0;
}

bool topic_config_bool(const MetadataImage& image, std::string_view topic, std::string_view key) {
  const EffectiveConfig config = effective_topic_config(image, topic, key);
  return config.value && equal_ignoring_case(trimmed(*config.value), "true");
}

}  // namespace wt::controller

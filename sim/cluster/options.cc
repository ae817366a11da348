#include "sim/cluster/options.h"

#include <algorithm>

#include "sim/cluster/json_fields.h"
#include "sim/cluster/security_json.h"
#include "sim/kafka/groups/settings.h"
#include "sim/kafka/profiles/release_profile.h"

namespace wt::cluster {
namespace {

constexpr std::int32_t kMaxBrokers = 64;
constexpr std::int64_t kMaxFeatureLevel = 32'767;

std::string_view order_name(ReadyOrder order) {
  switch (order) {
    case ReadyOrder::fifo:
      return "fifo";
    case ReadyOrder::random:
      return "random";
    case ReadyOrder::pct:
      return "pct";
    case ReadyOrder::scripted:
      return "scripted";
  }
  return "?";
}

std::optional<ReadyOrder> order_from_name(std::string_view name) {
  for (const ReadyOrder order :
       {ReadyOrder::fifo, ReadyOrder::random, ReadyOrder::pct, ReadyOrder::scripted}) {
    if (order_name(order) == name) return order;
  }
  return std::nullopt;
}

Status bad(const std::string& message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

// A storage format looks at what features need of each other, too; here any levels go together.
Status validate_features(const ClusterOptions& options) {
  const kafka::ReleaseProfile& profile = *kafka::find_profile(options.profile);
  for (const auto& [name, level] : options.features) {
    const auto known =
        std::find_if(profile.supported_features.begin(), profile.supported_features.end(),
                     [&name = name](const kafka::FeatureRange& feature) { return feature.name == name; });
    if (known == profile.supported_features.end()) {
      std::string names;
      for (const kafka::FeatureRange& feature : profile.supported_features)
        names += " " + std::string(feature.name);
      return bad("The profile '" + options.profile + "' has no feature '" + name + "'; it has:" + names +
                 ".");
    }
    if (level < known->min || level > known->max) {
      return bad("The feature '" + name + "' has the levels " + std::to_string(known->min) + " to " +
                 std::to_string(known->max) + ", not " + std::to_string(level) + ".");
    }
  }
  return ok_status();
}

}  // namespace

Status validate(const ClusterOptions& options) {
  if (options.brokers < 1 || options.brokers > kMaxBrokers) {
    return bad("A cluster has 1 to " + std::to_string(kMaxBrokers) + " brokers, not " +
               std::to_string(options.brokers) + ".");
  }
  if (options.first_broker_id < 0 || options.first_broker_id > 1'000'000) {
    return bad("The first broker id must be between 0 and 1000000.");
  }
  if (kafka::find_profile(options.profile) == nullptr) {
    std::string known;
    for (const kafka::ReleaseProfile& profile : kafka::all_profiles())
      known += " " + std::string(profile.name);
    return bad("There is no profile '" + options.profile + "'; there are:" + known + ".");
  }
  if (Status valid = validate_features(options); !valid.ok()) return valid;
  if (options.default_partitions < 1) return bad("The default number of partitions must be positive.");
  for (const auto& [name, value] : options.group_configs) {
    const kafka::GroupConfig* config = kafka::find_group_config(name);
    if (config == nullptr) return bad("Group coordinators have no config '" + name + "'.");
    if (value < config->low || value > config->high) {
      return bad("'" + name + "' must be between " + std::to_string(config->low) + " and " +
                 std::to_string(config->high) + ".");
    }
  }
  if (options.default_replication_factor != -1 &&
      (options.default_replication_factor < 1 || options.default_replication_factor > options.brokers)) {
    return bad("The default replication factor must be -1 or between 1 and the number of brokers.");
  }
  if (options.single_replica && options.default_replication_factor > 1) {
    return bad("A cluster with a single replica cannot have a default replication factor above 1.");
  }
  if (options.max_request_bytes < 1024) return bad("The largest request must be at least 1024 bytes.");
  return validate(options.security);
}

std::string to_json(const ClusterOptions& options) {
  json::object out;
  // A seed uses all 64 bits, a JSON number does not.
  out["seed"] = std::to_string(options.seed);
  out["epoch_ns"] = options.epoch_ns;
  out["brokers"] = options.brokers;
  out["first_broker_id"] = options.first_broker_id;
  out["cluster_id"] = options.cluster_id;
  json::array racks;
  for (const std::string& rack : options.racks) racks.emplace_back(rack);
  out["racks"] = std::move(racks);
  out["profile"] = options.profile;
  json::object features;
  for (const auto& [name, level] : options.features) features[name] = level;
  out["features"] = std::move(features);
  out["advertise_only_implemented"] = options.advertise_only_implemented;
  out["default_partitions"] = options.default_partitions;
  out["default_replication_factor"] = options.default_replication_factor;
  json::object group_configs;
  for (const auto& [name, value] : options.group_configs) group_configs[name] = value;
  out["group_configs"] = std::move(group_configs);
  out["auto_create_topics"] = options.auto_create_topics;
  out["telemetry_receiver"] = options.telemetry_receiver;
  out["delete_topics"] = options.delete_topics;
  out["max_fetch_sessions"] = options.max_fetch_sessions;
  out["single_replica"] = options.single_replica;
  out["crash_by_session"] = options.crash_by_session;
  out["link_base_ns"] = options.link_latency.base_ns;
  out["link_tail_mean_ns"] = options.link_latency.tail_mean_ns;
  out["link_tail_ppm"] = options.link_latency.tail_ppm;
  out["broker_session_timeout_ns"] = options.broker_session_timeout_ns;
  out["producer_expiry_check_ns"] = options.producer_expiry_check_ns;
  out["first_retention_check_ns"] = options.first_retention_check_ns;
  out["retention_check_ns"] = options.retention_check_ns;
  out["max_idle_ns"] = options.max_idle_ns;
  out["max_connections"] = options.max_connections;
  out["max_request_bytes"] = options.max_request_bytes;
  add_to_json(options.security, out);
  const std::string_view order = order_name(options.ready.order);
  out["ready_order"] = json::string_view(order.data(), order.size());
  out["pct_change_points"] = options.ready.pct_change_points;
  out["pct_horizon_steps"] = options.ready.pct_horizon_steps;
  json::array script;
  for (const std::uint32_t choice : options.ready.script) script.emplace_back(choice);
  out["ready_script"] = std::move(script);
  out["trace_ring_records"] = options.trace_ring_records;
  return json::serialize(out);
}

StatusOr<ClusterOptions> options_from_json(std::string_view text) {
  const StatusOr<json::object> object = parse_object(text);
  if (!object.ok()) return object.status();
  ClusterOptions options;
  Fields fields(*object);
  const std::string seed = fields.text("seed", std::to_string(options.seed));
  options.seed = std::strtoull(seed.c_str(), nullptr, 10);
  options.epoch_ns = fields.number("epoch_ns", options.epoch_ns);
  options.brokers = static_cast<std::int32_t>(fields.number("brokers", options.brokers, 1, kMaxBrokers));
  options.first_broker_id =
      static_cast<std::int32_t>(fields.number("first_broker_id", options.first_broker_id));
  options.cluster_id = fields.text("cluster_id", options.cluster_id);
  if (const json::value* racks = object->if_contains("racks"); racks != nullptr && racks->is_array()) {
    for (const json::value& rack : racks->get_array()) {
      if (rack.is_string()) options.racks.emplace_back(view(rack.get_string()));
    }
  }
  options.profile = fields.text("profile", options.profile);
  if (const json::value* features = object->if_contains("features")) {
    if (!features->is_object()) return bad("'features' must be an object.");
    for (const auto& [name, level] : features->get_object()) {
      if (!level.is_int64() || level.get_int64() < 0 || level.get_int64() > kMaxFeatureLevel) {
        return bad("'features': the level of '" + std::string(view(name)) + "' is a whole number.");
      }
      options.features[std::string(view(name))] = static_cast<std::int16_t>(level.get_int64());
    }
  }
  options.advertise_only_implemented =
      fields.flag("advertise_only_implemented", options.advertise_only_implemented);
  options.default_partitions = static_cast<std::int32_t>(fields.number("default_partitions", 1, 1, 100'000));
  options.default_replication_factor =
      static_cast<std::int16_t>(fields.number("default_replication_factor", -1, -1, kMaxBrokers));
  if (const json::value* configs = object->if_contains("group_configs");
      configs != nullptr && configs->is_object()) {
    for (const auto& [name, value] : configs->get_object()) {
      const std::string key(view(name));
      if (kafka::find_group_config(key) == nullptr || !value.is_int64()) {
        return bad("Group coordinators have no config '" + key + "'.");
      }
      options.group_configs[key] = value.get_int64();
    }
  }
  options.telemetry_receiver = fields.flag("telemetry_receiver", options.telemetry_receiver);
  options.auto_create_topics = fields.flag("auto_create_topics", options.auto_create_topics);
  options.delete_topics = fields.flag("delete_topics", options.delete_topics);
  options.max_fetch_sessions = static_cast<std::size_t>(
      fields.number("max_fetch_sessions", static_cast<std::int64_t>(options.max_fetch_sessions), 0));
  options.single_replica = fields.flag("single_replica", options.single_replica);
  options.crash_by_session = fields.flag("crash_by_session", options.crash_by_session);
  options.link_latency.base_ns = fields.number("link_base_ns", 0, 0);
  options.link_latency.tail_mean_ns = fields.number("link_tail_mean_ns", 0, 0);
  options.link_latency.tail_ppm =
      static_cast<std::uint32_t>(fields.number("link_tail_ppm", 0, 0, kPpmAlways));
  options.broker_session_timeout_ns =
      fields.number("broker_session_timeout_ns", options.broker_session_timeout_ns, 1);
  options.producer_expiry_check_ns =
      fields.number("producer_expiry_check_ns", options.producer_expiry_check_ns, 1);
  options.first_retention_check_ns =
      fields.number("first_retention_check_ns", options.first_retention_check_ns, 0);
  options.retention_check_ns = fields.number("retention_check_ns", options.retention_check_ns, 1);
  options.max_idle_ns = fields.number("max_idle_ns", options.max_idle_ns, 1);
  options.max_connections = static_cast<std::size_t>(
      fields.number("max_connections", static_cast<std::int64_t>(options.max_connections), 1));
  options.max_request_bytes = fields.number("max_request_bytes", options.max_request_bytes, 1);
  if (Status taken = take_from_json(*object, options.security); !taken.ok()) return taken;
  const std::string order = fields.text("ready_order", "fifo");
  if (const auto known = order_from_name(order)) {
    options.ready.order = *known;
  } else {
    return bad("There is no ready order '" + order + "'.");
  }
  options.ready.pct_change_points =
      static_cast<std::uint32_t>(fields.number("pct_change_points", 3, 0, 1'000'000));
  options.ready.pct_horizon_steps = static_cast<std::uint64_t>(fields.number("pct_horizon_steps", 10'000, 0));
  if (const json::value* script = object->if_contains("ready_script");
      script != nullptr && script->is_array()) {
    for (const json::value& choice : script->get_array()) {
      if (choice.is_int64()) options.ready.script.push_back(static_cast<std::uint32_t>(choice.get_int64()));
    }
  }
  options.trace_ring_records =
      static_cast<std::size_t>(fields.number("trace_ring_records", 4096, 1, 100'000'000));
  if (!fields.ok()) return bad(fields.error());
  return options;
}

}  // namespace wt::cluster

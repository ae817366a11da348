// Configs of topics, brokers, groups and client metrics.
#include <algorithm>
#include <charconv>

#include "sim/controller/names.h"
#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

Error invalid_request(std::string why) {
  return Error(ErrorCode::invalid_request, std::move(why));
}

// What a list config is before anything is appended to it.
std::vector<std::string> list_now(const ConfigDef& def, const ConfigMap& configs) {
  const auto found = configs.find(def.name);
  if (found != configs.end()) return split_list(found->second);
  return split_list(def.default_value.value_or(""));
}

Error check_broker_name(const std::string& name, BrokerId asked_broker) {
  std::int32_t id = 0;
  const auto result = std::from_chars(name.data(), name.data() + name.size(), id);
  if (result.ec != std::errc() || result.ptr != name.data() + name.size())
    return invalid_request("Node id must be an integer, but it is: " + name);
  if (asked_broker != kNoBroker && id != asked_broker) {
    return invalid_request("Unexpected broker id, expected " + std::to_string(asked_broker) +
                           ", but received " + name);
  }
  return {};
}

// What only a broker refuses: a dynamic value of the wrong kind is a bad request there.
Error check_broker_values(const ConfigMap& configs, int release) {
  for (const auto& [key, value] : configs) {
    // A broker may have configs of its plug-ins.
    const ConfigDef* def = find_config(broker_config_defs(release), key);
    if (def == nullptr) continue;
    Error error = validate_config_value(*def, value);
    if (!error.ok()) return invalid_request(std::move(error.message));
  }
  return {};
}

Error check_values(ConfigResourceType type, const ConfigMap& configs, const ControllerOptions& options) {
  switch (type) {
    case ConfigResourceType::topic:
      return validate_topic_configs(configs, options.release);
    case ConfigResourceType::broker:
      return check_broker_values(configs, options.release);
    case ConfigResourceType::group:
      return validate_group_configs(configs, options.group_configs, options.release);
    case ConfigResourceType::client_metrics:
      return validate_client_metrics_configs(configs);
    case ConfigResourceType::unknown:
      break;
  }
  return {};
}

}  // namespace

Error Planner::check_resource(const IncrementalAlterConfigs::Resource& resource,
                              BrokerId asked_broker) const {
  std::set<std::string> keys;
  std::vector<std::string> nulls;
  for (const auto& op : resource.ops) {
    if (!keys.insert(op.key).second) return invalid_request("Error due to duplicate config keys");
    if (!op.value && op.op != static_cast<std::int8_t>(AlterOp::remove)) nulls.push_back(op.key);
  }
  if (!nulls.empty()) return invalid_request("Null value not supported for : " + joined(nulls));
  switch (static_cast<ConfigResourceType>(resource.type)) {
    case ConfigResourceType::topic: {
      if (resource.name.empty()) return invalid_request("Default topic resources are not allowed.");
      if (image().topic(resource.name) != nullptr) return {};
      Error error = validate_topic_name(resource.name);
      if (!error.ok()) return error;
      return Error(ErrorCode::unknown_topic_or_partition,
                   "The topic '" + resource.name + "' does not exist.");
    }
    case ConfigResourceType::broker: {
      if (!resource.name.empty()) {
        Error error = check_broker_name(resource.name, asked_broker);
        if (!error.ok()) return error;
      }
      std::vector<std::string> fixed;
      for (const std::string& key : keys) {
        const ConfigDef* def = find_config(broker_config_defs(options_.release), key);
        if (def != nullptr && def->read_only) fixed.push_back(key);
      }
      if (fixed.empty()) return {};
      return invalid_request("Cannot update these configs dynamically: [" + joined(fixed) + "]");
    }
    case ConfigResourceType::group:
      if (resource.name.empty()) return invalid_request("Default group resources are not allowed.");
      return {};
    case ConfigResourceType::client_metrics:
      if (resource.name.empty()) return invalid_request("Subscription name can't be empty");
      return {};
    case ConfigResourceType::unknown:
      break;
  }
  return invalid_request("Unknown resource type " + std::to_string(resource.type));
}

Error Planner::changed_configs(const IncrementalAlterConfigs::Resource& resource, ConfigMap& configs) const {
  const auto type = static_cast<ConfigResourceType>(resource.type);
  const auto defs = config_defs(type, options_.release);
  for (const auto& op : resource.ops) {
    switch (static_cast<AlterOp>(op.op)) {
      case AlterOp::set:
        configs[op.key] = *op.value;
        break;
      case AlterOp::remove:
        configs.erase(op.key);
        break;
      case AlterOp::append:
      case AlterOp::subtract: {
        const bool append = static_cast<AlterOp>(op.op) == AlterOp::append;
        const ConfigDef* def = find_config(defs, op.key);
        if (def == nullptr && type == ConfigResourceType::broker)
          return Error(ErrorCode::invalid_config, "Unknown config name: " + op.key);
        if (def == nullptr || def->type != ConfigType::list) {
          return Error(ErrorCode::invalid_config, std::string("Can't ") + (append ? "APPEND" : "SUBTRACT") +
                                                      " to key " + op.key + " because its type is not LIST.");
        }
        std::vector<std::string> list = list_now(*def, configs);
        for (const std::string& part : split_list(*op.value)) {
          if (!append) {
            std::erase(list, part);
          } else if (std::find(list.begin(), list.end(), part) == list.end()) {
            list.push_back(part);
          }
        }
        configs[op.key] = joined(list);
        break;
      }
      default:
        return Error(ErrorCode::unknown_server_error);
    }
  }
  return {};
}

// With eligible leader replicas on, the cluster always has one min ISR for all brokers.
Error Planner::check_min_isr(const IncrementalAlterConfigs::Resource& resource,
                             const ConfigMap& after) const {
  constexpr std::string_view kKey = "min.insync.replicas";
  const bool touched = std::any_of(resource.ops.begin(), resource.ops.end(),
                                   [kKey](const auto& op) { return op.key == kKey; });
  if (!touched || !image().features().contains("eligible.leader.replicas.version")) return {};
  if (!resource.name.empty()) {
    return Error(ErrorCode::invalid_config,
                 "Broker-level min.insync.replicas cannot be altered while ELR is enabled.");
  }
  if (!after.contains(kKey)) {
    return Error(ErrorCode::invalid_config,
                 "Cluster-level min.insync.replicas cannot be removed while ELR is enabled.");
  }
  return check_single_replica(after);
}

Error Planner::alter_resource(const IncrementalAlterConfigs::Resource& resource, BrokerId asked_broker) {
  Error error = check_resource(resource, asked_broker);
  if (!error.ok()) return error;
  const auto type = static_cast<ConfigResourceType>(resource.type);
  const ConfigMap before = image().configs(type, resource.name);
  ConfigMap after = before;
  error = changed_configs(resource, after);
  if (error.ok()) error = check_values(type, after, options_);
  if (error.ok() && type == ConfigResourceType::topic) error = check_single_replica(after);
  if (error.ok() && type == ConfigResourceType::broker) error = check_min_isr(resource, after);
  if (!error.ok()) return error;
  for (const auto& [key, value] : after) {
    const auto found = before.find(key);
    if (found == before.end() || found->second != value) emit(ConfigRecord{type, resource.name, key, value});
  }
  for (const auto& [key, value] : before) {
    if (!after.contains(key)) emit(ConfigRecord{type, resource.name, key, std::nullopt});
  }
  return {};
}

// As changes: what is named is set, what is set but not named is removed.
AlterConfigs::Response Planner::plan(const AlterConfigs& request) {
  IncrementalAlterConfigs changes;
  changes.asked_broker = request.asked_broker;
  changes.validate_only = request.validate_only;
  for (const auto& resource : request.resources) {
    auto& target = changes.resources.emplace_back();
    target.type = resource.type;
    target.name = resource.name;
    std::set<std::string> named;
    for (const ConfigSetting& config : resource.configs) {
      named.insert(config.key);
      target.ops.push_back({config.key, static_cast<std::int8_t>(AlterOp::set), config.value});
    }
    for (const auto& [key, value] :
         image().configs(static_cast<ConfigResourceType>(resource.type), resource.name)) {
      if (named.contains(key)) continue;
      target.ops.push_back({key, static_cast<std::int8_t>(AlterOp::remove), std::nullopt});
    }
  }
  return plan(changes);
}

IncrementalAlterConfigs::Response Planner::plan(const IncrementalAlterConfigs& request) {
  IncrementalAlterConfigs::Response response;
  std::map<std::pair<std::int8_t, std::string>, std::size_t> times;
  for (const auto& resource : request.resources) ++times[{resource.type, resource.name}];
  for (const auto& resource : request.resources) {
    IncrementalAlterConfigs::Result result{resource.type, resource.name, {}};
    if (times[{resource.type, resource.name}] > 1) {
      result.error = invalid_request("Each resource must appear at most once.");
    } else {
      result.error = alter_resource(resource, request.asked_broker);
    }
    response.results.push_back(std::move(result));
  }
  if (request.validate_only) discard();
  response.end_offset = image().end_offset();
  return response;
}

}  // namespace wt::controller

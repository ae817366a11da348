// DescribeConfigs (32).
#include <algorithm>
#include <charconv>
#include <set>

#include "sim/broker/broker.h"
#include "sim/controller/config_defs.h"
#include "sim/controller/names.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/group_call.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/log_dir.h"
#include "sim/kafka/wire/messages/configs.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

using controller::ConfigDef;
using controller::ConfigResourceType;
using controller::ConfigSource;
using Described = DescribeConfigsResponse::DescribeConfigsResourceResult;
using DescribeResult = DescribeConfigsResponse::DescribeConfigsResult;
using Synonym = DescribeConfigsResponse::DescribeConfigsSynonym;

constexpr std::int8_t kBrokerLogger = 8;  // the resource type
constexpr std::int8_t kLoggerSource = 6;
constexpr std::string_view kMalformed =
    "This most likely occurs because of a request being malformed by the client library or the message was "
    "sent to "
    "an incompatible broker. See the broker logs for more details.";

// Broker configs without a default: another one, in other units, stands in for it.
struct StandIn {
  std::string_view key;
  std::string_view name;
  std::string_view value;
};
constexpr StandIn kStandIns[] = {
    {"log.flush.interval.ms", "log.flush.scheduler.interval.ms", "9223372036854775807"},
    {"log.retention.ms", "log.retention.hours", "168"},
    {"log.roll.jitter.ms", "log.roll.jitter.hours", "0"},
    {"log.roll.ms", "log.roll.hours", "168"},
};

// Configs that no properties file has but clients may set: rates of replication, and those of plug-ins, of
// which a broker knows nothing and tells nothing.
constexpr std::string_view kRates[] = {"follower.replication.throttled.rate",
                                       "leader.replication.throttled.rate",
                                       "replica.alter.log.dirs.io.max.bytes.per.second"};
constexpr auto kUnknownType = static_cast<controller::ConfigType>(0);

ConfigDef def_beside_file(std::string_view name) {
  ConfigDef def;
  def.name = name;
  const bool is_rate = std::find(std::begin(kRates), std::end(kRates), name) != std::end(kRates);
  def.type = is_rate ? controller::ConfigType::long_integer : kUnknownType;
  def.sensitive = def.read_only = !is_rate;
  return def;
}

// One place where a config can have its value from.
struct Origin {
  ConfigSource source;
  std::string name;
  std::optional<std::string> value;
};

class Describer {
 public:
  Describer(RequestContext& context, const DescribeConfigsRequest& request)
      : context_(context),
        request_(request),
        image_(context.broker.image()),
        release_(context.service.profile().minor) {}

  DescribeResult describe(const DescribeConfigsRequest::DescribeConfigsResource& resource) const;

 private:
  void describe_topic(const std::string& name, DescribeResult& result) const;
  void describe_broker(const std::string& name, DescribeResult& result) const;
  void describe_other(ConfigResourceType type, const std::string& name, DescribeResult& result) const;
  void describe_loggers(const std::string& name, DescribeResult& result) const;
  bool is_this_broker(const std::string& name, std::string_view or_what, std::string_view received,
                      DescribeResult& result) const;
  std::optional<std::string> static_value(std::string_view key) const;
  bool wants(std::string_view key) const;
  Described make(const ConfigDef& def, const std::vector<Origin>& origins) const;
  std::vector<Origin> broker_origins(const ConfigDef& def, std::string_view key, bool with_own,
                                     bool with_builtin) const;

  RequestContext& context_;
  const DescribeConfigsRequest& request_;
  const controller::MetadataImage& image_;
  int release_;
  mutable const DescribeConfigsRequest::DescribeConfigsResource* resource_ = nullptr;
};

DescribeResult Describer::describe(const DescribeConfigsRequest::DescribeConfigsResource& resource) const {
  resource_ = &resource;
  DescribeResult result;
  result.error_message = "";
  result.resource_type = resource.resource_type;
  result.resource_name = resource.resource_name;
  if (resource.resource_type == kBrokerLogger) {
    describe_loggers(resource.resource_name, result);
    return result;
  }
  switch (static_cast<ConfigResourceType>(resource.resource_type)) {
    case ConfigResourceType::topic:
      describe_topic(resource.resource_name, result);
      break;
    case ConfigResourceType::broker:
      describe_broker(resource.resource_name, result);
      break;
    case ConfigResourceType::group:
    case ConfigResourceType::client_metrics:
      describe_other(static_cast<ConfigResourceType>(resource.resource_type), resource.resource_name, result);
      break;
    default:
      result.error_code = ErrorCode::kInvalidRequest;
      result.error_message = std::string(kMalformed);
  }
  return result;
}

bool Describer::wants(std::string_view key) const {
  const auto& keys = resource_->configuration_keys;
  return !keys || keys->empty() || std::find(keys->begin(), keys->end(), key) != keys->end();
}

Described Describer::make(const ConfigDef& def, const std::vector<Origin>& origins) const {
  Described config;
  config.name = std::string(def.name);
  config.is_sensitive = def.sensitive;
  config.read_only = def.read_only;
  config.config_type = static_cast<std::int8_t>(def.type);
  config.documentation.reset();
  config.value.reset();
  // A default without a name of its own among the broker's configs is no synonym.
  if (def.default_value && !def.sensitive) config.value = std::string(*def.default_value);
  config.config_source = static_cast<std::int8_t>(ConfigSource::builtin);
  if (!origins.empty()) {
    if (!def.sensitive) config.value = origins.front().value;
    config.config_source = static_cast<std::int8_t>(origins.front().source);
  }
  if (!request_.include_synonyms) return config;
  for (const Origin& origin : origins) {
    Synonym& synonym = config.synonyms.emplace_back();
    synonym.name = origin.name;
    synonym.value = def.sensitive ? std::nullopt : origin.value;
    synonym.source = static_cast<std::int8_t>(origin.source);
  }
  return config;
}

// Where broker config `key` comes from, most specific first; the built-in default last.
std::vector<Origin> Describer::broker_origins(const ConfigDef& def, std::string_view key, bool with_own,
                                              bool with_builtin) const {
  std::vector<Origin> origins;
  const std::string name(key);
  if (with_own) {
    const std::string id = std::to_string(context_.broker.id());
    if (const std::string* value = image_.config(ConfigResourceType::broker, id, key)) {
      origins.push_back({static_cast<ConfigSource>(2), name, *value});
    }
  }
  if (const std::string* value = image_.config(ConfigResourceType::broker, "", key)) {
    origins.push_back({ConfigSource::broker_default, name, *value});
  }
  const auto& in_file = context_.service.groups().options().static_configs;
  if (const auto found = in_file.find(key); found != in_file.end() && with_builtin) {
    origins.push_back({ConfigSource::static_file, name, found->second});
  }
  const auto* stand_in = std::find_if(std::begin(kStandIns), std::end(kStandIns),
                                      [key](const StandIn& entry) { return entry.key == key; });
  if (stand_in != std::end(kStandIns)) {
    // It is told only beside a value that hides it.
    if (with_builtin && !origins.empty())
      origins.push_back({ConfigSource::builtin, std::string(stand_in->name), std::string(stand_in->value)});
    return origins;
  }
  if (with_builtin && def.default_value) {
    origins.push_back({ConfigSource::builtin, name, std::string(*def.default_value)});
  }
  return origins;
}

void Describer::describe_topic(const std::string& name, DescribeResult& result) const {
  const controller::Error named = controller::validate_topic_name(name, true);
  if (!named.ok()) {
    result.error_code = error_of(named);
    result.error_message = named.message;
    return;
  }
  const controller::TopicState* topic = image_.topic(controller::kafka_topic_name(name));
  if (topic == nullptr) {
    result.error_code = ErrorCode::kUnknownTopicOrPartition;
    return;
  }
  for (const ConfigDef& def : controller::topic_config_defs(release_)) {
    if (!wants(def.name)) continue;
    std::vector<Origin> origins;
    if (const std::string* own = image_.config(ConfigResourceType::topic, topic->name, def.name)) {
      origins.push_back({ConfigSource::topic, std::string(def.name), *own});
    }
    if (!def.broker_synonym.empty()) {
      for (Origin& origin : broker_origins(def, def.broker_synonym, true, true))
        origins.push_back(std::move(origin));
    }
    result.configs.push_back(make(def, origins));
  }
}

bool Describer::is_this_broker(const std::string& name, std::string_view or_what, std::string_view received,
                               DescribeResult& result) const {
  std::int32_t id = -1;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), id);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) {
    result.error_message = "Broker id must be an integer, but it is: " + name;
  } else if (id != context_.broker.id()) {
    result.error_message = "Unexpected broker id, expected " + std::to_string(context_.broker.id()) +
                           std::string(or_what) + std::string(received) + name;
  } else {
    return true;
  }
  result.error_code = ErrorCode::kInvalidRequest;
  return false;
}

// Groups and client metrics subscriptions: they need not exist.
void Describer::describe_other(ConfigResourceType type, const std::string& name,
                               DescribeResult& result) const {
  const bool is_group = type == ConfigResourceType::group;
  for (const ConfigDef& def : controller::config_defs(type, release_)) {
    if (!wants(def.name)) continue;
    std::vector<Origin> origins;
    if (const std::string* own = image_.config(type, name, def.name)) {
      origins.push_back(
          {is_group ? ConfigSource::group : ConfigSource::client_metrics, std::string(def.name), *own});
    }
    if (!def.broker_synonym.empty()) {
      for (Origin& origin : broker_origins(def, def.broker_synonym, true, true))
        origins.push_back(std::move(origin));
    }
    result.configs.push_back(make(def, origins));
  }
}

void Describer::describe_loggers(const std::string& name, DescribeResult& result) const {
  if (name.empty()) {
    result.error_code = ErrorCode::kInvalidRequest;
    result.error_message = "Broker id must not be empty";
    return;
  }
  if (!is_this_broker(name, "", " but received ", result)) return;
  for (const auto& [logger, level] : context_.service.loggers().all()) {
    if (!wants(logger)) continue;
    Described& config = result.configs.emplace_back();
    config.name = std::string(logger);
    config.value = std::string(level);
    config.config_source = kLoggerSource;
    config.documentation = "";
  }
}

// What would be in this broker's file.
std::optional<std::string> Describer::static_value(std::string_view key) const {
  const std::string id = std::to_string(context_.broker.id());
  if (key == "node.id" || key == "broker.id") return id;
  if (key == "process.roles") return "broker";
  if (key == "log.dirs") return log_dir_of(context_.broker);
  const auto endpoint = context_.broker.endpoint_of(context_.broker.id());
  if (!endpoint) return std::nullopt;
  if (key == "listeners") {
    const auto& listeners = image_.broker(context_.broker.id())->endpoints;
    const auto own = std::find_if(listeners.begin(), listeners.end(), [&endpoint](const auto& listener) {
      return listener.host == endpoint->host && listener.port == endpoint->port;
    });
    return own->protocol + "://" + endpoint->host + ":" + std::to_string(endpoint->port);
  }
  if (key == "broker.rack") return endpoint->rack;
  return std::nullopt;
}

void Describer::describe_broker(const std::string& name, DescribeResult& result) const {
  if (!name.empty() && !is_this_broker(name, " or empty string", ", but received ", result)) return;
  for (const ConfigDef& def : controller::broker_config_defs(release_)) {
    if (!wants(def.name)) continue;
    std::vector<Origin> origins = broker_origins(def, def.name, !name.empty(), !name.empty());
    if (name.empty()) {
      // The default of all brokers: only what is set.
      if (image_.config(ConfigResourceType::broker, "", def.name) == nullptr) continue;
    }
    if (!name.empty()) {
      if (std::optional<std::string> own = static_value(def.name))
        origins.insert(origins.begin(), Origin{ConfigSource::static_file, std::string(def.name), *own});
    }
    result.configs.push_back(make(def, origins));
  }
  std::set<std::string> beside;
  const auto add = [&](const std::string& resource) {
    for (const auto& [key, value] : image_.configs(ConfigResourceType::broker, resource)) {
      if (wants(key) && controller::find_config(controller::broker_config_defs(release_), key) == nullptr)
        beside.insert(key);
    }
  };
  add("");
  if (!name.empty()) add(std::to_string(context_.broker.id()));
  for (const std::string& key : beside) {
    const ConfigDef def = def_beside_file(key);
    result.configs.push_back(make(def, broker_origins(def, key, !name.empty(), false)));
  }
}

}  // namespace

Task<Reply> handle_describe_configs(RequestContext& context) {
  const auto& request = context.body<DescribeConfigsRequest>();
  DescribeConfigsResponse response;
  const Describer describer(context, request);
  for (const auto& resource : request.resources) response.results.push_back(describer.describe(resource));
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

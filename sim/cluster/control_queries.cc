#include "sim/cluster/control_queries.h"

#include <utility>

#include "sim/cluster/control_commands.h"
#include "sim/cluster/rule_json.h"
#include "sim/kafka/wire/api.h"

namespace wt::cluster {
namespace {

std::string refused(std::string_view sentence) {
  return error_answer("invalid_argument", sentence);
}

std::string get_rules(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  json::array rules;
  for (const FaultRules::RuleState& state : cluster.rules().all()) rules.emplace_back(describe_rule(state));
  json::object out;
  out["rules"] = std::move(rules);
  return ok_answer(std::move(out));
}

std::string get_rule(Cluster& cluster, Fields& fields) {
  const auto id = static_cast<RuleId>(fields.number("rule", std::nullopt, 0, 0xFFFFFFFFLL));
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  const auto state = cluster.rules().state(id);
  if (!state) return error_answer("not_found", "There is no rule " + std::to_string(id) + ".");
  return ok_answer(describe_rule(*state));
}

std::string get_coordinator(Cluster& cluster, Fields& fields) {
  const std::string type = fields.text("type", "group");
  const std::string key = fields.text("key");
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  const std::string_view topic_name = coordinator_topic(type);
  if (topic_name.empty()) return refused("The field 'type' must be \"group\" or \"transaction\".");
  const controller::ImagePtr image = cluster.image();
  const controller::TopicState* topic = image == nullptr ? nullptr : image->topic(topic_name);
  if (topic == nullptr) {
    return error_answer("not_found", "There is no topic '" + std::string(topic_name) + "' yet.");
  }
  const std::int32_t number = coordinator_partition(key, topic->partition_count());
  json::object out;
  out["broker"] = topic->partition(number)->leader;
  out["topic"] = topic->name;
  out["partition"] = number;
  return ok_answer(std::move(out));
}

std::string get_api_versions(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  json::array caps;
  for (const auto& [key, versions] : cluster.controls().api_caps.all()) {
    json::object item;
    item["api_key"] = key;
    item["min"] = versions.empty() ? -1 : versions.first;
    item["max"] = versions.empty() ? -1 : versions.last;
    caps.emplace_back(std::move(item));
  }
  json::object out;
  out["caps"] = std::move(caps);
  return ok_answer(std::move(out));
}

json::object describe(const kafka::SeenRequest& seen) {
  json::object out;
  out["number"] = seen.number;
  out["time_ns"] = seen.time_ns;
  out["broker"] = seen.broker;
  out["connection"] = seen.connection;
  out["api_key"] = seen.api_key;
  if (const kafka::ApiSpec* api = kafka::find_api(seen.api_key)) out["api"] = api->name;
  out["version"] = seen.api_version;
  out["correlation_id"] = seen.correlation_id;
  out["client_id"] = seen.client_id;
  if (!seen.topic.empty()) out["topic"] = seen.topic;
  if (seen.partition >= 0) out["partition"] = seen.partition;
  if (!seen.group.empty()) out["group"] = seen.group;
  if (!seen.transactional_id.empty()) out["transactional_id"] = seen.transactional_id;
  return out;
}

// Those with a number above `after`, at most `limit`.
std::string get_requests(Cluster& cluster, Fields& fields) {
  constexpr std::int64_t kMostAtOnce = 10'000;
  const std::int64_t api_key = fields.number("api_key", -1);
  const std::int64_t broker = fields.number("broker", -1);
  const std::int64_t connection = fields.number("connection", -1);
  const std::string client_id = fields.text("client_id", "");
  const std::string group = fields.text("group", "");
  const auto after = static_cast<std::uint64_t>(fields.number("after", 0, 0));
  const auto limit = static_cast<std::size_t>(fields.number("limit", kMostAtOnce, 1, kMostAtOnce));
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  const kafka::RequestLog& log = cluster.controls().requests;
  json::array requests;
  for (const kafka::SeenRequest& seen : log.seen()) {
    if (requests.size() >= limit) break;
    if (seen.number <= after || (api_key >= 0 && seen.api_key != api_key)) continue;
    if (broker >= 0 && seen.broker != broker) continue;
    if (connection >= 0 && seen.connection != static_cast<std::uint64_t>(connection)) continue;
    if ((!client_id.empty() && seen.client_id != client_id) || (!group.empty() && seen.group != group))
      continue;
    requests.emplace_back(describe(seen));
  }
  json::object out;
  out["on"] = log.on();
  out["requests"] = std::move(requests);
  out["dropped"] = log.dropped();
  return ok_answer(std::move(out));
}

}  // namespace

ControlQuery find_control_query(std::string_view name) {
  static constexpr std::pair<std::string_view, ControlQuery> kQueries[] = {
      {"rules", get_rules},
      {"rule", get_rule},
      {"coordinator", get_coordinator},
      {"api_versions", get_api_versions},
      {"requests", get_requests},
  };
  for (const auto& [known, query] : kQueries) {
    if (known == name) return query;
  }
  return nullptr;
}

}  // namespace wt::cluster

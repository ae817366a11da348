#include "sim/cluster/rule_json.h"

#include <utility>

namespace wt::cluster {
namespace {

constexpr std::int64_t kMaxMicroseconds = std::int64_t{3600} * 1'000'000;
constexpr std::int64_t kLowestError = -1;
constexpr std::int64_t kHighestError = 32'767;

Status bad(const std::string& message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

json::string text(std::string_view from) {
  return json::string(from.data(), from.size());
}

StatusOr<FaultAction> action_named(const std::string& name) {
  const std::optional<FaultAction> known = fault_action_from_name(name);
  if (!known) return bad("There is no action '" + name + "'.");
  return *known;
}

// {"action":"answer","error_code":6,"delay_us":0}
StatusOr<FaultStep> step_from(const json::value& value) {
  if (!value.is_object()) return bad("Each of the 'steps' must be an object.");
  Fields fields(value.get_object());
  FaultStep step;
  const std::string action = fields.text("action");
  step.error_code = static_cast<std::int32_t>(fields.number("error_code", 0, kLowestError, kHighestError));
  step.delay_ns = fields.number("delay_us", 0, 0, kMaxMicroseconds) * kMicrosecond_ns;
  fields.finish();
  if (!fields.ok()) return bad(fields.error());
  const StatusOr<FaultAction> known = action_named(action);
  if (!known.ok()) return known.status();
  step.action = *known;
  return step;
}

void read_filters(Fields& fields, FaultRule& rule) {
  rule.topic = fields.text("topic", "");
  rule.client_id = fields.text("client_id", "");
  rule.group = fields.text("group", "");
  rule.transactional_id = fields.text("transactional_id", "");
  if (fields.has("partition")) rule.partition = static_cast<std::int32_t>(fields.number("partition"));
  if (fields.has("broker")) rule.broker = static_cast<std::int32_t>(fields.number("broker"));
  if (fields.has("api_key")) rule.api_key = static_cast<std::int32_t>(fields.number("api_key"));
  if (fields.has("connection")) rule.connection = static_cast<std::uint64_t>(fields.number("connection"));
}

}  // namespace

StatusOr<FaultRule> rule_from(Fields& fields) {
  FaultRule rule;
  rule.point = fields.text("point");
  const json::array* steps = fields.array("steps");
  const std::optional<std::string> by_steps =
      steps == nullptr ? std::nullopt : std::optional<std::string>("answer");
  const std::string action = fields.text("action", by_steps);
  read_filters(fields, rule);
  rule.skip = static_cast<std::uint64_t>(fields.number("skip", 0, 0));
  rule.every = static_cast<std::uint64_t>(fields.number("every", 1, 1));
  rule.count = fields.number("count", -1, -1);
  rule.probability_ppm =
      static_cast<std::uint32_t>(fields.number("probability_ppm", kPpmAlways, 0, kPpmAlways));
  rule.delay_ns = fields.number("delay_us", 0, 0, kMaxMicroseconds) * kMicrosecond_ns;
  rule.error_code = static_cast<std::int32_t>(fields.number("error_code", 0, kLowestError, kHighestError));
  rule.target_broker = static_cast<std::int32_t>(fields.number("target_broker", -1));
  fields.finish();
  if (!fields.ok()) return bad(fields.error());
  const StatusOr<FaultAction> known = action_named(action);
  if (!known.ok()) return known.status();
  rule.action = *known;
  if (steps != nullptr && steps->empty()) return bad("The field 'steps' names no step.");
  for (std::size_t i = 0; steps != nullptr && i < steps->size(); ++i) {
    StatusOr<FaultStep> step = step_from((*steps)[i]);
    if (!step.ok()) return step.status();
    rule.steps.push_back(*step);
  }
  return rule;
}

json::object describe_rule(const FaultRules::RuleState& state) {
  const FaultRule& rule = state.rule;
  json::object out;
  out["rule"] = state.id;
  out["point"] = rule.point;
  out["action"] = text(fault_action_name(rule.action));
  out["passes"] = state.passes;
  out["hits"] = state.hits;
  out["holding"] = state.holding;
  if (state.left) out["left"] = *state.left;
  for (const auto& [name, value] :
       {std::pair("topic", &rule.topic), std::pair("client_id", &rule.client_id),
        std::pair("group", &rule.group), std::pair("transactional_id", &rule.transactional_id)}) {
    if (!value->empty()) out[name] = *value;
  }
  if (rule.partition) out["partition"] = *rule.partition;
  if (rule.broker) out["broker"] = *rule.broker;
  if (rule.api_key) out["api_key"] = *rule.api_key;
  if (rule.connection) out["connection"] = *rule.connection;
  if (rule.count >= 0) out["count"] = rule.count;
  if (!rule.steps.empty()) out["steps"] = rule.steps.size();
  return out;
}

}  // namespace wt::cluster

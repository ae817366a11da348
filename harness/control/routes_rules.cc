// Routes of fault rules, and of what clients meet: requests, versions, coordinators.
#include "harness/control/route_calls.h"
#include "harness/control/route_plans.h"
#include "harness/embed/rule_request.h"

namespace wt::harness::control {

using cluster::Fields;
using cluster::json::object;

// --- rules ---

ControlCall list_points(const RouteInput&) {
  return query("points");
}
ControlCall list_rules(const RouteInput&) {
  return query("rules");
}

ControlCall add_rule(const RouteInput& input) {
  StatusOr<object> request = rule_request(input.body);
  if (!request.ok()) return unprocessable(message_of(request.status()));
  return execute(*request, 201);
}

ControlCall remove_rules(const RouteInput&) {
  object request;
  request["do"] = "remove_rules";
  return execute(request);
}

static ControlCall on_rule(const RouteInput& input, std::string_view verb, std::string_view what) {
  std::int64_t id = 0;
  if (!number_of(input.parts[0], id) || id > 0xFFFFFFFFLL) return no_number("rule", input.parts[0]);
  object request;
  request[cluster::json::string_view(verb.data(), verb.size())] = std::string(what);
  request["rule"] = id;
  return verb == "get" ? query(request) : execute(request);
}
ControlCall get_rule(const RouteInput& input) {
  return on_rule(input, "get", "rule");
}
ControlCall remove_rule(const RouteInput& input) {
  return on_rule(input, "do", "remove_rule");
}
ControlCall release_rule(const RouteInput& input) {
  ControlCall call = on_rule(input, "do", "release_rule");
  if (call.kind != ControlCall::Kind::execute || input.body.empty()) return call;
  object request = input.body;
  if (request.contains("do") || request.contains("rule")) return body_not_wanted(input);
  std::int64_t id = 0;
  number_of(input.parts[0], id);
  request["do"] = "release_rule";
  request["rule"] = id;
  return execute(request);
}

// Waits where the cluster is, so that a test needs no loop of its own.
ControlCall wait_rule(const RouteInput& input) {
  constexpr std::int64_t kMostWait_ms = 600'000;
  std::int64_t id = 0;
  if (!number_of(input.parts[0], id) || id > 0xFFFFFFFFLL) return no_number("rule", input.parts[0]);
  Fields fields(input.body);
  ControlCall call;
  call.kind = ControlCall::Kind::wait;
  call.wait.rule = static_cast<std::uint32_t>(id);
  call.wait.holding = static_cast<std::uint64_t>(fields.number("holding", 0, 0));
  call.wait.hits = static_cast<std::uint64_t>(fields.number("hits", call.wait.holding > 0 ? 0 : 1, 0));
  call.wait.timeout_ns = from_ms(fields.number("timeout_ms", 5000, 0, kMostWait_ms));
  fields.finish();
  if (!fields.ok()) return unprocessable(fields.error());
  return call;
}

// --- what clients meet ---

// The body's fields as they are.
static ControlCall body_as(const RouteInput& input, std::string_view verb, std::string_view what) {
  if (input.body.contains("do") || input.body.contains("get")) {
    return unprocessable("There is no field 'do' or 'get' here.");
  }
  object request = input.body;
  request[cluster::json::string_view(verb.data(), verb.size())] = std::string(what);
  return verb == "get" ? query(request) : execute(request);
}

// "api" by name or number becomes "api_key"; false with a sentence for an unknown one.
static bool name_api(object& request, std::string& sentence) {
  const auto* api = request.if_contains("api");
  if (api == nullptr) return true;
  cluster::json::value key = *api;
  if (api->is_string()) {
    const std::string name(cluster::view(api->get_string()));
    const auto known = api_key_from_name(name);
    if (!known) sentence = "There is no Kafka API '" + name + "'.";
    if (known) key = *known;
  }
  request.erase("api");
  request["api_key"] = std::move(key);
  return sentence.empty();
}

static ControlCall with_api(RouteInput input, std::string_view verb, std::string_view what) {
  std::string sentence;
  if (!name_api(input.body, sentence)) return unprocessable(sentence);
  return body_as(input, verb, what);
}

ControlCall list_requests(const RouteInput& input) {
  return with_api(input, "get", "requests");
}
ControlCall track_requests(const RouteInput& input) {
  return body_as(input, "do", "track_requests");
}
ControlCall clear_requests(const RouteInput& input) {
  return body_as(input, "do", "clear_requests");
}

ControlCall list_api_versions(const RouteInput& input) {
  return body_as(input, "get", "api_versions");
}
ControlCall set_api_versions(const RouteInput& input) {
  return with_api(input, "do", "set_api_versions");
}
ControlCall reset_api_versions(const RouteInput& input) {
  return with_api(input, "do", "reset_api_versions");
}

static ControlCall on_coordinator(RouteInput input, std::string_view verb, std::string_view what) {
  input.body["type"] = input.parts[0];
  input.body["key"] = input.parts[1];
  return body_as(input, verb, what);
}
ControlCall get_coordinator(const RouteInput& input) {
  return on_coordinator(input, "get", "coordinator");
}
ControlCall move_coordinator(const RouteInput& input) {
  return on_coordinator(input, "do", "move_coordinator");
}

ControlCall move_leaders(const RouteInput& input) {
  return body_as(input, "do", "move_leaders");
}

}  // namespace wt::harness::control

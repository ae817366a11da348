#include "harness/control/routes.h"

#include <charconv>
#include <cmath>

#include "harness/embed/rule_request.h"

namespace wt::harness {
namespace {

using cluster::Fields;
using cluster::json::object;
using cluster::json::serialize;

ControlCall refused(int status, std::string_view code, std::string_view message) {
  ControlCall call;
  call.response = error_response(status, code, message);
  return call;
}
ControlCall unprocessable(std::string_view message) {
  return refused(422, "invalid_argument", message);
}

ControlCall query(const object& request) {
  ControlCall call;
  call.kind = ControlCall::Kind::query;
  call.requests.push_back(serialize(request));
  return call;
}
ControlCall query(std::string_view what) {
  object request;
  request["get"] = cluster::json::string_view(what.data(), what.size());
  return query(request);
}

ControlCall execute(const object& request, int success_status = 200) {
  ControlCall call;
  call.kind = ControlCall::Kind::execute;
  call.requests.push_back(serialize(request));
  call.success_status = success_status;
  return call;
}

// A part of the path that has to be a number.
bool number_of(const std::string& part, std::int64_t& out) {
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
  return error == std::errc() && end == part.data() + part.size() && out >= 0;
}
ControlCall no_number(std::string_view what, const std::string& part) {
  return refused(404, "not_found", "There is no " + std::string(what) + " '" + part + "': it is a number.");
}

ControlCall body_not_wanted(const RouteInput& input) {
  return unprocessable("There is no field '" + std::string(input.body.begin()->key()) + "' here.");
}

// --- topics ---

ControlCall list_topics(const RouteInput&) {
  return query("topics");
}

ControlCall create_topic(const RouteInput& input) {
  if (input.body.contains("do")) return unprocessable("There is no field 'do' here.");
  object request = input.body;
  request["do"] = "create_topic";
  return execute(request, 201);
}

ControlCall get_topic(const RouteInput& input) {
  object request;
  request["get"] = "topic";
  request["topic"] = input.parts[0];
  return query(request);
}

ControlCall delete_topic(const RouteInput& input) {
  object request;
  request["do"] = "delete_topic";
  request["name"] = input.parts[0];
  return execute(request);
}

ControlCall set_configs(const RouteInput& input, std::string_view type, const std::string& name) {
  object request;
  request["do"] = "set_configs";
  request["type"] = std::string(type);
  request["name"] = name;
  request["configs"] = input.body;
  return execute(request);
}
ControlCall set_topic_configs(const RouteInput& input) {
  return set_configs(input, "topic", input.parts[0]);
}
ControlCall set_broker_configs(const RouteInput& input) {
  return set_configs(input, "broker", "");
}

ControlCall get_partition(const RouteInput& input) {
  std::int64_t number = 0;
  if (!number_of(input.parts[1], number)) return no_number("partition", input.parts[1]);
  object request;
  request["get"] = "partition";
  request["topic"] = input.parts[0];
  request["partition"] = number;
  return query(request);
}

ControlCall move_leader(const RouteInput& input) {
  std::int64_t number = 0;
  if (!number_of(input.parts[1], number)) return no_number("partition", input.parts[1]);
  if (input.body.contains("do")) return unprocessable("There is no field 'do' here.");
  object request = input.body;
  request["do"] = "move_leader";
  request["topic"] = input.parts[0];
  request["partition"] = number;
  return execute(request);
}

// --- groups ---

ControlCall list_groups(const RouteInput&) {
  return query("groups");
}

ControlCall get_group(const RouteInput& input) {
  object request;
  request["get"] = "group";
  request["group"] = input.parts[0];
  return query(request);
}

// --- brokers and controller ---

ControlCall list_brokers(const RouteInput&) {
  return query("brokers");
}

ControlCall on_broker(const RouteInput& input, std::string_view what) {
  std::int64_t id = 0;
  if (!number_of(input.parts[0], id)) return no_number("broker", input.parts[0]);
  if (!input.body.empty()) return body_not_wanted(input);
  object request;
  request["do"] = std::string(what) + "_broker";
  request["broker"] = id;
  return execute(request);
}
ControlCall crash_broker(const RouteInput& input) {
  return on_broker(input, "crash");
}
ControlCall restart_broker(const RouteInput& input) {
  return on_broker(input, "restart");
}
ControlCall pause_broker(const RouteInput& input) {
  return on_broker(input, "pause");
}
ControlCall resume_broker(const RouteInput& input) {
  return on_broker(input, "resume");
}

ControlCall port_of_broker(const RouteInput& input, std::string_view what) {
  std::int64_t id = 0;
  if (!number_of(input.parts[0], id)) return no_number("broker", input.parts[0]);
  if (!input.body.empty()) return body_not_wanted(input);
  object request;
  request["do"] = std::string(what);
  request["broker"] = id;
  return execute(request);
}
ControlCall close_port(const RouteInput& input) {
  return port_of_broker(input, "close_port");
}
ControlCall open_port(const RouteInput& input) {
  return port_of_broker(input, "open_port");
}

// {"ms":20}; without "broker" of all.
ControlCall round_trip(const RouteInput& input) {
  object request = input.body;
  if (request.contains("do")) return unprocessable("There is no field 'do' here.");
  const auto* delay = request.if_contains("ms");
  if (delay == nullptr || !delay->is_number() || !(delay->to_number<double>() >= 0) ||
      delay->to_number<double>() > 3.6e6) {
    return unprocessable("The field 'ms' must be a number between 0 and 3600000.");
  }
  request["delay_us"] = std::llround(delay->to_number<double>() * 1000.0);
  request.erase("ms");
  request["do"] = "set_round_trip";
  return execute(request);
}

ControlCall plain(const RouteInput& input, std::string_view what) {
  if (!input.body.empty()) return body_not_wanted(input);
  object request;
  request["do"] = std::string(what);
  return execute(request);
}
ControlCall crash_controller(const RouteInput& input) {
  return plain(input, "crash_controller");
}
ControlCall restart_controller(const RouteInput& input) {
  return plain(input, "restart_controller");
}

// --- time ---

ControlCall advance(const RouteInput& input) {
  Fields fields(input.body);
  const std::int64_t by_ms = fields.number("ms", std::nullopt, 0);
  const bool silence_counts = fields.flag("silence_counts", false);
  fields.finish();
  if (!fields.ok()) return unprocessable(fields.error());
  ControlCall call;
  call.kind = ControlCall::Kind::advance;
  call.by_ns = from_ms(by_ms);
  call.silence_counts = silence_counts;
  return call;
}

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

ControlCall on_rule(const RouteInput& input, std::string_view verb, std::string_view what) {
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
ControlCall body_as(const RouteInput& input, std::string_view verb, std::string_view what) {
  if (input.body.contains("do") || input.body.contains("get")) {
    return unprocessable("There is no field 'do' or 'get' here.");
  }
  object request = input.body;
  request[cluster::json::string_view(verb.data(), verb.size())] = std::string(what);
  return verb == "get" ? query(request) : execute(request);
}

// "api" by name or number becomes "api_key"; false with a sentence for an unknown one.
bool name_api(object& request, std::string& sentence) {
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

ControlCall with_api(RouteInput input, std::string_view verb, std::string_view what) {
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

ControlCall on_coordinator(RouteInput input, std::string_view verb, std::string_view what) {
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

// --- network ---

ControlCall list_connections(const RouteInput&) {
  return query("connections");
}

ControlCall reset_connection(const RouteInput& input) {
  std::int64_t id = 0;
  if (!number_of(input.parts[0], id)) return no_number("connection", input.parts[0]);
  object request;
  request["do"] = "reset_connection";
  request["connection"] = id;
  return execute(request);
}

std::int64_t microseconds_of(const cluster::json::value& milliseconds) {
  return milliseconds.is_number() ? std::llround(milliseconds.to_number<double>() * 1000.0) : -1;
}

// {"action":"block","from":"broker-1","to":"controller","both_ways":true}
ControlCall network(const RouteInput& input) {
  object request = input.body;
  const auto* action = request.if_contains("action");
  if (action == nullptr || !action->is_string()) return unprocessable("The field 'action' is missing.");
  const std::string name(cluster::view(action->get_string()));
  request.erase("action");
  if (request.contains("do")) return unprocessable("There is no field 'do' here.");
  const bool known = name == "block" || name == "unblock" || name == "clog" || name == "unclog" ||
                     name == "heal" || name == "latency";
  if (!known) {
    return unprocessable("There is no action '" + name +
                         "'; actions are block, unblock, clog, unclog, heal and latency.");
  }
  request["do"] = name == "latency" ? "set_latency" : name;
  for (const auto& [friendly, exact] : {std::pair("base_ms", "base_us"), std::pair("tail_ms", "tail_us")}) {
    if (const auto* value = request.if_contains(friendly)) {
      request[exact] = microseconds_of(*value);
      request.erase(friendly);
    }
  }
  bool both_ways = false;
  if (const auto* both = request.if_contains("both_ways")) {
    if (!both->is_bool()) return unprocessable("The field 'both_ways' must be true or false.");
    both_ways = both->get_bool();
    request.erase("both_ways");
  }
  ControlCall call = execute(request);
  if (both_ways && request.contains("from") && request.contains("to")) {
    std::swap(request["from"], request["to"]);
    call.requests.push_back(serialize(request));
  }
  return call;
}

// --- looking ---

ControlCall get_finding(const RouteInput&) {
  return query("finding");
}
ControlCall get_status(const RouteInput&) {
  return query("status");
}
ControlCall get_refusals(const RouteInput&) {
  return query("refusals");
}

ControlCall flush_recording(const RouteInput& input) {
  if (!input.body.empty()) return body_not_wanted(input);
  ControlCall call;
  call.kind = ControlCall::Kind::flush;
  return call;
}

ControlCall list_routes(const RouteInput&) {
  cluster::json::array list;
  for (const Route& route : routes()) {
    object item;
    item["method"] = std::string(route.method);
    item["path"] = std::string(route.path);
    item["help"] = std::string(route.help);
    if (!route.example.empty())
      item["example"] = cluster::json::parse({route.example.data(), route.example.size()});
    list.emplace_back(std::move(item));
  }
  object out;
  out["routes"] = std::move(list);
  ControlCall call;
  call.response.body = serialize(out);
  return call;
}

constexpr Route kRoutes[] = {
    {"GET", "/v1", "this list", "", list_routes},
    {"GET", "/v1/status", "cluster id, virtual time, whether all is settled, number of connections", "",
     get_status},
    {"GET", "/v1/topics", "all topics", "", list_topics},
    {"POST", "/v1/topics", "create a topic; partitions, replication_factor and configs may be left out",
     R"({"name":"orders","partitions":3,"replication_factor":3,"configs":{"retention.ms":"60000"}})",
     create_topic},
    {"GET", "/v1/topics/{name}", "a topic with its partitions and configs", "", get_topic},
    {"DELETE", "/v1/topics/{name}", "delete a topic", "", delete_topic},
    {"PATCH", "/v1/topics/{name}/configs", "set configs of a topic; null removes one",
     R"({"retention.ms":"60000"})", set_topic_configs},
    {"PATCH", "/v1/brokers/configs", "set dynamic configs of all brokers; null removes one",
     R"({"log.retention.ms":"60000"})", set_broker_configs},
    {"GET", "/v1/groups", "all groups: kind, state, coordinator", "", list_groups},
    {"GET", "/v1/groups/{id}", "a group with its members and committed offsets", "", get_group},
    {"GET", "/v1/topics/{name}/partitions/{n}", "leader, epoch, log start, LEO, HW, LSO, ISR, replicas", "",
     get_partition},
    {"POST", "/v1/topics/{name}/partitions/{n}/move",
     "make a broker the leader, or any other one without 'to'", R"({"to":2})", move_leader},
    {"GET", "/v1/brokers", "all brokers with status and address", "", list_brokers},
    {"POST", "/v1/brokers/{id}/crash", "kill a broker: memory gone, connections broken, port refused", "",
     crash_broker},
    {"POST", "/v1/brokers/{id}/restart", "start a broker again, on the same port", "", restart_broker},
    {"POST", "/v1/brokers/{id}/pause", "stop a broker without killing it, as SIGSTOP does", "", pause_broker},
    {"POST", "/v1/brokers/{id}/resume", "let a paused broker go on", "", resume_broker},
    {"POST", "/v1/brokers/{id}/close_port",
     "clients lose their connections to a broker and get no new ones; it stays a leader", "", close_port},
    {"POST", "/v1/brokers/{id}/open_port", "let clients connect again", "", open_port},
    {"POST", "/v1/round_trip", "answers of a broker come so much later; without 'broker' those of all",
     R"({"broker":1,"ms":20})", round_trip},
    {"POST", "/v1/leaders/move", "another leader for every partition, of a topic or without 'topic' of all",
     R"({"topic":"orders"})", move_leaders},
    {"GET", "/v1/coordinators/{type}/{key}", "the coordinator of a group or transaction", "",
     get_coordinator},
    {"POST", "/v1/coordinators/{type}/{key}/move",
     "make a broker the coordinator, or any other one without 'to'", R"({"to":2})", move_coordinator},
    {"POST", "/v1/controller/crash", "kill the controller", "", crash_controller},
    {"POST", "/v1/controller/restart", "start the controller again from its log", "", restart_controller},
    {"POST", "/v1/advance", "jump in virtual time; clients' silence during the jump counts only when asked",
     R"({"ms":900000,"silence_counts":false})", advance},
    {"GET", "/v1/points", "all fault points that a rule may name", "", list_points},
    {"GET", "/v1/rules", "all rules with their hits", "", list_rules},
    {"POST", "/v1/rules", "arm a fault rule (docs/faults.md)",
     R"({"point":"kafka.produce.appended","topic":"orders","action":"crash_leader","once":true})", add_rule},
    {"DELETE", "/v1/rules", "remove all rules", "", remove_rules},
    {"GET", "/v1/rules/{id}", "a rule: passes, hits, what it holds", "", get_rule},
    {"DELETE", "/v1/rules/{id}", "remove a rule and release what it holds", "", remove_rule},
    {"POST", "/v1/rules/{id}/release", "let go what the rule holds now, or the first 'count' of it",
     R"({"count":1})", release_rule},
    {"POST", "/v1/rules/{id}/wait",
     "wait until the rule was hit so often, or holds so many; answers whether it was",
     R"({"hits":1,"timeout_ms":5000})", wait_rule},
    {"GET", "/v1/rules/{id}/wait", "the same with hits, holding and timeout_ms as parameters", "", wait_rule,
     true},
    {"GET", "/v1/requests",
     "requests that were seen; parameters api, broker, client_id, group, connection, after, limit", "",
     list_requests, true},
    {"POST", "/v1/requests", "list requests from now on, the last 'limit', or no more",
     R"({"on":true,"limit":10000})", track_requests},
    {"DELETE", "/v1/requests", "forget the requests that were seen", "", clear_requests},
    {"GET", "/v1/api_versions", "the caps on versions of APIs", "", list_api_versions},
    {"POST", "/v1/api_versions", "cap the versions of an API; -1 and -1 take it away",
     R"({"api":"Fetch","min":4,"max":11})", set_api_versions},
    {"DELETE", "/v1/api_versions", "remove a cap, or without 'api' all of them", R"({"api":"Fetch"})",
     reset_api_versions},
    {"POST", "/v1/network", "block, unblock, clog, unclog, heal or latency on the link between two nodes",
     R"({"action":"block","from":"broker-1","to":"controller","both_ways":true})", network},
    {"GET", "/v1/connections", "all connections of clients", "", list_connections},
    {"DELETE", "/v1/connections/{id}", "break a connection", "", reset_connection},
    {"GET", "/v1/refusals", "requests that were answered by closing their connection, and why", "",
     get_refusals},
    {"GET", "/v1/finding", "the invariant that was violated, or null", "", get_finding},
    {"POST", "/v1/recording/flush", "write what was recorded so far", "", flush_recording},
};

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

}  // namespace wt::harness

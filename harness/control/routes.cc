#include "harness/control/routes.h"

#include "harness/control/route_calls.h"
#include "harness/control/route_plans.h"

namespace wt::harness {
namespace {

using namespace control;  // the plans, in the table below
using cluster::json::object;
using cluster::json::serialize;

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
    {"POST", "/v1/brokers/{id}/stop", "end a broker as SIGTERM does: others take its leaders over first", "",
     stop_broker},
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

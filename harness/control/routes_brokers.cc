// Routes of brokers, the controller, time and the network.
#include <cmath>

#include "harness/control/route_calls.h"
#include "harness/control/route_plans.h"

namespace wt::harness::control {

using cluster::Fields;
using cluster::json::object;
using cluster::json::serialize;

// --- brokers and controller ---

ControlCall list_brokers(const RouteInput&) {
  return query("brokers");
}

static ControlCall on_broker(const RouteInput& input, std::string_view what) {
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
ControlCall stop_broker(const RouteInput& input) {
  return on_broker(input, "stop");
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

static ControlCall port_of_broker(const RouteInput& input, std::string_view what) {
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

static ControlCall plain(const RouteInput& input, std::string_view what) {
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

static std::int64_t microseconds_of(const cluster::json::value& milliseconds) {
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

}  // namespace wt::harness::control

// Routes of topics and groups.
#include "harness/control/route_calls.h"
#include "harness/control/route_plans.h"

namespace wt::harness::control {

using cluster::json::object;

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

static ControlCall set_configs(const RouteInput& input, std::string_view type, const std::string& name) {
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

}  // namespace wt::harness::control

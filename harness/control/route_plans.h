// The plans of all routes: what each means for the cluster.
#pragma once

#include "harness/control/routes.h"

namespace wt::harness::control {

// routes_topics.cc: topics and groups
ControlCall list_topics(const RouteInput& input);
ControlCall create_topic(const RouteInput& input);
ControlCall get_topic(const RouteInput& input);
ControlCall delete_topic(const RouteInput& input);
ControlCall set_topic_configs(const RouteInput& input);
ControlCall set_broker_configs(const RouteInput& input);
ControlCall get_partition(const RouteInput& input);
ControlCall move_leader(const RouteInput& input);
ControlCall list_groups(const RouteInput& input);
ControlCall get_group(const RouteInput& input);

// routes_brokers.cc: brokers, controller, time, network
ControlCall list_brokers(const RouteInput& input);
ControlCall crash_broker(const RouteInput& input);
ControlCall stop_broker(const RouteInput& input);
ControlCall restart_broker(const RouteInput& input);
ControlCall pause_broker(const RouteInput& input);
ControlCall resume_broker(const RouteInput& input);
ControlCall close_port(const RouteInput& input);
ControlCall open_port(const RouteInput& input);
ControlCall round_trip(const RouteInput& input);
ControlCall crash_controller(const RouteInput& input);
ControlCall restart_controller(const RouteInput& input);
ControlCall advance(const RouteInput& input);
ControlCall list_connections(const RouteInput& input);
ControlCall reset_connection(const RouteInput& input);
ControlCall network(const RouteInput& input);

// routes_rules.cc: rules, and what clients meet
ControlCall list_points(const RouteInput& input);
ControlCall list_rules(const RouteInput& input);
ControlCall add_rule(const RouteInput& input);
ControlCall remove_rules(const RouteInput& input);
ControlCall get_rule(const RouteInput& input);
ControlCall remove_rule(const RouteInput& input);
ControlCall release_rule(const RouteInput& input);
ControlCall wait_rule(const RouteInput& input);
ControlCall list_requests(const RouteInput& input);
ControlCall track_requests(const RouteInput& input);
ControlCall clear_requests(const RouteInput& input);
ControlCall list_api_versions(const RouteInput& input);
ControlCall set_api_versions(const RouteInput& input);
ControlCall reset_api_versions(const RouteInput& input);
ControlCall get_coordinator(const RouteInput& input);
ControlCall move_coordinator(const RouteInput& input);
ControlCall move_leaders(const RouteInput& input);

}  // namespace wt::harness::control

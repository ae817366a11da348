// docs/control-functions.md is true: every call in it is made against a running cluster, and no function of
// librdkafka's mock is left out.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "harness/control/session_backend.h"

using namespace wt;
using namespace wt::harness;

namespace {

std::string document() {
  std::ifstream file(WT_SOURCE_DIR "/docs/control-functions.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// "`POST /v1/rules {…}`" in their order.
std::vector<HttpRequest> calls_in(const std::string& text) {
  static const std::regex call("`(GET|POST|PATCH|DELETE) (/v1[^ `]*)(?: (\\{[^`]*\\}))?`");
  std::vector<HttpRequest> calls;
  for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
    calls.push_back({(*it)[1], (*it)[2], (*it)[3]});
  }
  return calls;
}

// The first cell of each row of a section, cut into names.
std::set<std::string> names_in(const std::string& text, const std::string& section) {
  static const std::regex name("`([A-Za-z_]+)`");
  std::set<std::string> names;
  std::size_t at = text.find("## " + section);
  const std::size_t stop = std::min(text.find("\n## ", at + 1), text.size());
  for (at = text.find("\n| ", at); at < stop; at = text.find("\n| ", at + 1)) {
    const std::string cell = text.substr(at + 2, text.find(" | ", at + 2) - at);
    for (std::sregex_iterator it(cell.begin(), cell.end(), name), end; it != end; ++it)
      names.insert((*it)[1]);
  }
  return names;
}

// Of rdkafka_mock.h, without "rd_kafka_mock_".
constexpr const char* kTheirFunctions[] = {"broker_add",
                                           "broker_decommission",
                                           "broker_error_stack_cnt",
                                           "broker_push_request_error_rtts",
                                           "broker_remove_from_metadata",
                                           "broker_set_down",
                                           "broker_set_host_port",
                                           "broker_set_rack",
                                           "broker_set_rtt",
                                           "broker_set_up",
                                           "cgrp_consumer_target_assignment",
                                           "cgrp_consumer_target_assignment_destroy",
                                           "cgrp_consumer_target_assignment_new",
                                           "clear_request_errors",
                                           "clear_requests",
                                           "cluster_bootstraps",
                                           "cluster_destroy",
                                           "cluster_handle",
                                           "cluster_new",
                                           "coordinator_set",
                                           "get_requests",
                                           "group_initial_rebalance_delay_ms",
                                           "partition_delete_records",
                                           "partition_push_leader_response",
                                           "partition_push_request_errors",
                                           "partition_set_follower",
                                           "partition_set_follower_wmarks",
                                           "partition_set_leader",
                                           "push_request_errors",
                                           "push_request_errors_array",
                                           "request_api_key",
                                           "request_destroy",
                                           "request_destroy_array",
                                           "request_id",
                                           "request_timestamp",
                                           "set_apiversion",
                                           "set_group_consumer_heartbeat_interval_ms",
                                           "set_group_consumer_session_timeout_ms",
                                           "sharegroup_get_member_ids",
                                           "sharegroup_set_auto_offset_reset",
                                           "sharegroup_set_heartbeat_interval",
                                           "sharegroup_set_isolation_level",
                                           "sharegroup_set_max_delivery_attempts",
                                           "sharegroup_set_max_fetch_sessions",
                                           "sharegroup_set_max_record_locks",
                                           "sharegroup_set_max_size",
                                           "sharegroup_set_record_lock_duration",
                                           "sharegroup_set_session_timeout",
                                           "sharegroup_target_assignment",
                                           "start_request_tracking",
                                           "stop_request_tracking",
                                           "telemetry_set_push_interval",
                                           "telemetry_set_requested_metrics",
                                           "topic_create",
                                           "topic_delete",
                                           "topic_set_error",
                                           "rd_kafka_handle_mock_cluster"};

// Exported by kfake: methods of the cluster and options.
constexpr const char* kKfakeFunctions[] = {"MustCluster",
                                           "NewCluster",
                                           "ListenAddrs",
                                           "Close",
                                           "Control",
                                           "ControlKey",
                                           "KeepControl",
                                           "DropControl",
                                           "SleepControl",
                                           "CurrentNode",
                                           "MoveTopicPartition",
                                           "CoordinatorFor",
                                           "LeaderFor",
                                           "RehashCoordinators",
                                           "AddNode",
                                           "RemoveNode",
                                           "ShufflePartitionLeaders",
                                           "SetFollowers",
                                           "Compact",
                                           "ApplyRetention",
                                           "NumBrokers",
                                           "Ports",
                                           "ListenFn",
                                           "WithLogger",
                                           "ClusterID",
                                           "AllowAutoTopicCreation",
                                           "DefaultNumPartitions",
                                           "GroupMinSessionTimeout",
                                           "GroupMaxSessionTimeout",
                                           "EnableSASL",
                                           "Superuser",
                                           "TLS",
                                           "SeedTopics",
                                           "SleepOutOfOrder",
                                           "MaxVersions",
                                           "EnableACLs",
                                           "BrokerConfigs",
                                           "DataDir",
                                           "SyncWrites",
                                           "User",
                                           "TopicInfo",
                                           "TopicIDInfo",
                                           "PartitionInfo",
                                           "PartitionInfos",
                                           "BatchRecords",
                                           "VirtualNetwork"};

}  // namespace

TEST_CASE("no control function is left out") {
  const std::string text = document();
  const std::set<std::string> rdkafka = names_in(text, "librdkafka");
  for (const char* name : kTheirFunctions) {
    INFO(name);
    CHECK(rdkafka.contains(name));
  }
  const std::set<std::string> kfake = names_in(text, "kfake");
  for (const char* name : kKfakeFunctions) {
    INFO(name);
    CHECK(kfake.contains(name));
  }
}

TEST_CASE("every call that the table of control functions names is made") {
  SessionOptions options;
  options.clock = ClockMode::frozen;
  auto session = Session::start(std::move(options));
  REQUIRE(session.ok());
  SessionBackend backend(**session);
  for (const char* topic : {"orders", "__consumer_offsets"}) {
    const std::string body = std::string(R"({"name":")") + topic + R"(","partitions":3})";
    REQUIRE(serve({"POST", "/v1/topics", body}, backend).status == 201);
  }
  const std::vector<HttpRequest> calls = calls_in(document());
  CHECK(calls.size() >= 45);
  for (const HttpRequest& call : calls) {
    const HttpResponse response = serve(call, backend);
    INFO(call.method << " " << call.target << " " << call.body << " -> " << response.body);
    CHECK(response.status < 300);
  }
}

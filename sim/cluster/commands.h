// Calls from outside as JSON text: everything that a test or an operator can do to a running cluster.
//
// One interpreter serves the C++ interface, the HTTP control API and replays, so that a recording holds
// the calls as people would read them. execute() changes things and is recorded; query() only looks:
// it draws, traces and numbers nothing. Both answer {"ok":true, …} or
// {"error":{"code":"not_found","message":"There is no topic 'x'."}}; codes are those of error_code.
//
//   {"do":"create_topic","name":"orders","partitions":3,"replication_factor":3,"configs":{"retention.ms":"1000"}}
//   {"do":"set_configs","type":"topic","name":"orders","configs":{"retention.ms":"1000","cleanup.policy":null}}
//       type broker with the name "" (or none): of all brokers; null removes a config
//   {"do":"crash_broker","broker":1}      also restart_broker, pause_broker, resume_broker, and stop_broker,
//   which
//       lets others take over its leaders first
//   {"do":"crash_controller"}             also restart_controller
//   {"do":"move_leader","topic":"orders","partition":0,"to":2}
//   {"do":"add_rule","point":"append.wal.durable","action":"crash","topic":"orders","count":1}
//       also group, transactional_id, client_id, partition, broker, api_key, connection, skip, every,
//       probability_ppm, delay_us, error_code, target_broker, and instead of an action
//       "steps":[{"action":"answer","error_code":6,"delay_us":0}]
//   {"do":"remove_rule","rule":1}         also release_rule (with "count":1, one only), remove_rules
//   {"do":"move_coordinator","type":"group","key":"g","to":2}   type "transaction" too; -1: any other broker
//   {"do":"move_leaders","topic":"orders"}   without a topic: of all partitions
//   {"do":"set_round_trip","broker":1,"delay_us":20000}         without a broker: of all
//   {"do":"set_api_versions","api_key":1,"min":0,"max":11}      -1 and -1: not at all
//   {"do":"reset_api_versions","api_key":1}   without a key: all
//   {"do":"track_requests","on":true,"limit":10000}             also clear_requests
//   {"do":"close_port","broker":1}        clients lose and get no connection; also open_port
//   {"do":"block","from":"broker-1","to":"controller"}   also unblock, clog, unclog, heal
//   {"do":"set_latency","from":…,"to":…,"base_us":500,"tail_us":5000,"tail_ppm":10000}
//   {"do":"reset_connection","connection":7}
//
// A call that needs the cluster's answer runs what is ready at this instant. When that is not enough,
// because links or services take time, the answer is {"ok":true,"pending":N}: let time pass and look
// with {"get":"operation","id":N}.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/cluster/cluster.h"

namespace wt::cluster {

class Commands {
 public:
  explicit Commands(Cluster& cluster) : cluster_(cluster) {}

  std::string execute(std::string_view request);
  //   {"get":"partition","topic":"orders","partition":0}
  //   {"get":"topics"} {"get":"topic","topic":…} {"get":"brokers"} {"get":"rules"} {"get":"rule","rule":1}
  //   {"get":"finding"} {"get":"status"} {"get":"operation","id":N} {"get":"connections"} {"get":"refusals"}
  //   {"get":"points"} {"get":"timers"} {"get":"coordinator","type":"group","key":"g"} {"get":"api_versions"}
  //   {"get":"requests","api_key":0,"broker":1,"client_id":"app","after":100,"limit":50}
  //   {"get":"groups"} {"get":"group","group":"g"}
  std::string query(std::string_view request) const;

 private:
  friend struct CommandTable;
  friend struct ControlCommands;
  struct Operation {
    bool done = false;
    std::string answer;
  };
  // A new operation, whose answer is given later by its number.
  std::uint64_t begin();
  void finish(std::uint64_t operation, std::string answer);
  // Runs what is ready until the operation has its answer.
  std::string settle(std::uint64_t operation);

  Cluster& cluster_;
  std::map<std::uint64_t, Operation> operations_;
  std::uint64_t next_operation_ = 1;
};

}  // namespace wt::cluster

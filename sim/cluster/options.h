// Everything that a cluster is made from. With the seed and the inputs it determines the run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/cluster/security.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/status.h"
#include "sim/network/links.h"

namespace wt::cluster {

struct ClusterOptions {
  std::uint64_t seed = 1;
  TimeNs epoch_ns = kDefaultEpoch_ns;
  std::int32_t brokers = 3;  // 1 … 64
  std::int32_t first_broker_id = 1;
  std::string cluster_id;             // empty: drawn from the seed
  std::vector<std::string> racks;     // broker.rack, by broker; missing or empty: none
  std::string profile = "kafka-4.4";  // sim/kafka/profiles
  // Levels of features that the cluster begins with, where they are not those of the profile; 0: without.
  std::map<std::string, std::int16_t> features;
  bool advertise_only_implemented = false;

  std::int32_t default_partitions = 1;
  std::int16_t default_replication_factor = -1;  // -1: min(3, brokers)
  // Static broker configs of group coordinators, such as offsets.topic.num.partitions; all of them are in
  // sim/kafka/groups/settings.cc.
  std::map<std::string, std::int64_t> group_configs;
  bool auto_create_topics = true;
  bool telemetry_receiver = false;        // metric.reporters: clients are asked for their metrics
  bool delete_topics = true;              // delete.topic.enable
  std::size_t max_fetch_sessions = 1000;  // of each broker
  bool single_replica = false;            // any replication factor but 1 is refused

  // A crash is noticed when the broker's session expires, as in reality, instead of at once.
  bool crash_by_session = false;
  LinkLatency link_latency;  // of every link between nodes; zero by default
  DurationNs broker_session_timeout_ns = 9 * kSecond_ns;
  // How often a broker looks for producer ids that wrote nothing for producer.id.expiration.ms.
  DurationNs producer_expiry_check_ns = 10 * kMinute_ns;
  // Retention is carried out first so long after a broker's start (log.initial.task.delay.ms), then so often
  // (log.retention.check.interval.ms).
  DurationNs first_retention_check_ns = 30 * kSecond_ns;
  DurationNs retention_check_ns = 5 * kMinute_ns;
  DurationNs max_idle_ns = 10 * kMinute_ns;  // of client connections
  std::size_t max_connections = 10'000;      // of each broker
  std::int64_t max_request_bytes = 104'857'600;

  SecurityOptions security;

  ReadyPolicyOptions ready;
  std::size_t trace_ring_records = 4096;
};

// A sentence that says what is wrong, or OK.
Status validate(const ClusterOptions& options);

// All options as JSON text, in a fixed order: the head of a recording.
std::string to_json(const ClusterOptions& options);
// InvalidArgument with a sentence for what is no such text. Fields that are absent keep their defaults.
StatusOr<ClusterOptions> options_from_json(std::string_view text);

}  // namespace wt::cluster

// State that the Kafka front end of one broker keeps: profile, fetch sessions, refusals.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/kafka/handlers/controls.h"
#include "sim/kafka/handlers/fetch_session.h"
#include "sim/kafka/handlers/loggers.h"
#include "sim/kafka/handlers/sasl_session.h"
#include "sim/kafka/handlers/telemetry_hub.h"
#include "sim/kafka/profiles/release_profile.h"
#include "sim/kernel/process.h"
#include "sim/network/byte_stream.h"

namespace wt::kafka {

struct ServiceOptions {
  const ReleaseProfile* profile = &default_profile();
  // Tell clients only of APIs that have a handler, instead of the profile's whole list.
  bool advertise_only_implemented = false;
  // Somebody takes the metrics of clients, and so clients are asked for them.
  bool telemetry_receiver = false;
  std::size_t fetch_max_bytes = 57'671'680;  // fetch.max.bytes of the broker
  FetchSessionOptions fetch_sessions;
  bool auto_create_topics = true;                // auto.create.topics.enable
  std::int32_t num_partitions = 1;               // of topics created without a count
  std::int16_t default_replication_factor = -1;  // -1: min(3, brokers)
  Controls* controls = nullptr;                  // of the cluster; outlives the broker
  std::optional<SaslSettings> sasl;              // nothing: the listener is without SASL
};

// A request that was refused by closing its connection.
struct RefusedRequest {
  TimeNs time_ns = 0;
  std::string why;  // name of the check
  ConnectionId connection = 0;
  std::int64_t detail = 0;
};

class GroupCoordinator;

class KafkaService : public ProcessPart {
 public:
  KafkaService(Process& process, const ServiceOptions& options)
      : process_(process), options_(options), fetch_sessions_(options.fetch_sessions) {}

  const ServiceOptions& options() const noexcept { return options_; }
  const ReleaseProfile& profile() const noexcept { return *options_.profile; }
  // What ApiVersions lists.
  ApiKeySet advertised_keys() const;
  // Null without a cluster.
  Controls* controls() const noexcept { return options_.controls; }
  // Whether requests of that API and version are taken.
  bool takes(std::int16_t key, Version version) const;
  FetchSessions& fetch_sessions() noexcept { return fetch_sessions_; }
  TelemetryHub& telemetry() noexcept { return telemetry_; }
  const TelemetryHub& telemetry() const noexcept { return telemetry_; }
  Loggers& loggers() noexcept { return loggers_; }
  // Given once, before the first request.
  void set_groups(GroupCoordinator& groups) noexcept { groups_ = &groups; }
  GroupCoordinator& groups() noexcept { return *groups_; }

  void log_refusal(std::string_view why, ConnectionId connection, std::int64_t detail);
  // The last ones, oldest first.
  const std::deque<RefusedRequest>& refusals() const noexcept { return refusals_; }

  // Producer ids are handed out from blocks that the controller gives.
  struct ProducerIds {
    std::int64_t next = 0;
    std::int64_t end = 0;
  };
  ProducerIds& producer_ids() noexcept { return producer_ids_; }

  // Topics that are being created because somebody asked for them. False when this one is, or too many are.
  bool begin_creation(const std::string& topic);
  void end_creation(const std::string& topic) { in_creation_.erase(topic); }

 private:
  Process& process_;
  ServiceOptions options_;
  FetchSessions fetch_sessions_;
  TelemetryHub telemetry_;
  Loggers loggers_;
  GroupCoordinator* groups_ = nullptr;
  std::deque<RefusedRequest> refusals_;
  ProducerIds producer_ids_;
  std::set<std::string> in_creation_;
};

}  // namespace wt::kafka

// The controller: one process that owns the metadata of the cluster.
//
// Its state is the metadata log, a durable service; what it keeps in memory is rebuilt from there at
// every start. Requests come through wt::Calls (requests.h) and run one after the other: plan the
// records against the image, append them to the log, apply them, answer. A controller that finds the
// log claimed by another one reads it again and goes on as a new writer.
//
// It alone decides who is alive, who leads, and with which leader epoch:
//   - replicas are the brokers that may lead, ISR its unfenced members, the leader one of the ISR or
//     none; the leader epoch grows by one when the leader changes, the partition epoch at every change;
//   - a broker that sends no heartbeat for the session time-out is fenced; broker_died() does it at once;
//   - a broker that comes back joins the ISR; it leads again only by election or by rebalancing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/controller/activation.h"
#include "sim/controller/config_defs.h"
#include "sim/controller/image.h"
#include "sim/controller/metadata_log.h"
#include "sim/controller/requests.h"
#include "sim/faults/rules.h"
#include "sim/kernel/sync.h"
#include "sim/network/calls.h"

namespace wt::controller {

struct ControllerOptions {
  std::string cluster_id = "wavetank-cluster-00000";
  NodeId node = 0;      // of the controller
  NodeId log_node = 0;  // of the MetadataLog

  DurationNs broker_session_timeout_ns = 9 * kSecond_ns;
  DurationNs log_timeout_ns = 2 * kSecond_ns;
  DurationNs log_retry_backoff_ns = 20 * kMillisecond_ns;

  std::int32_t default_partitions = 1;
  std::int16_t default_replication_factor = -1;  // -1: min(3, registered brokers)
  bool single_replica = false;                   // any factor (and min ISR) but 1 is refused
  bool delete_topic_enable = true;
  std::size_t max_partitions = 200'000;  // in the cluster
  std::size_t max_queued_requests = 10'000;
  std::int32_t producer_id_block = 1000;
  std::size_t max_fetch_bytes = 8 * 1024 * 1024;

  int release = 4;  // minor version of Kafka, for the configs that there are (config_defs.h)
  // Settings of group coordinators in the brokers' files: bounds of what groups may choose.
  std::map<std::string, std::int64_t, std::less<>> group_configs;

  bool auto_leader_rebalance = true;
  DurationNs leader_imbalance_check_ns = 300 * kSecond_ns;
  // A broker is rebalanced when it misses more than this share of the partitions that prefer it.
  std::uint32_t leader_imbalance_ppm = 100'000;

  std::size_t activation_brokers = 1;  // live brokers needed before the barrier can open
  // Written with the first record of an empty log.
  std::map<std::string, std::int16_t> features = {{"eligible.leader.replicas.version", std::int16_t{1}},
                                                  {"group.version", std::int16_t{1}},
                                                  {"kraft.version", std::int16_t{1}},
                                                  {"metadata.version", std::int16_t{33}},
                                                  {"share.version", std::int16_t{2}},
                                                  {"streams.version", std::int16_t{1}},
                                                  {"transaction.version", std::int16_t{2}}};
  ConfigMap broker_default_configs = {{"min.insync.replicas", "1"}};
  std::vector<UserScramRecord> scram_users;
  std::size_t max_scram_credentials = 100'000;
};

class Planner;  // sim/controller/planner.h

class Controller final : public ProcessPart, public CallTarget {
 public:
  Controller(Process& process, Calls& calls, FaultRules& rules, const ControllerOptions& options);
  ~Controller() override;

  // Serves the node at once; requests wait until the log has been read.
  void start();

  // --- what the cluster and tests may ask, without a call ---
  // False while the log is being read.
  bool active() const noexcept { return active_; }
  std::int64_t epoch() const noexcept { return epoch_; }
  ImagePtr image() const noexcept { return image_; }
  ActivationReport activation() const;
  // Brokers with a session, ascending.
  std::vector<BrokerId> live_brokers() const;

  // --- what the cluster tells ---
  // The broker's process has died and that was noticed at once: it is fenced without waiting for its
  // session to expire.
  void broker_died(BrokerId broker);

  void on_call(NodeId from, CallId id, BodyPtr request) override;

 private:
  // One entry of the queue: a request, or something that the controller itself has to do.
  enum class Job : std::uint8_t { request, broker_died, session_expired, rebalance, activate };
  struct Work {
    explicit Work(Job j) : job(j) {}
    Job job;
    CallId call = 0;
    BodyPtr request;
    BrokerId broker = kNoBroker;
    std::int64_t broker_epoch = -1;
  };
  struct Session {
    std::int64_t broker_epoch = -1;
    TimeNs last_contact_ns = 0;
    MetadataOffset metadata_offset = 0;  // end of what the broker has of the log, as it said last
    TimeNs last_fetch_ns = 0;
    TimeNs last_caught_up_ns = 0;
    bool expiring = false;  // queued as expired; contact until that is done keeps it
  };
  struct Waiting {  // a FetchMetadata without anything to answer yet
    CallId call = 0;
    MetadataOffset from_offset = 0;
    TimeNs deadline_ns = 0;
  };

  Task<void> run();
  Task<void> watch_sessions();
  Task<void> watch_fetches();
  Task<void> watch_balance();

  // controller_log.cc: reads the log into a new image and becomes its writer.
  Task<void> load();
  Task<void> claim();
  Task<void> read_log();
  Task<void> bootstrap();
  // Appends and applies what the planner has gathered. False when another controller has the log.
  Task<bool> commit(Planner& planner);
  Task<AppendRecords::Outcome> append(const BatchPtr& batch);
  void applied(const BatchPtr& batch, const MetadataImage& image);

  bool answer_at_once(CallId id, MessageBody& request);
  Task<void> process_work(Work& work);
  // Plans a request and returns the answer; null for a request that nobody knows.
  BodyPtr plan(Planner& planner, MessageBody& request);
  void plan_job(Planner& planner, const Work& work);
  Task<void> await_steady_brokers();
  void note_contact(const MessageBody& request, const MessageBody* answer);
  void push(std::unique_ptr<Work> work);
  void push_activation();

  // controller_sessions.cc
  void open_sessions();
  void touch(BrokerId broker, std::int64_t broker_epoch);
  bool has_session(BrokerId broker) const;
  bool declared_dead(BrokerId broker, std::int64_t broker_epoch) const;
  // False when nobody of that id is registered.
  bool declare_dead(BrokerId broker);
  // Whether the broker is still to be fenced.
  bool session_ends(const Work& work);
  std::set<BrokerId> live() const;
  DescribeQuorum::Response describe_quorum() const;

  // controller_fetch.cc
  void on_fetch(CallId id, const FetchMetadata& request);
  FetchMetadata::Response fetch_answer(MetadataOffset from_offset) const;
  void answer_fetch(CallId id, MetadataOffset from_offset);
  void answer_waiting();

  Process& process_;
  Calls& calls_;
  FaultRules& rules_;
  ControllerOptions options_;

  bool active_ = false;
  std::int64_t epoch_ = 0;
  ImagePtr image_;
  std::vector<BatchPtr> batches_;  // the log, as far as it is applied
  std::map<BrokerId, Session> sessions_;
  std::map<BrokerId, std::int64_t> dead_;  // epochs of brokers that were reported dead
  std::uint64_t placement_cursor_ = 0;
  Channel<std::unique_ptr<Work>> queue_;
  bool working_ = false;  // one entry of the queue is being carried out
  std::vector<Waiting> waiting_;
  WaitQueue waiting_changed_;
};

}  // namespace wt::controller

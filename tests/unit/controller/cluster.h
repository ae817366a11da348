// A controller, its log and brokers without anything above them, for tests.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/controller/controller.h"
#include "sim/controller/follower.h"
#include "sim/controller/metadata_log.h"

namespace wt::controller {

class TestCluster {
 public:
  struct Options {
    std::uint64_t seed = 1;
    ControllerOptions controller;
    std::map<BrokerId, BrokerProfile> profiles;  // of brokers that differ
    ReadyPolicyOptions ready;
  };

  explicit TestCluster(int brokers) : TestCluster(brokers, Options()) {}
  TestCluster(int brokers, const Options& options)
      : options_(options),
        kernel_(kernel_options(options)),
        links_(kernel_, LinkLatency{}),
        rules_(kernel_),
        calls_(kernel_, links_, rules_) {
    log_node_ = links_.add_node("metadata-log");
    controller_node_ = links_.add_node("controller");
    client_node_ = links_.add_node("client");
    calls_.serve(log_node_, log_);
    client_ = &kernel_.create_process("client");
    rules_.set_executor([this](FaultAction action, const FaultSite& site, const FaultRule&) {
      if (action != FaultAction::crash) return;
      if (site.broker >= 0) {
        crash_broker(site.broker);
      } else {
        crash_controller();
      }
    });
    start_controller();
    for (BrokerId id = 1; id <= brokers; ++id) start_broker(id);
    settle();
  }

  Kernel& kernel() { return kernel_; }
  FaultRules& rules() { return rules_; }
  Links& links() { return links_; }
  MetadataLog& log() { return log_; }
  Controller& controller() { return *controller_; }
  bool controller_alive() const { return controller_process_ != 0; }
  const MetadataImage& image() { return *controller_->image(); }
  NodeId controller_node() const { return controller_node_; }
  NodeId log_node() const { return log_node_; }
  NodeId broker_node(BrokerId id) { return nodes_.at(id); }

  bool broker_alive(BrokerId id) const { return followers_.contains(id); }
  MetadataFollower& broker(BrokerId id) { return *followers_.at(id); }

  void start_controller() {
    Process& process = kernel_.create_process("controller");
    controller_process_ = process.id();
    ControllerOptions controller = options_.controller;
    controller.node = controller_node_;
    controller.log_node = log_node_;
    controller_ = &process.emplace<Controller>(process, calls_, rules_, controller);
    controller_->start();
    for (auto& [id, follower] : followers_) follower->reconnect();
  }
  void crash_controller() {
    kernel_.kill(controller_process_);
    controller_process_ = 0;
    controller_ = nullptr;
  }
  void restart_controller() {
    if (controller_alive()) crash_controller();
    start_controller();
    settle();
  }

  void start_broker(BrokerId id) {
    if (!nodes_.contains(id)) nodes_[id] = links_.add_node("broker-" + std::to_string(id));
    Process& process = kernel_.create_process("broker-" + std::to_string(id));
    processes_[id] = process.id();
    FollowerOptions follower;
    follower.broker = id;
    follower.cluster_id = options_.controller.cluster_id;
    follower.node = nodes_[id];
    follower.controller_node = controller_node_;
    follower.endpoints = {Endpoint{"PLAINTEXT", "127.0.0.1", 9091 + id, "PLAINTEXT"}};
    follower.profile = {{"log.kind", "shared"}, {"storage.profile", "object"}};
    if (options_.profiles.contains(id)) follower.profile = options_.profiles.at(id);
    followers_[id] = &process.emplace<MetadataFollower>(process, calls_, rules_, follower);
    followers_[id]->start();
  }
  // The crash is noticed at once unless `by_session`.
  void crash_broker(BrokerId id, bool by_session = false) {
    kernel_.kill(processes_.at(id));
    processes_.erase(id);
    followers_.erase(id);
    if (!by_session && controller_alive()) controller_->broker_died(id);
  }
  void set_profile(BrokerId id, BrokerProfile profile) { options_.profiles[id] = std::move(profile); }

  // Runs what happens without time passing.
  void settle() {
    kernel_.run_ready();
    rethrow();
  }
  void advance(DurationNs duration_ns) {
    kernel_.run_until(kernel_.now() + duration_ns);
    rethrow();
  }

  // Asks the controller as some client does; waits up to a minute. Nothing: no answer.
  template <class Request>
  std::optional<typename Request::Response> ask(const Request& request) {
    std::optional<StatusOr<typename Request::Response>> out;
    client_->spawn(ask_task(request, out));
    settle();
    if (!out) kernel_.run_until_condition([&out] { return out.has_value(); }, kernel_.now() + kMinute_ns);
    rethrow();
    last_status_ = out ? out->status() : make_status(StatusCode::kDeadlineExceeded, "");
    if (!out || !out->ok()) return std::nullopt;
    return std::move(out->value());
  }
  // Sends a request and does not wait for the answer.
  template <class Request>
  void post(const Request& request) {
    client_->spawn(post_task(request));
    settle();
  }
  const Status& last_status() const { return last_status_; }

  CreateTopics::Result create(const std::string& name, std::int32_t partitions = 1, std::int16_t factor = -1,
                              std::vector<ConfigSetting> configs = {}) {
    CreateTopics request;
    request.topics.emplace_back();
    request.topics[0].name = name;
    request.topics[0].partitions = partitions;
    request.topics[0].replication_factor = factor;
    request.topics[0].configs = std::move(configs);
    return create(request);
  }
  CreateTopics::Result create(const CreateTopics& request) {
    auto response = ask(request);
    if (!response) return {"", Error(ErrorCode::request_timed_out), {}, -1, -1, {}};
    return response->results.at(0);
  }

 private:
  template <class Request>
  Task<void> ask_task(const Request& request, std::optional<StatusOr<typename Request::Response>>& out) {
    CallOptions call;
    call.from = client_node_;
    call.to = controller_node_;
    call.timeout_ns = 30 * kSecond_ns;
    auto message = std::make_unique<Message<Request>>(request);
    auto answer = co_await typed_call(calls_, *client_, call, std::move(message));
    out.emplace(std::move(answer));
  }
  template <class Request>
  Task<void> post_task(const Request& request) {
    std::optional<StatusOr<typename Request::Response>> nobody_reads;
    co_await ask_task(request, nobody_reads);
  }
  static KernelOptions kernel_options(const Options& options) {
    KernelOptions kernel;
    kernel.seed = options.seed;
    kernel.ready = options.ready;
    return kernel;
  }
  void rethrow() {
    if (kernel_.finding())
      throw std::runtime_error(kernel_.finding()->check + ": " + kernel_.finding()->message + "\n" +
                               kernel_.finding()->last_events);
  }

  Options options_;
  Kernel kernel_;
  Links links_;
  FaultRules rules_;
  Calls calls_;
  MetadataLog log_;
  NodeId log_node_ = 0;
  NodeId controller_node_ = 0;
  NodeId client_node_ = 0;
  Process* client_ = nullptr;
  ProcessId controller_process_ = 0;
  Controller* controller_ = nullptr;
  std::map<BrokerId, NodeId> nodes_;
  std::map<BrokerId, ProcessId> processes_;
  std::map<BrokerId, MetadataFollower*> followers_;
  Status last_status_;
};

}  // namespace wt::controller

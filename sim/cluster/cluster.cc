#include "sim/cluster/cluster.h"

#include <algorithm>
#include <utility>

#include "sim/cluster/file_configs.h"
#include "sim/kafka/groups/classic/module.h"
#include "sim/kafka/groups/consumer/module.h"
#include "sim/kafka/groups/settings.h"

namespace wt::cluster {
namespace {

constexpr DurationNs kOperatorTimeout_ns = 30 * kSecond_ns;
constexpr DurationNs kOperatorRetry_ns = 50 * kMillisecond_ns;

KernelOptions kernel_options(const ClusterOptions& options) {
  KernelOptions kernel;
  kernel.seed = options.seed;
  kernel.epoch_ns = options.epoch_ns;
  kernel.ready = options.ready;
  kernel.trace_ring_records = options.trace_ring_records;
  return kernel;
}

std::string drawn_cluster_id(std::uint64_t seed) {
  RandomStream random(fold64(seed, hash_text("cluster.id")));
  const std::uint64_t high = random.next();
  const std::uint64_t low = random.next();
  return Uuid::from_halves(high, low).text();
}

ClusterOptions with_cluster_id(ClusterOptions options) {
  if (options.cluster_id.empty()) options.cluster_id = drawn_cluster_id(options.seed);
  return options;
}

}  // namespace

Cluster::Cluster(const ClusterOptions& options)
    : options_(with_cluster_id(options)),
      kernel_(kernel_options(options)),
      rules_(kernel_),
      links_(kernel_, options.link_latency),
      calls_(kernel_, links_, rules_),
      streams_(kernel_, links_, StreamOptions{}),
      metadata_(kernel_) {
  outside_ = links_.add_node("outside");
  metadata_node_ = links_.add_node("metadata-store");
  objects_node_ = links_.add_node("object-store");
  log_node_ = links_.add_node("metadata-log");
  controller_node_ = links_.add_node("controller");
  operator_node_ = links_.add_node("operator");
  calls_.serve(metadata_node_, metadata_);
  calls_.serve(objects_node_, objects_);
  calls_.serve(log_node_, metadata_log_);
  for (std::int32_t i = 0; i < options_.brokers; ++i) {
    BrokerSlot& broker = brokers_.emplace_back();
    broker.id = options_.first_broker_id + i;
    broker.node = links_.add_node("broker-" + std::to_string(broker.id));
    broker.host = "127.0.0.1";
    broker.port = 9092 + i;
  }
  // Clients are near: the latency between nodes is not theirs.
  for (const BrokerSlot& broker : brokers_) {
    links_.set_latency(outside_, broker.node, LinkLatency{});
    links_.set_latency(broker.node, outside_, LinkLatency{});
  }
  if (options_.security.sasl()) scram_users_ = scram_users(options_.security, options_.seed);
  rules_.set_executor([this](FaultAction action, const FaultSite& site, const FaultRule& rule) {
    execute_fault(action, site, rule);
  });
  kernel_.add_digest(
      [this] { return fold64(metadata_.digest(), static_cast<std::uint64_t>(metadata_log_.end_offset())); });
}

Cluster::~Cluster() = default;

void Cluster::set_broker_address(std::int32_t broker, std::string host, std::int32_t port) {
  BrokerSlot* target = slot(broker);
  if (target == nullptr) return;
  target->host = std::move(host);
  target->port = port;
}

void Cluster::start() {
  Process& admin = kernel_.create_process("operator");
  links_.attach(operator_node_, admin);
  operator_process_ = admin.id();
  start_controller();
  for (BrokerSlot& broker : brokers_) start_broker(broker);
}

void Cluster::start_controller() {
  Process& process = kernel_.create_process("controller");
  links_.attach(controller_node_, process);
  controller::ControllerOptions options;
  options.cluster_id = options_.cluster_id;
  options.node = controller_node_;
  options.log_node = log_node_;
  options.broker_session_timeout_ns = options_.broker_session_timeout_ns;
  options.default_partitions = options_.default_partitions;
  options.default_replication_factor = options_.default_replication_factor;
  options.delete_topic_enable = options_.delete_topics;
  options.single_replica = options_.single_replica;
  options.activation_brokers = static_cast<std::size_t>(options_.brokers);
  options.scram_users = scram_users_;
  options.group_configs.insert(options_.group_configs.begin(), options_.group_configs.end());
  const kafka::ReleaseProfile& profile = *kafka::find_profile(options_.profile);
  options.release = profile.minor;
  options.features.clear();
  for (const kafka::FeatureRange& feature : profile.finalized_features)
    options.features[std::string(feature.name)] = feature.max;
  for (const auto& [name, level] : options_.features) {
    if (level > 0) {
      options.features[name] = level;
    } else {
      options.features.erase(name);
    }
  }
  controller_ = &process.emplace<controller::Controller>(process, calls_, rules_, options);
  controller_process_ = process.id();
  controller_->start();
}

void Cluster::start_broker(BrokerSlot& slot) {
  Process& process = kernel_.create_process("broker-" + std::to_string(slot.id));
  links_.attach(slot.node, process);
  broker::BrokerOptions options;
  options.id = slot.id;
  options.cluster_id = options_.cluster_id;
  options.node = slot.node;
  options.storage.cluster_id = options_.cluster_id;
  options.storage.broker_id = slot.id;
  options.storage.node = slot.node;
  options.storage.metadata = metadata_node_;
  options.storage.objects = objects_node_;
  options.producer_expiry_scan_ns = options_.producer_expiry_check_ns;
  options.first_retention_check_ns = options_.first_retention_check_ns;
  options.retention_check_ns = options_.retention_check_ns;
  options.follower.cluster_id = options_.cluster_id;
  options.follower.broker = slot.id;
  options.follower.node = slot.node;
  options.follower.controller_node = controller_node_;
  const auto index = static_cast<std::size_t>(slot.id - options_.first_broker_id);
  if (index < options_.racks.size()) options.follower.rack = options_.racks[index];
  controller::Endpoint endpoint;
  endpoint.listener = options.listener;
  endpoint.host = slot.host;
  endpoint.port = slot.port;
  endpoint.protocol = protocol_name(options_.security.protocol);
  options.follower.endpoints.push_back(std::move(endpoint));
  options.follower.profile = {{"log.kind", "shared"},
                              {"storage.profile", "OBJECT_WAL_SYNC_OBJECT"},
                              {"kafka.profile", options_.profile}};
  for (const kafka::FeatureRange& feature : kafka::find_profile(options_.profile)->supported_features)
    options.follower.features[std::string(feature.name)] = {feature.min, feature.max};
  slot.broker = &process.emplace<broker::Broker>(process, calls_, streams_, rules_, options);

  kafka::ServiceOptions service;
  service.profile = kafka::find_profile(options_.profile);
  service.advertise_only_implemented = options_.advertise_only_implemented;
  service.telemetry_receiver = options_.telemetry_receiver;
  service.auto_create_topics = options_.auto_create_topics;
  service.num_partitions = options_.default_partitions;
  service.default_replication_factor = options_.default_replication_factor;
  service.fetch_sessions.max_sessions = options_.max_fetch_sessions;
  service.controls = &controls_;
  if (options_.security.sasl()) service.sasl = sasl_settings(options_.security);
  slot.service = &process.emplace<kafka::KafkaService>(process, service);
  start_groups(slot, process);

  kafka::ServerOptions server;
  server.max_idle_ns = options_.max_idle_ns;
  server.max_connections = options_.max_connections;
  server.max_request_bytes = options_.max_request_bytes;
  slot.server = &process.emplace<kafka::KafkaServer>(process, *slot.broker, *slot.service, server);
  streams_.listen(slot.node, process, *slot.server);
  slot.process = process.id();
  slot.paused = false;
  slot.broker->start();
}

void Cluster::start_groups(BrokerSlot& slot, Process& process) {
  kafka::GroupCoordinatorOptions options;
  // As many copies as there can be, whatever default.replication.factor says: with a single copy a crash
  // of the coordinator would leave its groups without one.
  options.replication_factor =
      options_.single_replica ? std::int16_t{1} : static_cast<std::int16_t>(std::min(3, options_.brokers));
  kafka::apply_switches(kafka::find_profile(options_.profile)->switches, options.settings);
  for (const auto& [name, value] : options_.group_configs) {
    kafka::find_group_config(name)->set(options, value);
    options.static_configs[name] = kafka::group_config_text(name, value);
  }
  for (const auto& [name, value] : file_configs(options_)) options.static_configs[name] = value;
  // Each kind of group brings a module.
  options.modules = {&kafka::classic_module(), &kafka::consumer_group_module()};
  slot.groups = &process.emplace<kafka::GroupCoordinator>(process, *slot.broker, options);
  slot.service->set_groups(*slot.groups);
}

// --- look-ups ---

Cluster::BrokerSlot* Cluster::slot(std::int32_t broker) {
  for (BrokerSlot& candidate : brokers_) {
    if (candidate.id == broker) return &candidate;
  }
  return nullptr;
}
const Cluster::BrokerSlot* Cluster::slot(std::int32_t broker) const {
  return const_cast<Cluster*>(this)->slot(broker);
}

bool Cluster::alive(const BrokerSlot& slot) const {
  return kernel_.process(slot.process) != nullptr;
}

bool Cluster::has_broker(std::int32_t broker) const {
  return slot(broker) != nullptr;
}

NodeId Cluster::broker_node(std::int32_t broker) const {
  const BrokerSlot* found = slot(broker);
  return found == nullptr ? 0 : found->node;
}

std::vector<std::int32_t> Cluster::broker_ids() const {
  std::vector<std::int32_t> ids;
  for (const BrokerSlot& broker : brokers_) ids.push_back(broker.id);
  return ids;
}

bool Cluster::accepts(std::int32_t broker) const {
  const BrokerSlot* found = slot(broker);
  return found != nullptr && alive(*found) && !found->port_closed;
}

BrokerStatus Cluster::status(std::int32_t broker) const {
  const BrokerSlot* found = slot(broker);
  if (found == nullptr || !alive(*found)) return BrokerStatus::down;
  return found->paused ? BrokerStatus::paused : BrokerStatus::running;
}

broker::Broker* Cluster::broker(std::int32_t broker) const {
  const BrokerSlot* found = slot(broker);
  return found != nullptr && alive(*found) ? found->broker : nullptr;
}

kafka::KafkaService* Cluster::kafka_service(std::int32_t broker) const {
  const BrokerSlot* found = slot(broker);
  return found != nullptr && alive(*found) ? found->service : nullptr;
}

kafka::GroupCoordinator* Cluster::group_coordinator(std::int32_t broker) const {
  const BrokerSlot* found = slot(broker);
  return found != nullptr && alive(*found) ? found->groups : nullptr;
}

controller::Controller* Cluster::controller() const {
  return kernel_.process(controller_process_) != nullptr ? controller_ : nullptr;
}

std::size_t Cluster::read_ahead_bytes(ConnectionId connection) const {
  std::size_t bytes = 0;
  for (const BrokerSlot& broker : brokers_) {
    if (alive(broker)) bytes += broker.server->read_ahead_bytes(connection);
  }
  return bytes;
}

// --- what fault rules do ---

void Cluster::execute_fault(FaultAction action, const FaultSite& site, const FaultRule& rule) {
  std::int32_t target = site.broker;
  if (action == FaultAction::crash_broker && rule.target_broker >= 0) target = rule.target_broker;
  const controller::ImagePtr known = image();
  const controller::PartitionState* state =
      known == nullptr ? nullptr : known->partition(site.topic, site.partition);
  if (action == FaultAction::crash_leader && state != nullptr && state->leader >= 0) target = state->leader;
  if (action == FaultAction::pause) {
    pause(target);
  } else if (action == FaultAction::move_leader) {
    const controller::TopicState* topic = known == nullptr ? nullptr : known->topic(site.topic);
    if (topic == nullptr) return;
    controller::MoveLeader request;
    request.topic_id = topic->topic_id;
    request.partition = site.partition;
    request.to = rule.target_broker;
    move_leader(request, [](const StatusOr<controller::MoveLeader::Response>&) {});
  } else if (site.broker < 0 && action == FaultAction::crash) {
    crash_controller();
  } else {
    crash(target);
  }
}

// --- the operator ---

namespace {

// Asks until the controller has had the request.
template <class Request>
Task<void> ask(Process& process, Calls& calls, NodeId from, NodeId to, std::shared_ptr<const Request> request,
               std::shared_ptr<std::function<void(StatusOr<typename Request::Response>)>> done) {
  CallOptions options;
  options.from = from;
  options.to = to;
  options.timeout_ns = kOperatorTimeout_ns;
  const TimeNs deadline_ns = saturating_add(process.now(), kOperatorTimeout_ns);
  for (;;) {
    auto message = std::make_unique<Message<Request>>(*request);
    auto answer = co_await typed_call(calls, process, options, std::move(message));
    const bool again = answer.status().code() == StatusCode::kUnavailable && process.now() < deadline_ns;
    if (!again) {
      (*done)(std::move(answer));
      co_return;
    }
    co_await process.sleep(kOperatorRetry_ns);
  }
}

}  // namespace

template <class Request>
void Cluster::ask_controller(const Request& request,
                             std::function<void(StatusOr<typename Request::Response>)> done) {
  Process* admin = kernel_.process(operator_process_);
  WT_INVARIANT(admin != nullptr, "cluster.operator", "the cluster was not started");
  auto callback =
      std::make_shared<std::function<void(StatusOr<typename Request::Response>)>>(std::move(done));
  admin->spawn(ask<Request>(*admin, calls_, operator_node_, controller_node_,
                            std::make_shared<const Request>(request), std::move(callback)));
}

void Cluster::create_topic(const controller::CreateTopics& request,
                           std::function<void(StatusOr<controller::CreateTopics::Response>)> done) {
  ask_controller(request, std::move(done));
}

void Cluster::delete_topic(const controller::DeleteTopics& request,
                           std::function<void(StatusOr<controller::DeleteTopics::Response>)> done) {
  ask_controller(request, std::move(done));
}

void Cluster::move_leader(const controller::MoveLeader& request,
                          std::function<void(StatusOr<controller::MoveLeader::Response>)> done) {
  ask_controller(request, std::move(done));
}

void Cluster::alter_configs(
    const controller::IncrementalAlterConfigs& request,
    std::function<void(StatusOr<controller::IncrementalAlterConfigs::Response>)> done) {
  ask_controller(request, std::move(done));
}

// --- looking ---

controller::ImagePtr Cluster::image() const {
  controller::Controller* leader = controller();
  return leader == nullptr ? nullptr : leader->image();
}

std::optional<PartitionView> Cluster::partition(std::string_view topic, std::int32_t partition) const {
  const controller::ImagePtr known = image();
  if (known == nullptr) return std::nullopt;
  const controller::TopicState* state = known->topic(topic);
  const controller::PartitionState* assigned = state == nullptr ? nullptr : state->partition(partition);
  if (assigned == nullptr) return std::nullopt;
  PartitionView view;
  view.topic = state->name;
  view.partition = partition;
  view.topic_id = state->topic_id.text();
  view.leader = assigned->leader;
  view.leader_epoch = assigned->leader_epoch;
  view.replicas = assigned->replicas;
  view.isr = assigned->isr;
  broker::Broker* leader = broker(assigned->leader);
  if (leader == nullptr) return view;
  const auto mine = leader->partitions().find({state->topic_id, partition});
  if (mine == leader->partitions().end()) return view;
  const broker::Partition& log = *mine->second;
  view.log_start = log.log_start_offset();
  view.leo = log.log_end_offset();
  view.hw = log.high_watermark();
  view.lso = log.last_stable_offset();
  view.writable = log.role() == broker::Role::leader && log.leader_epoch() == assigned->leader_epoch;
  return view;
}

bool Cluster::settled() const {
  const controller::ImagePtr known = image();
  if (known == nullptr || !controller()->active()) return false;
  for (const BrokerSlot& broker : brokers_) {
    if (!alive(broker) || broker.paused) continue;
    if (!broker.broker->follower().ready()) return false;
    if (broker.broker->image().end_offset() != known->end_offset()) return false;
  }
  bool settled = true;
  known->for_each_topic([&](const controller::TopicState& topic) {
    for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
      const auto view = partition(topic.name, number);
      if (view && view->leader >= 0 && !view->writable && status(view->leader) == BrokerStatus::running)
        settled = false;
    }
  });
  return settled;
}

}  // namespace wt::cluster

// A whole cluster, without sockets: durable services, controller, brokers, the links between them.
//
// Deterministic: state and behaviour are a function of the options and of the calls made here and at
// the streams, with the steps and times at which they were made. Calls that change something go
// through Commands (commands.h), so that they can be recorded as text.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/broker/broker.h"
#include "sim/cluster/options.h"
#include "sim/controller/controller.h"
#include "sim/faults/rules.h"
#include "sim/kafka/groups/coordinator.h"
#include "sim/kafka/handlers/server.h"
#include "sim/kafka/handlers/service.h"
#include "sim/metadata/store.h"
#include "sim/network/byte_stream.h"
#include "sim/network/calls.h"
#include "sim/objects/store.h"

namespace wt::cluster {

enum class BrokerStatus : std::uint8_t { running, paused, down };

// What a test asserts on: a partition as its leader has it, or as the controller says when nobody leads.
struct PartitionView {
  std::string topic;
  std::int32_t partition = 0;
  std::string topic_id;
  std::int32_t leader = -1;
  std::int32_t leader_epoch = -1;
  std::int64_t log_start = -1;
  std::int64_t leo = -1;
  std::int64_t hw = -1;
  std::int64_t lso = -1;
  std::vector<std::int32_t> replicas;
  std::vector<std::int32_t> isr;
  bool writable = false;  // the leader has opened its log
};

// A group as its coordinator has it.
struct GroupView {
  struct Offset {
    std::string topic;
    std::int32_t partition = 0;
    std::int64_t offset = -1;
    std::string metadata;
  };
  std::string group;
  std::string kind;   // "classic" or "consumer"
  std::string state;  // as ListGroups says it
  std::string protocol_type;
  std::int32_t coordinator = -1;
  std::vector<kafka::MemberView> members;
  std::vector<Offset> offsets;
};

class Cluster {
 public:
  // The options must be valid.
  explicit Cluster(const ClusterOptions& options);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  const ClusterOptions& options() const noexcept { return options_; }
  const std::string& cluster_id() const noexcept { return options_.cluster_id; }

  // Where clients reach a broker; before start().
  void set_broker_address(std::int32_t broker, std::string host, std::int32_t port);
  // Starts controller and brokers. Events run when the kernel does.
  void start();

  Kernel& kernel() noexcept { return kernel_; }
  Streams& streams() noexcept { return streams_; }
  Links& links() noexcept { return links_; }
  Calls& calls() noexcept { return calls_; }
  FaultRules& rules() noexcept { return rules_; }
  kafka::Controls& controls() noexcept { return controls_; }
  metadata::MetadataStore& metadata_store() noexcept { return metadata_; }
  objects::ObjectStore& object_store() noexcept { return objects_; }

  NodeId outside_node() const noexcept { return outside_; }
  NodeId broker_node(std::int32_t broker) const;
  std::vector<std::int32_t> broker_ids() const;
  bool has_broker(std::int32_t broker) const;
  // Whether its port answers.
  bool accepts(std::int32_t broker) const;
  BrokerStatus status(std::int32_t broker) const;
  // Null while the broker is down.
  broker::Broker* broker(std::int32_t broker) const;
  kafka::KafkaService* kafka_service(std::int32_t broker) const;
  kafka::GroupCoordinator* group_coordinator(std::int32_t broker) const;
  controller::Controller* controller() const;
  // What a broker has read from this connection and not begun to work on.
  std::size_t read_ahead_bytes(ConnectionId connection) const;

  // --- processes ---
  void crash(std::int32_t broker);
  // A controlled shutdown: others take its leaders over before it goes. It goes without that after five
  // minutes.
  void stop(std::int32_t broker);
  void restart(std::int32_t broker);
  void pause(std::int32_t broker);
  void resume(std::int32_t broker);
  // Clients lose their connections to the broker and get no new ones; it goes on serving its peers.
  void close_port(std::int32_t broker);
  void open_port(std::int32_t broker);
  void crash_controller();
  void restart_controller();

  // --- requests to the controller, as an administrator would make them ---
  // `done` runs as an event of the operator's process.
  void create_topic(const controller::CreateTopics& request,
                    std::function<void(StatusOr<controller::CreateTopics::Response>)> done);
  void delete_topic(const controller::DeleteTopics& request,
                    std::function<void(StatusOr<controller::DeleteTopics::Response>)> done);
  void move_leader(const controller::MoveLeader& request,
                   std::function<void(StatusOr<controller::MoveLeader::Response>)> done);
  void alter_configs(const controller::IncrementalAlterConfigs& request,
                     std::function<void(StatusOr<controller::IncrementalAlterConfigs::Response>)> done);

  // --- looking ---
  // Nothing for an unknown topic or partition.
  std::optional<PartitionView> partition(std::string_view topic, std::int32_t partition) const;
  // Nothing for an unknown group, or while its coordinator is not there.
  std::optional<GroupView> group(std::string_view id) const;
  // Ids of all groups whose coordinators are there, ascending.
  std::vector<std::string> groups() const;
  // What the controller knows; null while it is down.
  controller::ImagePtr image() const;
  // Controller active, every running broker ready, every partition with a live replica writable.
  bool settled() const;

 private:
  struct BrokerSlot {
    std::int32_t id = -1;
    NodeId node = 0;
    std::string host;
    std::int32_t port = 0;
    ProcessId process = 0;
    broker::Broker* broker = nullptr;
    kafka::KafkaService* service = nullptr;
    kafka::GroupCoordinator* groups = nullptr;
    kafka::KafkaServer* server = nullptr;
    bool paused = false;
    bool port_closed = false;
    bool death_untold = false;  // it died while there was no controller that could be told
  };

  void start_controller();
  void start_broker(BrokerSlot& slot);
  void start_groups(BrokerSlot& slot, Process& process);
  // `noticed`: the controller is told at once.
  void end_broker(BrokerSlot& slot, bool noticed);
  // Of a process that was asked to stop: it may go, or it has not gone in time.
  static void left_event(void* cluster, std::uint64_t process);
  static void late_event(void* cluster, std::uint64_t process);
  void execute_fault(FaultAction action, const FaultSite& site, const FaultRule& rule);
  BrokerSlot* slot(std::int32_t broker);
  BrokerSlot* slot_of(ProcessId process);
  const BrokerSlot* slot(std::int32_t broker) const;
  bool alive(const BrokerSlot& slot) const;
  template <class Request>
  void ask_controller(const Request& request, std::function<void(StatusOr<typename Request::Response>)> done);

  ClusterOptions options_;
  kafka::Controls controls_;
  mutable Kernel kernel_;
  FaultRules rules_;
  Links links_;
  Calls calls_;
  Streams streams_;
  metadata::MetadataStore metadata_;
  objects::ObjectStore objects_;
  controller::MetadataLog metadata_log_;

  NodeId outside_ = 0;
  NodeId metadata_node_ = 0;
  NodeId objects_node_ = 0;
  NodeId log_node_ = 0;
  NodeId controller_node_ = 0;
  NodeId operator_node_ = 0;
  ProcessId controller_process_ = 0;
  controller::Controller* controller_ = nullptr;
  ProcessId operator_process_ = 0;
  std::vector<BrokerSlot> brokers_;
  std::vector<controller::UserScramRecord> scram_users_;
};

}  // namespace wt::cluster

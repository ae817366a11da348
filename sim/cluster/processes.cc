// Processes of a cluster end, stop, pause and come back.
#include <utility>

#include "sim/cluster/cluster.h"

namespace wt::cluster {
namespace {

constexpr DurationNs kStopLimit_ns = 5 * kMinute_ns;  // as a real broker waits for its controller

// In the process of the broker: a frame that runs cannot end its own process, so an event does.
Task<void> leave(controller::MetadataFollower& follower, Kernel& kernel, EventFunction left, void* cluster,
                 ProcessId process) {
  co_await follower.shut_down();
  kernel.schedule_now(0, left, cluster, process);
}

}  // namespace

// Null when it does not run any more.
Cluster::BrokerSlot* Cluster::slot_of(ProcessId process) {
  for (BrokerSlot& candidate : brokers_) {
    if (candidate.process == process && alive(candidate)) return &candidate;
  }
  return nullptr;
}

void Cluster::end_broker(BrokerSlot& slot, bool noticed) {
  kernel_.kill(slot.process);
  slot.paused = false;
  if (!noticed) return;
  controller::Controller* leader = controller();
  if (leader != nullptr) {
    leader->broker_died(slot.id);
  } else {
    slot.death_untold = true;
  }
}

void Cluster::crash(std::int32_t broker) {
  BrokerSlot* victim = slot(broker);
  if (victim != nullptr && alive(*victim)) end_broker(*victim, !options_.crash_by_session);
}

void Cluster::stop(std::int32_t broker) {
  BrokerSlot* leaving = slot(broker);
  if (leaving == nullptr || !alive(*leaving)) return;
  const ProcessId process = leaving->process;
  kernel_.schedule_at(0, saturating_add(kernel_.now(), kStopLimit_ns), TimerKind::protocol,
                      &Cluster::late_event, this, process);
  kernel_.process(process)->spawn(
      leave(leaving->broker->follower(), kernel_, &Cluster::left_event, this, process));
}

void Cluster::left_event(void* cluster, std::uint64_t process) {
  auto& self = *static_cast<Cluster*>(cluster);
  if (BrokerSlot* leaving = self.slot_of(process)) self.end_broker(*leaving, true);
}

void Cluster::late_event(void* cluster, std::uint64_t process) {
  auto& self = *static_cast<Cluster*>(cluster);
  if (const BrokerSlot* late = self.slot_of(process)) self.crash(late->id);
}

void Cluster::restart(std::int32_t broker) {
  BrokerSlot* target = slot(broker);
  if (target == nullptr) return;
  if (alive(*target)) crash(broker);
  start_broker(*target);
}

void Cluster::pause(std::int32_t broker) {
  BrokerSlot* target = slot(broker);
  if (target == nullptr || !alive(*target)) return;
  kernel_.pause(target->process);
  target->paused = true;
}

void Cluster::resume(std::int32_t broker) {
  BrokerSlot* target = slot(broker);
  if (target == nullptr || !alive(*target)) return;
  kernel_.resume(target->process);
  target->paused = false;
}

void Cluster::close_port(std::int32_t broker) {
  BrokerSlot* target = slot(broker);
  if (target == nullptr) return;
  target->port_closed = true;
  streams_.set_connect_fault(target->node, Streams::ConnectFault::refuse);
  for (const ConnectionId connection : streams_.connections_of(target->node))
    streams_.reset_connection(connection);
}

void Cluster::open_port(std::int32_t broker) {
  BrokerSlot* target = slot(broker);
  if (target == nullptr) return;
  target->port_closed = false;
  streams_.set_connect_fault(target->node, Streams::ConnectFault::none);
}

void Cluster::crash_controller() {
  kernel_.kill(controller_process_);
}

void Cluster::restart_controller() {
  crash_controller();
  start_controller();
  if (options_.crash_by_session) return;
  // Before a broker that has come back meanwhile can ask for the place of its dead predecessor.
  for (BrokerSlot& broker : brokers_) {
    if (std::exchange(broker.death_untold, false)) controller_->broker_died(broker.id);
  }
  for (const BrokerSlot& broker : brokers_) {
    if (alive(broker)) broker.broker->follower().reconnect();
  }
}

}  // namespace wt::cluster

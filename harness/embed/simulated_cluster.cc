#include "harness/embed/simulated_cluster.h"

namespace wt::harness {

std::vector<ListenerSpec> SimulatedCluster::listeners() {
  std::vector<ListenerSpec> listeners;
  for (const std::int32_t broker : cluster_.broker_ids()) {
    listeners.push_back({"kafka:" + std::to_string(broker), cluster_.broker_node(broker)});
  }
  return listeners;
}

bool SimulatedCluster::listening(std::size_t listener) {
  const std::vector<std::int32_t> ids = cluster_.broker_ids();
  return listener < ids.size() && cluster_.accepts(ids[listener]);
}

void SimulatedCluster::set_address(std::size_t listener, std::string_view host, std::uint16_t port) {
  const std::vector<std::int32_t> ids = cluster_.broker_ids();
  if (started_ || listener >= ids.size()) return;
  cluster_.set_broker_address(ids[listener], std::string(host), port);
  if (++addresses_known_ == ids.size()) start_once();
}

void SimulatedCluster::start_without_listeners() {
  start_once();
}

void SimulatedCluster::start_once() {
  if (started_) return;
  started_ = true;
  cluster_.start();
}

}  // namespace wt::harness

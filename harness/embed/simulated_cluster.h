// A simulated cluster as the harness drives it: one listener for each broker, calls as JSON text.
#pragma once

#include "harness/gateway/simulated.h"
#include "sim/cluster/commands.h"

namespace wt::harness {

class SimulatedCluster final : public Simulated {
 public:
  // The options must be valid. The cluster starts once the address of every listener is known: see
  // set_address() and start_without_listeners().
  explicit SimulatedCluster(const cluster::ClusterOptions& options)
      : cluster_(options), commands_(cluster_) {}

  cluster::Cluster& cluster() noexcept { return cluster_; }
  const cluster::Cluster& cluster() const noexcept { return cluster_; }
  // Only looks. On the thread that drives the simulation, between two steps.
  std::string query(std::string_view request) const { return commands_.query(request); }
  // For a clock that refuses sockets; before the first step.
  void start_without_listeners();

  Kernel& kernel() override { return cluster_.kernel(); }
  Streams& streams() override { return cluster_.streams(); }
  NodeId outside_node() override { return cluster_.outside_node(); }
  // "kafka:<id>", in the order of the brokers' ids.
  std::vector<ListenerSpec> listeners() override;
  bool listening(std::size_t listener) override;
  void set_address(std::size_t listener, std::string_view host, std::uint16_t port) override;
  std::string execute(std::string_view request) override { return commands_.execute(request); }
  // Brokers read ahead.
  bool queued_behind(ConnectionId connection) override {
    return Simulated::queued_behind(connection) || cluster_.read_ahead_bytes(connection) > 0;
  }

 private:
  void start_once();

  cluster::Cluster cluster_;
  cluster::Commands commands_;
  std::size_t addresses_known_ = 0;
  bool started_ = false;
};

}  // namespace wt::harness

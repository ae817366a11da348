// A cluster in the simulation as the target of conformance rows: no sockets, virtual time.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sim/cluster/commands.h"
#include "tests/conformance/runner/row.h"
#include "tests/conformance/runner/target.h"

namespace wt::conformance {

class SimTarget final : public Target {
 public:
  // InvalidArgument for settings that Wavetank does not have.
  static absl::StatusOr<std::unique_ptr<SimTarget>> start(const ClusterSpec& spec, std::uint64_t seed);

  int broker_count() const override { return cluster_.options().brokers; }
  std::int64_t now_ms() override { return to_ms(cluster_.kernel().now()); }
  absl::Status send(const ConnectionId& connection, const SliceList& bytes) override;
  Reply receive(const ConnectionId& connection, std::int64_t wait_ms) override;
  void close_all() override;
  void sleep_ms(std::int64_t duration_ms) override;
  absl::Status crash_broker(int broker) override;
  absl::Status restart_broker(int broker) override;
  absl::Status move_leader(std::string_view topic, std::int32_t partition, int broker) override;

  // What a row must not leave behind.
  std::string finding();
  cluster::Cluster& cluster() { return cluster_; }

 private:
  explicit SimTarget(const cluster::ClusterOptions& options);
  struct Open {
    wt::ConnectionId id = 0;
    std::vector<std::uint8_t> buffered;
    bool closed = false;
  };
  void take(Open& open);
  // Nothing while the frame is incomplete. Unlike the broker's own frames these may be empty: what SASL
  // answers to a message without a request around it.
  static std::optional<Slice> cut_frame(Open& open);
  absl::Status do_command(const std::string& command);

  cluster::Cluster cluster_;
  cluster::Commands commands_;
  std::map<ConnectionId, Open> open_;
};

}  // namespace wt::conformance

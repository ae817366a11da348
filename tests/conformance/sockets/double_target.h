// Wavetank behind its real sockets as the target of conformance rows.
#pragma once

#include <wavetank/cluster.h>

#include <memory>

#include "tests/conformance/runner/row.h"
#include "tests/conformance/runner/socket_target.h"

namespace wt::conformance {

class DoubleTarget final : public SocketTarget {
 public:
  // InvalidArgument or Unimplemented for settings that Wavetank does not have.
  static absl::StatusOr<std::unique_ptr<DoubleTarget>> start(const ClusterSpec& spec);

  // The double's clock: rows that wait for something to become true need no real time.
  std::int64_t now_ms() override;
  void sleep_ms(std::int64_t duration_ms) override;
  absl::Status crash_broker(int broker) override;
  absl::Status restart_broker(int broker) override;
  absl::Status move_leader(std::string_view topic, std::int32_t partition, int broker) override;
  // What a row must not leave behind.
  std::string finding() const;

 private:
  DoubleTarget(std::unique_ptr<wavetank::Cluster> cluster, std::vector<Address> addresses);
  std::unique_ptr<wavetank::Cluster> cluster_;
};

}  // namespace wt::conformance

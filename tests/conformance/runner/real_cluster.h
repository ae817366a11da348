// A real Kafka cluster for the rows of one run, through tests/conformance/real_kafka/real_kafka.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/conformance/runner/row.h"
#include "tests/conformance/runner/socket_target.h"

namespace wt::conformance {

// Runs `words` as a program; what it prints. Internal when it fails; its messages go to our stderr.
absl::StatusOr<std::string> run_program(const std::vector<std::string>& words);

// Crash and restart by running `command` with the words "crash" or "restart", and the broker's number.
SocketTarget::Control control_by_command(std::vector<std::string> command);

class RealCluster {
 public:
  // Ends with the object.
  static absl::StatusOr<std::unique_ptr<RealCluster>> start(const std::string& starter,
                                                            const std::string& folder, int port,
                                                            const ClusterSpec& spec);
  ~RealCluster();
  SocketTarget& target() { return *target_; }

 private:
  RealCluster(std::vector<std::string> command) : command_(std::move(command)) {}
  std::vector<std::string> command_;
  std::unique_ptr<SocketTarget> target_;
};

}  // namespace wt::conformance

#include "tests/conformance/sockets/double_target.h"

#include <functional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace wt::conformance {
namespace {

absl::Status guarded(const std::function<void()>& call) {
  try {
    call();
    return absl::OkStatus();
  } catch (const wavetank::Error& error) {
    return absl::InternalError(error.what());
  }
}

}  // namespace

DoubleTarget::DoubleTarget(std::unique_ptr<wavetank::Cluster> cluster, std::vector<Address> addresses)
    : SocketTarget(std::move(addresses), nullptr), cluster_(std::move(cluster)) {}

absl::StatusOr<std::unique_ptr<DoubleTarget>> DoubleTarget::start(const ClusterSpec& spec) {
  wavetank::Options options;
  options.brokers = spec.brokers;
  for (const std::string& setting : spec.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) return absl::InvalidArgumentError("no setting: " + setting);
    const std::string key = setting.substr(0, equals);
    const std::string value = setting.substr(equals + 1);
    if (key == "connections.max.reauth.ms") {
      std::int64_t lifetime_ms = 0;
      if (!absl::SimpleAtoi(value, &lifetime_ms)) return absl::InvalidArgumentError("no number: " + setting);
      options.sasl_session_lifetime = std::chrono::milliseconds(lifetime_ms);
    } else if (key == "sasl.enabled.mechanisms") {
      options.sasl_mechanisms = absl::StrSplit(value, ',');
    } else {
      options.broker_configs[key] = value;
    }
  }
  options.sasl_users = spec.users;
  if (!spec.users.empty()) options.security_protocol = wavetank::SecurityProtocol::sasl_plaintext;
  std::unique_ptr<wavetank::Cluster> cluster;
  const absl::Status started = guarded([&] { cluster = std::make_unique<wavetank::Cluster>(options); });
  if (!started.ok()) return absl::UnimplementedError(started.message());
  absl::StatusOr<std::vector<Address>> addresses = parse_addresses(cluster->kafka_bootstrap());
  if (!addresses.ok()) return addresses.status();
  return std::unique_ptr<DoubleTarget>(new DoubleTarget(std::move(cluster), *std::move(addresses)));
}

std::int64_t DoubleTarget::now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(cluster_->now().time_since_epoch()).count();
}

void DoubleTarget::sleep_ms(std::int64_t duration_ms) {
  // Members that are not heard of meanwhile are silent, as against a real broker.
  cluster_->advance(std::chrono::milliseconds(duration_ms), wavetank::Silence::counts);
}

absl::Status DoubleTarget::crash_broker(int broker) {
  return guarded([&] { cluster_->crash(broker); });
}

absl::Status DoubleTarget::restart_broker(int broker) {
  return guarded([&] { cluster_->restart(broker); });
}

absl::Status DoubleTarget::move_leader(std::string_view topic, std::int32_t partition, int broker) {
  return guarded([&] { cluster_->move_leader(std::string(topic), partition, broker); });
}

std::string DoubleTarget::finding() const {
  const std::optional<wavetank::Finding> found = cluster_->finding();
  return found ? found->check + ": " + found->message : std::string();
}

}  // namespace wt::conformance

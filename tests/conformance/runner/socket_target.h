// A cluster behind real sockets: a real Kafka, or `wavetank serve`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/conformance/runner/json_text.h"
#include "tests/conformance/runner/target.h"

namespace wt::conformance {

struct Address {
  std::string host;
  int port = 0;
};
// "127.0.0.1:9092,127.0.0.1:9093": the brokers 1, 2, …
absl::StatusOr<std::vector<Address>> parse_addresses(std::string_view text);

class SocketTarget : public Target {
 public:
  // `control` carries out "crash" or "restart" of a broker; empty when nobody can.
  using Control = std::function<absl::Status(std::string_view action, int broker)>;
  SocketTarget(std::vector<Address> brokers, Control control);
  ~SocketTarget() override;

  int broker_count() const override { return static_cast<int>(brokers_.size()); }
  std::int64_t now_ms() override;
  absl::Status send(const ConnectionId& connection, const SliceList& bytes) override;
  Reply receive(const ConnectionId& connection, std::int64_t wait_ms) override;
  void close_all() override;
  void sleep_ms(std::int64_t duration_ms) override;
  absl::Status crash_broker(int broker) override;
  absl::Status restart_broker(int broker) override;
  // By the admin requests of Kafka: a new order of replicas, then an election of the preferred leader.
  absl::Status move_leader(std::string_view topic, std::int32_t partition, int broker) override;

 private:
  struct Connection;
  absl::StatusOr<Connection*> open(const ConnectionId& id);
  absl::StatusOr<json::value> ask(int broker, std::string_view api, std::int16_t version,
                                  const json::value& request);
  absl::StatusOr<json::value> ask_partition(int broker, std::string_view topic, std::int32_t partition);
  absl::Status put_first(std::string_view topic, std::int32_t partition, const json::value& replicas,
                         int broker);
  bool has_moved(std::string_view topic, std::int32_t partition, int from, int to);

  std::vector<Address> brokers_;
  Control control_;
  std::map<ConnectionId, std::unique_ptr<Connection>> connections_;
};

}  // namespace wt::conformance

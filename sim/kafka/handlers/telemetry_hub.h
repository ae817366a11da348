// What a broker remembers of clients that send their metrics (KIP-714): who they are, what they were asked
// for, and how much came.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/controller/image.h"
#include "sim/kafka/wire/error_code.h"
#include "sim/kernel/time.h"

namespace wt::kafka {

// What the subscriptions that match a client ask of it, all together.
struct TelemetrySubscription {
  std::vector<std::string> metrics;  // sorted; "*" alone: all
  std::int32_t push_interval_ms = 300'000;
  std::int32_t id = 0;
};

// How subscriptions know a client.
struct TelemetryClient {
  Uuid instance_id;
  std::string client_id;
  std::string software_name;
  std::string software_version;
};

TelemetrySubscription subscription_of(const TelemetryClient& client, const controller::MetadataImage& image);

class TelemetryHub {
 public:
  struct Pushed {
    std::uint64_t pushes = 0;
    std::uint64_t bytes = 0;  // as they came, most often compressed
  };

  // Both answer the check that failed, or none; a refused request changes nothing but what is said here.
  ErrorCode on_get(const TelemetryClient& client, const TelemetrySubscription& subscription, TimeNs now_ns);
  ErrorCode on_push(const TelemetryClient& client, const TelemetrySubscription& subscription,
                    std::int32_t subscription_id, bool terminating, TimeNs now_ns);
  void count(std::size_t bytes) {
    ++pushed_.pushes;
    pushed_.bytes += bytes;
  }

  const Pushed& pushed() const noexcept { return pushed_; }
  std::size_t clients() const noexcept { return clients_.size(); }

 private:
  struct Client {
    std::int32_t subscription_id = 0;
    TimeNs last_get_ns = kNever;
    TimeNs last_push_ns = kNever;
    TimeNs last_seen_ns = 0;
    bool terminating = false;
  };
  static constexpr TimeNs kNever = -1;
  static constexpr std::size_t kMaxClients = 16'384;

  Client& client(const TelemetryClient& who, const TelemetrySubscription& subscription, TimeNs now_ns);

  std::map<Uuid, Client> clients_;
  Pushed pushed_;
};

}  // namespace wt::kafka

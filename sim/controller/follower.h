// MetadataFollower: the part of a broker process that belongs to the cluster.
//
// It registers with the controller, sends heartbeats, follows the metadata log with long polls,
// applies every batch to the broker's own image and tells listeners. Fault point
// `broker.metadata.apply` lies before each batch is applied: a rule there makes the broker's metadata
// stale. It registers again when the controller answers STALE_BROKER_EPOCH or has started anew.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/controller/image.h"
#include "sim/controller/requests.h"
#include "sim/faults/rules.h"
#include "sim/kernel/sync.h"
#include "sim/network/calls.h"

namespace wt::controller {

struct FollowerOptions {
  std::string cluster_id = "wavetank-cluster-00000";
  BrokerId broker = 0;
  NodeId node = 0;
  NodeId controller_node = 0;
  std::vector<Endpoint> endpoints;
  std::string rack;
  std::map<std::string, FeatureRange> features;
  BrokerProfile profile;

  DurationNs heartbeat_interval_ns = 2 * kSecond_ns;
  DurationNs fetch_wait_ns = 5 * kSecond_ns;  // how long the controller may hold a poll
  DurationNs call_timeout_ns = 3 * kSecond_ns;
  DurationNs retry_backoff_ns = 50 * kMillisecond_ns;  // doubles up to the maximum
  DurationNs retry_backoff_max_ns = kSecond_ns;
};

// Both images are complete; `batch` leads from one to the other.
class MetadataListener {
 public:
  virtual ~MetadataListener() = default;
  virtual void on_metadata(const ImagePtr& old_image, const ImagePtr& new_image,
                           const RecordBatch& batch) = 0;
  // The controller's answer to a heartbeat: may this broker lead?
  virtual void on_fenced(bool /*fenced*/) {}
};

class MetadataFollower final : public ProcessPart {
 public:
  MetadataFollower(Process& process, Calls& calls, FaultRules& rules, const FollowerOptions& options);

  void start();
  // Listeners are parts of the same process, in order of adding.
  void add_listener(MetadataListener& listener) { listeners_.push_back(&listener); }

  // Never null.
  const ImagePtr& image() const noexcept { return image_; }
  BrokerId broker() const noexcept { return options_.broker; }
  // -1 until registered.
  std::int64_t broker_epoch() const noexcept { return broker_epoch_; }
  const Uuid& incarnation() const noexcept { return incarnation_; }
  bool registered() const noexcept { return broker_epoch_ >= 0; }
  // As the controller said last.
  bool fenced() const noexcept { return fenced_; }
  // Registered, unfenced: this broker may lead.
  bool ready() const noexcept { return registered() && !fenced_; }
  // Why the controller refused the registration last; ok() when it did not.
  const Error& registration_error() const noexcept { return registration_error_; }

  // Waits until ready, or for an image that ends at `offset` or later.
  Task<void> until_ready();
  Task<void> until_offset(MetadataOffset offset);

  // Asks to be fenced, as a broker that must not lead for a while does; sent at once.
  void set_want_fence(bool want);
  // Controlled shutdown: leaders move away; returns when the controller lets the broker go.
  Task<void> shut_down();

  // The connection to the controller broke, or a controller has started: pending polls and waits are
  // given up and everything is sent again at once.
  void reconnect();

  // Sends a request to the controller. Waits and retries while the controller is known not to have
  // had it; DeadlineExceeded means that it may have taken effect. Name the request before `co_await`.
  template <class Request>
  Task<StatusOr<typename Request::Response>> ask(const Request& request, DurationNs timeout_ns) {
    const TimeNs deadline_ns = saturating_add(process_.now(), timeout_ns);
    for (DurationNs backoff_ns = options_.retry_backoff_ns;; backoff_ns = next_backoff(backoff_ns)) {
      CallOptions call = call_options(deadline_ns - process_.now());
      auto message = std::make_unique<Message<Request>>(request);
      auto answer = co_await typed_call(calls_, process_, call, std::move(message));
      if (answer.ok() || answer.status().code() != StatusCode::kUnavailable) co_return answer;
      if (saturating_add(process_.now(), backoff_ns) >= deadline_ns) co_return answer;
      co_await reconnected_.wait_until(process_.now() + backoff_ns);
    }
  }

 private:
  Task<void> register_and_beat(std::uint64_t generation);
  enum class BeatResult : std::uint8_t { answered, failed, stale_epoch };
  // False when the registration does not stand.
  Task<bool> register_once(std::uint64_t generation);
  Task<BeatResult> beat(std::uint64_t generation);
  Task<void> fetch(std::uint64_t generation);
  Task<void> apply(const BatchPtr& batch, std::uint64_t generation);
  void heard_epoch(std::int64_t controller_epoch);
  void set_fenced(bool fenced);
  // The next heartbeat goes out at once, also when one is under way.
  void want_beat();
  DurationNs next_backoff(DurationNs backoff_ns) const;
  CallOptions call_options(DurationNs timeout_ns) const;

  Process& process_;
  Calls& calls_;
  FaultRules& rules_;
  FollowerOptions options_;
  Uuid incarnation_;
  ImagePtr image_;
  std::int64_t broker_epoch_ = -1;
  std::int64_t controller_epoch_ = 0;
  bool fenced_ = true;
  bool want_fence_ = false;
  bool want_shut_down_ = false;
  bool may_shut_down_ = false;
  bool beat_wanted_ = false;
  Error registration_error_;
  std::uint64_t generation_ = 0;  // of the connection: older tasks end when they wake
  std::vector<MetadataListener*> listeners_;
  WaitQueue changed_;    // image, epoch or fencing
  WaitQueue beat_soon_;  // something that the next heartbeat should say
  WaitQueue reconnected_;
};

}  // namespace wt::controller

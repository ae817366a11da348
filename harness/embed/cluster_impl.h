// What stands behind the public wavetank::Cluster: a session, and the rules of the public interface — errors
// are thrown, findings stick, predicates must not call.
#pragma once

#include <atomic>

#include "harness/embed/session.h"
#include "sim/cluster/json_fields.h"
#include "wavetank/cluster.h"

namespace wavetank {
inline namespace v1 {
namespace detail {

namespace json = wt::cluster::json;

class ClusterImpl {
 public:
  explicit ClusterImpl(const Options& options);
  ClusterImpl(const ClusterImpl&) = delete;
  ClusterImpl& operator=(const ClusterImpl&) = delete;
  // Prints a finding that nobody has read.
  ~ClusterImpl();

  wt::harness::Session& session() const { return *session_; }
  const Options& options() const noexcept { return options_; }

  // The answer's object; an error in it is thrown.
  json::object tell(const json::object& request);
  json::object ask(const json::object& question);
  json::object ask(const char* what);
  // For what has no JSON: throws from inside a predicate, and after a finding unless `looking`.
  void check_callable(bool looking);
  [[noreturn]] static void raise(const wt::Status& status);

  bool wait_until(const std::function<bool(const View&)>& predicate, Duration timeout, bool reports);
  std::optional<Finding> finding(bool read);

 private:
  Options options_;
  std::unique_ptr<wt::harness::Session> session_;
  std::atomic<bool> finding_read_ = false;
};

// The simulation as a predicate sees it, on the driver's thread.
class ViewImpl {
 public:
  explicit ViewImpl(wt::harness::SimulatedCluster& simulated) : simulated_(simulated), view_(*this) {}
  ViewImpl(const ViewImpl&) = delete;
  ViewImpl& operator=(const ViewImpl&) = delete;
  wt::cluster::Cluster& cluster() noexcept { return simulated_.cluster(); }
  const View& view() const noexcept { return view_; }

 private:
  wt::harness::SimulatedCluster& simulated_;
  View view_;
};

TimePoint to_time_point(wt::TimeNs time_ns);
// Saturated, and not negative.
wt::DurationNs to_duration_ns(Duration duration);
Partition to_partition(const wt::cluster::PartitionView& view);
Group to_group(const wt::cluster::GroupView& view);
BrokerStatus to_status(wt::cluster::BrokerStatus status);
wt::harness::SessionOptions to_session_options(const Options& options);

}  // namespace detail
}  // namespace v1
}  // namespace wavetank

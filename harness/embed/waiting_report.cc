// Session::waiting_report: what a person needs to see why nothing happens.
#include "harness/embed/session.h"

namespace wt::harness {
namespace {

// "+4.250s"
std::string seconds(DurationNs duration_ns) {
  const std::int64_t whole_ms = duration_ns / kMillisecond_ns;
  std::string text = std::to_string(whole_ms / 1000) + ".";
  const std::string part = std::to_string(whole_ms % 1000);
  return text + std::string(3 - part.size(), '0') + part + " s";
}

void report_brokers(cluster::Cluster& cluster, std::string& out) {
  if (cluster.controller() == nullptr) out += "  the controller is down\n";
  for (const std::int32_t id : cluster.broker_ids()) {
    const cluster::BrokerStatus status = cluster.status(id);
    if (status == cluster::BrokerStatus::down) out += "  broker " + std::to_string(id) + " is down\n";
    if (status == cluster::BrokerStatus::paused) out += "  broker " + std::to_string(id) + " is paused\n";
  }
}

void report_partitions(cluster::Cluster& cluster, std::string& out) {
  constexpr int kMost = 10;
  int reported = 0;
  const controller::ImagePtr image = cluster.image();
  if (image == nullptr) return;
  image->for_each_topic([&](const controller::TopicState& topic) {
    for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
      const auto view = cluster.partition(topic.name, number);
      if (!view || view->writable || ++reported > kMost) continue;
      out += "  " + topic.name + "-" + std::to_string(number);
      out += view->leader < 0
                 ? " has no leader\n"
                 : " waits for broker " + std::to_string(view->leader) + " to open it as its leader\n";
    }
  });
  if (reported > kMost) out += "  … and " + std::to_string(reported - kMost) + " more partitions\n";
}

void report_rules(cluster::Cluster& cluster, std::string& out) {
  for (const FaultRules::RuleState& state : cluster.rules().all()) {
    if (state.holding > 0) {
      out += "  rule " + std::to_string(state.id) + " (" + state.rule.point + ") holds " +
             std::to_string(state.holding) + " until it is released\n";
    } else if (state.hits == 0) {
      out += "  rule " + std::to_string(state.id) + " (" + state.rule.point + ") was never hit; " +
             std::to_string(state.passes) + " passes matched its filters\n";
    }
  }
}

void report_parked(Kernel& kernel, std::string& out) {
  constexpr int kMost = 10;
  int reported = 0;
  for (const Kernel::Parked& parked : kernel.parked()) {
    if (++reported > kMost) break;
    out += "  a request of connection " + std::to_string(parked.tag) + " waits, at most " +
           seconds(parked.due_ns - kernel.now()) + " more\n";
  }
}

}  // namespace

std::string Session::waiting_report() {
  StatusOr<std::string> report = driver_->call([this] {
    cluster::Cluster& cluster = simulated_.cluster();
    Kernel& kernel = cluster.kernel();
    std::string out = "virtual time is " + seconds(kernel.now() - kernel.epoch()) + " after the start";
    const TimeNs due_ns = kernel.next_due();
    out += due_ns == kNever_ns ? "; nothing is scheduled\n"
                               : "; the next event is due in " + seconds(due_ns - kernel.now()) + "\n";
    if (kernel.finding()) out += "  an invariant was violated: " + kernel.finding()->message + "\n";
    report_brokers(cluster, out);
    report_partitions(cluster, out);
    report_rules(cluster, out);
    report_parked(kernel, out);
    const std::size_t connections = cluster.streams().open_connections();
    out += "  " + std::to_string(connections) +
           (connections == 1 ? " client connection is" : " client connections are") + " open\n";
    if (options_.clock == ClockMode::frozen) out += "  the clock is frozen: only advance() moves it\n";
    return out;
  });
  return report.ok() ? std::move(*report) : std::string(message_of(report.status()));
}

}  // namespace wt::harness

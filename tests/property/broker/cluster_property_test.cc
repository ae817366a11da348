// Idempotent and plain producers and a consumer, while brokers crash, sleep and come back, leaders move,
// answers and requests are lost, storage calls fail and links are slow. At the end:
//   - every acknowledged record is in the log: once from an idempotent producer, at least once from a plain
//   one;
//   - the records of a producer are in the order in which it sent them;
//   - the consumer saw the log from its beginning, without gap and without repetition;
//   - at no time did the log end or the high watermark go back, or an acknowledged record lie above it.
// The same run again has the same hash.
#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <set>

#include "tests/property/broker/workload.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::test {
namespace {

constexpr std::int32_t kBrokers = 3;
constexpr DurationNs kEnd_ns = 10 * kMinute_ns;

enum class Trouble : std::uint8_t {
  crash,
  restart,
  move,
  rule,
  clear_rules,
  pass_time,
  controller,
  pause,
  resume,
  other_topic
};

struct Step {
  Trouble trouble;
  std::int32_t broker;
  std::size_t number;
};

struct Run {
  std::uint64_t seed;
  bool slow_links;
  bool random_order;
  std::int32_t min_in_sync;
  std::vector<Step> steps;
};

constexpr const char* kRequestPoints[] = {"kafka.request.received", "kafka.request.answered"};
constexpr FaultAction kRequestActions[] = {FaultAction::drop_request, FaultAction::drop_answer,
                                           FaultAction::close_after, FaultAction::close, FaultAction::delay};
constexpr const char* kStoragePoints[] = {
    "append.wal.durable",    "append.intent.written", "append.head.before",
    "append.head.committed", "append.index.written",  "open.head.read",
    "open.writable",         "broker.derived.before", "kafka.produce.appended"};
constexpr FaultAction kStorageActions[] = {FaultAction::crash, FaultAction::delay, FaultAction::crash,
                                           FaultAction::move_leader};
constexpr const char* kCallPoints[] = {"metadata.cas", "objects.put", "metadata.get", "objects.get"};
constexpr FaultAction kCallActions[] = {FaultAction::refuse, FaultAction::lose_answer,
                                        FaultAction::lose_request, FaultAction::delay};

template <class T, std::size_t N>
const T& pick(const T (&list)[N], std::size_t number) {
  return list[number % N];
}

FaultRule rule_of(const Step& step) {
  FaultRule rule;
  const std::size_t which = step.number / 3;
  switch (step.number % 3) {
    case 0:
      rule.point = pick(kRequestPoints, which);
      rule.action = pick(kRequestActions, which / 2);
      if (rule.action == FaultAction::drop_request && which % 2 == 1) rule.action = FaultAction::drop_answer;
      break;
    case 1:
      rule.point = pick(kStoragePoints, which);
      rule.action = pick(kStorageActions, which / 9);
      rule.target_broker = -1;
      break;
    default:
      rule.point = pick(kCallPoints, which);
      rule.action = pick(kCallActions, which / 4);
  }
  rule.delay_ns = (1 + static_cast<DurationNs>(which % 7)) * 100 * kMillisecond_ns;
  rule.skip = which % 3;
  rule.count = 1;
  return rule;
}

cluster::ClusterOptions options_of(const Run& run) {
  cluster::ClusterOptions options;
  options.seed = run.seed;
  options.brokers = kBrokers;
  if (run.slow_links) options.link_latency = {kMillisecond_ns, 5 * kMillisecond_ns, 200'000};
  if (run.random_order) options.ready.order = ReadyOrder::random;
  return options;
}

class Chaos {
 public:
  explicit Chaos(const Run& run) : run_(run), sim_(options_of(run)) {}

  std::uint64_t play() {
    const std::string created = sim_.do_command(
        R"({"do":"create_topic","name":"t","partitions":1,"configs":{"min.insync.replicas":")" +
        std::to_string(run_.min_in_sync) + R"("}})");
    RC_ASSERT(created.find("error") == std::string::npos);
    sim_.run(kSecond_ns);
    start_clients();
    for (const Step& step : run_.steps) {
      act(step);
      pass(50 * kMillisecond_ns);
    }
    calm_down();
    check_log();
    return sim_.cluster.kernel().trace().hash();
  }

 private:
  void start_clients() {
    Process& client = sim_.cluster.kernel().create_process("client");
    sim_.cluster.links().attach(sim_.cluster.outside_node(), client);
    workload_ = std::make_unique<Workload>(sim_.cluster, client);
    for (int i = 0; i < 4; ++i) {
      ProducerPlan& plan = plans_.emplace_back();
      plan.name = (i % 2 == 0 ? "once" : "plain") + std::to_string(i);
      plan.topic = "t";
      plan.idempotent = i % 2 == 0;
      plan.batches = 15;
      if (i == 2) plan.in_flight = 5;
    }
    reports_.resize(plans_.size());
    for (std::size_t i = 0; i < plans_.size(); ++i) client.spawn(workload_->produce(plans_[i], reports_[i]));
    client.spawn(workload_->consume(topic_, consumer_, stop_));
  }

  void act(const Step& step) {
    cluster::Cluster& cluster = sim_.cluster;
    switch (step.trouble) {
      case Trouble::crash:
        cluster.kernel().guarded([&] { cluster.crash(step.broker); });
        break;
      case Trouble::restart:
        cluster.kernel().guarded([&] { cluster.restart(step.broker); });
        break;
      case Trouble::move:
        sim_.do_command(R"({"do":"move_leader","topic":"t","partition":0,"to":)" +
                        std::to_string(step.broker) + "}");
        break;
      case Trouble::rule:
        RC_ASSERT(cluster.rules().add(rule_of(step)).ok());
        break;
      case Trouble::clear_rules:
        cluster.rules().remove_all();
        break;
      case Trouble::pass_time:
        pass(static_cast<DurationNs>(step.number % 30) * 100 * kMillisecond_ns);
        break;
      case Trouble::pause:
        cluster.pause(step.broker);
        break;
      case Trouble::resume:
        cluster.resume(step.broker);
        break;
      case Trouble::other_topic:
        sim_.do_command(step.number % 2 == 0 ? R"({"do":"create_topic","name":"u","partitions":3})"
                                             : R"({"do":"delete_topic","name":"u"})");
        break;
      case Trouble::controller:
        cluster.kernel().guarded([&] { cluster.restart_controller(); });
        break;
    }
    RC_ASSERT(sim_.finding() == "");
  }

  // Lets time pass in small steps, and looks.
  void pass(DurationNs duration_ns) {
    const TimeNs end_ns = sim_.cluster.kernel().now() + duration_ns;
    while (sim_.cluster.kernel().now() < end_ns) {
      sim_.run(std::min(10 * kMillisecond_ns, end_ns - sim_.cluster.kernel().now()));
      look();
    }
  }
  void look() {
    RC_ASSERT(sim_.finding() == "");
    const auto view = sim_.cluster.partition("t", 0);
    if (!view || !view->writable) return;
    RC_ASSERT(view->log_start <= view->lso && view->lso <= view->hw && view->hw <= view->leo);
    RC_ASSERT(view->leo >= seen_end_);
    RC_ASSERT(view->hw >= seen_watermark_);
    seen_end_ = view->leo;
    seen_watermark_ = view->hw;
    for (const ProducerReport& report : reports_) {
      RC_ASSERT(report.fatal == kafka::ErrorCode::kNone);
      for (const std::int64_t offset : report.offsets) RC_ASSERT(offset < view->hw);
    }
  }

  bool all_done() const {
    for (const ProducerReport& report : reports_) {
      if (!report.done) return false;
    }
    return true;
  }

  void calm_down() {
    cluster::Cluster& cluster = sim_.cluster;
    cluster.rules().remove_all();
    for (std::int32_t broker = 1; broker <= kBrokers; ++broker) {
      cluster.resume(broker);
      if (cluster.status(broker) == cluster::BrokerStatus::down) cluster.restart(broker);
    }
    const TimeNs limit_ns = cluster.kernel().now() + kEnd_ns;
    while (!all_done() && cluster.kernel().now() < limit_ns) pass(kSecond_ns);
    for (const ProducerReport& report : reports_) {
      if (!report.done)
        RC_FAIL(std::to_string(report.offsets.size()) + " acknowledged after " +
                std::to_string(report.attempts) + " attempts\n" + sim_.cluster.kernel().last_events_text(40));
    }
    pass(3 * kSecond_ns);
    // A broker that died while the controller was away comes back when its old session is over.
    for (int i = 0; i < 30 && !cluster.settled(); ++i) pass(kSecond_ns);
    stop_ = true;
    pass(3 * kSecond_ns);
    if (!cluster.settled()) {
      RC_FAIL(sim_.commands.query(R"({"get":"status"})") + sim_.commands.query(R"({"get":"brokers"})") +
              sim_.commands.query(R"({"get":"partition","topic":"t","partition":0})"));
    }
  }

  std::vector<Workload::Logged> read_log() {
    std::vector<Workload::Logged> log;
    auto connection = sim_.connect(sim_.leader("t"));
    for (;;) {
      const std::int64_t next = log.empty() ? 0 : log.back().offset + 1;
      const auto answer =
          sim_.call<kafka::FetchResponse>(connection, 1, 12, KafkaSim::fetch_request("t", next, 0));
      RC_ASSERT(answer.has_value());
      const auto& partition = answer->responses.at(0).partitions.at(0);
      RC_ASSERT(partition.error_code == kafka::ErrorCode::kNone);
      if (partition.records->empty()) return log;
      Workload::collect(*partition.records, next, log);
    }
  }

  void check_log() {
    const std::vector<Workload::Logged> log = read_log();
    RC_ASSERT(static_cast<std::int64_t>(log.size()) == sim_.cluster.partition("t", 0)->hw);
    std::map<std::string, std::vector<std::int64_t>> places;
    for (const Workload::Logged& record : log) places[record.value].push_back(record.offset);
    for (std::size_t i = 0; i < plans_.size(); ++i) check_producer(plans_[i], reports_[i], places);
    RC_ASSERT(!consumer_.skipped);
    RC_ASSERT(consumer_.values.size() == log.size());
    for (std::size_t i = 0; i < log.size(); ++i) RC_ASSERT(consumer_.values[i] == log[i].value);
  }

  static void check_producer(const ProducerPlan& plan, const ProducerReport& report,
                             const std::map<std::string, std::vector<std::int64_t>>& places) {
    std::int64_t last_first = -1;
    for (std::int32_t i = 0; i < plan.batches; ++i) {
      const auto found = places.find(plan.name + "-" + std::to_string(i));
      RC_ASSERT(found != places.end());
      if (plan.idempotent) RC_ASSERT(found->second.size() == 1U);
      // What was told is a place where it is.
      const std::int64_t told = report.offsets.at(static_cast<std::size_t>(i));
      RC_ASSERT(std::find(found->second.begin(), found->second.end(), told) != found->second.end());
      RC_ASSERT(found->second.front() > last_first);
      last_first = found->second.front();
    }
  }

  const Run& run_;
  KafkaSim sim_;
  const std::string topic_ = "t";
  std::vector<ProducerPlan> plans_;
  std::vector<ProducerReport> reports_;
  ConsumerReport consumer_;
  bool stop_ = false;
  std::unique_ptr<Workload> workload_;
  std::int64_t seen_end_ = 0;
  std::int64_t seen_watermark_ = 0;
};

void showValue(const Run& run, std::ostream& out) {
  out << "seed " << run.seed << (run.slow_links ? ", slow links" : "")
      << (run.random_order ? ", random order" : "") << ", min in sync " << run.min_in_sync;
  for (const Step& step : run.steps) {
    out << "\n  " << static_cast<int>(step.trouble) << " broker " << step.broker << " number " << step.number;
  }
}

rc::Gen<Run> arbitrary_run() {
  using rc::gen::arbitrary;
  using rc::gen::element;
  using rc::gen::inRange;
  const auto step = rc::gen::apply(
      [](Trouble trouble, std::int32_t broker, std::size_t number) {
        return Step{trouble, broker, number};
      },
      element(Trouble::crash, Trouble::restart, Trouble::restart, Trouble::move, Trouble::move, Trouble::rule,
              Trouble::rule, Trouble::rule, Trouble::clear_rules, Trouble::pass_time, Trouble::pass_time,
              Trouble::controller, Trouble::pause, Trouble::resume, Trouble::other_topic),
      inRange(1, kBrokers + 1), inRange<std::size_t>(0, 1000));
  return rc::gen::apply(
      [](std::uint64_t seed, bool slow_links, bool random_order, std::int32_t min_in_sync,
         std::vector<Step> steps) {
        return Run{seed, slow_links, random_order, min_in_sync, std::move(steps)};
      },
      arbitrary<std::uint64_t>(), arbitrary<bool>(), arbitrary<bool>(), inRange(1, 3),
      rc::gen::container<std::vector<Step>>(step));
}

}  // namespace

TEST_CASE("acknowledged records survive whatever happens, in order, and once where that was promised") {
  const bool ok = rc::check("survive", [] {
    const Run run = *arbitrary_run();
    const std::uint64_t hash = Chaos(run).play();
    if (run.seed % 4 == 0) RC_ASSERT(Chaos(run).play() == hash);
  });
  CHECK(ok);
}

}  // namespace wt::test

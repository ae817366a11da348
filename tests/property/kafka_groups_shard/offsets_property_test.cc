// Random commits, deletions, crashes, moves and faults against a model of committed offsets:
//   - what was acknowledged is there, as it was acknowledged last;
//   - what was not acknowledged happened as a whole or not at all;
//   - nothing else is there, on whichever broker coordinates next.
// The same steps run twice give the same trace.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups/group_sim.h"

namespace {

using namespace wt;
using namespace wt::kafka;
using test::GroupSim;

enum class Kind : std::uint8_t { commit, commit_with_fault, remove_group, remove_offset, crash, move, wait };
constexpr Kind kKinds[] = {Kind::commit,
                           Kind::commit_with_fault,
                           Kind::commit_with_fault,
                           Kind::remove_group,
                           Kind::remove_offset,
                           Kind::crash,
                           Kind::move,
                           Kind::wait};

struct Step {
  Kind kind;
  std::uint8_t group;
  std::uint8_t partition;
  std::uint8_t number;
};
void showValue(const Step& step, std::ostream& out) {
  out << "{" << int(step.kind) << ", " << int(step.group) << ", " << int(step.partition) << ", "
      << int(step.number) << "}";
}

rc::Gen<Step> any_step() {
  return rc::gen::map(rc::gen::arbitrary<std::array<std::uint8_t, 4>>(), [](std::array<std::uint8_t, 4> raw) {
    return Step{kKinds[raw[0] % std::size(kKinds)], static_cast<std::uint8_t>(raw[1] % 3),
                static_cast<std::uint8_t>(raw[2] % 2), raw[3]};
  });
}

constexpr const char* kPoints[] = {
    "group.records.prepared", "append.wal.before",      "append.wal.durable",     "append.intent.written",
    "append.head.before",     "append.head.committed",  "broker.derived.before",  "group.records.appended",
    "group.answer.before",    "kafka.request.answered", "kafka.request.received",
};
const std::string kGroups[] = {"g", "h", "i"};

class Run {
 public:
  Run() : sim_(options()) {}

  void step(const Step& step) {
    const std::string& group = kGroups[step.group];
    if (step.kind == Kind::commit) commit(group, step);
    if (step.kind == Kind::commit_with_fault) commit_with_fault(group, step);
    if (step.kind == Kind::remove_group) remove_group(group);
    if (step.kind == Kind::remove_offset) remove_offset(group, step.partition);
    if (step.kind == Kind::crash) crash(sim_.coordinator_of(group));
    if (step.kind == Kind::move) move(group, step.number % 3 + 1);
    if (step.kind == Kind::wait) sim_.run(step.number * kSecond_ns);
    sim_.settle();
    check();
  }
  std::uint64_t hash() {
    RC_ASSERT(sim_.finding() == "");
    return sim_.cluster.kernel().trace().hash();
  }

 private:
  static cluster::ClusterOptions options() { return test::group_cluster(3, 2); }

  // Both partitions of the topic, or one.
  OffsetCommitRequest request_of(const std::string& group, const Step& step) {
    ++next_;
    std::vector<std::pair<std::int32_t, std::int64_t>> offsets{{step.partition, next_}};
    if (step.number % 2 == 0) offsets.emplace_back(1 - step.partition, next_);
    return GroupSim::commit_request(group, "orders", offsets);
  }
  void apply(const OffsetCommitRequest& request, GroupSim::Offsets& offsets) {
    for (const auto& partition : request.topics[0].partitions) {
      offsets[{"orders", partition.partition_index}] = partition.committed_offset;
    }
  }
  void commit(const std::string& group, const Step& step) {
    const auto request = request_of(group, step);
    const auto answer = sim_.commit(request, sim_.coordinator_of(group));
    RC_ASSERT(answer.has_value());
    RC_ASSERT(answer->topics[0].partitions[0].error_code == ErrorCode::kNone);
    apply(request, model_[group]);
  }
  void commit_with_fault(const std::string& group, const Step& step) {
    FaultRule rule;
    rule.point = kPoints[step.number % std::size(kPoints)];
    rule.action = FaultAction::crash;
    rule.count = 1;
    const bool request_point = rule.point.starts_with("kafka.");
    if (request_point) {
      rule.api_key = 8;
    } else {
      rule.topic = "__consumer_offsets";
    }
    RC_ASSERT(sim_.cluster.rules().add(rule).ok());
    const auto request = request_of(group, step);
    const auto answer = sim_.commit(request, sim_.coordinator_of(group));
    sim_.cluster.rules().remove_all();
    GroupSim::Offsets after = model_[group];
    apply(request, after);
    sim_.settle();
    const auto seen = sim_.offsets_of(group);
    RC_ASSERT(seen.has_value());
    const bool acknowledged = answer && answer->topics[0].partitions[0].error_code == ErrorCode::kNone;
    RC_ASSERT(*seen == after || (!acknowledged && *seen == model_[group]));
    model_[group] = *seen;
    restart_all();
  }
  void remove_group(const std::string& group) {
    const ErrorCode code = sim_.delete_group(group);
    const bool known = !model_[group].empty();
    if (known) RC_ASSERT(code == ErrorCode::kNone);
    model_[group].clear();
  }
  void remove_offset(const std::string& group, std::int32_t partition) {
    OffsetDeleteRequest request;
    request.group_id = group;
    auto& topic = request.topics.emplace_back();
    topic.name = "orders";
    topic.partitions.emplace_back().partition_index = partition;
    auto& connection = sim_.connection_to(sim_.coordinator_of(group));
    const auto answer = sim_.call<OffsetDeleteResponse>(connection, 47, 0, request);
    RC_ASSERT(answer.has_value());
    if (!model_[group].empty()) RC_ASSERT(answer->error_code == ErrorCode::kNone);
    model_[group].erase({"orders", partition});
  }
  void crash(std::int32_t broker) {
    sim_.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(broker) + "}");
    sim_.settle();
    restart_all();
  }
  void restart_all() {
    for (const std::int32_t id : sim_.cluster.broker_ids()) {
      if (sim_.cluster.status(id) != cluster::BrokerStatus::down) continue;
      sim_.do_command(R"({"do":"restart_broker","broker":)" + std::to_string(id) + "}");
    }
    sim_.settle();
  }
  void move(const std::string& group, std::int32_t to) {
    sim_.do_command(R"({"do":"move_leader","topic":"__consumer_offsets","partition":)" +
                    std::to_string(sim_.partition_of(group)) + R"(,"to":)" + std::to_string(to) + "}");
  }
  void check() {
    for (const std::string& group : kGroups) {
      const auto seen = sim_.offsets_of(group);
      RC_ASSERT(seen.has_value());
      RC_ASSERT(*seen == model_[group]);
    }
  }

  GroupSim sim_;
  std::map<std::string, GroupSim::Offsets> model_;
  std::int64_t next_ = 0;
};

std::uint64_t run_all(const std::vector<Step>& steps) {
  Run run;
  for (const Step& step : steps) run.step(step);
  return run.hash();
}

}  // namespace

TEST_CASE("committed offsets are what clients were told, whatever fails") {
  CHECK(rc::check([] {
    const auto steps = *rc::gen::container<std::vector<Step>>(any_step());
    const std::uint64_t first = run_all(steps);
    RC_ASSERT(run_all(steps) == first);
  }));
}

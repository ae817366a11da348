// The coordinator dies, loses its place or its storage at every step of a commit.
#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups/group_sim.h"

using namespace wt;
using namespace wt::kafka;
using test::group_cluster;
using test::GroupSim;

namespace {

const GroupSim::Offsets kBefore{{{"orders", 0}, 1}, {{"orders", 1}, 1}};
const GroupSim::Offsets kAfter{{{"orders", 0}, 2}, {{"orders", 1}, 2}};

// Every step of the way of a commit, the coordinator's own and those of the log under it.
constexpr std::string_view kSteps[] = {
    "group.records.prepared", "append.admitted",        "append.lane.entered",   "append.wal.before",
    "append.wal.durable",     "append.protected",       "append.intent.written", "append.head.before",
    "append.head.committed",  "append.index.written",   "broker.derived.before", "group.records.appended",
    "group.answer.before",    "kafka.request.received",
};

struct Prepared {
  GroupSim sim;
  std::int32_t broker = -1;

  explicit Prepared(std::uint64_t seed = 1) : sim(seeded(seed)) {
    const auto request = GroupSim::commit_request("g", "orders", {{0, 1}, {1, 1}});
    broker = sim.coordinator_of("g");
    const auto answer = sim.commit(request, broker);
    REQUIRE(answer);
    REQUIRE(answer->topics[0].partitions[0].error_code == ErrorCode::kNone);
  }
  static cluster::ClusterOptions seeded(std::uint64_t seed) {
    cluster::ClusterOptions options = group_cluster();
    options.seed = seed;
    return options;
  }
  FaultRule rule(std::string_view point, FaultAction action) const {
    FaultRule made;
    made.point = point;
    made.action = action;
    made.broker = broker;
    made.count = 1;
    if (!made.point.starts_with("kafka.")) made.topic = "__consumer_offsets";
    return made;
  }
  // The code of the first partition, the same as that of the second; nothing without an answer.
  std::optional<ErrorCode> commit_two() {
    const auto request = GroupSim::commit_request("g", "orders", {{0, 2}, {1, 2}});
    const auto answer = sim.commit(request, broker);
    if (!answer) return std::nullopt;
    CHECK(answer->topics[0].partitions[0].error_code == answer->topics[0].partitions[1].error_code);
    return answer->topics[0].partitions[0].error_code;
  }
};

}  // namespace

TEST_CASE("a commit that was acknowledged survives a crash at any step, another one is all or nothing") {
  for (const std::string_view step : kSteps) {
    CAPTURE(std::string(step));
    Prepared prepared;
    GroupSim& sim = prepared.sim;
    const auto rule = sim.cluster.rules().add(prepared.rule(step, FaultAction::crash));
    REQUIRE(rule.ok());
    const auto code = prepared.commit_two();
    CHECK_FALSE(code);
    CHECK(sim.cluster.rules().state(*rule)->hits == 1);
    sim.settle();
    CHECK(sim.coordinator_of("g") != prepared.broker);
    const auto offsets = sim.offsets_of("g");
    REQUIRE(offsets);
    CHECK((*offsets == kBefore || *offsets == kAfter));
    // From there it goes on.
    CHECK(sim.commit("g", "orders", 3) == ErrorCode::kNone);
    CHECK(sim.offsets_of("g")->at({"orders", 0}) == 3);
    CHECK(sim.finding() == "");
  }
}

TEST_CASE("what was durable before the crash is there, and what was only prepared is not") {
  for (const bool durable : {false, true}) {
    Prepared prepared;
    GroupSim& sim = prepared.sim;
    const auto point = durable ? "group.records.appended" : "group.records.prepared";
    REQUIRE(sim.cluster.rules().add(prepared.rule(point, FaultAction::crash)).ok());
    CHECK_FALSE(prepared.commit_two());
    sim.settle();
    CHECK(sim.offsets_of("g") == (durable ? kAfter : kBefore));
  }
}

TEST_CASE("a commit that meets a new coordinator is refused, whatever became of its records") {
  for (const std::string_view step : {"group.records.prepared", "group.records.appended"}) {
    Prepared prepared;
    GroupSim& sim = prepared.sim;
    const auto rule = sim.cluster.rules().add(prepared.rule(step, FaultAction::hold));
    REQUIRE(rule.ok());
    auto& connection = sim.connection_to(prepared.broker);
    sim.send(connection, 8, 8, GroupSim::commit_request("g", "orders", {{0, 2}, {1, 2}}));
    sim.run(kMillisecond_ns);
    REQUIRE(sim.cluster.rules().state(*rule)->holding == 1);
    const std::int32_t to = prepared.broker % 3 + 1;
    sim.do_command(R"({"do":"move_leader","topic":"__consumer_offsets","partition":)" +
                   std::to_string(sim.partition_of("g")) + R"(,"to":)" + std::to_string(to) + "}");
    sim.settle();
    REQUIRE(sim.coordinator_of("g") == to);
    const auto answer = sim.receive_as<OffsetCommitResponse>(connection, 8, 8);
    REQUIRE(answer);
    CHECK(answer->topics[0].partitions[0].error_code == ErrorCode::kNotCoordinator);
    CHECK(sim.offsets_of("g") == (step == "group.records.appended" ? kAfter : kBefore));
    sim.cluster.rules().remove(*rule);
    sim.run(kSecond_ns);
    CHECK(sim.offsets_of("g") == (step == "group.records.appended" ? kAfter : kBefore));
    CHECK(sim.finding() == "");
  }
}

TEST_CASE("an append of unknown outcome is COORDINATOR_NOT_AVAILABLE, then the log tells what became of it") {
  bool seen_unknown = false;
  for (std::uint64_t skip = 0; skip < 4; ++skip) {
    CAPTURE(skip);
    Prepared prepared;
    GroupSim& sim = prepared.sim;
    sim.lose_outcome_after(skip);
    const auto code = prepared.commit_two();
    if (code == ErrorCode::kCoordinatorNotAvailable) {
      seen_unknown = true;
      const auto again = sim.commit("g", "orders", 7);
      CHECK(again == ErrorCode::kCoordinatorLoadInProgress);
    }
    sim.cluster.rules().remove_all();
    sim.run(kMinute_ns);
    sim.settle();
    const auto offsets = sim.offsets_of("g");
    REQUIRE(offsets);
    CHECK((*offsets == kAfter || (code != ErrorCode::kNone && *offsets == kBefore)));
    CHECK(sim.commit("g", "orders", 9) == ErrorCode::kNone);
    // A new coordinator, which has only the log, says the same.
    sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(sim.coordinator_of("g")) + "}");
    sim.settle();
    CHECK(sim.offsets_of("g")->at({"orders", 0}) == 9);
    CHECK(sim.offsets_of("g")->at({"orders", 1}) == offsets->at({"orders", 1}));
    CHECK(sim.finding() == "");
  }
  CHECK(seen_unknown);
}

TEST_CASE("while the log is read, clients are told to wait") {
  Prepared prepared;
  GroupSim& sim = prepared.sim;
  FaultRule slow;
  slow.point = "objects.get";
  slow.action = FaultAction::delay;
  slow.delay_ns = 5 * kSecond_ns;
  REQUIRE(sim.cluster.rules().add(slow).ok());
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(prepared.broker) + "}");
  ErrorCode code = ErrorCode::kNone;
  bool waited = false;
  for (int i = 0; i < 100; ++i) {
    const std::int32_t now = sim.coordinator_of("g");
    if (now != prepared.broker && now >= 0) {
      code = sim.commit("g", "orders", 4).value_or(ErrorCode::kUnknownServerError);
      waited = waited || code == ErrorCode::kCoordinatorLoadInProgress;
      if (code == ErrorCode::kNone) break;
    }
    sim.run(kSecond_ns);
  }
  CHECK(waited);
  CHECK(code == ErrorCode::kNone);
  CHECK(sim.offsets_of("g")->at({"orders", 1}) == 1);
}

TEST_CASE("too few replicas in sync: nothing is written, and the coordinator is not available") {
  Prepared prepared;
  GroupSim& sim = prepared.sim;
  sim.do_command(
      R"({"do":"set_configs","type":"topic","name":"__consumer_offsets","configs":{"min.insync.replicas":"3"}})");
  std::int32_t other = prepared.broker % 3 + 1;
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(other) + "}");
  sim.settle();
  CHECK(prepared.commit_two() == ErrorCode::kCoordinatorNotAvailable);
  CHECK(sim.offsets_of("g") == kBefore);
  sim.do_command(R"({"do":"restart_broker","broker":)" + std::to_string(other) + "}");
  sim.settle();
  CHECK(prepared.commit_two() == ErrorCode::kNone);
  CHECK(sim.offsets_of("g") == kAfter);
}

TEST_CASE("the same seed gives the same run") {
  const auto run = [] {
    Prepared prepared(7);
    GroupSim& sim = prepared.sim;
    prepared.commit_two();
    sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(prepared.broker) + "}");
    sim.settle();
    sim.offsets_of("g");
    sim.run(kDay_ns);
    return sim.cluster.kernel().trace().hash();
  };
  CHECK(run() == run());
}

TEST_CASE("groups outlive their coordinator also where new topics have a single copy") {
  cluster::ClusterOptions options = group_cluster();
  options.default_replication_factor = 1;
  GroupSim sim(options);
  REQUIRE(sim.commit("g", "orders", 7) == ErrorCode::kNone);
  const std::int32_t dead = sim.coordinator_of("g");
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(dead) + "}");
  sim.settle();
  CHECK(sim.coordinator_of("g") != dead);
  CHECK(sim.coordinator_of("g") >= 0);
  CHECK(sim.commit("g", "orders", 8) == ErrorCode::kNone);
}

TEST_CASE("the coordinators' log has no more copies than there can be, and as many as it is told to") {
  const auto copies = [](const cluster::ClusterOptions& options) {
    GroupSim sim(options);
    return sim.cluster.partition("__consumer_offsets", 0)->replicas.size();
  };
  CHECK(copies(group_cluster(1)) == 1);
  CHECK(copies(group_cluster(2)) == 2);
  CHECK(copies(group_cluster(4)) == 3);
  cluster::ClusterOptions told = group_cluster(4);
  told.group_configs["offsets.topic.replication.factor"] = 2;
  CHECK(copies(told) == 2);
  cluster::ClusterOptions single = group_cluster();
  single.single_replica = true;
  CHECK(copies(single) == 1);
}

// What a shard promises to groups: timers, tickets, and the order of things.
#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups/group_sim.h"

using namespace wt;
using namespace wt::kafka;
using test::group_cluster;
using test::GroupSim;

namespace {

// Counts what it is told.
struct Seen {
  std::vector<std::string> expired;  // member
  std::vector<ErrorCode> failures;
  ErrorCode closed_with = ErrorCode::kNone;
  std::vector<Ticket> waiting;
};

class ProbeGroup final : public Group {
 public:
  ProbeGroup(std::string id, Seen& seen) : id_(std::move(id)), seen_(seen) {}
  const std::string& id() const override { return id_; }
  GroupKind kind() const override { return GroupKind::classic; }
  std::string_view state_name() const override { return "Stable"; }
  std::string_view protocol_type() const override { return "probe"; }
  bool is_empty() const override { return false; }
  std::vector<MemberView> member_views() const override { return {{"m-1", "i-1", "client"}}; }
  ErrorCode check_commit(const Committer&) override { return ErrorCode::kNone; }
  ErrorCode check_fetch(std::string_view, std::int32_t) const override { return ErrorCode::kNone; }
  bool subscribes_to(std::string_view topic) const override { return topic == "orders"; }
  ErrorCode check_delete() const override { return ErrorCode::kNonEmptyGroup; }
  void delete_records(std::vector<GroupRecord>&) const override {}
  void on_timer(const GroupTimer& timer, Outcome&) override { seen_.expired.push_back(timer.member); }
  void on_append_failed(ErrorCode code, Outcome& failed) override {
    seen_.failures.push_back(code);
    failed.answers.clear();
  }
  void close(ErrorCode code, Outcome& outcome) override {
    seen_.closed_with = code;
    for (const Ticket ticket : seen_.waiting) outcome.answer(ticket, DeleteGroupsResponse());
  }

 private:
  std::string id_;
  Seen& seen_;
};

struct Stage {
  GroupSim sim;
  Seen seen;
  GroupShard* shard = nullptr;

  Stage() {
    shard = sim.shard_of("g");
    REQUIRE(shard != nullptr);
    shard->put(std::make_unique<ProbeGroup>("g", seen));
  }
  void set_timer(const std::string& member, DurationNs after_ns) {
    shard->set_timer(timer_of(member), after_ns, TimerKind::silence, 0);
  }
  static GroupTimer timer_of(const std::string& member) {
    GroupTimer timer;
    timer.group = "g";
    timer.member = member;
    return timer;
  }
  // The lane is taken until the rule is released.
  RuleId hold_lane() {
    FaultRule rule;
    rule.point = "group.records.prepared";
    rule.action = FaultAction::hold;
    rule.count = 1;
    const auto id = sim.cluster.rules().add(rule);
    REQUIRE(id.ok());
    sim.send(sim.connection_to(sim.coordinator_of("g")), 8, 8,
             GroupSim::commit_request("g", "orders", {{0, 1}}));
    sim.run(kMillisecond_ns);
    REQUIRE(sim.cluster.rules().state(*id)->holding == 1);
    return *id;
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a timer that is set again moves, one that is cancelled is gone") {
  Stage stage;
  stage.set_timer("moved", kSecond_ns);
  stage.set_timer("cancelled", kSecond_ns);
  stage.set_timer("left", kSecond_ns);
  stage.sim.run(kSecond_ns / 2);
  stage.set_timer("moved", kSecond_ns);
  stage.shard->cancel_timer(Stage::timer_of("cancelled"));
  stage.sim.run(kSecond_ns * 3 / 4);
  CHECK(stage.seen.expired == Names{"left"});
  stage.sim.run(kSecond_ns / 2);
  CHECK(stage.seen.expired == Names{"left", "moved"});
}

TEST_CASE("a timer that is set again while its expiry waits does nothing then") {
  Stage stage;
  stage.set_timer("late", kSecond_ns);
  stage.set_timer("cancelled", kSecond_ns);
  stage.set_timer("kept", kSecond_ns);
  const RuleId held = stage.hold_lane();
  stage.sim.run(2 * kSecond_ns);
  CHECK(stage.seen.expired.empty());
  stage.set_timer("late", 10 * kSecond_ns);
  stage.shard->cancel_timer(Stage::timer_of("cancelled"));
  stage.sim.cluster.rules().release(held);
  stage.sim.run(kSecond_ns);
  CHECK(stage.seen.expired == Names{"kept"});
  stage.sim.run(10 * kSecond_ns);
  CHECK(stage.seen.expired == Names{"kept", "late"});
}

TEST_CASE("timers end with their group and with the shard") {
  Stage stage;
  stage.set_timer("a", kSecond_ns);
  Seen other;
  stage.shard->put(std::make_unique<ProbeGroup>("g", other));
  stage.sim.run(2 * kSecond_ns);
  CHECK(stage.seen.expired.empty());
  CHECK(other.expired.empty());
  stage.set_timer("b", kSecond_ns);
  stage.sim.do_command(R"({"do":"move_leader","topic":"__consumer_offsets","partition":)" +
                       std::to_string(stage.sim.partition_of("g")) + "}");
  stage.sim.run(2 * kSecond_ns);
  CHECK(other.expired.empty());
  CHECK(other.closed_with == ErrorCode::kNotCoordinator);
}

TEST_CASE("a group hears of its own records that could not be written, not of those of offsets") {
  Stage stage;
  stage.sim.do_command(
      R"({"do":"set_configs","type":"topic","name":"__consumer_offsets","configs":{"min.insync.replicas":"3"}})");
  stage.sim.do_command(R"({"do":"crash_broker","broker":)" +
                       std::to_string(stage.sim.coordinator_of("g") % 3 + 1) + "}");
  stage.sim.settle();
  CHECK(stage.sim.commit("g", "orders", 1) == ErrorCode::kCoordinatorNotAvailable);
  CHECK(stage.seen.failures.empty());
}

TEST_CASE("what a group subscribes to keeps its offsets, and a group with members cannot be deleted") {
  Stage stage;
  CHECK(stage.sim.commit("g", "orders", 1) == ErrorCode::kNone);
  CHECK(stage.sim.commit("g", "other", 2) == ErrorCode::kNone);
  OffsetDeleteRequest request;
  request.group_id = "g";
  for (const auto* name : {"orders", "other"}) {
    auto& topic = request.topics.emplace_back();
    topic.name = name;
    topic.partitions.emplace_back();
  }
  auto& connection = stage.sim.connection_to(stage.sim.coordinator_of("g"));
  const auto deleted = stage.sim.call<OffsetDeleteResponse>(connection, 47, 0, request);
  REQUIRE(deleted);
  REQUIRE(deleted->topics.size() == 2);
  CHECK(deleted->topics[0].partitions[0].error_code == ErrorCode::kGroupSubscribedToTopic);
  CHECK(deleted->topics[1].partitions[0].error_code == ErrorCode::kNone);
  CHECK(stage.sim.offsets_of("g") == GroupSim::Offsets{{{"orders", 0}, 1}});
  CHECK(stage.sim.delete_group("g") == ErrorCode::kNonEmptyGroup);
  stage.sim.run(8 * kDay_ns);
  CHECK(stage.sim.offsets_of("g") == GroupSim::Offsets{{{"orders", 0}, 1}});
}

TEST_CASE("a group can be looked at from outside") {
  Stage stage;
  CHECK(stage.sim.commit("g", "orders", 5) == ErrorCode::kNone);
  const auto view = stage.sim.cluster.group("g");
  REQUIRE(view);
  CHECK(view->state == "Stable");
  CHECK(view->coordinator == stage.sim.coordinator_of("g"));
  REQUIRE(view->members.size() == 1);
  CHECK(view->members[0].instance_id == "i-1");
  REQUIRE(view->offsets.size() == 1);
  CHECK(view->offsets[0].offset == 5);
  CHECK_FALSE(stage.sim.cluster.group("nobody"));
  CHECK(stage.sim.cluster.groups() == Names{"g"});
  const std::string text = stage.sim.commands.query(R"({"get":"group","group":"g"})");
  CHECK(text.find(R"("offset":5)") != std::string::npos);
  CHECK(text.find(R"("member_id":"m-1")") != std::string::npos);
  CHECK(stage.sim.commands.query(R"({"get":"groups"})").find(R"("group":"g")") != std::string::npos);
  CHECK(stage.sim.commands.query(R"({"get":"group","group":"x"})").find("not_found") != std::string::npos);
}

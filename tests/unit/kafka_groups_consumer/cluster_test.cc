// Consumer groups as clients of a cluster see them, with coordinators that crash, and groups that change
// their protocol while members use them.
#include <catch2/catch.hpp>

#include "sim/formats/byte_writer.h"
#include "sim/kafka/groups/consumer/consumer_protocol.h"
#include "sim/kafka/groups/settings.h"
#include "sim/kafka/wire/codec.h"
#include "tests/unit/kafka_groups/group_sim.h"
#include "tests/unit/kafka_groups_consumer/consumer_host.h"

namespace wt {
namespace {

using namespace kafka;
using test::GroupSim;

constexpr Version kHeartbeat = 1;

class World {
 public:
  explicit World(const cluster::ClusterOptions& options = test::group_cluster()) : sim(options) {
    sim.create_topic("t", 4);
    connect();
  }
  void connect() { connection_ = sim.connect(sim.coordinator_of("g")); }

  ConsumerGroupHeartbeatResponse send(const ConsumerGroupHeartbeatRequest& request) {
    const auto answer = sim.call<ConsumerGroupHeartbeatResponse>(connection_, 68, kHeartbeat, request);
    REQUIRE(answer);
    return *answer;
  }
  ConsumerGroupHeartbeatResponse heartbeat(TestMember& member) {
    auto answer = send(member.request());
    member.take(answer);
    return answer;
  }
  ConsumerGroupHeartbeatResponse leave(TestMember& member) {
    ConsumerGroupHeartbeatRequest request;
    request.group_id = "g";
    request.member_id = member.id;
    request.member_epoch = kLeaveEpoch;
    return send(request);
  }
  ConsumerGroupDescribeResponse::DescribedGroup describe() {
    ConsumerGroupDescribeRequest request;
    request.group_ids = {"g"};
    const auto answer = sim.call<ConsumerGroupDescribeResponse>(connection_, 69, 1, request);
    REQUIRE(answer);
    return answer->groups.at(0);
  }
  std::string listed() {
    const auto answer = sim.list(sim.coordinator_of("g"));
    REQUIRE(answer);
    for (const auto& group : answer->groups) {
      if (group.group_id == "g") return group.group_type + " " + group.group_state;
    }
    return "";
  }
  void wait_s(int seconds) { sim.run(seconds * kSecond_ns); }

  GroupSim sim;

 private:
  test::KafkaSim::Connection connection_;
};

// A member of the classic protocol that joins, syncs and heartbeats as consumers do.
class OldMember {
 public:
  OldMember(World& world, std::string client) : world_(world), client_(std::move(client)) { reconnect(); }
  void reconnect() { connection_ = world_.sim.connect(world_.sim.coordinator_of("g")); }

  void send_join() {
    JoinGroupRequest request;
    request.group_id = "g";
    request.session_timeout_ms = 45'000;
    request.rebalance_timeout_ms = 60'000;
    request.member_id = id;
    request.protocol_type = "consumer";
    auto& protocol = request.protocols.emplace_back();
    protocol.name = "range";
    protocol.metadata = subscription();
    world_.sim.send(connection_, 11, 9, request);
  }
  JoinGroupResponse joined() {
    const auto answer = world_.sim.receive_as<JoinGroupResponse>(connection_, 11, 9, 5 * kMinute_ns);
    REQUIRE(answer);
    if (!answer->member_id.empty()) id = answer->member_id;
    if (answer->error_code == ErrorCode::kNone) generation = answer->generation_id;
    return *answer;
  }
  JoinGroupResponse join() {
    send_join();
    JoinGroupResponse answer = joined();
    if (answer.error_code != ErrorCode::kMemberIdRequired) return answer;
    send_join();
    return joined();
  }
  // A leader gives `to` all partitions of "t".
  SyncGroupResponse sync(const std::string& to = {}) {
    SyncGroupRequest request;
    request.group_id = "g";
    request.generation_id = generation;
    request.member_id = id;
    request.protocol_type = "consumer";
    request.protocol_name = "range";
    if (!to.empty()) {
      auto& assignment = request.assignments.emplace_back();
      assignment.member_id = to;
      assignment.assignment = assignment_of_all();
    }
    const auto answer = world_.sim.call<SyncGroupResponse>(connection_, 14, 5, request);
    REQUIRE(answer);
    if (answer->error_code == ErrorCode::kNone) owned = partitions(answer->assignment);
    return *answer;
  }
  ErrorCode heartbeat() {
    HeartbeatRequest request;
    request.group_id = "g";
    request.generation_id = generation;
    request.member_id = id;
    const auto answer = world_.sim.call<HeartbeatResponse>(connection_, 12, 4, request);
    REQUIRE(answer);
    return answer->error_code;
  }
  ErrorCode leave() {
    LeaveGroupRequest request;
    request.group_id = "g";
    request.members.emplace_back().member_id = id;
    const auto answer = world_.sim.call<LeaveGroupResponse>(connection_, 13, 5, request);
    REQUIRE(answer);
    return answer->members.at(0).error_code;
  }

  std::string id;
  std::int32_t generation = -1;
  std::vector<std::int32_t> owned;
  std::string user_data;  // that its assignor puts into assignments

 private:
  Slice assignment_of_all() {
    Slice plain = *assignment_bytes({{topic().topic_id, {0, 1, 2, 3}}}, image(), subscription());
    if (user_data.empty()) return plain;
    // The last four bytes say that there are no user data.
    ByteWriter out;
    out.bytes(plain.sub(0, plain.size() - 4).bytes());
    out.i32(static_cast<std::int32_t>(user_data.size()));
    out.text(user_data);
    return out.to_slice();
  }
  const controller::MetadataImage& image() { return world_.sim.shard_of("g")->image(); }
  const controller::TopicState& topic() { return *image().topic("t"); }
  Slice subscription() {
    ConsumerProtocolSubscription subscription;
    subscription.topics = {"t"};
    if (!owned.empty()) subscription.owned_partitions.push_back({"t", owned, {}});
    const auto fields = encode_any(ConsumerProtocolSubscription::kTable, &subscription, 1);
    ByteWriter out;
    out.i16(1);
    for (const Slice& part : *fields) out.bytes(part.bytes());
    return out.to_slice();
  }
  static std::vector<std::int32_t> partitions(const Slice& bytes) {
    const auto assignment = parse_assignment(bytes);
    if (!assignment || assignment->assigned_partitions.empty()) return {};
    return assignment->assigned_partitions.front().partitions;
  }

  World& world_;
  std::string client_;
  test::KafkaSim::Connection connection_;
};

TEST_CASE("two members share a group over connections, and anybody sees it") {
  World world;
  TestMember a("a");
  TestMember b("b");
  CHECK(world.heartbeat(a).member_epoch == 2);
  CHECK(a.count() == 4);
  world.wait_s(2);
  world.heartbeat(b);
  world.heartbeat(a);
  world.heartbeat(a);
  world.heartbeat(b);
  CHECK(a.count() == 2);
  CHECK(b.count() == 2);
  CHECK(world.listed() == "consumer Stable");
  const auto group = world.describe();
  CHECK(group.group_state == "Stable");
  CHECK(group.group_epoch == 3);
  REQUIRE(group.members.size() == 2);
  CHECK(group.members[0].assignment.topic_partitions.at(0).topic_name == "t");
  CHECK(world.leave(a).member_epoch == -1);
  CHECK(world.leave(b).member_epoch == -1);
  CHECK(world.listed() == "consumer Empty");
  CHECK(world.sim.delete_group("g") == ErrorCode::kNone);
  CHECK(world.describe().error_code == ErrorCode::kGroupIdNotFound);
  CHECK(world.describe().error_message == "Group g not found.");
  CHECK(world.sim.finding() == "");
}

TEST_CASE("members go on with another coordinator when theirs has crashed") {
  World world;
  TestMember a("a");
  TestMember b("b");
  world.heartbeat(a);
  world.wait_s(2);
  world.heartbeat(b);
  const std::int32_t old = world.sim.coordinator_of("g");
  world.sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(old) + "}");
  world.sim.settle();
  world.wait_s(20);
  REQUIRE(world.sim.coordinator_of("g") != old);
  world.connect();
  world.heartbeat(a);
  world.heartbeat(a);
  world.heartbeat(b);
  CHECK(a.count() == 2);
  CHECK(b.count() == 2);
  CHECK(world.describe().group_state == "Stable");
  CHECK(world.sim.finding() == "");
}

TEST_CASE("commits follow the member's epoch") {
  World world;
  TestMember a("a");
  world.heartbeat(a);
  auto request = GroupSim::commit_request("g", "t", {{0, 7}});
  request.member_id = "a";
  request.generation_id_or_member_epoch = 2;
  const auto commit = [&](Version version) {
    const auto answer = world.sim.commit(request, world.sim.coordinator_of("g"), version);
    return answer->topics.at(0).partitions.at(0).error_code;
  };
  CHECK(commit(9) == ErrorCode::kNone);
  CHECK(commit(8) == ErrorCode::kUnsupportedVersion);
  request.generation_id_or_member_epoch = 1;
  CHECK(commit(9) == ErrorCode::kStaleMemberEpoch);
  request.generation_id_or_member_epoch = 3;
  CHECK(commit(9) == ErrorCode::kStaleMemberEpoch);
  request.member_id = "x";
  CHECK(commit(9) == ErrorCode::kUnknownMemberId);
}

TEST_CASE("a classic group becomes a consumer group and back while its member stays", "[K16]") {
  World world;
  OldMember old(world, "old");
  old.join();
  REQUIRE(old.sync(old.id).error_code == ErrorCode::kNone);
  REQUIRE(old.owned.size() == 4);
  REQUIRE(world.listed() == "classic Stable");
  const std::int32_t generation = old.generation;

  TestMember a("a");
  const auto joined = world.heartbeat(a);
  REQUIRE(joined.error_code == ErrorCode::kNone);
  CHECK(a.count() == 0);
  CHECK(world.listed() == "consumer Reconciling");
  CHECK(world.describe().members.size() == 2);

  // It is told to join again, gives up two partitions, and joins once more in the new epoch.
  CHECK(old.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(old.join().generation_id == generation);
  CHECK(old.sync().error_code == ErrorCode::kNone);
  CHECK(old.owned.size() == 2);
  CHECK(world.heartbeat(a).error_code == ErrorCode::kNone);
  CHECK(a.count() == 0);
  CHECK(old.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(old.join().generation_id == generation + 1);
  CHECK(old.sync().error_code == ErrorCode::kNone);
  CHECK(old.owned.size() == 2);
  CHECK(old.heartbeat() == ErrorCode::kNone);
  world.heartbeat(a);
  CHECK(a.count() == 2);
  CHECK(world.listed() == "consumer Stable");
  for (const auto& member : world.describe().members) CHECK(member.member_type == (member.member_id == "a"));

  auto commit = GroupSim::commit_request("g", "t", {{0, 7}});
  commit.member_id = old.id;
  commit.generation_id_or_member_epoch = generation + 5;
  const auto refused = world.sim.commit(commit, world.sim.coordinator_of("g"), 8);
  CHECK(refused->topics.at(0).partitions.at(0).error_code == ErrorCode::kIllegalGeneration);

  CHECK(world.leave(a).error_code == ErrorCode::kNone);
  CHECK(world.listed() == "classic PreparingRebalance");
  CHECK(old.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(old.join().leader == old.id);
  CHECK(old.sync(old.id).error_code == ErrorCode::kNone);
  CHECK(old.owned.size() == 4);
  CHECK(world.listed() == "classic Stable");
  CHECK(world.describe().error_message == "Group g is not a consumer group.");
  CHECK(world.sim.finding() == "");
}

TEST_CASE("members of the classic protocol join, sync and leave a consumer group") {
  World world;
  TestMember a("a");
  world.heartbeat(a);
  OldMember old(world, "old");
  world.wait_s(2);
  CHECK(old.join().error_code == ErrorCode::kNone);
  CHECK(old.sync().error_code == ErrorCode::kNone);
  CHECK(old.owned.empty());
  CHECK(old.heartbeat() == ErrorCode::kNone);
  world.heartbeat(a);
  world.heartbeat(a);
  CHECK(a.count() == 2);
  CHECK(old.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(old.join().error_code == ErrorCode::kNone);
  CHECK(old.sync().error_code == ErrorCode::kNone);
  CHECK(old.owned.size() == 2);

  HeartbeatRequest stranger;
  stranger.group_id = "g";
  stranger.member_id = "a";
  stranger.generation_id = a.epoch;
  auto connection = world.sim.connect(world.sim.coordinator_of("g"));
  const auto answer = world.sim.call<HeartbeatResponse>(connection, 12, 4, stranger);
  CHECK(answer->error_code == ErrorCode::kUnknownMemberId);
  old.generation += 1;
  CHECK(old.heartbeat() == ErrorCode::kIllegalGeneration);
  CHECK(old.leave() == ErrorCode::kNone);
  CHECK(old.leave() == ErrorCode::kUnknownMemberId);
  CHECK(world.listed() == "consumer Assigning");
  CHECK(world.sim.finding() == "");
}

TEST_CASE("members are described in the order of a broker's table") {
  World world;
  TestMember first("member-1");
  TestMember second("member-2");
  world.heartbeat(first);
  world.heartbeat(second);
  const auto group = world.describe();
  REQUIRE(group.members.size() == 2);
  CHECK(group.members[0].member_id == "member-2");
  CHECK(group.members[1].member_id == "member-1");
}

TEST_CASE("where the consumer protocol is off its APIs say so, and classic groups go on") {
  cluster::ClusterOptions options = test::group_cluster();
  SECTION("by a feature") {
    options.features["group.version"] = 0;
  }
  SECTION("by a broker config") {
    options.group_configs["group.coordinator.rebalance.protocols"] = *rebalance_protocols("classic,streams");
  }
  World world(options);
  TestMember a("a");
  const auto refused = world.send(a.request());
  CHECK(refused.error_code == ErrorCode::kUnsupportedVersion);
  CHECK_FALSE(refused.error_message);
  const auto described = world.describe();
  CHECK(described.group_id == "g");
  CHECK(described.error_code == ErrorCode::kUnsupportedVersion);
  CHECK_FALSE(described.error_message);
  OldMember old(world, "old");
  CHECK(old.join().error_code == ErrorCode::kNone);
  CHECK(world.listed() == "classic CompletingRebalance");
}

cluster::ClusterOptions with_policy(std::string_view policy) {
  cluster::ClusterOptions options = test::group_cluster();
  options.group_configs[std::string(kMigrationPolicyConfig)] = *migration_policy(policy);
  return options;
}

TEST_CASE("a policy keeps groups in their protocol") {
  World world(with_policy("disabled"));
  TestMember a("a");
  OldMember old(world, "old");
  SECTION("a classic group") {
    old.join();
    old.sync(old.id);
    const auto refused = world.heartbeat(a);
    CHECK(refused.error_code == ErrorCode::kGroupIdNotFound);
    CHECK(refused.error_message ==
          "Cannot upgrade classic group g to consumer group because online upgrade is disabled.");
    CHECK(old.heartbeat() == ErrorCode::kNone);
    CHECK(old.leave() == ErrorCode::kNone);
    // Without members it may become anything.
    CHECK(world.heartbeat(a).error_code == ErrorCode::kNone);
    CHECK(world.listed() == "consumer Stable");
  }
  SECTION("a consumer group") {
    world.heartbeat(a);
    CHECK(old.join().error_code == ErrorCode::kInconsistentGroupProtocol);
    world.leave(a);
    CHECK(old.join().error_code == ErrorCode::kNone);
    CHECK(world.listed() == "classic CompletingRebalance");
  }
}

TEST_CASE("a consumer group stays one without members of its protocol, where groups may only be upgraded") {
  World world(with_policy("Upgrade"));
  OldMember old(world, "old");
  old.join();
  old.sync(old.id);
  TestMember a("a");
  CHECK(world.heartbeat(a).error_code == ErrorCode::kNone);
  world.leave(a);
  CHECK(world.listed() == "consumer Assigning");
  CHECK_FALSE(migration_policy("sideways"));
}

TEST_CASE("a classic group with an assignor of its own is not converted") {
  World world;
  OldMember old(world, "old");
  old.user_data = "mine";
  old.join();
  old.sync(old.id);
  TestMember a("a");
  const auto refused = world.heartbeat(a);
  CHECK(refused.error_code == ErrorCode::kGroupIdNotFound);
  CHECK(
      refused.error_message ==
      "Cannot upgrade classic group g to consumer group because an unsupported custom assignor is in use. "
      "Please refer to the documentation or switch to a default assignor before re-attempting the upgrade.");
  CHECK(old.heartbeat() == ErrorCode::kNone);
}

TEST_CASE("a classic group that is another coordinator's by now is converted there") {
  World world;
  OldMember old(world, "old");
  old.join();
  old.sync(old.id);
  TestMember a("a");
  world.heartbeat(a);
  const std::int32_t before = world.sim.coordinator_of("g");
  world.sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(before) + "}");
  world.sim.settle();
  world.wait_s(20);
  world.connect();
  old.reconnect();
  CHECK(old.heartbeat() == ErrorCode::kRebalanceInProgress);
  old.join();
  old.sync();
  old.join();
  old.sync();
  world.heartbeat(a);
  CHECK(a.count() == 2);
  CHECK(old.owned.size() == 2);
  CHECK(world.sim.finding() == "");
}

// --- what cannot be written ---

void stop_storage(World& world) {
  world.sim.do_command(R"({"do":"add_rule","point":"objects.put","action":"refuse"})");
  world.sim.do_command(R"({"do":"add_rule","point":"metadata.cas","action":"refuse"})");
}
void restore_storage(World& world) {
  world.sim.do_command(R"({"do":"remove_rules"})");
  world.wait_s(1);
}

TEST_CASE("who waits must join again, whatever becomes of the upgrade", "[J15]") {
  World world;
  OldMember one(world, "one");
  OldMember two(world, "two");
  one.join();
  one.sync(one.id);
  two.send_join();
  REQUIRE(two.joined().error_code == ErrorCode::kMemberIdRequired);
  two.send_join();
  world.sim.run(kMillisecond_ns);
  stop_storage(world);
  TestMember a("a");
  CHECK(world.heartbeat(a).error_code == ErrorCode::kNotCoordinator);
  CHECK(two.joined().error_code == ErrorCode::kRebalanceInProgress);
  restore_storage(world);
  // The group is what it was, and goes on.
  CHECK(world.listed() == "classic PreparingRebalance");
  two.send_join();
  world.sim.run(kMillisecond_ns);
  CHECK(one.join().error_code == ErrorCode::kNone);
  CHECK(two.joined().generation_id == one.generation);
  CHECK(one.sync(two.id).error_code == ErrorCode::kNone);
  CHECK(world.heartbeat(a).error_code == ErrorCode::kNone);
  CHECK(world.listed() == "consumer Reconciling");
  CHECK(world.sim.finding() == "");
}

TEST_CASE("a consumer group that could not be written leaves no timers behind", "[J15]") {
  World world;
  OldMember old(world, "old");
  old.join();
  old.sync(old.id);
  stop_storage(world);
  TestMember a("a");
  auto request = a.request();
  request.subscribed_topic_names.reset();
  request.subscribed_topic_regex = "t.*";
  CHECK(world.send(request).error_code == ErrorCode::kNotCoordinator);
  restore_storage(world);
  CHECK(world.listed() == "classic Stable");
  CHECK(old.heartbeat() == ErrorCode::kNone);
  // And when it can be written the regular expression is resolved at once.
  CHECK(world.send(request).error_code == ErrorCode::kNone);
  world.wait_s(1);
  CHECK(world.describe().group_epoch == old.generation + 1);
  CHECK(world.sim.finding() == "");
}

TEST_CASE("an empty consumer group is back when a classic one cannot take its place", "[J15]") {
  World world;
  TestMember a("a");
  world.heartbeat(a);
  world.leave(a);
  REQUIRE(world.listed() == "consumer Empty");
  const std::int32_t epoch = world.describe().group_epoch;
  stop_storage(world);
  OldMember old(world, "old");
  // A member id is no matter of the log; the group is.
  old.send_join();
  CHECK(old.joined().error_code == ErrorCode::kMemberIdRequired);
  CHECK(world.listed() == "consumer Empty");
  CHECK(world.describe().group_epoch == epoch);
  old.send_join();
  CHECK(old.joined().error_code == ErrorCode::kUnknownMemberId);
  restore_storage(world);
  TestMember b("b");
  CHECK(world.heartbeat(b).error_code == ErrorCode::kNone);
  CHECK(world.describe().group_epoch == epoch + 1);
  world.leave(b);
  old.id.clear();
  CHECK(old.join().error_code == ErrorCode::kNone);
  CHECK(world.listed() == "classic CompletingRebalance");
  CHECK(world.sim.finding() == "");
}

TEST_CASE("after a change of protocol of unknown outcome the log says what the group is", "[J15]") {
  std::set<std::string> seen;
  for (std::uint64_t skip = 0; skip < 4; ++skip) {
    CAPTURE(skip);
    World world;
    TestMember a("a");
    world.heartbeat(a);
    world.leave(a);
    world.sim.lose_outcome_after(skip);
    OldMember old(world, "old");
    old.send_join();
    old.joined();
    world.sim.cluster.rules().remove_all();
    world.wait_s(60);
    world.sim.settle();
    seen.insert(world.listed());
    const std::string before = world.listed();
    // The same to the next coordinator, which knows the log only.
    world.sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(world.sim.coordinator_of("g")) +
                         "}");
    world.sim.settle();
    world.wait_s(20);
    CHECK(world.listed() == before);
    CHECK(world.sim.finding() == "");
  }
  CHECK(seen.contains("consumer Empty"));
  CHECK(seen.contains("classic Empty"));
}

}  // namespace
}  // namespace wt

// Classic groups as clients of a cluster see them: over connections, with a coordinator that can crash.
#include <catch2/catch.hpp>

#include "sim/kafka/groups/classic/classic_group.h"
#include "sim/kafka/groups/hash_order.h"
#include "tests/unit/kafka_groups/group_sim.h"

namespace wt {
namespace {

using namespace kafka;
using test::group_cluster;
using test::GroupSim;

constexpr DurationNs kSession_ns = 45 * kSecond_ns;

Slice subscription_to(const std::string& topic) {
  std::string bytes("\0\1\0\0\0\1\0", 7);
  bytes += static_cast<char>(topic.size());
  bytes += topic + std::string("\xff\xff\xff\xff\0\0\0\0", 8);
  return Slice::copy_of(bytes);
}

// A consumer that does as it is told, one request at a time.
class Member {
 public:
  explicit Member(GroupSim& sim) : sim_(sim) { reconnect(); }

  void reconnect() { connection_ = sim_.connect(sim_.coordinator_of("g")); }
  std::int32_t send_join(Version version = 9) {
    JoinGroupRequest request;
    request.group_id = "g";
    request.session_timeout_ms = 45'000;
    request.rebalance_timeout_ms = 300'000;
    request.member_id = id;
    request.group_instance_id = instance;
    request.protocol_type = "consumer";
    auto& protocol = request.protocols.emplace_back();
    protocol.name = "range";
    protocol.metadata = subscription_to("orders");
    return sim_.send(connection_, 11, version, request);
  }
  JoinGroupResponse joined(Version version = 9) {
    const auto response = sim_.receive_as<JoinGroupResponse>(connection_, 11, version, 10 * kMinute_ns);
    REQUIRE(response);
    if (!response->member_id.empty()) id = response->member_id;
    if (response->error_code == ErrorCode::kNone) generation = response->generation_id;
    return *response;
  }
  JoinGroupResponse join(Version version = 9) {
    send_join(version);
    JoinGroupResponse response = joined(version);
    if (response.error_code != ErrorCode::kMemberIdRequired) return response;
    send_join(version);
    return joined(version);
  }
  void send_sync(const std::map<std::string, std::string>& assignments = {}, Version version = 5) {
    SyncGroupRequest request;
    request.group_id = "g";
    request.generation_id = generation;
    request.member_id = id;
    request.group_instance_id = instance;
    if (version >= 5) {
      request.protocol_type = "consumer";
      request.protocol_name = "range";
    }
    for (const auto& [member, bytes] : assignments) {
      auto& assignment = request.assignments.emplace_back();
      assignment.member_id = member;
      assignment.assignment = Slice::copy_of(bytes);
    }
    sim_.send(connection_, 14, version, request);
  }
  SyncGroupResponse synced(Version version = 5) {
    const auto response = sim_.receive_as<SyncGroupResponse>(connection_, 14, version);
    REQUIRE(response);
    return *response;
  }
  ErrorCode heartbeat(Version version = 4) {
    HeartbeatRequest request;
    request.group_id = "g";
    request.generation_id = generation;
    request.member_id = id;
    if (version >= 3) request.group_instance_id = instance;
    const auto response = sim_.call<HeartbeatResponse>(connection_, 12, version, request);
    REQUIRE(response);
    return response->error_code;
  }
  LeaveGroupResponse leave(Version version = 5) {
    LeaveGroupRequest request;
    request.group_id = "g";
    if (version < 3) request.member_id = id;
    if (version >= 3) {
      auto& who = request.members.emplace_back();
      who.member_id = id;
      who.group_instance_id = instance;
    }
    const auto response = sim_.call<LeaveGroupResponse>(connection_, 13, version, request);
    REQUIRE(response);
    return *response;
  }
  DescribeGroupsResponse::DescribedGroup describe(const std::string& group, Version version = 6) {
    DescribeGroupsRequest request;
    request.groups = {group};
    request.include_authorized_operations = version >= 3;
    const auto response = sim_.call<DescribeGroupsResponse>(connection_, 15, version, request);
    REQUIRE(response);
    return response->groups.at(0);
  }

  std::string id;
  std::optional<std::string> instance;
  std::int32_t generation = -1;

 private:
  GroupSim& sim_;
  test::KafkaSim::Connection connection_;
};

// Both in generation 1 with an assignment; `one` leads.
void make_stable(Member& one, Member& two) {
  one.join();
  one.send_sync({{one.id, "all"}});
  REQUIRE(one.synced().assignment.text() == "all");
  two.send_join();
  two.joined();
  two.send_join();
  CHECK(one.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(one.join().members.size() == 2);
  CHECK(two.joined().members.empty());
  two.send_sync();
  one.send_sync({{one.id, "p0"}, {two.id, "p1"}});
  CHECK(one.synced().assignment.text() == "p0");
  CHECK(two.synced().assignment.text() == "p1");
}

TEST_CASE("two consumers share a group, and anybody sees it") {
  GroupSim sim;
  Member one(sim);
  Member two(sim);
  make_stable(one, two);
  CHECK(one.heartbeat() == ErrorCode::kNone);
  const auto described = two.describe("g");
  CHECK(described.group_state == "Stable");
  CHECK(described.protocol_data == "range");
  CHECK(described.authorized_operations == 3400);
  REQUIRE(described.members.size() == 2);
  CHECK(described.members[0].client_id == "test");
  CHECK(described.members[0].client_host == "/127.0.0.1");
  CHECK(one.describe("g", 0).members.size() == 2);
  const auto listed = sim.list(sim.coordinator_of("g"));
  REQUIRE(listed);
  REQUIRE(listed->groups.size() == 1);
  CHECK(listed->groups[0].group_state == "Stable");
  CHECK(listed->groups[0].protocol_type == "consumer");
  CHECK(sim.delete_group("g") == ErrorCode::kNonEmptyGroup);
  CHECK(one.leave().members.at(0).error_code == ErrorCode::kNone);
  CHECK(two.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(two.leave(1).error_code == ErrorCode::kNone);
  CHECK(two.leave(1).error_code == ErrorCode::kUnknownMemberId);
  CHECK(sim.delete_group("g") == ErrorCode::kNone);
  CHECK(one.describe("g", 5).group_state == "Dead");
  CHECK(one.describe("g", 6).error_code == ErrorCode::kGroupIdNotFound);
  CHECK(sim.finding() == "");
}

TEST_CASE("JoinGroup and SyncGroup in every version") {
  GroupSim sim;
  for (Version version = 0; version <= 9; ++version) {
    CAPTURE(version);
    Member member(sim);
    const auto response = member.join(version);
    CHECK(response.error_code == ErrorCode::kNone);
    CHECK(response.leader == member.id);
    CHECK(response.protocol_name == "range");
    CHECK(response.protocol_type.has_value() == (version >= 7));
    const Version sync = std::min<Version>(version, 5);
    member.send_sync({{member.id, "a"}}, sync);
    CHECK(member.synced(sync).assignment.text() == "a");
    CHECK(member.heartbeat(std::min<Version>(version, 4)) == ErrorCode::kNone);
    member.leave(std::min<Version>(version, 5));
    Member stranger(sim);
    stranger.id = "stranger";
    stranger.send_join(version);
    const auto refused = stranger.joined(version);
    CHECK(refused.error_code == ErrorCode::kUnknownMemberId);
    CHECK(refused.member_id == "stranger");
    CHECK(refused.protocol_name.has_value() == (version < 7));
  }
}

TEST_CASE("what is wrong with a request is looked at in order", "[J13]") {
  GroupSim sim;
  auto connection = sim.connect(sim.coordinator_of("g"));
  JoinGroupRequest join;
  join.member_id = "m";
  const auto no_group = sim.call<JoinGroupResponse>(connection, 11, 9, join);
  CHECK(no_group->error_code == ErrorCode::kInvalidGroupId);
  CHECK(no_group->member_id == "m");
  join.group_id = "g";
  CHECK(sim.call<JoinGroupResponse>(connection, 11, 9, join)->error_code ==
        ErrorCode::kInvalidSessionTimeout);
  SyncGroupRequest sync;
  CHECK(sim.call<SyncGroupResponse>(connection, 14, 5, sync)->error_code ==
        ErrorCode::kInconsistentGroupProtocol);
  CHECK(sim.call<SyncGroupResponse>(connection, 14, 4, sync)->error_code == ErrorCode::kInvalidGroupId);
  CHECK(sim.call<HeartbeatResponse>(connection, 12, 4, HeartbeatRequest())->error_code ==
        ErrorCode::kInvalidGroupId);
  CHECK(sim.call<LeaveGroupResponse>(connection, 13, 5, LeaveGroupRequest())->error_code ==
        ErrorCode::kInvalidGroupId);
}

TEST_CASE("a broker that does not coordinate the group says so", "[J14]") {
  GroupSim sim;
  const std::int32_t other = sim.coordinator_of("g") == 1 ? 2 : 1;
  auto connection = sim.connect(other);
  HeartbeatRequest request;
  request.group_id = "g";
  CHECK(sim.call<HeartbeatResponse>(connection, 12, 4, request)->error_code == ErrorCode::kNotCoordinator);
  DescribeGroupsRequest describe;
  describe.groups = {"g"};
  const auto described = sim.call<DescribeGroupsResponse>(connection, 15, 5, describe);
  CHECK(described->groups.at(0).error_code == ErrorCode::kNotCoordinator);
}

TEST_CASE("a member that is silent for 45 s is put out; a jump in time is no silence, unless it counts") {
  GroupSim sim;
  Member one(sim);
  Member two(sim);
  make_stable(one, two);
  Kernel& kernel = sim.cluster.kernel();
  kernel.run_until(kernel.now() + 2 * kSession_ns, SilenceClock::stands);
  CHECK(one.heartbeat() == ErrorCode::kNone);
  kernel.run_until(kernel.now() + kSession_ns - kSecond_ns, SilenceClock::runs);
  CHECK(one.heartbeat() == ErrorCode::kNone);
  kernel.run_until(kernel.now() + 2 * kSecond_ns, SilenceClock::runs);
  CHECK(one.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(two.heartbeat() == ErrorCode::kUnknownMemberId);
  CHECK(one.join().members.size() == 1);
}

TEST_CASE("members survive the crash of their coordinator", "[J14]") {
  GroupSim sim;
  Member one(sim);
  Member two(sim);
  make_stable(one, two);
  const std::int32_t before = sim.coordinator_of("g");
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(before) + "}");
  sim.settle();
  REQUIRE(sim.coordinator_of("g") != before);
  one.reconnect();
  two.reconnect();
  CHECK(one.heartbeat() == ErrorCode::kNone);
  CHECK(two.heartbeat() == ErrorCode::kNone);
  two.send_sync();
  CHECK(two.synced().assignment.text() == "p1");
  CHECK(two.describe("g").members.size() == 2);
  // Their sessions have begun again.
  sim.run(kSession_ns - kSecond_ns);
  CHECK(one.heartbeat() == ErrorCode::kNone);
  sim.run(2 * kSecond_ns);
  CHECK(one.heartbeat() == ErrorCode::kRebalanceInProgress);
  CHECK(sim.finding() == "");
}

TEST_CASE("while the log is read, heartbeats are taken on trust and the rest waits", "[J14]") {
  GroupSim sim;
  Member one(sim);
  Member two(sim);
  make_stable(one, two);
  sim.do_command(
      R"({"do":"add_rule","point":"open.session.acquired","topic":"__consumer_offsets","action":"hold"})");
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(sim.coordinator_of("g")) + "}");
  sim.run(kSecond_ns);
  one.reconnect();
  CHECK(one.heartbeat() == ErrorCode::kNone);
  CHECK(one.heartbeat(0) == ErrorCode::kNone);
  const auto refused = one.join();
  CHECK(refused.error_code == ErrorCode::kCoordinatorLoadInProgress);
  CHECK(refused.member_id.empty());
  one.send_sync();
  CHECK(one.synced().error_code == ErrorCode::kCoordinatorLoadInProgress);
  CHECK(one.leave().error_code == ErrorCode::kCoordinatorLoadInProgress);
  CHECK(one.describe("g").error_code == ErrorCode::kCoordinatorLoadInProgress);
  sim.do_command(R"({"do":"remove_rules"})");
  sim.settle();
  CHECK(one.describe("g").group_state == "Stable");
  CHECK(one.heartbeat() == ErrorCode::kNone);
}

TEST_CASE("no follower sees an assignment that is not durable", "[J15]") {
  GroupSim sim;
  Member one(sim);
  Member two(sim);
  make_stable(one, two);
  one.send_join();
  CHECK(two.join().leader == one.id);
  one.joined();
  two.send_sync();
  sim.do_command(R"({"do":"add_rule","point":"objects.put","action":"refuse"})");
  sim.do_command(R"({"do":"add_rule","point":"metadata.cas","action":"refuse"})");
  one.send_sync({{one.id, "never"}, {two.id, "never"}});
  const auto leader = one.synced();
  const auto follower = two.synced();
  CHECK(leader.error_code != ErrorCode::kNone);
  CHECK(follower.error_code == leader.error_code);
  CHECK(leader.assignment.empty());
  CHECK(follower.assignment.empty());
  sim.do_command(R"({"do":"remove_rules"})");
  sim.run(kSecond_ns);
  two.send_sync();
  CHECK(two.synced().error_code == ErrorCode::kRebalanceInProgress);
  one.send_join();
  const auto again = two.join();
  CHECK(again.error_code == ErrorCode::kNone);
  CHECK(again.generation_id == one.joined().generation_id);
  CHECK(sim.finding() == "");
}

TEST_CASE("a coordinator that dies with the assignment in hand has given it to nobody", "[J15]") {
  for (const char* point : {"group.records.prepared", "group.records.appended", "group.answer.before"}) {
    CAPTURE(point);
    GroupSim sim;
    Member one(sim);
    Member two(sim);
    make_stable(one, two);
    one.send_join();
    two.join();
    one.joined();
    two.send_sync();
    sim.run(kMillisecond_ns);
    sim.do_command(R"({"do":"add_rule","point":")" + std::string(point) + R"(","action":"crash","count":1})");
    one.send_sync({{one.id, "q0"}, {two.id, "q1"}});
    sim.settle();
    sim.run(kSecond_ns);
    one.reconnect();
    two.reconnect();
    two.send_sync();
    const auto after = two.synced();
    if (point == std::string("group.records.prepared")) {
      CHECK(after.error_code == ErrorCode::kIllegalGeneration);
      --two.generation;
      two.send_sync();
      CHECK(two.synced().assignment.text() == "p1");
    } else {
      CHECK(after.assignment.text() == "q1");
    }
    CHECK(sim.finding() == "");
  }
}

TEST_CASE("members are listed in the order of a broker's table") {
  GroupSim sim;
  std::vector<std::unique_ptr<Member>> members;
  HashOrder order(HashOrder::Table::hash_map);
  for (int i = 0; i < 5; ++i) {
    Member& member = *members.emplace_back(std::make_unique<Member>(sim));
    member.send_join();
    member.joined();  // the member's id
    order.put(member.id);
  }
  for (const auto& member : members) member->send_join();
  std::vector<std::string> told;
  for (const auto& member : members) {
    for (const auto& listed : member->joined().members) told.push_back(listed.member_id);
  }
  CHECK(told == order.listed());
  const auto described_ids = [&] {
    std::vector<std::string> ids;
    for (const auto& member : members.back()->describe("g").members) ids.push_back(member.member_id);
    return ids;
  };
  CHECK(described_ids() == order.listed());
  members.front()->leave();
  order.erase(members.front()->id);
  CHECK(described_ids() == order.listed());
}

TEST_CASE("the first rebalance waits for more members, unless the broker is told not to", "[J1]") {
  GroupSim sim;
  Member one(sim);
  Member two(sim);
  one.send_join();
  one.joined();
  two.send_join();
  two.joined();
  const TimeNs begun_ns = sim.cluster.kernel().now();
  one.send_join();
  sim.run(kSecond_ns);
  two.send_join();
  CHECK(one.joined().generation_id == 1);
  CHECK(two.joined().generation_id == 1);
  CHECK(to_ms(sim.cluster.kernel().now() - begun_ns) >= 6'000);

  cluster::ClusterOptions options = group_cluster();
  options.group_configs["group.initial.rebalance.delay.ms"] = 0;
  GroupSim quick(options);
  Member alone(quick);
  const TimeNs start_ns = quick.cluster.kernel().now();
  alone.join();
  CHECK(quick.cluster.kernel().now() == start_ns);
}

}  // namespace
}  // namespace wt

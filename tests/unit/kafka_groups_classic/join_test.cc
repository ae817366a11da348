#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups_classic/world.h"

namespace wt::kafka {
namespace {

TEST_CASE("a dynamic member gets its id first, and a record says that there is a group", "[J1]") {
  World world;
  const auto answer = world.joined(world.join(join_request(), 4));
  CHECK(answer.error_code == ErrorCode::kMemberIdRequired);
  CHECK(answer.member_id.starts_with("client-"));
  CHECK(answer.member_id.size() == std::string("client-").size() + 36);
  CHECK(answer.generation_id == -1);
  CHECK(answer.leader.empty());
  CHECK(world.group->state_name() == "Empty");
  REQUIRE(world.log.size() == 1);
  CHECK(world.last_record().protocol_type.empty());
  CHECK(world.last_record().generation == 0);
  CHECK_FALSE(world.last_record().leader);
  CHECK(world.has_timer(GroupTimerKind::pending, answer.member_id));

  const Ticket ticket = world.join(join_request(answer.member_id), 4);
  CHECK_FALSE(world.has_timer(GroupTimerKind::pending, answer.member_id));
  world.advance(0);
  CHECK(world.joined(ticket).error_code == ErrorCode::kNone);
  CHECK(world.joined(ticket).generation_id == 1);
  CHECK(world.joined(ticket).leader == answer.member_id);
  CHECK(world.joined(ticket).protocol_type == "consumer");
  CHECK(world.joined(ticket).protocol_name == "range");
  REQUIRE(world.joined(ticket).members.size() == 1);
  CHECK(world.joined(ticket).members[0].metadata.text() == subscription({"t"}));
}

TEST_CASE("an id that nobody uses is forgotten after the session", "[J1]") {
  World world;
  const std::string id = world.new_id();
  world.advance(45'000);
  CHECK(world.group->pending_members().empty());
  CHECK(world.joined(world.join(join_request(id))).error_code == ErrorCode::kUnknownMemberId);
}

TEST_CASE("a pending member holds a rebalance up until it joins or its id expires", "[J1]") {
  World world;
  const auto ids = world.make_stable(1);
  const std::string late = world.new_id();
  const Ticket ticket = world.join(join_request(ids[0]));
  CHECK_FALSE(world.answered(ticket));
  world.advance(44'999);
  CHECK_FALSE(world.answered(ticket));
  world.advance(1);
  CHECK(world.joined(ticket).generation_id == 2);
}

TEST_CASE("before version 4 a member joins at once", "[J1]") {
  World world;
  const Ticket ticket = world.join(join_request(), 3);
  CHECK_FALSE(world.answered(ticket));
  world.advance(0);
  CHECK(world.joined(ticket).error_code == ErrorCode::kNone);
  CHECK(world.joined(ticket).member_id == world.joined(ticket).leader);
}

TEST_CASE("a member id that nobody knows is refused", "[J2]") {
  World world;
  world.make_stable(1);
  const auto& join = world.joined(world.join(join_request("who")));
  CHECK(join.error_code == ErrorCode::kUnknownMemberId);
  CHECK(join.member_id == "who");
  CHECK_FALSE(join.protocol_name);
  CHECK(world.synced(world.sync("who", 1)).error_code == ErrorCode::kUnknownMemberId);
  CHECK(world.heartbeat("who", 1) == ErrorCode::kUnknownMemberId);
  CHECK(world.leave({{"who", ""}}).members[0].error_code == ErrorCode::kUnknownMemberId);
  CHECK(world.commit("who", 1) == ErrorCode::kUnknownMemberId);
  CHECK(world.commit("", -1) == ErrorCode::kUnknownMemberId);
}

TEST_CASE("another protocol type, or none that all support, is refused", "[J11]") {
  World world;
  const auto ids = world.make_stable(2);
  JoinGroupRequest request = join_request();
  request.protocol_type = "connect";
  const auto& type = world.joined(world.join(request));
  CHECK(type.error_code == ErrorCode::kInconsistentGroupProtocol);
  CHECK(type.member_id.empty());
  request = join_request(ids[1]);
  request.protocols = {protocol("sticky")};
  const auto& name = world.joined(world.join(request));
  CHECK(name.error_code == ErrorCode::kInconsistentGroupProtocol);
  CHECK(name.member_id == ids[1]);
  CHECK(world.group->state_name() == "Stable");

  World empty;
  request = join_request();
  request.protocols.clear();
  CHECK(empty.joined(empty.join(request)).error_code == ErrorCode::kInconsistentGroupProtocol);
  CHECK(empty.log.size() == 1);
}

TEST_CASE("the protocol with most votes that all support wins") {
  World world;
  std::vector<std::string> ids = {world.new_id(), world.new_id(), world.new_id()};
  JoinGroupRequest request = join_request(ids[0]);
  request.protocols = {protocol("a"), protocol("b"), protocol("c")};
  world.join(request);
  request.member_id = ids[1];
  request.protocols = {protocol("c"), protocol("b")};
  world.join(request);
  request.member_id = ids[2];
  request.protocols = {protocol("b"), protocol("c")};
  const Ticket ticket = world.join(request);
  world.advance(0);
  CHECK(world.joined(ticket).protocol_name == "b");
}

TEST_CASE("of protocols with equal votes a Java hash map decides") {
  ClassicMembers members;
  members["1"].protocols = {protocol("range"), protocol("roundrobin")};
  members["2"].protocols = {protocol("roundrobin"), protocol("range")};
  CHECK(select_protocol(members) == "range");
  members["1"].protocols = {protocol("range"), protocol("cooperative-sticky")};
  members["2"].protocols = {protocol("cooperative-sticky"), protocol("range")};
  CHECK(select_protocol(members) == "range");
}

TEST_CASE("a group takes no more than its maximum", "[J12]") {
  World world;
  world.settings_now.max_size = 2;
  const auto ids = world.make_stable(2);
  const auto& full = world.joined(world.join(join_request()));
  CHECK(full.error_code == ErrorCode::kGroupMaxSizeReached);
  CHECK(full.member_id.empty());
  // Who is in stays in.
  CHECK(world.joined(world.join(join_request(ids[1]))).error_code == ErrorCode::kNone);

  // While it prepares, only who waits counts: the last one back is put out.
  world.settings_now.max_size = 1;
  const Ticket leader = world.join(join_request(ids[0]));
  CHECK(world.joined(world.join(join_request(ids[1]))).error_code == ErrorCode::kGroupMaxSizeReached);
  world.advance(60'000);
  CHECK(world.joined(leader).generation_id == 2);
  CHECK(world.group->members().size() == 1);
}

TEST_CASE("session timeouts have bounds, and an empty group id is refused first", "[J13]") {
  GroupSettings settings;
  JoinGroupRequest request = join_request();
  CHECK(check_join(request, settings) == ErrorCode::kNone);
  request.session_timeout_ms = settings.min_session_timeout_ms - 1;
  CHECK(check_join(request, settings) == ErrorCode::kInvalidSessionTimeout);
  request.session_timeout_ms = settings.max_session_timeout_ms + 1;
  CHECK(check_join(request, settings) == ErrorCode::kInvalidSessionTimeout);
  request.group_id.clear();
  CHECK(check_join(request, settings) == ErrorCode::kInvalidGroupId);
}

TEST_CASE("the first rebalance waits, and longer while members still come") {
  World world(3'000);
  std::vector<std::string> ids = {world.new_id(), world.new_id()};
  const Ticket first = world.join(join_request(ids[0]));
  const auto timer = world.timers.at(GroupTimer{"g", GroupTimerKind::initial_delay, ""});
  CHECK(timer.kind == TimerKind::park);
  CHECK(timer.tag == 7);
  world.advance(2'000);
  const Ticket second = world.join(join_request(ids[1]));
  world.advance(3'999);
  CHECK_FALSE(world.answered(first));
  world.advance(1);
  CHECK(world.joined(first).generation_id == 1);
  CHECK(world.joined(second).generation_id == 1);
  CHECK(world.joined(first).members.size() + world.joined(second).members.size() == 2);
}

TEST_CASE("the first rebalance is never put off beyond the rebalance timeout") {
  World world(3'000);
  JoinGroupRequest request = join_request();
  request.rebalance_timeout_ms = 7'000;
  std::vector<Ticket> tickets;
  for (int i = 0; i < 7; ++i) {
    tickets.push_back(world.join(request, 3));
    if (i < 6) world.advance(1'000);
  }
  CHECK_FALSE(world.answered(tickets[0]));
  world.advance(1'000);
  for (const Ticket ticket : tickets) CHECK(world.joined(ticket).generation_id == 1);
}

TEST_CASE("a rebalance waits for its members as long as the rebalance timeout says") {
  World world;
  const auto ids = world.make_stable(3);
  const Ticket leader = world.join(join_request(ids[0]));
  CHECK(world.group->state_name() == "PreparingRebalance");
  CHECK(world.heartbeat(ids[1], 1) == ErrorCode::kRebalanceInProgress);
  const Ticket follower = world.join(join_request(ids[1]));
  world.advance(30'000);
  CHECK(world.heartbeat(ids[2], 1) == ErrorCode::kRebalanceInProgress);
  world.advance(29'999);
  CHECK_FALSE(world.answered(leader));
  world.advance(1);
  CHECK(world.joined(leader).generation_id == 2);
  CHECK(world.joined(leader).members.size() == 2);
  CHECK(world.joined(follower).members.empty());
  CHECK(world.heartbeat(ids[2], 1) == ErrorCode::kUnknownMemberId);
}

TEST_CASE("another member leads when the leader does not come back") {
  World world;
  const auto ids = world.make_stable(2);
  JoinGroupRequest request = join_request(ids[1]);
  request.protocols = {protocol("range", subscription({"other"}))};
  const Ticket ticket = world.join(request);
  world.advance(60'000);
  CHECK(world.joined(ticket).leader == ids[1]);
  CHECK(world.joined(ticket).members.size() == 1);
}

TEST_CASE("a lost answer is given again; changed metadata makes a new generation") {
  World world;
  std::vector<std::string> ids = {world.new_id(), world.new_id()};
  for (const std::string& id : ids) world.join(join_request(id));
  world.advance(0);
  const std::string leader = *world.group->leader();
  CHECK(world.group->state_name() == "CompletingRebalance");
  const auto& again = world.joined(world.join(join_request(leader)));
  CHECK(again.generation_id == 1);
  CHECK(again.members.size() == 2);
  JoinGroupRequest request = join_request(leader);
  request.protocols = {protocol("range", subscription({"u"}))};
  const Ticket ticket = world.join(request);
  CHECK_FALSE(world.answered(ticket));
  CHECK(world.group->state_name() == "PreparingRebalance");
}

TEST_CASE("a stable group: a follower that asks again stays, the leader makes a rebalance") {
  World world;
  const auto ids = world.make_stable(2);
  const auto& follower = world.joined(world.join(join_request(ids[1])));
  CHECK(follower.generation_id == 1);
  CHECK(follower.leader == ids[0]);
  CHECK(follower.members.empty());
  CHECK(world.group->state_name() == "Stable");
  CHECK_FALSE(world.answered(world.join(join_request(ids[0]))));
  CHECK(world.group->state_name() == "PreparingRebalance");
}

TEST_CASE("a member that joins again elsewhere releases its earlier request") {
  World world(3'000);
  const std::string id = world.new_id();
  const Ticket first = world.join(join_request(id));
  const Ticket second = world.join(join_request(id));
  CHECK(world.joined(first).error_code == ErrorCode::kRebalanceInProgress);
  world.advance(6'000);
  CHECK(world.joined(second).generation_id == 1);
}

TEST_CASE("a new member that goes while its JoinGroup waits is noticed") {
  World world;
  world.settings_now.new_member_join_timeout_ms = 10'000;
  const auto ids = world.make_stable(1);
  const std::string id = world.new_id();
  const Ticket ticket = world.join(join_request(id));
  world.advance(10'000);
  CHECK(world.joined(ticket).error_code == ErrorCode::kUnknownMemberId);
  CHECK(world.joined(ticket).member_id.empty());
}

}  // namespace
}  // namespace wt::kafka

#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups_classic/world.h"

namespace wt::kafka {
namespace {

TEST_CASE("followers wait for the leader's assignment, and get it when it is durable") {
  World world;
  std::vector<std::string> ids = {world.new_id(), world.new_id()};
  for (const std::string& id : ids) world.join(join_request(id));
  world.advance(0);
  const std::string leader = *world.group->leader();
  const std::string follower = leader == ids[0] ? ids[1] : ids[0];
  const Ticket waiting = world.sync(follower, 1);
  CHECK_FALSE(world.answered(waiting));
  const Ticket leading = world.sync(leader, 1, {{follower, "f"}});
  CHECK(world.synced(waiting).assignment.text() == "f");
  CHECK(world.synced(waiting).protocol_name == "range");
  CHECK(world.synced(waiting).protocol_type == "consumer");
  CHECK(world.synced(leading).assignment.empty());
  CHECK(world.group->state_name() == "Stable");
  CHECK_FALSE(world.has_timer(GroupTimerKind::sync));
  CHECK(world.last_record().generation == 1);
  CHECK(world.last_record().leader == leader);
  CHECK(world.synced(world.sync(follower, 1)).assignment.text() == "f");
}

TEST_CASE("a wrong generation is told apart from an unknown member", "[J3]") {
  World world;
  const auto ids = world.make_stable(1);
  CHECK(world.synced(world.sync(ids[0], 0)).error_code == ErrorCode::kIllegalGeneration);
  CHECK(world.synced(world.sync(ids[0], 0)).assignment.empty());
  CHECK(world.heartbeat(ids[0], 2) == ErrorCode::kIllegalGeneration);
  CHECK(world.commit(ids[0], 0) == ErrorCode::kIllegalGeneration);
}

TEST_CASE("heartbeats in each state", "[J8]") {
  World world;
  CHECK(world.heartbeat("who", 0) == ErrorCode::kUnknownMemberId);
  const std::string id = world.new_id();
  CHECK(world.heartbeat(id, 0) == ErrorCode::kUnknownMemberId);
  world.join(join_request(id));
  CHECK(world.group->state_name() == "PreparingRebalance");
  CHECK(world.heartbeat(id, 0) == ErrorCode::kRebalanceInProgress);
  world.advance(0);
  CHECK(world.group->state_name() == "CompletingRebalance");
  CHECK(world.heartbeat(id, 1) == ErrorCode::kNone);
  world.sync(id, 1);
  CHECK(world.heartbeat(id, 1) == ErrorCode::kNone);
  world.leave({{id, ""}});
  CHECK(world.group->state_name() == "Empty");
  CHECK(world.heartbeat(id, 2) == ErrorCode::kUnknownMemberId);
}

TEST_CASE("SyncGroup while a rebalance is prepared, and with another protocol", "[J9][J11]") {
  World world;
  const auto ids = world.make_stable(2);
  SyncGroupRequest request;
  request.member_id = ids[0];
  request.generation_id = 1;
  request.protocol_type = "consumer";
  request.protocol_name = "sticky";
  CHECK(world.synced(world.sync(request)).error_code == ErrorCode::kInconsistentGroupProtocol);
  request.protocol_type = "connect";
  request.protocol_name = "range";
  CHECK(world.synced(world.sync(request)).error_code == ErrorCode::kInconsistentGroupProtocol);
  world.join(join_request(ids[0]));
  CHECK(world.synced(world.sync(ids[1], 1)).error_code == ErrorCode::kRebalanceInProgress);
}

TEST_CASE("commits in each state", "[J10]") {
  World world;
  CHECK(world.commit("", -1) == ErrorCode::kNone);
  const std::string id = world.new_id();
  CHECK(world.commit("", -1) == ErrorCode::kNone);
  CHECK(world.commit("", 1) == ErrorCode::kUnknownMemberId);
  world.join(join_request(id));
  world.advance(0);
  CHECK(world.commit(id, 1) == ErrorCode::kRebalanceInProgress);
  CHECK(world.commit(id, 1, true) == ErrorCode::kNone);
  CHECK(world.commit("", -1) == ErrorCode::kUnknownMemberId);
  CHECK(world.commit("", -1, true) == ErrorCode::kNone);
  world.sync(id, 1);
  CHECK(world.commit(id, 1) == ErrorCode::kNone);
  world.new_id();
  world.join(join_request(id));
  CHECK(world.group->state_name() == "PreparingRebalance");
  CHECK(world.commit(id, 1) == ErrorCode::kNone);
}

TEST_CASE("a commit keeps the session") {
  World world;
  const auto ids = world.make_stable(1);
  world.advance(40'000);
  world.commit(ids[0], 1);
  world.advance(40'000);
  CHECK(world.group->members().size() == 1);
  world.advance(5'000);
  CHECK(world.group->members().empty());
}

TEST_CASE("a member that is silent for its session of 45 s is put out") {
  World world;
  const auto ids = world.make_stable(2);
  world.advance(44'999);
  CHECK(world.heartbeat(ids[0], 1) == ErrorCode::kNone);
  CHECK(world.group->members().size() == 2);
  world.advance(1);
  CHECK(world.group->members().size() == 1);
  CHECK(world.heartbeat(ids[0], 1) == ErrorCode::kRebalanceInProgress);
  CHECK(world.heartbeat(ids[1], 1) == ErrorCode::kUnknownMemberId);
  const Ticket ticket = world.join(join_request(ids[0]));
  CHECK(world.joined(ticket).members.size() == 1);
}

TEST_CASE("the last silent member leaves an empty group behind") {
  World world;
  world.make_stable(1);
  world.advance(45'000);
  CHECK(world.group->state_name() == "Empty");
  CHECK(world.group->generation() == 2);
  CHECK(world.last_record().members.empty());
  CHECK(world.last_record().generation == 2);
  CHECK(world.last_record().protocol_type == "consumer");
  CHECK_FALSE(world.last_record().protocol);
  CHECK(world.timers.empty());
}

TEST_CASE("who waits for the assignment is not silent; who never asks is put out") {
  World world;
  std::vector<std::string> ids = {world.new_id(), world.new_id()};
  for (const std::string& id : ids) {
    JoinGroupRequest request = join_request(id);
    request.rebalance_timeout_ms = 100'000;
    request.session_timeout_ms = 10'000;
    world.join(request);
  }
  world.advance(0);
  const std::string leader = *world.group->leader();
  const std::string follower = leader == ids[0] ? ids[1] : ids[0];
  const Ticket waiting = world.sync(follower, 1);
  for (int i = 0; i < 19; ++i) {
    world.advance(5'000);
    CHECK(world.heartbeat(leader, 1) == ErrorCode::kNone);
  }
  CHECK(world.group->members().size() == 2);
  world.advance(5'000);
  CHECK(world.synced(waiting).error_code == ErrorCode::kRebalanceInProgress);
  CHECK(world.heartbeat(leader, 1) == ErrorCode::kUnknownMemberId);
  CHECK(world.heartbeat(follower, 1) == ErrorCode::kRebalanceInProgress);
}

TEST_CASE("an assignment that cannot be written is never seen", "[J15]") {
  for (const ErrorCode code : {ErrorCode::kCoordinatorLoadInProgress, ErrorCode::kCoordinatorNotAvailable,
                               ErrorCode::kNotCoordinator}) {
    World world;
    std::vector<std::string> ids = {world.new_id(), world.new_id()};
    for (const std::string& id : ids) world.join(join_request(id));
    world.advance(0);
    const std::string leader = *world.group->leader();
    const std::string follower = leader == ids[0] ? ids[1] : ids[0];
    const Ticket waiting = world.sync(follower, 1);
    world.append_error = code;
    const Ticket leading = world.sync(leader, 1, {{follower, "f"}, {leader, "l"}});
    for (const Ticket ticket : {waiting, leading}) {
      CHECK(world.synced(ticket).error_code == code);
      CHECK(world.synced(ticket).assignment.empty());
      CHECK_FALSE(world.synced(ticket).protocol_name);
    }
    CHECK(world.group->state_name() == "PreparingRebalance");
    CHECK(world.synced(world.sync(follower, 1)).error_code == ErrorCode::kRebalanceInProgress);
    for (const auto& [id, member] : world.group->members()) CHECK(member.assignment.empty());
    const Ticket again = world.join(join_request(leader));
    world.join(join_request(follower));
    CHECK(world.joined(again).generation_id == 2);
  }
}

TEST_CASE("a group that cannot be written is not there; who waits to join is told", "[J15]") {
  World world;
  world.append_error = ErrorCode::kNotCoordinator;
  const auto& answer = world.joined(world.join(join_request(), 3));
  CHECK(answer.error_code == ErrorCode::kNotCoordinator);
  CHECK(answer.member_id.empty());
  CHECK(world.group->state_name() == "Dead");
  CHECK(world.timers.empty());
}

TEST_CASE("leaving: one member, several, the last one", "[J16]") {
  World world;
  const auto ids = world.make_stable(3);
  const auto one = world.leave({{ids[2], ""}});
  CHECK(one.members[0].error_code == ErrorCode::kNone);
  CHECK(one.members[0].member_id == ids[2]);
  CHECK(world.group->state_name() == "PreparingRebalance");
  CHECK_FALSE(world.has_timer(GroupTimerKind::session, ids[2]));
  const Ticket waiting = world.join(join_request(ids[1]));
  CHECK_FALSE(world.answered(waiting));
  world.leave({{ids[0], ""}});
  CHECK(world.joined(waiting).generation_id == 2);
  CHECK(world.joined(waiting).leader == ids[1]);
  world.append_error = ErrorCode::kCoordinatorNotAvailable;
  const auto last = world.leave({{ids[1], ""}});
  CHECK(last.error_code == ErrorCode::kCoordinatorNotAvailable);
  CHECK(last.members.empty());
  CHECK(world.group->state_name() == "Empty");
}

TEST_CASE("who leaves while his JoinGroup or SyncGroup waits elsewhere is answered there") {
  World world;
  const auto ids = world.make_stable(2);
  const Ticket joining = world.join(join_request(ids[0]));
  world.leave({{ids[0], ""}});
  CHECK(world.joined(joining).error_code == ErrorCode::kUnknownMemberId);
  CHECK(world.joined(joining).member_id.empty());

  World other;
  std::vector<std::string> pair = {other.new_id(), other.new_id()};
  for (const std::string& id : pair) other.join(join_request(id));
  other.advance(0);
  const std::string follower = *other.group->leader() == pair[0] ? pair[1] : pair[0];
  const Ticket syncing = other.sync(follower, 1);
  other.leave({{follower, ""}});
  CHECK(other.synced(syncing).error_code == ErrorCode::kUnknownMemberId);
}

}  // namespace
}  // namespace wt::kafka

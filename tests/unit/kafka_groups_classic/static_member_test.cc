#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups_classic/world.h"

namespace wt::kafka {
namespace {

// Two static members "i1" (leader) and "i2"; their ids.
std::vector<std::string> stable_static(World& world) {
  const Ticket first = world.join(join_request("", "i1"));
  const Ticket second = world.join(join_request("", "i2"));
  world.advance(0);
  std::vector<std::string> ids = {world.joined(first).member_id, world.joined(second).member_id};
  const std::string leader = *world.group->leader();
  if (leader != ids[0]) FAIL("the first member leads");
  world.sync(ids[1], 1, {}, "i2");
  world.sync(ids[0], 1, {{ids[0], "p0"}, {ids[1], "p1"}}, "i1");
  return ids;
}

TEST_CASE("static members need no id first; theirs begins with the instance") {
  World world;
  const auto ids = stable_static(world);
  CHECK(ids[0].starts_with("i1-"));
  CHECK(world.group->state_name() == "Stable");
}

TEST_CASE("an instance that another member id holds is fenced", "[J4]") {
  World world;
  const auto ids = stable_static(world);
  const auto& join = world.joined(world.join(join_request(ids[0], "i2")));
  CHECK(join.error_code == ErrorCode::kFencedInstanceId);
  CHECK(join.member_id == ids[0]);
  CHECK(world.synced(world.sync(ids[0], 1, {}, "i2")).error_code == ErrorCode::kFencedInstanceId);
  CHECK(world.heartbeat(ids[0], 1, "i2") == ErrorCode::kFencedInstanceId);
  CHECK(world.leave({{ids[0], "i2"}}).members[0].error_code == ErrorCode::kFencedInstanceId);
  Committer committer;
  committer.member_id = ids[0];
  committer.instance_id = "i2";
  committer.generation = 1;
  CHECK(world.group->check_commit(committer) == ErrorCode::kFencedInstanceId);
}

TEST_CASE("an instance that nobody knows is an unknown member", "[J5]") {
  World world;
  const auto ids = stable_static(world);
  CHECK(world.synced(world.sync(ids[0], 1, {}, "i3")).error_code == ErrorCode::kUnknownMemberId);
  CHECK(world.heartbeat(ids[0], 1, "i3") == ErrorCode::kUnknownMemberId);
}

TEST_CASE("a static member that comes back to a stable group gets a new id and no rebalance", "[J6]") {
  World world;
  const auto ids = stable_static(world);
  const auto& back = world.joined(world.join(join_request("", "i2")));
  CHECK(back.error_code == ErrorCode::kNone);
  CHECK(back.member_id != ids[1]);
  CHECK(back.generation_id == 1);
  CHECK(back.leader == ids[0]);
  CHECK_FALSE(back.skip_assignment);
  CHECK(back.members.empty());
  CHECK(world.group->state_name() == "Stable");
  CHECK(world.synced(world.sync(back.member_id, 1)).assignment.text() == "p1");
  CHECK(world.heartbeat(ids[1], 1, "i2") == ErrorCode::kFencedInstanceId);
  CHECK_FALSE(world.has_timer(GroupTimerKind::session, ids[1]));
  CHECK(world.has_timer(GroupTimerKind::session, back.member_id));
  const auto saved = world.last_record().members;
  CHECK(saved.size() == 2);
  const auto kept = std::find_if(saved.begin(), saved.end(),
                                 [&](const auto& member) { return member.member_id == back.member_id; });
  REQUIRE(kept != saved.end());
  CHECK(kept->assignment.text() == "p1");
}

TEST_CASE("a leader that comes back skips the assignment, or does not know that it leads", "[J6]") {
  World world;
  const auto ids = stable_static(world);
  const auto old = world.joined(world.join(join_request("", "i1"), 8));
  CHECK(old.leader == ids[0]);
  CHECK(old.member_id != ids[0]);
  CHECK(old.members.empty());
  const auto& leader = world.joined(world.join(join_request("", "i1"), 9));
  CHECK(leader.leader == leader.member_id);
  CHECK(leader.skip_assignment);
  CHECK(leader.members.size() == 2);
}

TEST_CASE("whoever waits under the old id of a static member is fenced", "[J6]") {
  World world(3'000);
  const Ticket first = world.join(join_request("", "i1"));
  const Ticket second = world.join(join_request("", "i1"));
  CHECK(world.joined(first).error_code == ErrorCode::kFencedInstanceId);
  CHECK_FALSE(world.joined(first).protocol_name);
  world.advance(3'000);
  CHECK(world.joined(second).generation_id == 1);
  CHECK(world.group->members().size() == 1);
}

TEST_CASE("a static member that wants another protocol makes a rebalance", "[J6]") {
  World world;
  stable_static(world);
  JoinGroupRequest request = join_request("", "i1");
  std::swap(request.protocols[0], request.protocols[1]);
  JoinGroupRequest other = join_request("", "i2");
  std::swap(other.protocols[0], other.protocols[1]);
  CHECK(world.joined(world.join(request)).error_code == ErrorCode::kNone);
  const Ticket ticket = world.join(other);
  CHECK_FALSE(world.answered(ticket));
  CHECK(world.group->state_name() == "PreparingRebalance");
}

TEST_CASE("a static member that comes back before the assignment restarts the rebalance", "[J7]") {
  World world;
  const Ticket first = world.join(join_request("", "i1"));
  const Ticket second = world.join(join_request("", "i2"));
  world.advance(0);
  const std::string follower = world.joined(second).member_id;
  const Ticket sync = world.sync(follower, 1, {}, "i2");
  const Ticket back = world.join(join_request("", "i2"));
  CHECK(world.synced(sync).error_code == ErrorCode::kFencedInstanceId);
  CHECK(world.group->state_name() == "PreparingRebalance");
  const Ticket leader = world.join(join_request(world.joined(first).member_id, "i1"));
  CHECK(world.joined(back).error_code == ErrorCode::kNone);
  CHECK(world.joined(back).generation_id == 2);
  CHECK(world.joined(leader).members.size() == 2);
}

TEST_CASE("static members that do not rejoin keep their place until their session ends") {
  World world;
  const auto ids = stable_static(world);
  JoinGroupRequest request = join_request(ids[0], "i1");
  request.session_timeout_ms = 300'000;
  const Ticket leader = world.join(request);
  world.advance(30'000);
  world.heartbeat(ids[1], 1, "i2");
  world.advance(30'000);
  CHECK(world.joined(leader).generation_id == 2);
  CHECK(world.joined(leader).members.size() == 2);
  // It has its session again from the generation's start, and then it is put out.
  world.sync(ids[0], 2, {{ids[0], "p0"}, {ids[1], "p1"}}, "i1");
  world.advance(44'999);
  CHECK(world.group->members().size() == 2);
  world.advance(1);
  CHECK(world.group->members().size() == 1);
}

TEST_CASE("when no static member rejoins, the rebalance goes on until one does") {
  World world;
  JoinGroupRequest request = join_request("", "i1");
  request.session_timeout_ms = 300'000;
  const Ticket first = world.join(request);
  world.advance(0);
  const std::string id = world.joined(first).member_id;
  world.sync(id, 1, {}, "i1");
  const std::string pending = world.new_id();
  world.join(join_request(pending));
  world.leave({{pending, ""}});
  CHECK(world.group->state_name() == "PreparingRebalance");
  world.advance(130'000);
  CHECK(world.group->state_name() == "PreparingRebalance");
  CHECK(world.has_timer(GroupTimerKind::join));
  const Ticket back = world.join(join_request(id, "i1"));
  CHECK(world.joined(back).generation_id == 2);
}

TEST_CASE("an administrator removes static members by instance", "[J16]") {
  World world;
  const auto ids = stable_static(world);
  const auto answer = world.leave({{"", "i1"}, {"", "i3"}, {"", ""}, {ids[0], "i2"}});
  CHECK(answer.error_code == ErrorCode::kNone);
  REQUIRE(answer.members.size() == 4);
  CHECK(answer.members[0].error_code == ErrorCode::kNone);
  CHECK(answer.members[0].group_instance_id == "i1");
  CHECK(answer.members[1].error_code == ErrorCode::kUnknownMemberId);
  CHECK(answer.members[2].error_code == ErrorCode::kUnknownMemberId);
  CHECK(answer.members[3].error_code == ErrorCode::kFencedInstanceId);
  CHECK(world.group->leader() == ids[1]);
  CHECK(world.group->state_name() == "PreparingRebalance");
}

TEST_CASE("a replacement that cannot be written is taken back", "[J15]") {
  World world;
  const auto ids = stable_static(world);
  world.append_error = ErrorCode::kCoordinatorNotAvailable;
  const auto& failed = world.joined(world.join(join_request("", "i1")));
  CHECK(failed.error_code == ErrorCode::kCoordinatorNotAvailable);
  CHECK(failed.member_id.empty());
  CHECK(failed.leader == ids[0]);
  CHECK(world.group->leader() == ids[0]);
  CHECK(world.heartbeat(ids[0], 1, "i1") == ErrorCode::kNone);
  CHECK(world.group->members().size() == 2);
}

}  // namespace
}  // namespace wt::kafka

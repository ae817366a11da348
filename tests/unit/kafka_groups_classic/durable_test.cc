#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups_classic/world.h"

namespace wt::kafka {
namespace {

TEST_CASE("the group's record has Kafka's bytes") {
  GroupMetadataKey key;
  key.group = "g";
  CHECK(flatten(*encode(key, 2)).text() == std::string("\0\1g", 3));

  GroupMetadataValue value;
  value.protocol_type = "consumer";
  value.generation = 5;
  value.protocol = "range";
  value.leader.reset();
  value.current_state_timestamp = 7;
  GroupMetadataValue::MemberMetadata member;
  member.member_id = "m";
  member.client_id = "c";
  member.client_host = "/h";
  member.rebalance_timeout = 1;
  member.session_timeout = 2;
  member.subscription = Slice::copy_of("s");
  member.assignment = Slice::copy_of("a");
  value.members.push_back(member);
  constexpr char kBytes[] =
      "\0\10consumer\0\0\0\5\0\5range\xff\xff\0\0\0\0\0\0\0\7\0\0\0\1"
      "\0\1m\xff\xff\0\1c\0\2/h\0\0\0\1\0\0\0\2\0\0\0\1s\0\0\0\1a";
  const std::string expected(kBytes, sizeof kBytes - 1);
  CHECK(flatten(*encode(value, 3)).text() == expected);
}

TEST_CASE("records of all versions are read; what a version lacks has its default") {
  GroupMetadataValue value;
  value.protocol_type = "consumer";
  value.protocol.reset();
  value.current_state_timestamp = 9;
  GroupMetadataValue::MemberMetadata member;
  member.member_id = "m";
  member.group_instance_id = "i";
  member.rebalance_timeout = 3;
  value.members.push_back(member);
  for (schema::Version version = 0; version <= 4; ++version) {
    const auto bytes = encode(value, version);
    REQUIRE(bytes.ok());
    const auto read = decode<GroupMetadataValue>(flatten(*bytes), version);
    REQUIRE(read.ok());
    CHECK(read->members[0].rebalance_timeout == (version >= 1 ? 3 : -1));
    CHECK(read->current_state_timestamp == (version >= 2 ? 9 : -1));
    CHECK(read->members[0].group_instance_id.has_value() == (version >= 3));
  }
}

TEST_CASE("members survive a reload, with their sessions from the start", "[J14]") {
  World world;
  const auto ids = world.make_stable(2);
  world.advance(44'000);
  world.reload();
  CHECK(world.group->state_name() == "Stable");
  CHECK(world.group->generation() == 1);
  CHECK(world.group->leader() == ids[0]);
  CHECK(world.synced(world.sync(ids[1], 1)).assignment.text() == "of " + ids[1]);
  CHECK(world.group->describe().members.size() == 2);
  world.advance(44'000);
  CHECK(world.group->members().size() == 2);
  CHECK(world.heartbeat(ids[0], 1) == ErrorCode::kNone);
  world.advance(1'000);
  CHECK(world.group->members().size() == 1);
}

TEST_CASE("who waits when the coordinator goes is told to look for it", "[J14]") {
  World world;
  const auto ids = world.make_stable(2);
  const Ticket joining = world.join(join_request(ids[0]));
  world.reload();
  CHECK(world.joined(joining).error_code == ErrorCode::kNotCoordinator);
  CHECK(world.joined(joining).member_id == ids[0]);
  // The rebalance was only remembered: the log has the last generation.
  CHECK(world.group->state_name() == "Stable");

  World other;
  std::vector<std::string> pair = {other.new_id(), other.new_id()};
  for (const std::string& id : pair) other.join(join_request(id));
  other.advance(0);
  const std::string follower = *other.group->leader() == pair[0] ? pair[1] : pair[0];
  const Ticket syncing = other.sync(follower, 1);
  other.reload();
  CHECK(other.synced(syncing).error_code == ErrorCode::kNotCoordinator);
  // Ids that were handed out are gone, too.
  CHECK(other.group->state_name() == "Empty");
  CHECK(other.joined(other.join(join_request(follower))).error_code == ErrorCode::kUnknownMemberId);
}

TEST_CASE("a group that was closed answers like a coordinator that is not there", "[J14]") {
  World world;
  const auto ids = world.make_stable(1);
  Outcome outcome;
  world.group->close(ErrorCode::kNotCoordinator, outcome);
  CHECK(world.timers.empty());
  CHECK(world.joined(world.join(join_request(ids[0]))).error_code == ErrorCode::kCoordinatorNotAvailable);
  CHECK(world.synced(world.sync(ids[0], 1)).error_code == ErrorCode::kCoordinatorNotAvailable);
  CHECK(world.heartbeat(ids[0], 1) == ErrorCode::kCoordinatorNotAvailable);
  CHECK(world.leave({{ids[0], ""}}).error_code == ErrorCode::kCoordinatorNotAvailable);
  CHECK(world.commit(ids[0], 1) == ErrorCode::kCoordinatorNotAvailable);
  CHECK(world.group->check_fetch("", -1) == ErrorCode::kGroupIdNotFound);
}

TEST_CASE("a group that is larger than allowed now is told to rejoin after a reload") {
  World world;
  world.make_stable(3);
  world.settings_now.max_size = 2;
  world.reload();
  CHECK(world.group->state_name() == "PreparingRebalance");
}

TEST_CASE("a record of an old broker has no rebalance timeout: the session's is taken") {
  World world;
  GroupMetadataValue value;
  value.protocol_type = "consumer";
  value.generation = 3;
  value.protocol = "range";
  value.leader = "gone";
  GroupMetadataValue::MemberMetadata member;
  member.member_id = "m";
  member.session_timeout = 30'000;
  value.members.push_back(member);
  GroupRecord record;
  GroupMetadataKey key;
  key.group = "g";
  world.log.push_back(group_record(key, value));
  world.reload();
  CHECK(world.group->leader() == "m");
  CHECK(world.group->members().at("m").rebalance_timeout_ms == 30'000);
  CHECK_FALSE(world.group->state_since());
}

TEST_CASE("describing a group; a missing one is Dead, from version 6 on an error", "[J17]") {
  World world;
  const std::string id = world.new_id();
  CHECK(world.group->describe().group_state == "Empty");
  world.join(join_request(id));
  auto described = world.group->describe();
  CHECK(described.group_state == "PreparingRebalance");
  CHECK(described.protocol_type == "consumer");
  CHECK(described.protocol_data.empty());
  REQUIRE(described.members.size() == 1);
  CHECK(described.members[0].client_id == "client");
  CHECK(described.members[0].client_host == "/127.0.0.1");
  CHECK(described.members[0].member_metadata.empty());
  world.advance(0);
  world.sync(id, 1, {{id, "a"}});
  described = world.group->describe();
  CHECK(described.group_state == "Stable");
  CHECK(described.protocol_data == "range");
  CHECK(described.members[0].member_metadata.text() == subscription({"t"}));
  CHECK(described.members[0].member_assignment.text() == "a");

  CHECK(describe_missing("x", 5, false).error_code == ErrorCode::kNone);
  CHECK(describe_missing("x", 5, false).group_state == "Dead");
  CHECK(describe_missing("x", 6, false).error_code == ErrorCode::kGroupIdNotFound);
  CHECK(describe_missing("x", 6, false).error_message == "Group x not found.");
}

TEST_CASE("only an empty group is deleted", "[J18]") {
  World world;
  const auto ids = world.make_stable(1);
  CHECK(world.group->check_delete() == ErrorCode::kNonEmptyGroup);
  world.leave({{ids[0], ""}});
  CHECK(world.group->check_delete() == ErrorCode::kNone);
  std::vector<GroupRecord> records;
  world.group->delete_records(records);
  REQUIRE(records.size() == 1);
  CHECK(records[0].key.get<GroupMetadataKey>()->group == "g");
  CHECK_FALSE(records[0].value);
}

TEST_CASE("a group knows which topics its consumers subscribe", "[J19]") {
  World world;
  CHECK_FALSE(world.group->subscribes_to("t"));
  const auto ids = world.make_stable(2);
  CHECK(world.group->subscribes_to("t"));
  CHECK_FALSE(world.group->subscribes_to("u"));
  world.reload();
  CHECK(world.group->subscribes_to("t"));
  CHECK_FALSE(world.group->subscribes_to("u"));
  // Metadata that is no subscription: anything may be wanted.
  JoinGroupRequest request = join_request(ids[0]);
  request.protocols = {protocol("range", "?")};
  world.join(request);
  world.join(join_request(ids[1]));
  CHECK(world.group->subscribes_to("u"));
}

}  // namespace
}  // namespace wt::kafka

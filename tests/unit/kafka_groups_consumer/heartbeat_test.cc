// What a member of a consumer group sees when it joins, follows, is late, or is wrong.
#include <catch2/catch.hpp>

#include "sim/kafka/groups/settings.h"
#include "tests/unit/kafka_groups_consumer/consumer_host.h"

namespace wt::kafka {
namespace {

using Response = ConsumerHost::Response;

std::set<std::int32_t> numbers(const TestMember& member, const Uuid& topic_id) {
  const auto found = member.owned.find(topic_id);
  return found == member.owned.end() ? std::set<std::int32_t>() : found->second;
}

void check_refused(const Response& response, ErrorCode code, const std::string& message) {
  CHECK(response.error_code == code);
  CHECK(response.error_message == message);
  CHECK_FALSE(response.member_id);
  CHECK_FALSE(response.assignment);
}

// All members heartbeat a second apart until nothing changes.
void settle(ConsumerHost& host, const std::vector<TestMember*>& members) {
  for (int round = 0; round < 8; ++round) {
    host.advance_ms(1'000);
    for (TestMember* member : members) member->heartbeat(host);
  }
}

TEST_CASE("the first member gets all partitions at once") {
  ConsumerHost host;
  const Uuid topic = host.create_topic("t", 3);
  TestMember a("a");
  const Response response = a.heartbeat(host);
  CHECK(response.error_code == ErrorCode::kNone);
  CHECK(response.member_id == "a");
  CHECK(response.member_epoch == 2);
  CHECK(response.heartbeat_interval_ms == 5'000);
  CHECK(numbers(a, topic) == std::set<std::int32_t>{0, 1, 2});
  CHECK(host.group->state_name() == "Stable");
  CHECK(host.group->epoch() == 2);
  CHECK(host.group->assignment_epoch() == 2);
}

TEST_CASE("a second member waits until the first one gave partitions up") {
  ConsumerHost host;
  const Uuid topic = host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  host.advance_ms(1'000);

  const Response joined = b.heartbeat(host);
  CHECK(joined.member_epoch == 3);
  REQUIRE(joined.assignment);
  CHECK(joined.assignment->topic_partitions.empty());
  CHECK(host.group->state_name() == "Reconciling");

  const auto request = a.request();
  const Response revoke = host.send(request);
  CHECK(revoke.member_epoch == 2);
  REQUIRE(revoke.assignment);
  CHECK(b.heartbeat(host).assignment->topic_partitions.empty());
  a.take(revoke);
  CHECK(numbers(a, topic).size() == 2);

  const Response gave_up = a.heartbeat(host);
  CHECK(gave_up.member_epoch == 3);
  b.heartbeat(host);
  CHECK(numbers(b, topic).size() == 2);
  CHECK(host.group->state_name() == "Stable");
}

TEST_CASE("a heartbeat without news carries no assignment") {
  ConsumerHost host;
  host.create_topic("t", 1);
  TestMember a("a");
  a.heartbeat(host);
  ConsumerHost::Request request;
  request.group_id = "g";
  request.member_id = "a";
  request.member_epoch = a.epoch;
  const Response quiet = host.send(request);
  CHECK(quiet.error_code == ErrorCode::kNone);
  CHECK(quiet.member_epoch == 2);
  CHECK_FALSE(quiet.assignment);
}

TEST_CASE("in version 0 the broker names the member") {
  ConsumerHost host;
  host.create_topic("t", 1);
  const Response response = host.send(join_request("", {"t"}), 0);
  CHECK(response.member_id == "uuid-1");
  check_refused(host.send(join_request("", {"t"}), 1), ErrorCode::kInvalidRequest,
                "MemberId can't be empty.");
}

TEST_CASE("members with wrong epochs are fenced") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  auto ahead = a.request();
  ahead.member_epoch = 3;
  check_refused(host.send(ahead), ErrorCode::kFencedMemberEpoch,
                "The consumer group member has a greater member epoch (3) than the one known by the group "
                "coordinator (2). The member must abandon all its partitions and rejoin.");
  b.heartbeat(host);
  settle(host, {&a, &b});
  REQUIRE(a.epoch == 3);

  // The answer with the new epoch was lost: once, and only while the member owns nothing else.
  auto behind = a.request();
  behind.member_epoch = 2;
  const Response again = host.send(behind);
  CHECK(again.member_epoch == 3);
  CHECK(again.assignment);
  behind.topic_partitions->front().partitions = {0, 1, 2, 3};
  const std::string smaller =
      "The consumer group member has a smaller member epoch (2) than the one known by the group coordinator "
      "(3). The member must abandon all its partitions and rejoin.";
  check_refused(host.send(behind), ErrorCode::kFencedMemberEpoch, smaller);
  behind.topic_partitions.reset();
  check_refused(host.send(behind), ErrorCode::kFencedMemberEpoch, smaller);
  auto old = a.request();
  old.member_epoch = 1;
  CHECK(host.send(old).error_code == ErrorCode::kFencedMemberEpoch);

  // Epoch 0 of a known member is a rejoin.
  auto rejoin = join_request("a", {"t"});
  const Response rejoined = host.send(rejoin);
  CHECK(rejoined.error_code == ErrorCode::kNone);
  CHECK(rejoined.member_epoch == 3);
  CHECK(rejoined.assignment);
}

TEST_CASE("nobody can heartbeat as somebody unknown") {
  ConsumerHost host;
  host.create_topic("t", 1);
  TestMember a("a");
  a.epoch = 5;
  check_refused(a.heartbeat(host), ErrorCode::kGroupIdNotFound, "Consumer group g not found.");
  check_refused(a.leave(host), ErrorCode::kGroupIdNotFound, "Group g not found.");
  TestMember b("b");
  b.heartbeat(host);
  a.epoch = 2;
  check_refused(a.heartbeat(host), ErrorCode::kUnknownMemberId, "Member a is not a member of group g.");
  check_refused(a.leave(host), ErrorCode::kUnknownMemberId, "Member a is not a member of group g.");
}

TEST_CASE("a request that says too little or too much is refused before its group is looked at") {
  ConsumerHost host;
  const auto refuse = [&](const ConsumerHost::Request& request, ErrorCode code, const std::string& message) {
    check_refused(host.send(request), code, message);
  };
  auto request = join_request("a", {"t"});
  request.group_id = " ";
  refuse(request, ErrorCode::kInvalidRequest, "GroupId can't be empty.");
  request = join_request("a", {"t"});
  request.instance_id = "";
  refuse(request, ErrorCode::kInvalidRequest, "InstanceId can't be empty.");
  request.instance_id = "i";
  request.rack_id = "";
  refuse(request, ErrorCode::kInvalidRequest, "RackId can't be empty.");
  request = join_request("a", {"t"});
  request.rebalance_timeout_ms = -1;
  refuse(request, ErrorCode::kInvalidRequest, "RebalanceTimeoutMs must be provided in first request.");
  request = join_request("a", {"t"});
  request.topic_partitions->emplace_back();
  refuse(request, ErrorCode::kInvalidRequest, "TopicPartitions must be empty when (re-)joining.");
  request = join_request("a", {"t"});
  request.subscribed_topic_names.reset();
  refuse(request, ErrorCode::kInvalidRequest,
         "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.");
  request.member_epoch = -2;
  refuse(request, ErrorCode::kInvalidRequest, "InstanceId can't be null.");
  request.member_epoch = -3;
  refuse(request, ErrorCode::kInvalidRequest, "MemberEpoch is invalid.");
  request = join_request("a", {"t"});
  request.server_assignor = "sticky";
  refuse(request, ErrorCode::kUnsupportedAssignor,
         "ServerAssignor sticky is not supported. Supported assignors: uniform, range.");
  CHECK(host.group == nullptr);
}

TEST_CASE("a group takes no more members than it may have") {
  ConsumerHost host;
  host.create_topic("t", 1);
  host.options.consumer_max_size = 1;
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  check_refused(b.heartbeat(host), ErrorCode::kGroupMaxSizeReached,
                "The consumer group has reached its maximum capacity of 1 members.");
  CHECK(a.heartbeat(host).error_code == ErrorCode::kNone);
}

TEST_CASE("a static member gets its partitions back under another id") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.instance_id = "i-a";
  a.heartbeat(host);
  b.heartbeat(host);
  settle(host, {&a, &b});
  const TopicPartitions had = a.owned;
  const std::int32_t epoch = host.group->epoch();

  TestMember next("next");
  next.instance_id = "i-a";
  check_refused(
      next.heartbeat(host), ErrorCode::kUnreleasedInstanceId,
      "Static member next with instance id i-a cannot join the group because the instance id is owned "
      "by a member.");
  TestMember stranger("stranger");
  stranger.instance_id = "i-a";
  stranger.epoch = 3;
  check_refused(stranger.heartbeat(host), ErrorCode::kFencedInstanceId,
                "Static member stranger with instance id i-a was fenced by member a.");
  stranger.instance_id = "i-x";
  check_refused(stranger.heartbeat(host), ErrorCode::kUnknownMemberId, "Instance id i-x is unknown.");

  const Response left = a.leave(host, kStaticLeaveEpoch);
  CHECK(left.error_code == ErrorCode::kNone);
  CHECK(left.member_epoch == -2);
  settle(host, {&b});
  CHECK(b.count() == 2);

  const Response back = next.heartbeat(host);
  CHECK(back.member_epoch == epoch);
  CHECK(next.owned == had);
  CHECK(host.group->epoch() == epoch);
  CHECK(host.group->members().count("a") == 0);
}

TEST_CASE("who leaves, or is silent for a session, gives its partitions to the others") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  b.heartbeat(host);
  settle(host, {&a, &b});
  SECTION("leaves") {
    const Response left = b.leave(host);
    CHECK(left.member_epoch == -1);
    CHECK(left.heartbeat_interval_ms == 0);
  }
  SECTION("is silent") {
    host.advance_ms(30'000);
    a.heartbeat(host);
    host.advance_ms(20'000);
    CHECK(b.heartbeat(host).error_code == ErrorCode::kUnknownMemberId);
  }
  settle(host, {&a});
  CHECK(a.count() == 4);
  CHECK(a.leave(host).error_code == ErrorCode::kNone);
  CHECK(host.group->state_name() == "Empty");
  CHECK(host.group->epoch() == host.group->assignment_epoch());
}

TEST_CASE("a member that does not give up its partitions in time is fenced") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  host.advance_ms(1'000);
  b.heartbeat(host);
  const auto keeps_all = a.request();
  for (int round = 0; round < 7; ++round) {
    host.advance_ms(10'000);
    host.send(keeps_all);
    b.heartbeat(host);
  }
  CHECK(host.send(keeps_all).error_code == ErrorCode::kUnknownMemberId);
  settle(host, {&b});
  CHECK(b.count() == 4);
}

TEST_CASE("topics that come, grow and go are noticed at the next heartbeat") {
  ConsumerHost host;
  TestMember a("a", {"t", "u"});
  a.heartbeat(host);
  CHECK(a.owned.empty());
  const Uuid t = host.create_topic("t", 2);
  settle(host, {&a});
  CHECK(numbers(a, t).size() == 2);
  host.grow_topic("t", 5);
  settle(host, {&a});
  CHECK(numbers(a, t).size() == 5);
  host.create_topic("other", 1);
  const std::int32_t epoch = a.epoch;
  settle(host, {&a});
  CHECK(a.epoch == epoch);
  host.remove_topic("t");
  settle(host, {&a});
  CHECK(a.owned.empty());
  CHECK(a.epoch == epoch + 1);
}

TEST_CASE("assignments follow each other no faster than their interval") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  host.advance_ms(999);
  CHECK(b.heartbeat(host).member_epoch == 2);
  CHECK(host.group->state_name() == "Assigning");
  CHECK(a.heartbeat(host).member_epoch == 2);
  host.advance_ms(1);
  a.heartbeat(host);
  CHECK(host.group->assignment_epoch() == 3);
}

TEST_CASE("nothing happens when the records cannot be written") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  host.fail_appends = true;
  CHECK(b.heartbeat(host).error_code == ErrorCode::kCoordinatorNotAvailable);
  CHECK(host.group->members().size() == 1);
  host.create_topic("u", 1);
  host.fail_appends = false;
  a.topics = {"t", "u"};
  host.advance_ms(1'000);
  a.heartbeat(host);
  CHECK(a.count() == 5);
}

TEST_CASE("another coordinator knows the group from its records") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  b.assignor = "range";
  a.heartbeat(host);
  host.advance_ms(1'000);
  b.heartbeat(host);
  a.heartbeat(host);
  REQUIRE(host.group->state_name() == "Reconciling");
  CHECK(host.replayed()->same_state(*host.group));
  host.reload();
  CHECK(host.has_timer(GroupTimerKind::session, "a"));
  CHECK(host.has_timer(GroupTimerKind::rebalance, "a"));
  settle(host, {&a, &b});
  CHECK(a.count() == 2);
  CHECK(b.count() == 2);
  CHECK(host.group->state_name() == "Stable");
}

TEST_CASE("a description shows members, their assignments and what they are to get") {
  ConsumerHost host;
  host.create_topic("t", 2);
  TestMember a("a");
  a.instance_id = "i";
  a.heartbeat(host);
  const auto group = host.group->describe();
  CHECK(group.group_state == "Stable");
  CHECK(group.group_epoch == 2);
  CHECK(group.assignment_epoch == 2);
  CHECK(group.assignor_name == "uniform");
  REQUIRE(group.members.size() == 1);
  const auto& member = group.members.front();
  CHECK(member.member_id == "a");
  CHECK(member.instance_id == "i");
  CHECK(member.member_epoch == 2);
  CHECK(member.client_id == "client");
  CHECK(member.client_host == "/127.0.0.1");
  CHECK(member.subscribed_topic_names == std::vector<std::string>{"t"});
  CHECK(member.subscribed_topic_regex == "");
  CHECK(member.member_type == 1);
  REQUIRE(member.assignment.topic_partitions.size() == 1);
  CHECK(member.assignment.topic_partitions.front().topic_name == "t");
  CHECK(member.assignment.topic_partitions.front().partitions == std::vector<std::int32_t>{0, 1});
  CHECK(member.target_assignment.topic_partitions.size() == 1);
}

TEST_CASE("commits are checked against the member's epochs") {
  ConsumerHost host;
  const Uuid topic = host.create_topic("t", 4);
  TestMember a("a");
  TestMember b("b");
  a.heartbeat(host);
  b.heartbeat(host);
  settle(host, {&a, &b});
  Committer committer;
  committer.member_id = "a";
  committer.generation = 3;
  committer.api_version = 9;
  CHECK(host.group->check_commit(committer) == ErrorCode::kNone);
  committer.api_version = 8;
  CHECK(host.group->check_commit(committer) == ErrorCode::kUnsupportedVersion);
  committer.api_version = 9;
  committer.generation = 4;
  CHECK(host.group->check_commit(committer) == ErrorCode::kStaleMemberEpoch);
  committer.generation = 2;
  CHECK(host.group->check_commit(committer) == ErrorCode::kNone);
  const std::int32_t kept = *a.owned.at(topic).begin();
  const std::int32_t given = *b.owned.at(topic).begin();
  CHECK(host.group->check_commit_partition(committer, topic, kept) == ErrorCode::kNone);
  CHECK(host.group->check_commit_partition(committer, topic, given) == ErrorCode::kStaleMemberEpoch);
  committer.generation = 1;
  CHECK(host.group->check_commit_partition(committer, topic, kept) == ErrorCode::kStaleMemberEpoch);
  committer.member_id = "nobody";
  CHECK(host.group->check_commit(committer) == ErrorCode::kUnknownMemberId);
  Committer admin;
  CHECK(host.group->check_commit(admin) == ErrorCode::kUnknownMemberId);
  CHECK(host.group->check_fetch("", -1) == ErrorCode::kNone);
  CHECK(host.group->check_fetch("a", 3) == ErrorCode::kNone);
  CHECK(host.group->check_fetch("a", 2) == ErrorCode::kStaleMemberEpoch);
  CHECK(host.group->check_fetch("x", 3) == ErrorCode::kUnknownMemberId);
  a.leave(host);
  b.leave(host);
  CHECK(host.group->check_commit(admin) == ErrorCode::kNone);
  CHECK(host.group->check_delete() == ErrorCode::kNone);
}

// --- what older releases do otherwise ---

void behave_as(ConsumerHost& host, std::string_view profile) {
  apply_switches(find_profile(profile)->switches, host.options);
}

TEST_CASE("a known member joins again with epoch 0 as of 4.2", "[K5]") {
  const auto rejoin = [](std::string_view profile, bool twice) {
    ConsumerHost host;
    behave_as(host, profile);
    host.create_topic("t", 2);
    TestMember a("a");
    TestMember b("b");
    a.heartbeat(host);
    if (twice) {
      b.heartbeat(host);
      settle(host, {&a, &b});
    }
    a.epoch = 0;
    a.owned.clear();
    return a.heartbeat(host).error_code;
  };
  CHECK(rejoin("kafka-4.1", true) == ErrorCode::kFencedMemberEpoch);
  CHECK(rejoin("kafka-4.2", true) == ErrorCode::kNone);
  // Its first answer may have been lost.
  CHECK(rejoin("kafka-4.1", false) == ErrorCode::kNone);
}

TEST_CASE("a commit with an older epoch counts as of 4.3", "[K14]") {
  const auto commit = [](std::string_view profile, std::int32_t epoch) {
    ConsumerHost host;
    behave_as(host, profile);
    host.create_topic("t", 2);
    TestMember a("a");
    TestMember b("b");
    a.heartbeat(host);
    b.heartbeat(host);
    settle(host, {&a, &b});
    Committer committer;
    committer.member_id = "a";
    committer.generation = epoch;
    committer.api_version = 9;
    return host.group->check_commit(committer);
  };
  CHECK(commit("kafka-4.2", 3) == ErrorCode::kNone);
  CHECK(commit("kafka-4.2", 2) == ErrorCode::kStaleMemberEpoch);
  CHECK(commit("kafka-4.3", 2) == ErrorCode::kNone);
}

TEST_CASE("assignments wait for their interval as of 4.3") {
  const auto epoch_of_second = [](std::string_view profile) {
    ConsumerHost host;
    behave_as(host, profile);
    host.create_topic("t", 2);
    TestMember a("a");
    TestMember b("b");
    a.heartbeat(host);
    return b.heartbeat(host).member_epoch;
  };
  CHECK(epoch_of_second("kafka-4.2") == 3);
  CHECK(epoch_of_second("kafka-4.3") == 2);
}

}  // namespace
}  // namespace wt::kafka

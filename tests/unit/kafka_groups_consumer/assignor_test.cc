// The server's assignors against what Apache Kafka's give, and the order in which brokers keep members.
#include <catch2/catch.hpp>

#include "sim/kafka/groups/consumer/assignor.h"

namespace wt::kafka {
namespace {

Uuid topic(std::uint64_t number) {
  return Uuid::from_halves(0, number);
}

AssignorMember member(const std::string& id, std::set<Uuid> topics, TopicPartitions target = {}) {
  AssignorMember member;
  member.member_id = id;
  member.topics = std::move(topics);
  member.target = std::move(target);
  return member;
}

AssignorInput input(std::vector<AssignorMember> members, std::map<Uuid, std::int32_t> topics) {
  AssignorInput input;
  input.members = std::move(members);
  input.partition_counts = std::move(topics);
  for (const AssignorMember& other : input.members) {
    if (other.topics != input.members.front().topics) input.homogeneous = false;
  }
  return input;
}

using Numbers = std::set<std::int32_t>;

TEST_CASE("range gives each member the same range of every topic") {
  const auto members = input({member("b", {topic(1), topic(2)}), member("a", {topic(1), topic(2)})},
                             {{topic(1), 3}, {topic(2), 3}});
  const TargetAssignment target = assign("range", members);
  CHECK(target.at("a") == TopicPartitions{{topic(1), {0, 1}}, {topic(2), {0, 1}}});
  CHECK(target.at("b") == TopicPartitions{{topic(1), {2}}, {topic(2), {2}}});
}

TEST_CASE("range goes by instance ids first") {
  auto members =
      input({member("a", {topic(1)}), member("b", {topic(1)}), member("c", {topic(1)})}, {{topic(1), 2}});
  members.members[1].instance_id = "z";
  members.members[2].instance_id = "y";
  const TargetAssignment target = assign("range", members);
  CHECK(target.at("c") == TopicPartitions{{topic(1), {0}}});
  CHECK(target.at("b") == TopicPartitions{{topic(1), {1}}});
  CHECK(target.at("a").empty());
}

TEST_CASE("range serves members with different subscriptions topic by topic") {
  const auto members =
      input({member("a", {topic(1), topic(2)}), member("b", {topic(2)})}, {{topic(1), 3}, {topic(2), 3}});
  const TargetAssignment target = assign("range", members);
  CHECK(target.at("a") == TopicPartitions{{topic(1), {0, 1, 2}}, {topic(2), {0, 1}}});
  CHECK(target.at("b") == TopicPartitions{{topic(2), {2}}});
}

TEST_CASE("uniform keeps what members have and moves no more than it must") {
  const TopicPartitions all{{topic(1), {0, 1, 2, 3, 4}}};
  const auto members = input({member("a", {topic(1)}, all), member("b", {topic(1)})}, {{topic(1), 5}});
  const TargetAssignment target = assign("uniform", members);
  CHECK(target.at("a").at(topic(1)) == Numbers{0, 1, 2});
  CHECK(target.at("b").at(topic(1)) == Numbers{3, 4});
}

TEST_CASE("uniform leaves the odd partition with who has it") {
  const TopicPartitions three{{topic(1), {2, 3, 4}}};
  const TopicPartitions two{{topic(1), {0, 1}}};
  const auto members = input({member("a", {topic(1)}, two), member("b", {topic(1)}, three)}, {{topic(1), 5}});
  const TargetAssignment target = assign("uniform", members);
  CHECK(target.at("a").at(topic(1)) == Numbers{0, 1});
  CHECK(target.at("b").at(topic(1)) == Numbers{2, 3, 4});
}

TEST_CASE("uniform takes topics away that nobody wants any more") {
  const TopicPartitions old{{topic(1), {0, 1}}, {topic(2), {0}}};
  const auto members = input({member("a", {topic(2)}, old)}, {{topic(2), 2}});
  const TargetAssignment target = assign("uniform", members);
  CHECK(target.at("a") == TopicPartitions{{topic(2), {0, 1}}});
}

// Balanced topic by topic only, as brokers leave it.
TEST_CASE("uniform balances members with different subscriptions") {
  const auto members =
      input({member("a", {topic(1)}), member("b", {topic(1), topic(2)}), member("c", {topic(2)})},
            {{topic(1), 6}, {topic(2), 6}});
  const TargetAssignment target = assign("uniform", members);
  CHECK(target.at("a") == TopicPartitions{{topic(1), {0, 2, 4}}});
  CHECK(target.at("b") == TopicPartitions{{topic(1), {1, 3, 5}}, {topic(2), {4}}});
  CHECK(target.at("c") == TopicPartitions{{topic(2), {0, 1, 2, 3, 5}}});
}

TEST_CASE("uniform moves partitions to a member that can only take one topic") {
  const TopicPartitions all{{topic(1), {0, 1, 2, 3}}, {topic(2), {0, 1}}};
  const auto members = input({member("a", {topic(1), topic(2)}, all), member("b", {topic(1)})},
                             {{topic(1), 4}, {topic(2), 2}});
  const TargetAssignment target = assign("uniform", members);
  CHECK(target.at("a") == TopicPartitions{{topic(1), {0}}, {topic(2), {0, 1}}});
  CHECK(target.at("b") == TopicPartitions{{topic(1), {1, 2, 3}}});
}

// As a broker did it with members that chose their ids and joined one after the other.
TEST_CASE("uniform gives odd partitions to the members that a broker gives them to") {
  std::vector<AssignorMember> members;
  for (int i = 0; i < 7; ++i) members.push_back(member("member-" + std::to_string(i), {topic(1)}));
  members.front().target = {{topic(1), {0, 1, 2, 3, 4}}};
  broker_order(members);
  const TargetAssignment target = assign("uniform", input(members, {{topic(1), 5}}));
  const std::map<std::string, Numbers> expected = {
      {"member-0", {0}}, {"member-3", {3}}, {"member-4", {4}}, {"member-5", {1}}, {"member-6", {2}}};
  for (const auto& [id, partitions] : target) {
    CAPTURE(id);
    const auto wanted = expected.find(id);
    if (wanted == expected.end()) {
      CHECK(partitions.empty());
    } else {
      CHECK(partitions.at(topic(1)) == wanted->second);
    }
  }
}

TEST_CASE("without topics nobody gets anything") {
  CHECK(assign("uniform", input({member("a", {})}, {})).empty());
  CHECK(assign("range", input({member("a", {})}, {})).at("a").empty());
  CHECK(assign("uniform", {}).empty());
}

}  // namespace
}  // namespace wt::kafka

// Committed offsets: what a client gets in every version, and what is left after failovers and faults.
#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups/group_sim.h"

using namespace wt;
using namespace wt::kafka;
using test::group_cluster;
using test::GroupSim;

namespace {

const GroupSim::Offsets kNothing;

OffsetFetchRequest fetch_one(const std::string& group, const std::string& topic,
                             const std::vector<std::int32_t>& partitions, Version version, const Uuid& id) {
  OffsetFetchRequest request;
  if (version >= 8) {
    auto& asked = request.groups.emplace_back();
    asked.group_id = group;
    auto& wanted = asked.topics->emplace_back();
    wanted.name = topic;
    wanted.topic_id = id;
    wanted.partition_indexes = partitions;
    return request;
  }
  request.group_id = group;
  auto& old = request.topics->emplace_back();
  old.name = topic;
  old.partition_indexes = partitions;
  return request;
}

}  // namespace

TEST_CASE("groups are spread over partitions as Kafka does it") {
  CHECK(group_partition("", 50) == 0);
  CHECK(group_partition("g", 50) == 3);
  CHECK(group_partition("my-group", 50) == 12);  // its hash is negative
  CHECK(group_partition("console-consumer-12345", 50) == 6);
  CHECK(group_partition("gr\xc3\xb6\xc3\x9f"
                        "e",
                        50) == 7);
  CHECK(group_partition("\xf0\x9f\x98\x80", 50) == 49);
}

TEST_CASE("an offset that was committed is fetched, in every version") {
  GroupSim sim;
  const std::int32_t broker = sim.coordinator_of("g");
  const Uuid id = *Uuid::from_text(sim.cluster.partition("orders", 0)->topic_id);
  for (Version version = 2; version <= 10; ++version) {
    CAPTURE(version);
    auto request = GroupSim::commit_request("g", "orders", {{1, 100 + version}});
    request.topics[0].topic_id = id;
    request.topics[0].partitions[0].committed_leader_epoch = 7;
    request.topics[0].partitions[0].committed_metadata = "m";
    const auto committed = sim.commit(request, broker, version);
    REQUIRE(committed);
    REQUIRE(committed->topics.size() == 1);
    CHECK(committed->topics[0].partitions[0].error_code == ErrorCode::kNone);
    CHECK(committed->topics[0].partitions[0].partition_index == 1);

    const auto fetched = sim.fetch(fetch_one("g", "orders", {0, 1}, version, id), broker, version);
    REQUIRE(fetched);
    const auto check = [version](const auto& partitions) {
      REQUIRE(partitions.size() == 2);
      CHECK(partitions[0].committed_offset == -1);
      CHECK(partitions[0].metadata == "");
      CHECK(partitions[1].committed_offset == 100 + version);
      CHECK(partitions[1].metadata == "m");
      if (version >= 6) CHECK(partitions[1].committed_leader_epoch == 7);
    };
    if (version < 8) {
      check(fetched->topics.at(0).partitions);
    } else {
      check(fetched->groups.at(0).topics.at(0).partitions);
    }
  }
  CHECK(sim.finding() == "");
}

TEST_CASE("offsets are there after the coordinator has crashed, and nobody else answers for them") {
  GroupSim sim;
  CHECK(sim.commit("g", "orders", 5) == ErrorCode::kNone);
  CHECK(sim.commit("g", "other", 6, 1) == ErrorCode::kNone);
  const std::int32_t first = sim.coordinator_of("g");
  const GroupSim::Offsets expected{{{"orders", 0}, 5}, {{"other", 1}, 6}};
  for (int i = 0; i < 3; ++i) {
    const std::int32_t broker = sim.coordinator_of("g");
    sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(broker) + "}");
    sim.settle();
    CHECK(sim.coordinator_of("g") != broker);
    CHECK(sim.offsets_of("g") == expected);
    sim.do_command(R"({"do":"restart_broker","broker":)" + std::to_string(broker) + "}");
    sim.settle();
  }
  const std::int32_t now = sim.coordinator_of("g");
  for (const std::int32_t broker : sim.cluster.broker_ids()) {
    if (broker == now) continue;
    const auto answer = sim.commit(GroupSim::commit_request("g", "orders", {{0, 9}}), broker);
    REQUIRE(answer);
    CHECK(answer->topics[0].partitions[0].error_code == ErrorCode::kNotCoordinator);
  }
  CHECK(first >= 1);
  CHECK(sim.finding() == "");
}

TEST_CASE("a commit by topic id is answered by id, for good and bad partitions alike") {
  GroupSim sim;
  const Uuid id = *Uuid::from_text(sim.cluster.partition("orders", 0)->topic_id);
  auto request = GroupSim::commit_request("g", "", {{0, 1}, {9, 1}});
  request.topics[0].topic_id = id;
  const auto answer = sim.commit(request, sim.coordinator_of("g"), 10);
  REQUIRE(answer);
  REQUIRE(answer->topics.size() == 1);
  CHECK(answer->topics[0].topic_id == id);
  REQUIRE(answer->topics[0].partitions.size() == 2);
  CHECK(answer->topics[0].partitions[0].error_code == ErrorCode::kUnknownTopicOrPartition);
  CHECK(answer->topics[0].partitions[1].error_code == ErrorCode::kNone);
}

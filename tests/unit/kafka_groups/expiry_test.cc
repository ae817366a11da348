// Offsets that nobody wants any more: retention, deleted topics, DeleteGroups, OffsetDelete.
#include <catch2/catch.hpp>

#include "tests/unit/kafka_groups/group_sim.h"

using namespace wt;
using namespace wt::kafka;
using test::group_cluster;
using test::GroupSim;

namespace {

const GroupSim::Offsets kNothing;

bool is_listed(GroupSim& sim, const std::string& group) {
  const auto list = sim.list(sim.coordinator_of(group));
  REQUIRE(list);
  for (const auto& listed : list->groups) {
    if (listed.group_id == group) return true;
  }
  return false;
}

std::vector<std::string> names_of(const std::optional<ListGroupsResponse>& list) {
  std::vector<std::string> names;
  for (const auto& listed : list->groups) names.push_back(listed.group_id);
  return names;
}

}  // namespace

TEST_CASE("offsets of a group without members go seven days after they were committed") {
  GroupSim sim;
  CHECK(sim.commit("g", "orders", 5) == ErrorCode::kNone);
  sim.run(7 * kDay_ns - kHour_ns);
  CHECK(sim.offsets_of("g")->size() == 1);
  CHECK(is_listed(sim, "g"));
  sim.run(kHour_ns + 10 * kMinute_ns);
  CHECK(sim.offsets_of("g") == kNothing);
  CHECK_FALSE(is_listed(sim, "g"));
  CHECK(sim.finding() == "");
}

TEST_CASE("each offset of a group goes at its own time, the group with the last, for good") {
  GroupSim sim;
  CHECK(sim.commit("g", "orders", 5) == ErrorCode::kNone);
  sim.run(3 * kDay_ns);
  CHECK(sim.commit("g", "orders", 6, 1) == ErrorCode::kNone);
  sim.run(4 * kDay_ns - kHour_ns);
  CHECK(sim.offsets_of("g")->size() == 2);
  sim.run(kHour_ns + 10 * kMinute_ns);
  CHECK(sim.offsets_of("g") == GroupSim::Offsets{{{"orders", 1}, 6}});
  CHECK(is_listed(sim, "g"));
  sim.run(3 * kDay_ns);
  CHECK(sim.offsets_of("g") == kNothing);
  CHECK_FALSE(is_listed(sim, "g"));
  // Nothing comes back with the next coordinator.
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(sim.coordinator_of("g")) + "}");
  sim.settle();
  CHECK(sim.offsets_of("g") == kNothing);
  CHECK_FALSE(is_listed(sim, "g"));
  CHECK(sim.finding() == "");
}

TEST_CASE("a crash of the coordinator does not make offsets young again") {
  GroupSim sim;
  CHECK(sim.commit("g", "orders", 5) == ErrorCode::kNone);
  sim.run(6 * kDay_ns);
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(sim.coordinator_of("g")) + "}");
  sim.settle();
  CHECK(sim.offsets_of("g")->size() == 1);
  sim.run(kDay_ns + 10 * kMinute_ns);
  CHECK(sim.offsets_of("g") == kNothing);
}

TEST_CASE("retention is a setting of the broker, and old clients bring their own") {
  cluster::ClusterOptions options = group_cluster();
  options.group_configs["offsets.retention.minutes"] = 60;
  options.group_configs["offsets.retention.check.interval.ms"] = 60'000;
  GroupSim sim(options);
  CHECK(sim.commit("g", "orders", 5) == ErrorCode::kNone);
  auto short_lived = GroupSim::commit_request("g", "orders", {{1, 7}});
  short_lived.retention_time_ms = 10 * 60'000;
  const auto answer = sim.commit(short_lived, sim.coordinator_of("g"), 4);
  REQUIRE(answer);
  sim.run(9 * kMinute_ns);
  CHECK(sim.offsets_of("g")->size() == 2);
  sim.run(2 * kMinute_ns);
  CHECK(sim.offsets_of("g") == GroupSim::Offsets{{{"orders", 0}, 5}});
  sim.run(50 * kMinute_ns);
  CHECK(sim.offsets_of("g") == kNothing);
}

TEST_CASE("offsets of a topic go with it") {
  GroupSim sim;
  CHECK(sim.commit("g", "orders", 5) == ErrorCode::kNone);
  CHECK(sim.commit("g", "other", 6) == ErrorCode::kNone);
  CHECK(sim.commit("h", "orders", 7) == ErrorCode::kNone);
  sim.do_command(R"({"do":"delete_topic","name":"orders"})");
  sim.settle();
  sim.run(kMillisecond_ns);
  CHECK(sim.offsets_of("g") == GroupSim::Offsets{{{"other", 0}, 6}});
  CHECK(sim.offsets_of("h") == kNothing);
  sim.create_topic("orders", 2);
  sim.settle();
  CHECK(sim.offsets_of("g") == GroupSim::Offsets{{{"other", 0}, 6}});
}

TEST_CASE("DeleteGroups takes the group with all its offsets") {
  GroupSim sim;
  CHECK(sim.delete_group("g") == ErrorCode::kGroupIdNotFound);
  CHECK(sim.commit("g", "orders", 5) == ErrorCode::kNone);
  CHECK(sim.commit("g", "other", 6, 1) == ErrorCode::kNone);
  CHECK(sim.delete_group("g") == ErrorCode::kNone);
  CHECK(sim.offsets_of("g") == kNothing);
  CHECK_FALSE(is_listed(sim, "g"));
  CHECK(sim.delete_group("g") == ErrorCode::kGroupIdNotFound);
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(sim.coordinator_of("g")) + "}");
  sim.settle();
  CHECK(sim.offsets_of("g") == kNothing);
  CHECK(sim.delete_group("g") == ErrorCode::kGroupIdNotFound);
}

TEST_CASE("ListGroups shows the groups of a broker, filtered by state and type") {
  GroupSim sim(group_cluster(1));
  for (const auto* name : {"a", "b", "c"}) CHECK(sim.commit(name, "orders", 1) == ErrorCode::kNone);
  ListGroupsRequest request;
  for (Version version = 0; version <= 5; ++version) {
    const auto list = sim.list(1, request, version);
    REQUIRE(list);
    std::vector<std::string> names = names_of(list);
    std::stable_sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"a", "b", "c"});
    if (version >= 4) CHECK(list->groups[0].group_state == "Empty");
    if (version >= 5) CHECK(list->groups[0].group_type == "classic");
  }
  request.states_filter = {" eMPTY"};
  request.types_filter = {"Classic"};
  CHECK(names_of(sim.list(1, request)).size() == 3);
  request.states_filter = {"Stable"};
  CHECK(names_of(sim.list(1, request)).empty());
  request.states_filter.clear();
  request.types_filter = {"consumer", "nonsense"};
  CHECK(names_of(sim.list(1, request)).empty());
}

TEST_CASE("ListGroups has groups and partitions in the order of a broker's tables") {
  GroupSim one(group_cluster(1, 1));
  for (int i = 1; i <= 6; ++i) one.commit("grp-" + std::to_string(i), "orders", 1);
  CHECK(names_of(one.list(1)) ==
        std::vector<std::string>{"grp-2", "grp-4", "grp-1", "grp-6", "grp-3", "grp-5"});
  CHECK(one.delete_group("grp-1") == ErrorCode::kNone);
  CHECK(names_of(one.list(1)) == std::vector<std::string>{"grp-2", "grp-4", "grp-6", "grp-3", "grp-5"});

  GroupSim twelve(group_cluster(1, 12));
  std::map<std::int32_t, std::string> group_in;
  for (int i = 0; group_in.size() < 12; ++i) {
    const std::string name = "g" + std::to_string(i);
    if (!group_in.emplace(twelve.partition_of(name), name).second) continue;
    twelve.commit(name, "orders", 1);
  }
  std::vector<std::string> expected;
  for (const std::int32_t partition : {11, 9, 10, 0, 7, 8, 5, 6, 3, 4, 1, 2})
    expected.push_back(group_in.at(partition));
  CHECK(names_of(twelve.list(1)) == expected);
}

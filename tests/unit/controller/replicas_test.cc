#include <catch2/catch.hpp>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

using Brokers = std::vector<BrokerId>;

Error reassign(TestCluster& cluster, std::optional<Brokers> replicas, bool allow_factor_change = true) {
  AlterPartitionReassignments request;
  request.allow_factor_change = allow_factor_change;
  request.partitions.push_back({"t", 0, std::move(replicas)});
  return cluster.ask(request)->errors.at(0);
}

const PartitionState& partition(TestCluster& cluster) {
  return *cluster.image().partition("t", 0);
}

void create_on(TestCluster& cluster, const Brokers& replicas) {
  CreateTopics request;
  request.topics.emplace_back();
  request.topics[0].name = "t";
  request.topics[0].assignments.push_back({0, replicas});
  REQUIRE(cluster.ask(request)->results.at(0).error.ok());
}

}  // namespace

TEST_CASE("replicas move at once to brokers that live, and the leader only when it must",
          "[controller][replicas]") {
  TestCluster cluster(3);
  create_on(cluster, {1, 2});
  REQUIRE(reassign(cluster, Brokers{3, 1}).ok());
  CHECK(partition(cluster).replicas == Brokers{3, 1});
  CHECK(partition(cluster).isr == Brokers{1, 3});
  CHECK(partition(cluster).leader == 1);
  // Whoever takes the removed replica for one is fenced.
  CHECK(partition(cluster).leader_epoch == 1);
  CHECK_FALSE(partition(cluster).is_reassigned());

  REQUIRE(reassign(cluster, Brokers{2}).ok());
  CHECK(partition(cluster).leader == 2);
  CHECK(partition(cluster).leader_epoch == 2);
  const std::int32_t epoch = partition(cluster).partition_epoch;
  REQUIRE(reassign(cluster, Brokers{2}).ok());
  CHECK(partition(cluster).partition_epoch == epoch);
}

TEST_CASE("a reassignment waits for a broker that is down, and can be taken back", "[controller][replicas]") {
  TestCluster cluster(3);
  create_on(cluster, {1, 2});
  cluster.crash_broker(3);
  REQUIRE(reassign(cluster, Brokers{1, 3}).ok());
  CHECK(partition(cluster).replicas == Brokers{1, 3, 2});
  CHECK(partition(cluster).adding == Brokers{3});
  CHECK(partition(cluster).removing == Brokers{2});
  CHECK(reassign(cluster, std::nullopt).ok());
  CHECK(partition(cluster).replicas == Brokers{1, 2});
  CHECK_FALSE(partition(cluster).is_reassigned());
  CHECK(reassign(cluster, std::nullopt).code == ErrorCode::no_reassignment_in_progress);

  REQUIRE(reassign(cluster, Brokers{3, 1}).ok());
  cluster.start_broker(3);
  cluster.settle();
  CHECK(partition(cluster).replicas == Brokers{3, 1});
  CHECK(partition(cluster).isr == Brokers{1, 3});
}

TEST_CASE("wrong reassignments are refused", "[controller][replicas]") {
  TestCluster cluster(3);
  create_on(cluster, {1, 2});
  CHECK(reassign(cluster, Brokers{}).code == ErrorCode::invalid_replica_assignment);
  CHECK(reassign(cluster, Brokers{1, 9}).code == ErrorCode::invalid_replica_assignment);
  CHECK(reassign(cluster, Brokers{1, 1}).code == ErrorCode::invalid_replica_assignment);
  CHECK(reassign(cluster, Brokers{1}, false).code == ErrorCode::invalid_replication_factor);
  CHECK(reassign(cluster, Brokers{3, 1}, false).ok());
}

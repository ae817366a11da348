#include <catch2/catch.hpp>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

std::string said(const Error& error) {
  return std::to_string(static_cast<int>(error.code)) + " " + error.message;
}

ElectLeaders elect(ElectionType type, const std::string& topic, std::int32_t partition) {
  ElectLeaders request;
  request.type = type;
  request.partitions.emplace();
  request.partitions->push_back({topic, partition});
  return request;
}

MoveLeader move(const Uuid& topic, BrokerId to, bool reopen = false) {
  MoveLeader request;
  request.topic_id = topic;
  request.to = to;
  request.reopen = reopen;
  return request;
}

}  // namespace

TEST_CASE("elections on request", "[controller][leaders]") {
  TestCluster cluster(3);
  cluster.create("t", 1, 2);
  const auto replicas = cluster.image().partition("t", 0)->replicas;
  const auto ask = [&](const ElectLeaders& request) {
    return said(cluster.ask(request)->results.at(0).error);
  };
  CHECK(ask(elect(ElectionType::preferred, "t", 0)) == "84 Leader election not needed for topic partition.");
  CHECK(ask(elect(ElectionType::unclean, "t", 0)) == "84 Leader election not needed for topic partition.");
  CHECK(ask(elect(ElectionType::preferred, "u", 0)) == "3 No such topic as u");
  CHECK(ask(elect(ElectionType::preferred, "t", 1)) == "3 No such partition as t-1");

  CHECK(ask(elect(static_cast<ElectionType>(9), "t", 0)) == "42 Unknown election type 9");

  cluster.crash_broker(replicas[0]);
  CHECK(ask(elect(ElectionType::preferred, "t", 0)) == "80 The preferred leader was not available.");
  cluster.start_broker(replicas[0]);
  cluster.settle();
  CHECK(ask(elect(ElectionType::preferred, "t", 0)) == "0 ");
  CHECK(cluster.image().partition("t", 0)->leader == replicas[0]);
  CHECK(cluster.image().partition("t", 0)->leader_epoch == 2);

  cluster.crash_broker(replicas[0]);
  cluster.crash_broker(replicas[1]);
  CHECK(ask(elect(ElectionType::unclean, "t", 0)) ==
        "83 Eligible topic partition leaders are not available.");
}

TEST_CASE("an election of everything answers what it changed or could not change", "[controller][leaders]") {
  TestCluster cluster(2);
  cluster.create("t", 4, 2);
  cluster.crash_broker(1);
  cluster.start_broker(1);
  cluster.settle();
  ElectLeaders all;
  const auto results = cluster.ask(all)->results;
  CHECK(results.size() == 2);
  for (const auto& result : results) CHECK(result.error.ok());
  for (std::int32_t i = 0; i < 4; ++i)
    CHECK(cluster.image().partition("t", i)->leader == cluster.image().partition("t", i)->preferred_leader());
  CHECK(cluster.ask(all)->results.empty());
}

TEST_CASE("moving a leader", "[controller][leaders]") {
  TestCluster cluster(3);
  const Uuid id = cluster.create("t", 1, 2).topic_id;
  const auto replicas = cluster.image().partition("t", 0)->replicas;
  const BrokerId outside = 6 - replicas[0] - replicas[1];

  auto answer = *cluster.ask(move(id, kNoBroker));
  CHECK(answer.error.ok());
  CHECK(answer.leader == replicas[1]);
  CHECK(answer.leader_epoch == 1);
  CHECK(cluster.ask(move(id, replicas[1]))->error.code == ErrorCode::election_not_needed);
  CHECK(cluster.ask(move(id, outside))->error.code == ErrorCode::invalid_replica_assignment);
  CHECK(cluster.ask(move(Uuid::from_halves(1, 1), 1))->error.code == ErrorCode::unknown_topic_id);

  // Closed and opened again where it is.
  answer = *cluster.ask(move(id, replicas[1], true));
  CHECK(answer.leader == replicas[1]);
  CHECK(answer.leader_epoch == 2);

  cluster.crash_broker(replicas[0]);
  CHECK(cluster.ask(move(id, replicas[0]))->error.code == ErrorCode::preferred_leader_not_available);
  CHECK(cluster.ask(move(id, kNoBroker))->error.code == ErrorCode::eligible_leaders_not_available);
  answer = *cluster.ask(move(id, kNoBroker, true));
  CHECK(answer.leader == replicas[1]);
  CHECK(answer.leader_epoch == 3);
}

TEST_CASE("small imbalance is left alone, and the rebalance can be off", "[controller][leaders]") {
  TestCluster::Options options;
  options.controller.auto_leader_rebalance = GENERATE(true, false);
  options.controller.leader_imbalance_ppm = 300'000;
  TestCluster cluster(2, options);
  const Uuid id = cluster.create("t", 10, 2).topic_id;
  BrokerId odd = cluster.image().partition("t", 0)->leader;
  MoveLeader away = move(id, 3 - odd);
  cluster.ask(away);
  cluster.advance(301 * kSecond_ns);
  CHECK(cluster.image().partition("t", 0)->leader == 3 - odd);  // 1 of 5
  away.partition = 2;
  cluster.ask(away);
  cluster.advance(301 * kSecond_ns);
  CHECK(cluster.image().partition("t", 0)->leader ==
        (options.controller.auto_leader_rebalance ? odd : 3 - odd));
}

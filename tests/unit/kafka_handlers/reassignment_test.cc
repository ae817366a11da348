// A partition that moves to another broker takes its records along.
#include <catch2/catch.hpp>

#include "sim/kafka/wire/messages/replica_moves.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::kafka {
namespace {

using test::KafkaSim;

TEST_CASE("records stay when a partition moves to another broker") {
  cluster::ClusterOptions options;
  options.brokers = 3;
  KafkaSim sim(options);
  sim.do_command(R"({"do":"create_topic","name":"t","partitions":1,"replication_factor":1})");
  const std::int32_t from = sim.leader("t");
  const std::int32_t to = 1 + from % 3;
  auto old_leader = sim.connect(from);
  auto new_leader = sim.connect(to);
  const auto produce = [&](KafkaSim::Connection& connection, const std::string& value) {
    return sim.call<ProduceResponse>(connection, 0, 9, sim.produce_request("t", sim.batch(value)))
        ->responses.at(0)
        .partition_responses.at(0);
  };
  REQUIRE(produce(old_leader, "before").error_code == ErrorCode::kNone);

  AlterPartitionReassignmentsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.partitions.emplace_back().replicas = {to};
  const auto answer = sim.call<AlterPartitionReassignmentsResponse>(old_leader, 45, 0, request);
  REQUIRE(answer);
  REQUIRE(answer->responses.at(0).partitions.at(0).error_code == ErrorCode::kNone);
  sim.run(kSecond_ns);

  CHECK(sim.leader("t") == to);
  CHECK(produce(old_leader, "late").error_code == ErrorCode::kNotLeaderOrFollower);
  const auto after = produce(new_leader, "after");
  CHECK(after.error_code == ErrorCode::kNone);
  CHECK(after.base_offset == 1);
  const auto fetched = sim.call<FetchResponse>(new_leader, 1, 12, KafkaSim::fetch_request("t", 0, 100));
  REQUIRE(fetched);
  CHECK(fetched->responses.at(0).partitions.at(0).high_watermark == 2);
  CHECK(sim.finding() == "");
}

}  // namespace
}  // namespace wt::kafka

// Clients that send their metrics, and what a broker says of the quorum.
#include <catch2/catch.hpp>

#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/configs.h"
#include "sim/kafka/wire/messages/quorum.h"
#include "sim/kafka/wire/messages/telemetry.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::kafka {
namespace {

using test::KafkaSim;

constexpr std::int16_t kGet = 71;
constexpr std::int16_t kPush = 72;

cluster::ClusterOptions with_receiver(bool receiver) {
  cluster::ClusterOptions options;
  options.brokers = 1;
  options.telemetry_receiver = receiver;
  return options;
}

void subscribe(KafkaSim& sim, KafkaSim::Connection& connection, const std::string& match) {
  IncrementalAlterConfigsRequest request;
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 16;
  resource.resource_name = "all";
  const std::pair<const char*, std::string> settings[] = {
      {"metrics", "org.apache.kafka.producer."}, {"interval.ms", "1000"}, {"match", match}};
  for (const auto& [name, value] : settings) {
    auto& config = resource.configs.emplace_back();
    config.name = name;
    config.value = value;
  }
  const auto answer = sim.call<IncrementalAlterConfigsResponse>(connection, 44, 1, request);
  REQUIRE(answer);
  REQUIRE(answer->responses.at(0).error_code == ErrorCode::kNone);
}

TEST_CASE("without a receiver nobody is asked for metrics") {
  KafkaSim sim(with_receiver(false));
  auto connection = sim.connect(1);
  sim.send(connection, kGet, 0, GetTelemetrySubscriptionsRequest());
  CHECK_FALSE(sim.receive(connection, kSecond_ns));
  CHECK(connection.closed);
}

TEST_CASE("a client is told what to send, and its metrics are counted") {
  KafkaSim sim(with_receiver(true));
  auto connection = sim.connect(1);
  subscribe(sim, connection, "client_id=te.*");
  const auto told =
      sim.call<GetTelemetrySubscriptionsResponse>(connection, kGet, 0, GetTelemetrySubscriptionsRequest());
  REQUIRE(told);
  CHECK(told->error_code == ErrorCode::kNone);
  CHECK(told->client_instance_id != Uuid());
  CHECK(told->requested_metrics == std::vector<std::string>{"org.apache.kafka.producer."});
  CHECK(told->push_interval_ms == 1000);

  PushTelemetryRequest push;
  push.client_instance_id = told->client_instance_id;
  push.subscription_id = told->subscription_id;
  push.metrics = sim.batch("anything");
  const auto pushed = [&] { return sim.call<PushTelemetryResponse>(connection, kPush, 0, push)->error_code; };
  CHECK(pushed() == ErrorCode::kNone);
  CHECK(pushed() == ErrorCode::kThrottlingQuotaExceeded);
  sim.run(kSecond_ns);
  push.subscription_id ^= 1;
  CHECK(pushed() == ErrorCode::kUnknownSubscriptionId);
  push.subscription_id ^= 1;
  push.terminating = true;
  CHECK(pushed() == ErrorCode::kNone);
  CHECK(pushed() == ErrorCode::kInvalidRequest);
  push.client_instance_id = Uuid();
  CHECK(pushed() == ErrorCode::kInvalidRequest);
  CHECK(sim.cluster.kafka_service(1)->telemetry().pushed().pushes == 2);
  CHECK(sim.cluster.kafka_service(1)->telemetry().pushed().bytes == 2 * push.metrics.size());
}

TEST_CASE("a subscription is for the clients that it matches") {
  KafkaSim sim(with_receiver(true));
  auto connection = sim.connect(1);
  subscribe(sim, connection, "client_id=other");
  const auto told =
      sim.call<GetTelemetrySubscriptionsResponse>(connection, kGet, 0, GetTelemetrySubscriptionsRequest());
  REQUIRE(told);
  CHECK(told->requested_metrics.empty());
  CHECK(told->push_interval_ms == 300'000);
}

TEST_CASE("one controller votes, and the brokers observe it") {
  cluster::ClusterOptions options;
  options.brokers = 3;
  KafkaSim sim(options);
  auto connection = sim.connect(2);
  DescribeQuorumRequest request;
  auto& topic = request.topics.emplace_back();
  topic.topic_name = "__cluster_metadata";
  topic.partitions.emplace_back();
  const auto answer = sim.call<DescribeQuorumResponse>(connection, 55, 2, request);
  REQUIRE(answer);
  const auto& log = answer->topics.at(0).partitions.at(0);
  CHECK(log.error_code == ErrorCode::kNone);
  REQUIRE(log.current_voters.size() == 1);
  CHECK(log.leader_id == log.current_voters[0].replica_id);
  REQUIRE(log.observers.size() == 3);
  for (const auto& observer : log.observers) CHECK(observer.log_end_offset == log.high_watermark);
}

}  // namespace
}  // namespace wt::kafka

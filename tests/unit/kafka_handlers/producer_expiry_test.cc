// Producer ids that wrote nothing for a while are forgotten, as DescribeProducers tells.
#include <catch2/catch.hpp>

#include "sim/kafka/wire/messages/producers.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt {
namespace {

using namespace kafka;

constexpr DurationNs kCheck_ns = 500 * kMillisecond_ns;

cluster::ClusterOptions checked_often() {
  cluster::ClusterOptions options;
  options.producer_expiry_check_ns = kCheck_ns;
  return options;
}

// A producer with one id, and who asks for it.
struct Producing {
  test::KafkaSim sim{checked_often()};
  std::int32_t sequence = 0;

  Producing() {
    expire_after_ms(10'000);
    sim.create_topic("orders");
  }
  void expire_after_ms(int ms) {
    sim.do_command(R"({"do":"set_configs","type":"broker","configs":{"producer.id.expiration.ms":")" +
                   std::to_string(ms) + R"("}})");
  }
  ErrorCode produce() {
    formats::BatchOptions batch;
    batch.producer_id = 77;
    batch.producer_epoch = 0;
    batch.base_sequence = sequence++;
    auto connection = sim.connect(sim.leader("orders"));
    const auto request = sim.produce_request("orders", sim.batch("a", batch));
    const auto answer = sim.call<ProduceResponse>(connection, 0, 9, request);
    REQUIRE(answer);
    return answer->responses.at(0).partition_responses.at(0).error_code;
  }
  std::size_t known() {
    auto connection = sim.connect(sim.leader("orders"));
    DescribeProducersRequest request;
    auto& topic = request.topics.emplace_back();
    topic.name = "orders";
    topic.partition_indexes = {0};
    const auto answer = sim.call<DescribeProducersResponse>(connection, 61, 0, request);
    REQUIRE(answer);
    return answer->topics.at(0).partitions.at(0).active_producers.size();
  }
};

}  // namespace

TEST_CASE(
    "a producer id is forgotten at the first check after its expiry, and comes back with its next batch") {
  Producing producer;
  CHECK(producer.produce() == ErrorCode::kNone);
  producer.sim.run(10 * kSecond_ns - kCheck_ns);
  CHECK(producer.known() == 1);
  producer.sim.run(2 * kCheck_ns);
  CHECK(producer.known() == 0);
  // It goes on with its own numbers: nobody remembers which one is next.
  CHECK(producer.produce() == ErrorCode::kNone);
  CHECK(producer.known() == 1);
}

TEST_CASE("the expiry of producer ids can be changed while they are known") {
  Producing producer;
  producer.expire_after_ms(100'000);
  CHECK(producer.produce() == ErrorCode::kNone);
  producer.sim.run(20 * kSecond_ns);
  CHECK(producer.known() == 1);
  producer.expire_after_ms(100);
  producer.sim.run(2 * kCheck_ns);
  CHECK(producer.known() == 0);
  CHECK(producer.sim.finding() == "");
}

TEST_CASE("a new leader forgets the producer ids that its log brings back too") {
  Producing producer;
  CHECK(producer.produce() == ErrorCode::kNone);
  producer.sim.run(11 * kSecond_ns);
  CHECK(producer.known() == 0);
  producer.sim.do_command(R"({"do":"crash_broker","broker":)" +
                          std::to_string(producer.sim.leader("orders")) + "}");
  producer.sim.run(2 * kCheck_ns);
  CHECK(producer.known() == 0);
}

}  // namespace wt

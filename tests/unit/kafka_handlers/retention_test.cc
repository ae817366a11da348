// What retention lets go of a log, and what consumers see of that.
#include <catch2/catch.hpp>

#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt {
namespace {

using namespace kafka;

constexpr DurationNs kCheck_ns = 5 * kMinute_ns;

struct Retained {
  test::KafkaSim sim;

  explicit Retained(const std::string& configs) {
    sim.do_command(R"({"do":"create_topic","name":"t","configs":{)" + configs + "}}");
  }
  // One record of that size and some.
  void produce(std::size_t size_bytes = 10) {
    auto connection = sim.connect(sim.leader("t"));
    const auto request = sim.produce_request("t", sim.batch(std::string(size_bytes, 'x')));
    const auto answer = sim.call<ProduceResponse>(connection, 0, 9, request);
    REQUIRE(answer);
    REQUIRE(answer->responses.at(0).partition_responses.at(0).error_code == ErrorCode::kNone);
  }
  std::int64_t start() const { return sim.cluster.partition("t", 0)->log_start; }
  std::int64_t end() const { return sim.cluster.partition("t", 0)->leo; }
  ErrorCode fetch(std::int64_t offset) {
    auto connection = sim.connect(sim.leader("t"));
    const auto answer =
        sim.call<FetchResponse>(connection, 1, 11, test::KafkaSim::fetch_request("t", offset, 0));
    REQUIRE(answer);
    return answer->responses.at(0).partitions.at(0).error_code;
  }
  void crash_leader() {
    sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(sim.leader("t")) + "}");
    sim.run(kSecond_ns);
  }
};

}  // namespace

TEST_CASE("records go at the first check after their time, by whole segments") {
  Retained log(R"("retention.ms":"3600000","segment.ms":"600000")");
  log.produce();
  log.sim.run(5 * kMinute_ns);
  log.produce();
  log.sim.run(10 * kMinute_ns);
  log.produce();
  log.sim.run(45 * kMinute_ns);
  CHECK(log.start() == 0);  // the second record keeps the first one's segment
  log.sim.run(5 * kMinute_ns + kCheck_ns);
  CHECK(log.start() == 2);
  CHECK(log.fetch(1) == ErrorCode::kOffsetOutOfRange);
  CHECK(log.fetch(2) == ErrorCode::kNone);
  log.sim.run(kHour_ns);
  CHECK(log.start() == 3);
  CHECK(log.end() == 3);
  log.produce();
  CHECK(log.end() == 4);
  CHECK(log.fetch(3) == ErrorCode::kNone);
  CHECK(log.sim.finding() == "");
}

TEST_CASE("a topic keeps its records for a week unless it is told otherwise") {
  Retained log("");
  log.produce();
  log.sim.run(7 * kDay_ns - kMinute_ns);
  CHECK(log.start() == 0);
  log.sim.run(kMinute_ns + kCheck_ns);
  CHECK(log.start() == 1);
  log.sim.do_command(R"({"do":"set_configs","type":"topic","name":"t","configs":{"retention.ms":"-1"}})");
  log.produce();
  log.sim.run(30 * kDay_ns);
  CHECK(log.start() == 1);
}

TEST_CASE("brokers say how long, where the topic does not") {
  Retained log("");
  log.sim.do_command(R"({"do":"set_configs","type":"broker","configs":{"log.retention.ms":"60000"}})");
  log.produce();
  log.sim.run(kMinute_ns + kCheck_ns);
  CHECK(log.start() == 1);
}

TEST_CASE("the oldest segments go while the log is too large") {
  Retained log(R"("retention.bytes":"2500000","segment.bytes":"1048576")");
  for (int i = 0; i < 12; ++i) log.produce(500'000);
  CHECK(log.start() == 0);
  log.sim.run(kCheck_ns);
  CHECK(log.start() == 6);
  log.sim.run(kDay_ns);
  CHECK(log.start() == 6);
}

TEST_CASE("a topic that is compacted only keeps everything") {
  Retained log(R"("cleanup.policy":"compact","retention.ms":"1000","segment.ms":"1000")");
  auto connection = log.sim.connect(log.sim.leader("t"));
  formats::BatchBuilder builder;
  formats::NewRecord record;
  record.key = "k";
  record.value = "v";
  record.timestamp_ms = to_ms(log.sim.cluster.kernel().now());
  builder.add(record);
  const auto request = log.sim.produce_request("t", builder.build());
  REQUIRE(log.sim.call<ProduceResponse>(connection, 0, 9, request));
  log.sim.run(kDay_ns);
  CHECK(log.start() == 0);
  CHECK(log.end() == 1);
  log.sim.do_command(
      R"({"do":"set_configs","type":"topic","name":"t","configs":{"cleanup.policy":"compact,delete"}})");
  log.sim.run(kCheck_ns);
  CHECK(log.start() == 1);
}

TEST_CASE("a new leader carries retention on") {
  Retained log(R"("retention.ms":"3600000","segment.ms":"600000")");
  for (int i = 0; i < 3; ++i) {
    log.produce();
    log.sim.run(20 * kMinute_ns);
  }
  log.crash_leader();
  log.sim.run(kCheck_ns);
  CHECK(log.start() == 1);
  log.crash_leader();
  CHECK(log.start() == 1);
  log.sim.run(20 * kMinute_ns + kCheck_ns);
  CHECK(log.start() == 2);
  CHECK(log.end() == 3);
  CHECK(log.sim.finding() == "");
}

TEST_CASE("what could not be let go is let go at the next check") {
  Retained log(R"("retention.ms":"60000")");
  log.produce();
  FaultRule refuse;
  refuse.point = "metadata.cas";
  refuse.action = FaultAction::refuse;
  const auto rule = log.sim.cluster.rules().add(refuse);
  REQUIRE(rule.ok());
  log.sim.run(2 * kMinute_ns + kCheck_ns);
  CHECK(log.start() == 0);
  log.sim.cluster.rules().remove(*rule);
  log.sim.run(kCheck_ns + kMinute_ns);
  CHECK(log.start() == 1);
  CHECK(log.sim.finding() == "");
}

}  // namespace wt

// What an operator does to clients: answers in turn, held requests, capped versions, closed ports, and the
// list of requests; with real clients over real sockets.
#include <catch2/catch.hpp>
#include <thread>

#include "harness/cli/demo_client.h"
#include "wavetank/cluster.h"
#if __has_include(<librdkafka/rdkafka.h>)
#include <librdkafka/rdkafka.h>
#endif

using namespace std::chrono_literals;
using wt::harness::cli::DemoClient;

namespace {

std::size_t count(const std::vector<wavetank::Request>& requests, const std::string& api) {
  std::size_t found = 0;
  for (const wavetank::Request& request : requests) found += request.api == api ? 1 : 0;
  return found;
}

}  // namespace

TEST_CASE("the next requests are answered in turn, and then the rule is used up") {
  wavetank::Cluster sim;
  sim.create_topic("orders", {1});
  sim.track_requests();
  const auto rule = sim.on("kafka.request.received")
                        .api("Produce")
                        .topic("orders")
                        .answers({"NOT_LEADER_OR_FOLLOWER", {"NONE", 20ms}, "NOT_ENOUGH_REPLICAS"});
  CHECK(rule.left() == 3);
  DemoClient client(sim.kafka_bootstrap(), "test");
  const auto first = client.produce("orders", 0, {"a"});
  REQUIRE(first.ok());
  CHECK(first->attempts == 2);
  CHECK(rule.left() == 1);
  REQUIRE(client.produce("orders", 0, {"b"}).ok());
  CHECK(rule.left() == 0);
  CHECK(rule.hits() == 3);
  CHECK(sim.partition("orders", 0).leo == 2);
  const std::vector<wavetank::Request> seen = sim.requests();
  CHECK(count(seen, "Produce") == 4);
  CHECK(seen.back().client_id == "test");
  CHECK(seen.back().topic == "orders");
  CHECK(seen.back().broker == sim.partition("orders", 0).leader);
  sim.clear_requests();
  CHECK(sim.requests().empty());
}

TEST_CASE("held requests are waited for and let go one by one") {
  wavetank::Cluster sim;
  sim.create_topic("orders", {2});
  const auto held = sim.on("kafka.request.received").api("Produce").hold();
  std::vector<std::thread> producing;
  for (int partition = 0; partition < 2; ++partition) {
    producing.emplace_back([address = sim.kafka_bootstrap(), partition] {
      DemoClient client(address, "held");
      (void)client.produce("orders", partition, {"a"});
    });
  }
  CHECK(held.wait_held(2, 10s));
  const auto written = [&] { return sim.partition("orders", 0).leo + sim.partition("orders", 1).leo; };
  CHECK(written() == 0);
  held.release(1);
  CHECK(sim.wait_until(
      [&](const wavetank::View& view) {
        return view.partition("orders", 0).leo + view.partition("orders", 1).leo == 1;
      },
      10s));
  CHECK(held.holding() == 1);
  held.remove();
  for (std::thread& thread : producing) thread.join();
  CHECK(written() == 2);
}

TEST_CASE("a run with rules and controls replays to the same hash") {
  wavetank::Cluster sim;
  sim.create_topic("orders", {2});
  sim.track_requests(100);
  sim.set_round_trip(-1, 1ms);
  const auto errors = sim.on("kafka.request.received")
                          .api("Produce")
                          .every(2)
                          .times(2)
                          .after(3ms)
                          .answer("NOT_ENOUGH_REPLICAS");
  const auto chance = sim.on("kafka.request.answered").api("Fetch").probability(0.5).close_after();
  DemoClient client(sim.kafka_bootstrap(), "test");
  for (int i = 0; i < 4; ++i) REQUIRE(client.produce("orders", i % 2, {"a"}).ok());
  sim.move_leaders("orders");
  sim.set_api_versions("Fetch", 4, 12);
  sim.close_port(1);
  sim.open_port(1);
  for (int i = 0; i < 4; ++i) CHECK(client.fetch("orders", 0, 0).ok());
  CHECK(errors.hits() == 2);
  sim.remove_rules();
  sim.stop_recording();
  const wavetank::Replay replay = wavetank::replay_bytes(sim.recording());
  INFO(replay.text);
  CHECK(replay.equal);
  CHECK(replay.complete);
  CHECK_FALSE(sim.finding());
}

TEST_CASE("a coordinator is looked up and moved") {
  wavetank::Cluster sim;
  sim.create_topic("__consumer_offsets", {50});
  const int before = sim.coordinator("group", "my-group");
  sim.move_coordinator("group", "my-group");
  CHECK(sim.coordinator("group", "my-group") != before);
  CHECK_THROWS_AS(sim.move_coordinator("queue", "x"), wavetank::Error);
  CHECK_THROWS_AS(sim.coordinator("transaction", "tx"), wavetank::Error);
}

#if __has_include(<librdkafka/rdkafka.h>)
namespace {

// One record through librdkafka; whether it was acknowledged.
bool produce_once(const std::string& bootstrap, const char* topic) {
  char problem[256];
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  for (const auto& [key, value] :
       {std::pair("bootstrap.servers", bootstrap.c_str()), std::pair("retry.backoff.ms", "20"),
        std::pair("reconnect.backoff.ms", "10"), std::pair("log_level", "0")}) {
    REQUIRE(rd_kafka_conf_set(conf, key, value, problem, sizeof problem) == RD_KAFKA_CONF_OK);
  }
  bool acknowledged = false;
  rd_kafka_conf_set_opaque(conf, &acknowledged);
  rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
    *static_cast<bool*>(opaque) = message->err == RD_KAFKA_RESP_ERR_NO_ERROR;
  });
  rd_kafka_t* client = rd_kafka_new(RD_KAFKA_PRODUCER, conf, problem, sizeof problem);
  REQUIRE(client != nullptr);
  char value[] = "a";
  rd_kafka_producev(client, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_VALUE(value, 1),
                    RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_END);
  rd_kafka_flush(client, 20'000);
  rd_kafka_destroy(client);
  return acknowledged;
}

}  // namespace

TEST_CASE("librdkafka lives through answers in turn, and speaks the versions that it is left") {
  wavetank::Cluster sim;
  sim.create_topic("orders", {1});
  sim.track_requests();
  sim.set_api_versions("Produce", 0, 6);
  const auto rule = sim.on("kafka.request.received")
                        .api("Produce")
                        .answers({"NOT_LEADER_OR_FOLLOWER", "close", {"NOT_ENOUGH_REPLICAS", 10ms}});
  REQUIRE(produce_once(sim.kafka_bootstrap(), "orders"));
  CHECK(rule.hits() == 3);
  CHECK(sim.partition("orders", 0).leo == 1);
  std::size_t produced = 0;
  for (const wavetank::Request& request : sim.requests()) {
    if (request.api != "Produce") continue;
    ++produced;
    CHECK(request.version <= 6);
    CHECK(request.client_id == "rdkafka");
  }
  CHECK(produced == 4);
}
#endif

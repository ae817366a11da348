// The embedded cluster as a test of its users would use it, with a small client over real sockets.
#include "wavetank/cluster.h"

#include <catch2/catch.hpp>
#include <thread>

#include "harness/cli/demo_client.h"

using namespace std::chrono_literals;
using wt::harness::cli::DemoClient;

namespace {

wavetank::Options frozen(int brokers = 3) {
  wavetank::Options options;
  options.seed = 42;
  options.brokers = brokers;
  options.clock = wavetank::Clock::frozen;
  return options;
}

template <class Work>
wavetank::ErrorCode code_of(const Work& work) {
  try {
    work();
  } catch (const wavetank::Error& error) {
    CHECK(std::string(error.what()).size() > 10);
    return error.code();
  }
  FAIL("nothing was thrown");
  return wavetank::ErrorCode::stopped;
}

}  // namespace

TEST_CASE("a produced record moves LEO, HW and LSO, and can be read") {
  wavetank::Cluster sim(frozen());
  sim.create_topic("orders", {2});
  CHECK(sim.topics() == std::vector<std::string>{"orders"});
  DemoClient client(sim.kafka_bootstrap(), "test");
  REQUIRE(client.produce("orders", 1, {"a", "b"}).ok());
  const wavetank::Partition partition = sim.partition("orders", 1);
  CHECK(partition.leo == 2);
  CHECK(partition.hw == 2);
  CHECK(partition.lso == 2);
  CHECK(partition.log_start == 0);
  CHECK(partition.leader_epoch == 0);
  CHECK(partition.replicas.size() == 3);
  CHECK(partition.isr.size() == 3);
  CHECK(partition.writable);
  CHECK(sim.partition("orders", 0).leo == 0);
  const auto records = client.fetch("orders", 1, 0);
  REQUIRE(records.ok());
  REQUIRE(records->size() == 2);
  CHECK(records->back().value == "b");
  CHECK_FALSE(sim.finding());
}

TEST_CASE("the leader dies between append and answer: the retry lands on the new leader, once") {
  wavetank::Cluster sim(frozen());
  sim.create_topic("orders", {1});
  DemoClient client(sim.kafka_bootstrap(), "test");
  const auto producer = client.init_producer();
  REQUIRE(producer.ok());
  const auto cut = sim.on("kafka.produce.appended").topic("orders").once().crash_leader();
  const int leader = sim.partition("orders", 0).leader;
  const auto produced = client.produce("orders", 0, {"a"}, *producer, 0);
  REQUIRE(produced.ok());
  CHECK(cut.hits() == 1);
  CHECK(produced->attempts > 1);
  const wavetank::Partition after = sim.partition("orders", 0);
  CHECK(after.leader != leader);
  CHECK(after.leader_epoch == 1);
  CHECK(after.leo == 1);
  CHECK(after.hw == 1);
  CHECK(sim.broker_status(leader) == wavetank::BrokerStatus::down);
  sim.restart(leader);
  CHECK(sim.wait_until(
      [&](const wavetank::View& view) { return view.partition("orders", 0).isr.size() == 3; }, 10s));
  CHECK_FALSE(sim.finding());
}

TEST_CASE("fifteen minutes pass at once, and an open connection does not notice") {
  wavetank::Cluster sim(frozen());
  sim.create_topic("orders", {1});
  DemoClient client(sim.kafka_bootstrap(), "test");
  REQUIRE(client.produce("orders", 0, {"a"}).ok());
  std::size_t connections = 0;
  REQUIRE(
      sim.wait_until([&](const wavetank::View& view) { return (connections = view.connections()) > 0; }, 5s));
  const wavetank::TimePoint before = sim.now();
  sim.advance(15min);
  CHECK(sim.now() - before == 15min);
  sim.wait_until([&](const wavetank::View& view) { return view.connections() != connections; }, 50ms);
  CHECK(sim.wait_until([&](const wavetank::View& view) { return view.connections() == connections; }, 0s));
  REQUIRE(client.produce("orders", 0, {"b"}).ok());
  CHECK(sim.partition("orders", 0).leo == 2);
  // Silence that counts ends idle connections.
  sim.advance(25min, wavetank::Silence::counts);
  CHECK(sim.wait_until([&](const wavetank::View& view) { return view.connections() == 0; }, 10s));
}

TEST_CASE("the clock stands in frozen mode, flows in flow") {
  wavetank::Cluster standing(frozen(1));
  const auto first = standing.now();
  std::this_thread::sleep_for(5ms);
  CHECK(standing.now() == first);
  wavetank::Options options;
  options.brokers = 1;
  wavetank::Cluster flowing(options);
  const auto start = flowing.now();
  CHECK(flowing.wait_until([&](const wavetank::View& view) { return view.now() > start; }, 10s));
}

TEST_CASE("a wait that is over says who waits for whom") {
  wavetank::Options options = frozen();
  options.print_timeouts = false;
  wavetank::Cluster sim(options);
  sim.create_topic("orders", {1});
  const auto rule = sim.on("kafka.produce.received").topic("nothing").hold();
  sim.crash(2);
  CHECK_FALSE(sim.wait_until([](const wavetank::View&) { return false; }, 10ms));
  const std::string report = sim.waiting_report();
  CHECK(report.find("broker 2 is down") != std::string::npos);
  CHECK(report.find("kafka.produce.received") != std::string::npos);
  CHECK(report.find("never hit") != std::string::npos);
  CHECK(report.find("the next event is due in") != std::string::npos);
  CHECK(report.find("frozen") != std::string::npos);
}

TEST_CASE("calls from inside a predicate are refused, and what a predicate throws comes out") {
  wavetank::Cluster sim(frozen(1));
  sim.create_topic("orders", {1});
  const auto asks = [&](const wavetank::View&) { return sim.partition("orders", 0).leo == 0; };
  CHECK(code_of([&] { sim.wait_until(asks, 5s); }) == wavetank::ErrorCode::would_deadlock);
  const auto moves = [&](const wavetank::View&) {
    sim.advance(1s);
    return true;
  };
  CHECK(code_of([&] { sim.wait_until(moves, 5s); }) == wavetank::ErrorCode::would_deadlock);
  const auto throws = [](const wavetank::View&) -> bool { throw std::runtime_error("mine"); };
  CHECK_THROWS_WITH(sim.wait_until(throws, 5s), "mine");
  // And afterwards all is as before.
  CHECK(sim.wait_until([](const wavetank::View& view) { return view.partition("orders", 0).leo == 0; }, 5s));
}

TEST_CASE("misuse is an error with a code and a sentence") {
  using wavetank::ErrorCode;
  wavetank::Cluster sim(frozen());
  sim.create_topic("orders", {1});
  CHECK(code_of([&] { sim.create_topic("orders"); }) == ErrorCode::already_exists);
  CHECK(code_of([&] { sim.create_topic("not/allowed"); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.create_topic("wide", {1, 4}); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.create_topic("odd", {1, 1, {{"no.such", "1"}}}); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.delete_topic("nothing"); }) == ErrorCode::not_found);
  CHECK(code_of([&] { sim.partition("orders", 1); }) == ErrorCode::not_found);
  CHECK(code_of([&] { sim.crash(9); }) == ErrorCode::not_found);
  CHECK(code_of([&] { sim.broker_status(9); }) == ErrorCode::not_found);
  CHECK(code_of([&] { sim.broker_address(9); }) == ErrorCode::not_found);
  CHECK(code_of([&] { sim.advance(-1s); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.pump(); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.on("no.such.point").crash(); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.on("kafka.produce.received").answer("NO_SUCH_ERROR"); }) ==
        ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.on("kafka.produce.received").api("NoSuchApi").observe(); }) ==
        ErrorCode::invalid_argument);
  CHECK(code_of([&] { sim.move_leader("orders", 0, 9); }) == ErrorCode::invalid_argument);
  CHECK(sim.execute(R"({"do":"nonsense"})").find("invalid_argument") != std::string::npos);
  wavetank::Options none = frozen();
  none.brokers = 0;
  CHECK(code_of([&] { wavetank::Cluster never(none); }) == ErrorCode::invalid_argument);
  wavetank::Options odd = frozen();
  odd.broker_configs["no.such.config"] = "1";
  CHECK(code_of([&] { wavetank::Cluster never(odd); }) == ErrorCode::invalid_argument);
  wavetank::Options taken = frozen(1);
  const std::string address = sim.broker_address(1);
  taken.ports = {static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1)))};
  CHECK(code_of([&] { wavetank::Cluster never(taken); }) == ErrorCode::stopped);
}

TEST_CASE("a rule outlives neither removal nor its cluster") {
  std::optional<wavetank::Rule> rule;
  {
    wavetank::Cluster sim(frozen(1));
    rule = sim.on("kafka.produce.received").observe();
    CHECK(rule->hits() == 0);
    rule->remove();
    CHECK(code_of([&] { rule->hits(); }) == wavetank::ErrorCode::not_found);
  }
  CHECK(code_of([&] { rule->hits(); }) == wavetank::ErrorCode::stopped);
}

TEST_CASE("a request is held until its rule lets go") {
  wavetank::Cluster sim(frozen(1));
  sim.create_topic("orders", {1});
  const auto held = sim.on("kafka.produce.received").topic("orders").hold();
  std::thread producing([address = sim.kafka_bootstrap()] {
    DemoClient client(address, "held");
    (void)client.produce("orders", 0, {"a"});
  });
  CHECK(held.wait(1, 10s));
  CHECK(sim.partition("orders", 0).leo == 0);
  held.release();
  CHECK(sim.wait_until([](const wavetank::View& view) { return view.partition("orders", 0).leo == 1; }, 10s));
  producing.join();
}

TEST_CASE("errors are answered to whom the rule names, as often as it says") {
  wavetank::Cluster sim(frozen(1));
  sim.create_topic("orders", {1});
  const auto rule = sim.on("kafka.request.received")
                        .api("Produce")
                        .client_id("unlucky")
                        .times(2)
                        .answer("NOT_LEADER_OR_FOLLOWER");
  DemoClient lucky(sim.kafka_bootstrap(), "lucky");
  CHECK(lucky.produce("orders", 0, {"a"})->attempts == 1);
  CHECK(rule.hits() == 0);
  DemoClient unlucky(sim.kafka_bootstrap(), "unlucky");
  CHECK(unlucky.produce("orders", 0, {"b"})->attempts == 3);
  CHECK(rule.hits() == 2);
}

TEST_CASE("leaders move, brokers pause and come back on the same port") {
  wavetank::Cluster sim(frozen());
  sim.create_topic("orders", {1});
  const int leader = sim.partition("orders", 0).leader;
  const int other = leader == 1 ? 2 : 1;
  sim.move_leader("orders", 0, other);
  CHECK(sim.partition("orders", 0).leader == other);
  CHECK(sim.partition("orders", 0).leader_epoch == 1);
  sim.pause(other);
  CHECK(sim.broker_status(other) == wavetank::BrokerStatus::paused);
  sim.resume(other);
  CHECK(sim.broker_status(other) == wavetank::BrokerStatus::running);
  const std::string address = sim.broker_address(other);
  sim.crash(other);
  DemoClient refused(address, "test");
  CHECK(sim.broker_status(other) == wavetank::BrokerStatus::down);
  sim.restart(other);
  CHECK(sim.broker_address(other) == address);
  DemoClient client(address, "test");
  CHECK(client.produce("orders", 0, {"a"}).ok());
}

TEST_CASE("dynamic broker configs and topic configs are set from the options") {
  wavetank::Options options = frozen(1);
  options.broker_configs = {{"log.retention.ms", "12345"}, {"num.partitions", "4"}};
  wavetank::Cluster sim(options);
  sim.create_topic("orders", {-1, -1, {{"cleanup.policy", "compact"}}});
  CHECK(sim.query(R"({"get":"topic","topic":"orders"})").find("\"cleanup.policy\":\"compact\"") !=
        std::string::npos);
  CHECK_NOTHROW(sim.partition("orders", 3));
}

TEST_CASE("two clusters live in one process and know nothing of each other") {
  wavetank::Cluster first(frozen(1));
  wavetank::Options options = frozen(2);
  options.seed = 43;
  wavetank::Cluster second(options);
  first.create_topic("orders", {1});
  CHECK(second.topics().empty());
  second.create_topic("orders", {1});
  DemoClient client(second.kafka_bootstrap(), "test");
  REQUIRE(client.produce("orders", 0, {"a"}).ok());
  CHECK(first.partition("orders", 0).leo == 0);
  CHECK(second.partition("orders", 0).leo == 1);
  first.advance(1h);
  CHECK(first.now() > second.now());
}

TEST_CASE("a cluster without a thread runs when it is pumped") {
  wavetank::Options options = frozen(1);
  options.drive = wavetank::Drive::caller;
  wavetank::Cluster sim(options);
  sim.create_topic("orders", {1});
  bool done = false;
  std::thread client([&, address = sim.kafka_bootstrap()] {
    DemoClient demo(address, "test");
    const bool fine = demo.produce("orders", 0, {"a"}).ok();
    sim.wait_until([&](const wavetank::View&) { return done = fine; }, 5s);
  });
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (sim.partition("orders", 0).leo == 0 && std::chrono::steady_clock::now() < deadline) sim.pump(10ms);
  CHECK(sim.partition("orders", 0).leo == 1);
  while (!done && std::chrono::steady_clock::now() < deadline) sim.pump(10ms);
  client.join();
  CHECK(done);
}

TEST_CASE("virtual time jumps from event to event and has no sockets") {
  wavetank::Options options;
  options.clock = wavetank::Clock::virtual_time;
  wavetank::Cluster sim(options);
  CHECK(sim.kafka_bootstrap().empty());
  sim.create_topic("orders", {1});
  const auto start = sim.now();
  CHECK_FALSE(sim.wait_until([](const wavetank::View&) { return false; }, 24h));
  CHECK(sim.now() - start >= 23h);
}

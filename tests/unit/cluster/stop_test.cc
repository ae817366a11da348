// A broker that is stopped hands its leaders over first.
#include <catch2/catch.hpp>

#include "sim/cluster/commands.h"

using namespace wt;
using cluster::BrokerStatus;
using cluster::Cluster;
using cluster::ClusterOptions;
using cluster::Commands;

namespace {

// Where only the end of its session would tell of a crash.
struct Brokers {
  explicit Brokers(DurationNs latency_ns = 0) : cluster(options(latency_ns)), commands(cluster) {
    cluster.start();
    settle();
    commands.execute(R"({"do":"create_topic","name":"t","partitions":6})");
    run(kSecond_ns);
    settle();
  }
  static ClusterOptions options(DurationNs latency_ns) {
    ClusterOptions options;
    options.crash_by_session = true;
    options.link_latency.base_ns = latency_ns;
    return options;
  }
  void settle() {
    cluster.kernel().run_until_condition([this] { return cluster.settled(); },
                                         cluster.kernel().now() + kMinute_ns);
  }
  void tell(const std::string& what, int broker) {
    commands.execute(R"({"do":")" + what + R"(","broker":)" + std::to_string(broker) + "}");
  }
  void run(DurationNs duration_ns) { cluster.kernel().run_until(cluster.kernel().now() + duration_ns); }
  int led_by(int broker) const {
    int count = 0;
    for (int i = 0; i < 6; ++i) count += cluster.partition("t", i)->leader == broker ? 1 : 0;
    return count;
  }

  Cluster cluster;
  Commands commands;
};

}  // namespace

TEST_CASE("a stopped broker hands its leaders over at once and is gone then") {
  Brokers brokers;
  REQUIRE(brokers.led_by(2) == 2);
  brokers.tell("stop_broker", 2);
  CHECK(brokers.cluster.status(2) == BrokerStatus::down);
  CHECK(brokers.led_by(2) == 0);
  CHECK(brokers.led_by(1) + brokers.led_by(3) == 6);
  CHECK_FALSE(brokers.cluster.image()->is_active(2));
  CHECK(brokers.cluster.settled());
  // A crash takes the time of a session.
  brokers.tell("crash_broker", 1);
  CHECK(brokers.led_by(1) > 0);
}

TEST_CASE("a broker serves until its leaders are elsewhere") {
  Brokers brokers(20 * kMillisecond_ns);
  brokers.tell("stop_broker", 2);
  CHECK(brokers.cluster.status(2) == BrokerStatus::running);
  CHECK(brokers.led_by(2) == 2);
  brokers.run(kSecond_ns);
  CHECK(brokers.cluster.status(2) == BrokerStatus::down);
  CHECK(brokers.led_by(2) == 0);
}

TEST_CASE("without a controller a broker goes after five minutes") {
  Brokers brokers;
  brokers.commands.execute(R"({"do":"crash_controller"})");
  brokers.tell("stop_broker", 2);
  brokers.run(5 * kMinute_ns - kSecond_ns);
  CHECK(brokers.cluster.status(2) == BrokerStatus::running);
  brokers.run(2 * kSecond_ns);
  CHECK(brokers.cluster.status(2) == BrokerStatus::down);
}

TEST_CASE("a stopped broker comes back and stays") {
  Brokers brokers;
  brokers.tell("stop_broker", 2);
  brokers.tell("restart_broker", 2);
  brokers.settle();
  CHECK(brokers.cluster.status(2) == BrokerStatus::running);
  CHECK(brokers.cluster.image()->is_active(2));
  CHECK(brokers.cluster.partition("t", 0)->isr.size() == 3);
  brokers.run(6 * kMinute_ns);
  CHECK(brokers.cluster.status(2) == BrokerStatus::running);
  CHECK_FALSE(brokers.cluster.kernel().finding());
}

TEST_CASE("the last broker stops too") {
  Brokers brokers;
  for (const int broker : {1, 2, 3}) brokers.tell("stop_broker", broker);
  for (const int broker : {1, 2, 3}) CHECK(brokers.cluster.status(broker) == BrokerStatus::down);
  CHECK_FALSE(brokers.cluster.kernel().finding());
}

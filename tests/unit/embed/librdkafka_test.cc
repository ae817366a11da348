// The embedded cluster with librdkafka, the client that most C and C++ users have.
#if __has_include(<librdkafka/rdkafka.h>)
#include <librdkafka/rdkafka.h>

#include <catch2/catch.hpp>
#include <string>

#include "wavetank/cluster.h"

using namespace std::chrono_literals;

namespace {

struct Delivered {
  int acknowledged = 0;
  int failed = 0;
  std::int64_t last_offset = -1;
};

void on_delivery(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
  auto& delivered = *static_cast<Delivered*>(opaque);
  if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
    ++delivered.acknowledged;
    delivered.last_offset = message->offset;
  } else {
    ++delivered.failed;
  }
}

void set(rd_kafka_conf_t* conf, const char* key, const std::string& value) {
  char problem[256];
  INFO(key);
  REQUIRE(rd_kafka_conf_set(conf, key, value.c_str(), problem, sizeof problem) == RD_KAFKA_CONF_OK);
}

class Producer {
 public:
  explicit Producer(const std::string& bootstrap) {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    set(conf, "bootstrap.servers", bootstrap);
    set(conf, "enable.idempotence", "true");
    set(conf, "retry.backoff.ms", "20");
    set(conf, "reconnect.backoff.ms", "10");
    set(conf, "log_level", "0");
    rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
    rd_kafka_conf_set_opaque(conf, &delivered);
    char problem[256];
    client_ = rd_kafka_new(RD_KAFKA_PRODUCER, conf, problem, sizeof problem);
    REQUIRE(client_ != nullptr);
  }
  Producer(const Producer&) = delete;
  Producer& operator=(const Producer&) = delete;
  ~Producer() { rd_kafka_destroy(client_); }

  bool send_and_flush(const char* topic, const std::string& value) {
    const auto error = rd_kafka_producev(client_, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(0),
                                         RD_KAFKA_V_VALUE(const_cast<char*>(value.data()), value.size()),
                                         RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_END);
    return error == RD_KAFKA_RESP_ERR_NO_ERROR &&
           rd_kafka_flush(client_, 20'000) == RD_KAFKA_RESP_ERR_NO_ERROR;
  }
  Delivered delivered;

 private:
  rd_kafka_t* client_ = nullptr;
};

}  // namespace

TEST_CASE("librdkafka produces across a leader that dies before it answers, without a duplicate") {
  wavetank::Options options;
  options.seed = 42;
  options.brokers = 3;
  options.clock = wavetank::Clock::frozen;
  wavetank::Cluster sim(options);
  sim.create_topic("orders", {1});
  auto cut = sim.on("kafka.produce.appended").topic("orders").once().crash_leader();
  Producer producer(sim.kafka_bootstrap());
  REQUIRE(producer.send_and_flush("orders", "a"));
  REQUIRE(producer.send_and_flush("orders", "b"));
  CHECK(cut.hits() == 1);
  CHECK(producer.delivered.acknowledged == 2);
  CHECK(producer.delivered.failed == 0);
  const wavetank::Partition partition = sim.partition("orders", 0);
  CHECK(partition.leader_epoch == 1);
  CHECK(partition.leo == 2);
  CHECK(partition.hw == 2);
  sim.advance(15min);
  CHECK(producer.send_and_flush("orders", "c"));
  CHECK(sim.partition("orders", 0).leo == 3);
  CHECK_FALSE(sim.finding());
}
#endif

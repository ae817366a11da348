// Fetch sessions as one broker keeps them, and rows B1–B8 over the wire.
#include <catch2/catch.hpp>
#include <limits>

#include "sim/kafka/handlers/fetch_session.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

using namespace wt;
using namespace wt::kafka;

namespace {

FetchRequest request_of(const std::vector<std::int32_t>& partitions) {
  FetchRequest request;
  auto& topic = request.topics.emplace_back();
  topic.topic = "t";
  for (const std::int32_t partition : partitions) topic.partitions.emplace_back().partition = partition;
  return request;
}

std::vector<std::int32_t> order_of(FetchItems& items) {
  std::vector<std::int32_t> order;
  for (const FetchItem& item : items) order.push_back(item.target.partition);
  return order;
}

// A session on one connection, version 12.
struct Client {
  FetchRequest request(std::int32_t id, std::int32_t epoch) {
    FetchRequest asked;
    asked.session_id = id;
    asked.session_epoch = epoch;
    asked.min_bytes = 1;
    return asked;
  }
  void add(FetchRequest& asked, std::int32_t partition, std::int64_t offset = 0) {
    if (asked.topics.empty()) asked.topics.emplace_back().topic = "t";
    auto& wanted = asked.topics.back().partitions.emplace_back();
    wanted.partition = partition;
    wanted.fetch_offset = offset;
    wanted.partition_max_bytes = 1 << 20;
  }
  FetchResponse fetch(const FetchRequest& asked, Version version = 12) {
    const auto response = sim.call<FetchResponse>(connection, 1, version, asked);
    REQUIRE(response);
    return *response;
  }
  std::vector<std::int32_t> told(const FetchResponse& response) {
    std::vector<std::int32_t> partitions;
    for (const auto& topic : response.responses) {
      for (const auto& partition : topic.partitions) partitions.push_back(partition.partition_index);
    }
    return partitions;
  }
  std::int32_t open(const std::vector<std::int32_t>& partitions) {
    FetchRequest asked = request(0, 0);
    for (const std::int32_t partition : partitions) add(asked, partition);
    const FetchResponse response = fetch(asked);
    CHECK(told(response) == partitions);
    REQUIRE(response.session_id > 0);
    return response.session_id;
  }

  explicit Client(const cluster::ClusterOptions& options = one_broker()) : sim(options) {
    sim.create_topic("t", 3);
    connection = sim.connect(1);
  }
  static cluster::ClusterOptions one_broker() {
    cluster::ClusterOptions options;
    options.brokers = 1;
    return options;
  }
  test::KafkaSim sim;
  test::KafkaSim::Connection connection;
};

}  // namespace

TEST_CASE("items keep the request's order, and of twins the last one counts") {
  FetchRequest request = request_of({2, 0, 2, 1});
  request.topics[0].partitions[2].fetch_offset = 9;
  FetchItems items(request);
  CHECK(order_of(items) == std::vector<std::int32_t>{2, 0, 1});
  CHECK(items.find({"t", Uuid(), 2})->fetch_offset == 9);
}

TEST_CASE("an update changes known items in place, adds new ones at the end, forgets what it names") {
  FetchItems items(request_of({0, 1, 2}));
  items.find({"t", Uuid(), 1})->told_high_watermark = 5;
  FetchRequest update = request_of({3, 1});
  update.topics[0].partitions[1].fetch_offset = 7;
  auto& forgotten = update.forgotten_topics_data.emplace_back();
  forgotten.topic = "t";
  forgotten.partitions = {0, 42};
  items.take(update);
  CHECK(order_of(items) == std::vector<std::int32_t>{1, 2, 3});
  CHECK(items.find({"t", Uuid(), 1})->fetch_offset == 7);
  CHECK(items.find({"t", Uuid(), 1})->told_high_watermark == 5);
  items.rotate({"t", Uuid(), 1});
  items.rotate({"t", Uuid(), 42});
  CHECK(order_of(items) == std::vector<std::int32_t>{2, 3, 1});
}

TEST_CASE("B5: the epoch after the largest is 1") {
  CHECK(next_session_epoch(1) == 2);
  CHECK(next_session_epoch(std::numeric_limits<std::int32_t>::max()) == 1);
}

TEST_CASE("sessions are limited, and only old ones are pushed out") {
  FetchSessionOptions options;
  options.max_sessions = 2;
  options.min_eviction_age_ns = 100;
  FetchSessions sessions(options);
  RandomStream random(1);
  const FetchRequest request = request_of({0});
  const std::int32_t first = sessions.create(request, false, 0, random)->id;
  const std::int32_t second = sessions.create(request, false, 50, random)->id;
  CHECK(sessions.create(request, false, 100, random) == nullptr);
  CHECK(sessions.create(request, false, 101, random) != nullptr);
  CHECK(sessions.find(first) == nullptr);
  CHECK(sessions.find(second) != nullptr);
  CHECK(sessions.size() == 2);
  FetchSessions none({0, 100});
  CHECK(none.create(request, false, 0, random) == nullptr);
}

TEST_CASE("B1 and B8: an incremental answer tells what changed, and nothing else") {
  Client client;
  const std::int32_t id = client.open({0, 1});
  CHECK(client.told(client.fetch(client.request(id, 1))).empty());
  auto producer = client.sim.connect(1);
  ProduceRequest produce = client.sim.produce_request("t", client.sim.batch("a"));
  produce.topic_data[0].partition_data[0].index = 1;
  REQUIRE(client.sim.call<ProduceResponse>(producer, 0, 9, produce));
  const FetchResponse changed = client.fetch(client.request(id, 2));
  CHECK(changed.session_id == id);
  CHECK(client.told(changed) == std::vector<std::int32_t>{1});
  FetchRequest onward = client.request(id, 3);
  client.add(onward, 1, 1);
  CHECK(client.told(client.fetch(onward)).empty());
}

TEST_CASE("B8: a partition in error is told each time") {
  Client client;
  FetchRequest asked = client.request(0, 0);
  client.add(asked, 0, 99);
  const FetchResponse first = client.fetch(asked);
  CHECK(first.responses[0].partitions[0].error_code == ErrorCode::kOffsetOutOfRange);
  for (std::int32_t epoch = 1; epoch < 3; ++epoch) {
    CHECK(client.told(client.fetch(client.request(first.session_id, epoch))) == std::vector<std::int32_t>{0});
  }
}

TEST_CASE("B2: epoch -1 ends a session and answers without one") {
  Client client;
  const std::int32_t id = client.open({0});
  FetchRequest last = client.request(id, -1);
  client.add(last, 0);
  const FetchResponse response = client.fetch(last);
  CHECK(response.session_id == 0);
  CHECK(client.told(response) == std::vector<std::int32_t>{0});
  CHECK(client.fetch(client.request(id, 1)).error_code == ErrorCode::kFetchSessionIdNotFound);
}

TEST_CASE("B3 and B4: an unknown session and a wrong epoch are told apart; the session stays") {
  Client client;
  const std::int32_t id = client.open({0});
  CHECK(client.fetch(client.request(id == 1 ? 2 : 1, 1)).error_code == ErrorCode::kFetchSessionIdNotFound);
  const FetchResponse wrong = client.fetch(client.request(id, 7));
  CHECK(wrong.error_code == ErrorCode::kInvalidFetchSessionEpoch);
  CHECK(wrong.session_id == 0);
  CHECK(wrong.responses.empty());
  CHECK(client.fetch(client.request(id, 1)).error_code == ErrorCode::kNone);
}

TEST_CASE("B6: a session that was made with names cannot go on with topic ids") {
  Client client;
  const std::int32_t id = client.open({0});
  CHECK(client.fetch(client.request(id, 1), 13).error_code == ErrorCode::kFetchSessionTopicIdError);
  CHECK(client.fetch(client.request(id, 1)).error_code == ErrorCode::kNone);
}

TEST_CASE("B7: a session without partitions is over") {
  Client client;
  const std::int32_t id = client.open({0});
  FetchRequest forget = client.request(id, 1);
  auto& forgotten = forget.forgotten_topics_data.emplace_back();
  forgotten.topic = "t";
  forgotten.partitions = {0};
  CHECK(client.fetch(forget).session_id == 0);
  CHECK(client.fetch(client.request(id, 2)).error_code == ErrorCode::kFetchSessionIdNotFound);
}

TEST_CASE("when no session can be had, the answer is full and says 0") {
  cluster::ClusterOptions options = Client::one_broker();
  options.max_fetch_sessions = 1;
  Client client(options);
  client.open({0});
  FetchRequest second = client.request(0, 0);
  client.add(second, 1);
  const FetchResponse response = client.fetch(second);
  CHECK(response.session_id == 0);
  CHECK(client.told(response) == std::vector<std::int32_t>{1});
}

#include <catch2/catch.hpp>

#include "sim/clients/kafka_connection.h"
#include "sim/cluster/commands.h"
#include "sim/formats/record_batch.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/produce.h"

using namespace wt;
using cluster::Cluster;
using cluster::ClusterOptions;
using cluster::Commands;

namespace {

constexpr DurationNs kConnect_ns = kSecond_ns;

Slice batch_of(const std::string& value, std::int64_t timestamp_ms) {
  formats::BatchBuilder builder;
  formats::NewRecord record;
  record.value = value;
  record.timestamp_ms = timestamp_ms;
  builder.add(record);
  return builder.build();
}

struct Story {
  explicit Story(const ClusterOptions& options) : cluster(options), commands(cluster) { cluster.start(); }

  Process& client() {
    if (process == nullptr) {
      process = &cluster.kernel().create_process("client");
      cluster.links().attach(cluster.outside_node(), *process);
    }
    return *process;
  }
  // Runs a task of the client to its end.
  void run(Task<void> task, DurationNs limit_ns = kMinute_ns) {
    bool done = false;
    client().spawn(mark(std::move(task), done));
    cluster.kernel().run_until_condition([&] { return done; }, cluster.kernel().now() + limit_ns);
    if (cluster.kernel().finding()) FAIL(cluster.kernel().finding()->message);
    REQUIRE(done);
  }
  static Task<void> mark(Task<void> task, bool& done) {
    co_await std::move(task);
    done = true;
  }

  Cluster cluster;
  Commands commands;
  Process* process = nullptr;
};

Task<void> produce_once(Story& story, std::int32_t broker, std::string topic, std::string value,
                        kafka::ErrorCode& error, std::int64_t& offset) {
  clients::KafkaConnection connection(story.client(), story.cluster.streams(), "test");
  const Status connected = co_await connection.connect(story.cluster.outside_node(),
                                                       story.cluster.broker_node(broker), kConnect_ns);
  REQUIRE(connected.ok());
  kafka::ProduceRequest request;
  request.acks = -1;
  request.timeout_ms = 1000;
  auto& data = request.topic_data.emplace_back();
  data.name = topic;
  auto& partition = data.partition_data.emplace_back();
  partition.records = SliceList();
  partition.records->push_back(batch_of(value, to_ms(story.client().now())));
  auto answer = co_await connection.call<kafka::ProduceResponse>(0, 9, request);
  REQUIRE(answer.ok());
  error = answer->responses.at(0).partition_responses.at(0).error_code;
  offset = answer->responses.at(0).partition_responses.at(0).base_offset;
}

Task<void> fetch_all(Story& story, std::int32_t broker, std::string topic, std::vector<std::string>& values) {
  clients::KafkaConnection connection(story.client(), story.cluster.streams(), "test");
  const Status connected = co_await connection.connect(story.cluster.outside_node(),
                                                       story.cluster.broker_node(broker), kConnect_ns);
  REQUIRE(connected.ok());
  kafka::FetchRequest request;
  request.max_wait_ms = 0;
  request.min_bytes = 1;
  auto& wanted = request.topics.emplace_back();
  wanted.topic = topic;
  auto& partition = wanted.partitions.emplace_back();
  partition.partition_max_bytes = 1 << 20;
  auto answer = co_await connection.call<kafka::FetchResponse>(1, 12, request);
  REQUIRE(answer.ok());
  const auto& data = answer->responses.at(0).partitions.at(0);
  REQUIRE(data.error_code == kafka::ErrorCode::kNone);
  const formats::BatchSplit split = formats::split_batches(flatten(*data.records));
  for (const Slice& batch : split.batches) {
    const auto header = formats::parse_batch_header(batch.bytes());
    const auto records = formats::BatchRecords::open(batch, *header, 1 << 20);
    formats::RecordReader reader(*header, records->bytes());
    formats::RecordView record;
    while (reader.next(record)) {
      values.emplace_back(reinterpret_cast<const char*>(record.value->data()), record.value->size());
    }
  }
}

}  // namespace

TEST_CASE("a new cluster settles, creates a topic and serves it from every leader") {
  Story story({});
  story.cluster.kernel().run_ready();
  INFO(story.commands.query(R"({"get":"status"})"));
  INFO(story.commands.query(R"({"get":"brokers"})"));
  REQUIRE(story.cluster.settled());
  const std::string created =
      story.commands.execute(R"({"do":"create_topic","name":"orders","partitions":3})");
  INFO(created);
  REQUIRE(created.find("\"ok\":true") != std::string::npos);
  REQUIRE(story.cluster.settled());
  const auto view = story.cluster.partition("orders", 0);
  REQUIRE(view);
  CHECK(view->leo == 0);
  CHECK(view->isr.size() == 3);
  CHECK(view->leader_epoch == 0);
}

TEST_CASE("an acknowledged record survives the crash of its leader and is read from the next one") {
  Story story({});
  story.cluster.kernel().run_ready();
  story.commands.execute(R"({"do":"create_topic","name":"orders","partitions":1})");
  const std::int32_t first = story.cluster.partition("orders", 0)->leader;
  kafka::ErrorCode error = kafka::ErrorCode::kUnknownServerError;
  std::int64_t offset = -1;
  story.run(produce_once(story, first, "orders", "a", error, offset));
  CHECK(error == kafka::ErrorCode::kNone);
  CHECK(offset == 0);
  story.commands.execute(R"({"do":"crash_broker","broker":)" + std::to_string(first) + "}");
  const auto after = story.cluster.partition("orders", 0);
  REQUIRE(after->leader != first);
  CHECK(after->leader_epoch == 1);
  CHECK(after->writable);
  CHECK(after->leo == 1);
  CHECK(after->hw == 1);
  CHECK(after->lso == 1);
  story.run(produce_once(story, after->leader, "orders", "b", error, offset));
  CHECK(error == kafka::ErrorCode::kNone);
  CHECK(offset == 1);
  std::vector<std::string> values;
  story.run(fetch_all(story, after->leader, "orders", values));
  CHECK(values == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a cluster begins with levels of features that its options name") {
  ClusterOptions options;
  options.features = {{"group.version", 0}, {"metadata.version", 30}};
  const auto copy = cluster::options_from_json(cluster::to_json(options));
  REQUIRE(copy.ok());
  CHECK(copy->features == options.features);
  CHECK_FALSE(cluster::options_from_json(R"({"features":{"group.version":"1"}})").ok());
  CHECK_FALSE(cluster::options_from_json(R"({"features":{"group.version":-1}})").ok());
  CHECK_FALSE(cluster::options_from_json(R"({"features":["group.version"]})").ok());
  Story story(options);
  story.cluster.kernel().run_until_condition([&] { return story.cluster.settled(); }, kMinute_ns);
  const auto& features = story.cluster.broker(1)->image().features();
  CHECK(features.count("group.version") == 0);
  CHECK(features.at("metadata.version") == 30);
  CHECK(features.at("transaction.version") == 2);
}

TEST_CASE("two runs of the same calls have the same hash") {
  std::uint64_t hashes[2] = {};
  for (std::uint64_t& hash : hashes) {
    Story story({});
    story.cluster.kernel().run_ready();
    story.commands.execute(R"({"do":"create_topic","name":"orders","partitions":2})");
    kafka::ErrorCode error = kafka::ErrorCode::kNone;
    std::int64_t offset = -1;
    story.run(
        produce_once(story, story.cluster.partition("orders", 0)->leader, "orders", "a", error, offset));
    story.cluster.kernel().run_until(story.cluster.kernel().now() + kHour_ns);
    hash = story.cluster.kernel().trace().hash();
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("a controller that comes back learns at once who died meanwhile") {
  Story story({});
  story.cluster.kernel().run_ready();
  story.commands.execute(R"({"do":"create_topic","name":"orders","partitions":1})");
  const std::int32_t first = story.cluster.partition("orders", 0)->leader;
  const TimeNs start_ns = story.cluster.kernel().now();
  const std::string broker = std::to_string(first);
  const bool comes_back = GENERATE(false, true);
  story.commands.execute(R"({"do":"crash_controller"})");
  story.commands.execute(R"({"do":"crash_broker","broker":)" + broker + "}");
  if (comes_back) story.commands.execute(R"({"do":"restart_broker","broker":)" + broker + "}");
  story.commands.execute(R"({"do":"restart_controller"})");
  story.cluster.kernel().run_until(start_ns + kSecond_ns);  // far less than a session
  const auto after = story.cluster.partition("orders", 0);
  REQUIRE(after);
  CHECK(after->leader != first);
  CHECK(after->leader_epoch == 1);
  CHECK(after->writable);
  CHECK(after->isr.size() == (comes_back ? 3 : 2));
  CHECK(story.cluster.settled());
  // It is told once: what comes back later stays.
  story.commands.execute(R"({"do":"restart_broker","broker":)" + broker + "}");
  story.cluster.kernel().run_until(start_ns + 2 * kSecond_ns);
  story.commands.execute(R"({"do":"crash_controller"})");
  story.commands.execute(R"({"do":"restart_controller"})");
  story.cluster.kernel().run_until(start_ns + 3 * kSecond_ns);
  CHECK(story.cluster.partition("orders", 0)->isr.size() == 3);
  CHECK(story.cluster.settled());
}

TEST_CASE("where a crash is noticed by its session, a controller that comes back notices it so, too") {
  ClusterOptions options;
  options.crash_by_session = true;
  Story story(options);
  story.cluster.kernel().run_ready();
  story.commands.execute(R"({"do":"create_topic","name":"orders","partitions":1})");
  const std::int32_t first = story.cluster.partition("orders", 0)->leader;
  story.commands.execute(R"({"do":"crash_controller"})");
  story.commands.execute(R"({"do":"crash_broker","broker":)" + std::to_string(first) + "}");
  story.commands.execute(R"({"do":"restart_controller"})");
  story.cluster.kernel().run_until(story.cluster.kernel().now() + kSecond_ns);
  CHECK(story.cluster.partition("orders", 0)->leader == first);
  story.cluster.kernel().run_until(story.cluster.kernel().now() + kMinute_ns);
  CHECK(story.cluster.partition("orders", 0)->leader != first);
}

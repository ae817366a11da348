// What happens between real sockets and the cluster: requests queued behind others, limits of a broker, and
// a run with everything in it, recorded and replayed.
#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <thread>

#include "harness/cli/demo_client.h"
#include "harness/embed/replay_session.h"
#include "harness/embed/session.h"
#include "sim/cluster/json_fields.h"
#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "tests/unit/gateway/client.h"

using namespace wt;
using namespace wt::harness;
using cli::DemoClient;
using cli::KafkaSocket;

namespace {

constexpr int kPatience_ms = 20'000;

template <class Request>
void append_request(SliceList& out, std::int16_t api_key, kafka::Version version, std::int32_t correlation_id,
                    const Request& body) {
  kafka::RequestHeader header;
  header.request_api_key = api_key;
  header.request_api_version = version;
  header.correlation_id = correlation_id;
  header.client_id = "test";
  auto bytes = kafka::encode_request(*kafka::find_api(api_key), header, &body);
  REQUIRE(bytes.ok());
  for (Slice& slice : *bytes) out.push_back(std::move(slice));
}

kafka::FetchRequest long_poll(const std::string& topic, std::int32_t number, std::int64_t offset) {
  kafka::FetchRequest request;
  request.max_wait_ms = 10 * 60 * 1000;
  request.min_bytes = 1;
  auto& wanted = request.topics.emplace_back();
  wanted.topic = topic;
  auto& partition = wanted.partitions.emplace_back();
  partition.partition = number;
  partition.fetch_offset = offset;
  partition.partition_max_bytes = 1 << 20;
  return request;
}

std::int32_t correlation_of(const Slice& frame) {
  return ByteReader(frame.bytes()).i32();
}

}  // namespace

TEST_CASE("a fetch that waits is let go when a request is queued behind it, though it was read with it") {
  cluster::ClusterOptions options;
  options.brokers = 1;
  SimulatedCluster simulated(options);
  simulated.start_without_listeners();
  simulated.kernel().run_ready();
  simulated.execute(R"({"do":"create_topic","name":"t"})");
  REQUIRE(simulated.cluster().settled());
  const auto send = [&](bool one_behind) {
    const ConnectionId id =
        *simulated.streams().external_connect(simulated.outside_node(), simulated.cluster().broker_node(1));
    SliceList requests;
    append_request(requests, 1, 12, 1, long_poll("t", 0, 0));
    if (one_behind) append_request(requests, 18, 3, 2, kafka::ApiVersionsRequest());
    simulated.streams().external_write(id, flatten(requests));
    simulated.kernel().run_ready();
    return id;
  };
  const ConnectionId alone = send(false);
  CHECK(ParkWatch::queued_behind(simulated).empty());
  const ConnectionId followed = send(true);
  CHECK(simulated.kernel().parked_count() == 2);
  CHECK_FALSE(simulated.queued_behind(alone));
  CHECK(simulated.queued_behind(followed));
  CHECK(ParkWatch::queued_behind(simulated).size() == 1);
}

TEST_CASE("a connection that its broker will not have is closed") {
  cluster::ClusterOptions options;
  options.brokers = 1;
  options.max_connections = 1;
  SimulatedCluster simulated(options);
  DriverOptions driver_options;
  driver_options.clock = ClockMode::frozen;
  Driver driver(simulated, driver_options, system_wall_clock(), nullptr);
  REQUIRE(driver.start().ok());
  Client first(driver.addresses().at(0).port);
  REQUIRE(
      driver.wait_until([&] { return simulated.streams().open_connections() == 1; }, 5 * kSecond_ns).value());
  Client second(driver.addresses().at(0).port);
  CHECK_FALSE(second.receive());
  CHECK(second.error() == 0);  // not because the time was over
  driver.stop();
}

namespace {

// A session with hardly an option at its default, and what a test does to it.
class Story {
 public:
  Story() : session_(start()), client_(session_->bootstrap(), "test", kPatience_ms) {}

  std::string tell(const std::string& request) {
    std::string answer = session_->execute(request);
    INFO(request << " -> " << answer);
    CHECK(answer.find("\"error\"") == std::string::npos);
    return answer;
  }
  Session& session() { return *session_; }
  std::string leader() {
    const auto leader = session_->driver().call(
        [&] { return session_->simulated().cluster().partition("orders", 1)->leader; });
    return std::to_string(leader.value());
  }
  void produce(const std::string& value) { CHECK(client_.produce("orders", 1, {value}).ok()); }

  // A request waits at a rule until the rule lets go, and at a broker that is paused until it goes on.
  void hold_and_pause() {
    const std::string rule =
        tell(R"({"do":"add_rule","point":"kafka.request.received","action":"hold","api_key":0,"count":1})");
    const std::string id = rule.substr(rule.rfind(':') + 1);
    std::thread held([this] { produce("held"); });
    const auto holding = [&] { return session_->simulated().cluster().rules().all().front().holding == 1; };
    CHECK(session_->driver().wait_until(holding, 10 * kSecond_ns).value());
    tell(R"({"do":"release_rule","rule":)" + id);
    held.join();
    const std::string broker = leader();
    tell(R"({"do":"pause_broker","broker":)" + broker + "}");
    std::thread waiting([this] { produce("for a broker that is paused"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    tell(R"({"do":"resume_broker","broker":)" + broker + "}");
    waiting.join();
  }

  // Fetches that wait are let go: by the wall clock, and by a request behind.
  void park() {
    const StatusOr<std::string> address = client_.find_leader("orders", 1);
    REQUIRE(address.ok());
    auto socket = KafkaSocket::connect(*address, kPatience_ms);
    REQUIRE(socket.ok());
    SliceList alone;
    append_request(alone, 1, 12, 1, long_poll("orders", 1, 3));
    const auto waited = (*socket)->exchange(alone);
    REQUIRE(waited.ok());
    const auto response = kafka::decode_response(*kafka::find_api(1), 12, *waited);
    REQUIRE(response.ok());
    CHECK(response->body.get<kafka::FetchResponse>()->responses.at(0).partitions.at(0).error_code ==
          kafka::ErrorCode::kNone);
    SliceList both;
    append_request(both, 1, 12, 2, long_poll("orders", 1, 3));
    append_request(both, 18, 3, 3, kafka::ApiVersionsRequest());
    CHECK(correlation_of(*(*socket)->exchange(SliceList{flatten(both)})) == 2);
    CHECK(correlation_of(*(*socket)->exchange({})) == 3);
  }

  void lose_processes() {
    tell(
        R"({"do":"add_rule","point":"append.head.committed","topic":"orders","action":"crash_leader","count":1})");
    const std::string before = leader();
    produce("by way of two leaders");
    tell(R"({"do":"crash_controller"})");
    tell(R"({"do":"restart_controller"})");
    tell(R"({"do":"restart_broker","broker":)" + before + "}");
    tell(R"({"do":"move_leader","topic":"orders","partition":1,"to":)" + before + "}");
    produce("at home");
  }

  std::size_t records() { return client_.fetch("orders", 1, 0)->size(); }

 private:
  static std::unique_ptr<Session> start() {
    SessionOptions options;
    options.clock = ClockMode::frozen;
    options.cluster.seed = 0xFEDCBA9876543210ULL;
    options.cluster.first_broker_id = 100;
    options.cluster.brokers = 4;
    options.cluster.cluster_id = "a-cluster-of-my-own";
    options.cluster.racks = {"a", "b", "a", "b"};
    options.cluster.default_partitions = 3;
    options.cluster.default_replication_factor = 2;
    options.cluster.max_fetch_sessions = 2;
    options.cluster.max_idle_ns = kMinute_ns;
    options.cluster.advertise_only_implemented = true;
    options.cluster.ready.order = ReadyOrder::random;
    REQUIRE(apply_broker_config(options, "log.retention.ms", "123456789").ok());
    StatusOr<std::unique_ptr<Session>> session = Session::start(options);
    if (!session.ok()) FAIL(message_of(session.status()));
    return std::move(*session);
  }

  std::unique_ptr<Session> session_;
  DemoClient client_;
};

std::size_t count(const Slice& recording, EntryKind kind) {
  StatusOr<JournalReader> reader = JournalReader::open(recording);
  REQUIRE(reader.ok());
  std::size_t found = 0;
  for (Entry entry; reader->next(entry);) found += entry.kind == kind ? 1 : 0;
  return found;
}

}  // namespace

TEST_CASE("a run with many options, rules, pauses, waits, crashes and jumps replays equal") {
  Story story;
  story.tell(R"({"do":"create_topic","name":"orders"})");
  story.produce("a");
  story.hold_and_pause();
  story.park();
  story.lose_processes();
  CHECK(story.session().advance(15 * kMinute_ns).ok());
  CHECK(story.records() == 6);  // one of them twice: its producer is not idempotent
  CHECK(story.session().advance(2 * kMinute_ns, true).ok());  // idle connections are closed
  CHECK(story.records() == 6);
  Client(story.session().driver().addresses().at(2).port).reset();
  story.session().stop();
  const Slice recording = story.session().recorded();
  CHECK(count(recording, EntryKind::park_expired) >= 2);
  CHECK(count(recording, EntryKind::accept) >= 4);
  std::uint64_t hash = 0;
  for (int i = 0; i < 2; ++i) {
    const StatusOr<ReplayResult> result = replay_session(*JournalReader::open(recording));
    REQUIRE(result.ok());
    INFO((result->difference ? result->difference->text : result->problem));
    CHECK(result->equal);
    CHECK(result->complete);
    if (i > 0) CHECK(result->trace_hash == hash);
    hash = result->trace_hash;
  }
  CHECK(story.session().trace_hash() == hash);
}

TEST_CASE("configs that are set for speed stay as Kafka has them with real delays, and as they were given") {
  const auto configs = [](bool real_delays, const char* interval_ms) {
    SessionOptions options;
    options.cluster.brokers = 1;
    options.real_delays = real_delays;
    if (interval_ms != nullptr) {
      REQUIRE(apply_broker_config(options, "group.consumer.assignment.interval.ms", interval_ms).ok());
    }
    StatusOr<std::unique_ptr<Session>> session = Session::start(options);
    REQUIRE(session.ok());
    return (*session)->options().cluster.group_configs;
  };
  using Configs = std::map<std::string, std::int64_t>;
  CHECK(configs(false, nullptr) ==
        Configs{{"group.consumer.assignment.interval.ms", 0}, {"group.initial.rebalance.delay.ms", 0}});
  CHECK(configs(false, "1000") ==
        Configs{{"group.consumer.assignment.interval.ms", 1000}, {"group.initial.rebalance.delay.ms", 0}});
  CHECK(configs(true, nullptr).empty());
  CHECK(configs(true, "500") == Configs{{"group.consumer.assignment.interval.ms", 500}});
}

// Connections of a broker: order of answers, waiting fetches, crashes, and bytes that are no requests.
#include <catch2/catch.hpp>

#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"
#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/kafka/wire/messages/list_offsets.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/share_groups.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

using namespace wt;
using namespace wt::kafka;
using test::KafkaSim;

namespace {

constexpr std::int16_t kProduce = 0;
constexpr std::int16_t kFetch = 1;
constexpr std::int16_t kMetadata = 3;
constexpr std::int16_t kApiVersions = 18;

cluster::ClusterOptions brokers(std::int32_t count) {
  cluster::ClusterOptions options;
  options.brokers = count;
  return options;
}

std::int32_t correlation_of(const Slice& frame) {
  return ByteReader(frame.bytes()).i32();
}

// What another client still gets.
void check_alive(KafkaSim& sim, KafkaSim::Connection& connection) {
  const auto answer = sim.call<ApiVersionsResponse>(connection, kApiVersions, 0, ApiVersionsRequest());
  REQUIRE(answer);
  CHECK(answer->error_code == ErrorCode::kNone);
  CHECK(sim.finding() == "");
}

Slice frame_of(const std::vector<std::uint8_t>& body, std::int32_t announced_bytes) {
  ByteWriter out;
  out.i32(announced_bytes);
  for (const std::uint8_t byte : body) out.u8(byte);
  return Slice::copy_of(out.take());
}

}  // namespace

TEST_CASE("pipelined requests are answered in their order, also when an earlier one takes longer") {
  KafkaSim sim(brokers(1));
  sim.create_topic("t");
  auto connection = sim.connect(1);
  std::vector<std::int32_t> sent;
  sent.reserve(12);
  for (int i = 0; i < 10; ++i) {
    sent.push_back(sim.send(connection, kProduce, 9, sim.produce_request("t", sim.batch(std::to_string(i)))));
  }
  // A fetch at the end of the log waits, and everything behind it waits with it.
  sent.push_back(sim.send(connection, kFetch, 12, KafkaSim::fetch_request("t", 10, 200)));
  sent.push_back(sim.send(connection, kApiVersions, 0, ApiVersionsRequest()));
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const auto frame = sim.receive(connection);
    REQUIRE(frame);
    CHECK(correlation_of(*frame) == sent[i]);
    if (i >= 10) continue;
    const auto answer = decode_response(*find_api(kProduce), 9, *frame);
    CHECK(answer->body.get<ProduceResponse>()->responses[0].partition_responses[0].base_offset ==
          static_cast<std::int64_t>(i));
  }
}

TEST_CASE("a produce without acknowledgement is followed by the next answer, and fails by closing") {
  KafkaSim sim(brokers(1));
  sim.create_topic("t");
  auto connection = sim.connect(1);
  sim.send(connection, kProduce, 9, sim.produce_request("t", sim.batch("a"), 0));
  check_alive(sim, connection);
  CHECK(sim.cluster.partition("t", 0)->leo == 1);
  sim.send(connection, kProduce, 9, sim.produce_request("unknown", sim.batch("a"), 0));
  CHECK_FALSE(sim.receive(connection));
  CHECK(connection.closed);
}

TEST_CASE("200 waiting fetches are woken by one record") {
  KafkaSim sim(brokers(1));
  sim.create_topic("t");
  std::vector<KafkaSim::Connection> waiting;
  for (int i = 0; i < 200; ++i) {
    waiting.push_back(sim.connect(1));
    sim.send(waiting.back(), kFetch, 12, KafkaSim::fetch_request("t", 0, 30'000));
  }
  sim.run(kSecond_ns);
  CHECK(sim.cluster.kernel().parked_count() >= 200);
  const TimeNs before_ns = sim.cluster.kernel().now();
  auto producer = sim.connect(1);
  REQUIRE(sim.call<ProduceResponse>(producer, kProduce, 9, sim.produce_request("t", sim.batch("a"))));
  for (auto& connection : waiting) {
    const auto answer = sim.receive_as<FetchResponse>(connection, kFetch, 12);
    REQUIRE(answer);
    CHECK(answer->responses[0].partitions[0].high_watermark == 1);
    CHECK_FALSE(answer->responses[0].partitions[0].records->empty());
  }
  CHECK(sim.cluster.kernel().now() == before_ns);
}

TEST_CASE("a fetch that waits for more bytes than come is answered with what there is, at its time") {
  KafkaSim sim(brokers(1));
  sim.create_topic("t");
  auto connection = sim.connect(1), producer = sim.connect(1);
  FetchRequest patient = KafkaSim::fetch_request("t", 0, 500);
  patient.min_bytes = 1 << 20;
  const TimeNs start_ns = sim.cluster.kernel().now();
  sim.send(connection, kFetch, 12, patient);
  REQUIRE(sim.call<ProduceResponse>(producer, kProduce, 9, sim.produce_request("t", sim.batch("a"))));
  const auto answer = sim.receive_as<FetchResponse>(connection, kFetch, 12);
  REQUIRE(answer);
  CHECK_FALSE(answer->responses[0].partitions[0].records->empty());
  CHECK(sim.cluster.kernel().now() == start_ns + 500 * kMillisecond_ns);
}

TEST_CASE("a broker dies with waiting fetches and comes back; others are not disturbed") {
  KafkaSim sim(brokers(3));
  sim.create_topic("t", 3);
  std::vector<KafkaSim::Connection> waiting;
  for (std::int32_t partition = 0; partition < 3; ++partition) {
    for (int i = 0; i < 20; ++i) {
      waiting.push_back(sim.connect(sim.leader("t", partition)));
      FetchRequest request = KafkaSim::fetch_request("t", 0, 30'000);
      request.topics[0].partitions[0].partition = partition;
      sim.send(waiting.back(), kFetch, 12, request);
    }
  }
  sim.run(kSecond_ns);
  const std::int32_t victim = sim.leader("t", 0);
  auto survivor = sim.connect(sim.leader("t", 1));
  sim.do_command(R"({"do":"crash_broker","broker":)" + std::to_string(victim) + "}");
  std::size_t closed = 0;
  for (auto& connection : waiting) {
    sim.take(connection);
    closed += connection.closed ? 1 : 0;
  }
  CHECK(closed == 20);
  check_alive(sim, survivor);
  sim.do_command(R"({"do":"restart_broker","broker":)" + std::to_string(victim) + "}");
  sim.run(kSecond_ns);
  CHECK(sim.cluster.settled());
  auto again = sim.connect(victim);
  check_alive(sim, again);
}

TEST_CASE("a waiting fetch is answered when its leader moves, with the new leader's address") {
  KafkaSim sim(brokers(3));
  sim.create_topic("t");
  const std::int32_t old_leader = sim.leader("t");
  auto connection = sim.connect(old_leader);
  sim.send(connection, kFetch, 12, KafkaSim::fetch_request("t", 0, 30'000));
  sim.run(kSecond_ns);
  sim.do_command(R"({"do":"move_leader","topic":"t","partition":0,"to":)" +
                 std::to_string(old_leader % 3 + 1) + "}");
  const auto answer = sim.receive_as<FetchResponse>(connection, kFetch, 12, kSecond_ns);
  REQUIRE(answer);
  CHECK(answer->responses[0].partitions[0].error_code == ErrorCode::kNotLeaderOrFollower);
}

TEST_CASE("bytes that are no request cost only their own connection") {
  KafkaSim sim(brokers(1));
  auto bystander = sim.connect(1);
  const std::vector<Slice> junk = {
      frame_of({}, 0),
      frame_of({}, -1),
      frame_of({}, std::numeric_limits<std::int32_t>::max()),
      frame_of({}, 104'857'601),
      frame_of({0}, 1),
      frame_of({0, 18, 0, 0, 0, 0, 0}, 7),                       // cut inside the correlation id
      frame_of({0x7f, 0xff, 0, 0, 0, 0, 0, 1, 0xff, 0xff}, 10),  // no such API
      frame_of({0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff},
               14),  // 2^31 - 1 topics announced
      frame_of({0, 18, 0, 3, 0, 0, 0, 1, 0xff, 0xff, 0, 0xff, 0xff, 0xff, 0xff, 0x0f}, 16),
      Slice::copy_of(std::string_view("GET / HTTP/1.1\r\n\r\n")),
  };
  for (const Slice& bytes : junk) {
    auto connection = sim.connect(1);
    sim.send_bytes(connection, bytes);
    CHECK_FALSE(sim.receive(connection, kSecond_ns));
    CHECK(connection.closed);
    check_alive(sim, bystander);
  }
  CHECK(sim.cluster.kafka_service(1)->refusals().size() == junk.size());
}

TEST_CASE("a frame that never becomes whole holds nothing up") {
  KafkaSim sim(brokers(1));
  auto bystander = sim.connect(1), slow = sim.connect(1);
  sim.send_bytes(slow, frame_of({0, 18}, 100'000'000));
  check_alive(sim, bystander);
  sim.take(slow);
  CHECK_FALSE(slow.closed);
  sim.cluster.streams().external_reset(slow.id);
  check_alive(sim, bystander);
}

TEST_CASE("an API that is offered but not built is refused in its own form and logged") {
  constexpr std::int16_t kShareGroupHeartbeat = 76;
  KafkaSim sim(brokers(1));
  auto connection = sim.connect(1);
  const auto answer = sim.call<ShareGroupHeartbeatResponse>(connection, kShareGroupHeartbeat, 1,
                                                            ShareGroupHeartbeatRequest());
  REQUIRE(answer);
  CHECK(answer->error_code == ErrorCode::kUnsupportedVersion);
  CHECK(sim.cluster.kafka_service(1)->refusals().back().why == "kafka.refused.unimplemented");
  check_alive(sim, connection);
}

TEST_CASE("ApiVersions lists the whole release, or on request what has a handler") {
  for (const bool narrow : {false, true}) {
    cluster::ClusterOptions options = brokers(1);
    options.advertise_only_implemented = narrow;
    KafkaSim sim(options);
    auto connection = sim.connect(1);
    const auto answer = sim.call<ApiVersionsResponse>(connection, kApiVersions, 3, [] {
      ApiVersionsRequest request;
      request.client_software_name = request.client_software_version = "x1";
      return request;
    }());
    REQUIRE(answer);
    const bool offers_share_groups = std::any_of(answer->api_keys.begin(), answer->api_keys.end(),
                                                 [](const auto& api) { return api.api_key == 76; });
    CHECK(offers_share_groups != narrow);
    CHECK((answer->api_keys.size() == 77) != narrow);
  }
}

TEST_CASE("FindCoordinator makes the topic of offsets, then names the leader of each group's partition") {
  KafkaSim sim(brokers(3));
  auto connection = sim.connect(1);
  FindCoordinatorRequest old;
  old.key = "g";
  const auto first = sim.call<FindCoordinatorResponse>(connection, 10, 2, old);
  REQUIRE(first);
  CHECK(first->error_code == ErrorCode::kCoordinatorNotAvailable);
  CHECK(first->node_id == -1);
  sim.run(kSecond_ns);
  // Java: "g".hashCode() % 50 == 3.
  const std::int32_t leader = sim.leader("__consumer_offsets", 3);
  const auto again = sim.call<FindCoordinatorResponse>(connection, 10, 2, old);
  REQUIRE(again);
  CHECK(again->error_code == ErrorCode::kNone);
  CHECK(again->node_id == leader);
  FindCoordinatorRequest keys;
  keys.coordinator_keys = {"g", "h"};
  const auto second = sim.call<FindCoordinatorResponse>(connection, 10, 4, keys);
  REQUIRE(second);
  REQUIRE(second->coordinators.size() == 2);
  CHECK(second->coordinators[0].node_id == leader);
  CHECK(second->coordinators[1].key == "h");
  CHECK(second->coordinators[1].node_id == sim.leader("__consumer_offsets", 4));
  CHECK(second->coordinators[1].error_code == ErrorCode::kNone);
}

TEST_CASE("FindCoordinator knows no coordinator of transactions yet") {
  KafkaSim sim(brokers(1));
  auto connection = sim.connect(1);
  FindCoordinatorRequest keys;
  keys.key_type = 1;
  keys.coordinator_keys = {"t"};
  const auto answer = sim.call<FindCoordinatorResponse>(connection, 10, 4, keys);
  REQUIRE(answer);
  CHECK(answer->coordinators[0].error_code == ErrorCode::kCoordinatorNotAvailable);
}

TEST_CASE("a connection over the limit is closed at once, the others live") {
  cluster::ClusterOptions options = brokers(1);
  options.max_connections = 2;
  KafkaSim sim(options);
  auto first = sim.connect(1), second = sim.connect(1);
  check_alive(sim, first);
  check_alive(sim, second);
  auto third = sim.connect(1);
  CHECK_FALSE(sim.receive(third, kSecond_ns));
  CHECK(third.closed);
  sim.cluster.streams().external_reset(second.id);
  sim.run(kMillisecond_ns);
  auto fourth = sim.connect(1);
  check_alive(sim, fourth);
  check_alive(sim, first);
}

TEST_CASE("a silent connection is closed after its time, one that asks is not") {
  cluster::ClusterOptions options = brokers(1);
  options.max_idle_ns = 10 * kSecond_ns;
  KafkaSim sim(options);
  auto silent = sim.connect(1), busy = sim.connect(1);
  for (int i = 0; i < 5; ++i) {
    sim.run(4 * kSecond_ns);
    check_alive(sim, busy);
  }
  sim.take(silent);
  CHECK(silent.closed);
  CHECK_FALSE(busy.closed);
}

TEST_CASE("a connection is closed when its time is over since the last answer, not later") {
  cluster::ClusterOptions options = brokers(1);
  options.max_idle_ns = 10 * kMinute_ns;
  KafkaSim sim(options);
  auto connection = sim.connect(1);
  sim.run(kMinute_ns);
  check_alive(sim, connection);
  sim.run(10 * kMinute_ns - kSecond_ns);
  sim.take(connection);
  CHECK_FALSE(connection.closed);
  // Time that a test skips does not count.
  cluster::Cluster& cluster = sim.cluster;
  cluster.kernel().run_until(cluster.kernel().now() + kHour_ns, SilenceClock::stands);
  sim.take(connection);
  CHECK_FALSE(connection.closed);
  sim.run(kSecond_ns);
  sim.take(connection);
  CHECK(connection.closed);
}

TEST_CASE("what was read and not begun is known, by connection") {
  KafkaSim sim(brokers(1));
  sim.create_topic("t");
  sim.run(kSecond_ns);
  auto connection = sim.connect(1), other = sim.connect(1);
  sim.send(other, kFetch, 12, KafkaSim::fetch_request("t", 0, 30'000));
  const std::vector<std::uint8_t> begun{0, 0, 0, 9, 0, 18};  // of a request
  RequestHeader header;
  header.request_api_key = kFetch;
  header.request_api_version = 12;
  const FetchRequest body = KafkaSim::fetch_request("t", 0, 30'000);
  auto both = *encode_request(*find_api(kFetch), header, &body);
  both.push_back(Slice::copy_of(begun));
  sim.send_bytes(connection, flatten(both));
  sim.run(0);
  CHECK(sim.cluster.read_ahead_bytes(connection.id) == begun.size());
  CHECK(sim.cluster.read_ahead_bytes(other.id) == 0);
  sim.do_command(R"({"do":"crash_broker","broker":1})");
  CHECK(sim.cluster.read_ahead_bytes(other.id) == 0);
}

TEST_CASE("topics may be deleted at any moment while their partitions open or append") {
  cluster::ClusterOptions options = brokers(2);
  options.link_latency.base_ns = 5 * kMillisecond_ns;
  KafkaSim sim(options);
  for (int moment = 0; moment < 40; ++moment) {
    const std::string topic = "t" + std::to_string(moment);
    sim.create_topic(topic, 2);
    sim.run(moment * 3 * kMillisecond_ns);
    auto connection = sim.connect(1 + moment % 2);
    sim.send(connection, kProduce, 9, sim.produce_request(topic, sim.batch("a")));
    sim.run(moment % 7 * 3 * kMillisecond_ns);
    sim.do_command(R"({"do":"delete_topic","name":")" + topic + R"("})");
  }
  sim.run(kMinute_ns);
  CHECK(sim.finding() == "");
  CHECK(sim.cluster.settled());
}

TEST_CASE("many clients that ask for the same unknown topic create it once") {
  cluster::ClusterOptions options = brokers(1);
  options.link_latency.base_ns = 5 * kMillisecond_ns;
  KafkaSim sim(options);
  std::vector<KafkaSim::Connection> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(sim.connect(1));
    MetadataRequest request;
    request.topics.emplace().emplace_back().name = "wanted";
    sim.send(clients.back(), kMetadata, 9, request);
  }
  sim.run(kSecond_ns);
  REQUIRE(sim.cluster.partition("wanted", 0));
  for (auto& client : clients) REQUIRE(sim.receive_as<MetadataResponse>(client, kMetadata, 9));
  CHECK(sim.cluster.partition("wanted", 0)->leader_epoch == 0);
  check_alive(sim, clients.front());
}

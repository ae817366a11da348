// Fault rules on requests of every kind: each action, each filter, and errors for a part of a request.
#include <catch2/catch.hpp>

#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/messages/classic_groups.h"
#include "sim/kafka/wire/messages/consumer_groups.h"
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/kafka/wire/messages/group_admin.h"
#include "sim/kafka/wire/messages/list_offsets.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/offsets.h"
#include "sim/kafka/wire/messages/producers.h"
#include "sim/kafka/wire/messages/topics.h"
#include "sim/kafka/wire/messages/transactions.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

using namespace wt;
using namespace wt::kafka;
using test::KafkaSim;

namespace {

constexpr std::int16_t kProduce = 0;
constexpr std::int16_t kFetch = 1;
constexpr std::int16_t kMetadata = 3;
constexpr auto kBusy = ErrorCode::kThrottlingQuotaExceeded;

cluster::ClusterOptions one_broker() {
  cluster::ClusterOptions options;
  options.brokers = 1;
  return options;
}

// A request of one kind.
struct Sample {
  std::int16_t key;
  Version version;
  AnyMessage body;
};
template <class Request>
Sample sample(std::int16_t key, Version version, Request request) {
  Sample made{key, version, AnyMessage(Request::kTable)};
  *made.body.get<Request>() = std::move(request);
  return made;
}

std::vector<Sample> samples(KafkaSim& sim) {
  std::vector<Sample> all;
  all.push_back(sample(kProduce, 9, sim.produce_request("t", sim.batch("a"))));
  all.push_back(sample(kFetch, 12, KafkaSim::fetch_request("t", 0, 0)));
  ListOffsetsRequest offsets;
  auto& listed = offsets.topics.emplace_back();
  listed.name = "t";
  listed.partitions.emplace_back().timestamp = -1;
  all.push_back(sample(2, 5, std::move(offsets)));
  MetadataRequest metadata;
  metadata.topics->emplace_back().name = "t";
  all.push_back(sample(kMetadata, 9, std::move(metadata)));
  FindCoordinatorRequest coordinator;
  coordinator.coordinator_keys = {"g"};
  all.push_back(sample(10, 4, std::move(coordinator)));
  JoinGroupRequest join;
  join.group_id = "g";
  join.protocol_type = "consumer";
  join.session_timeout_ms = 10'000;
  join.protocols.emplace_back().name = "range";
  all.push_back(sample(11, 5, std::move(join)));
  HeartbeatRequest beat;
  beat.group_id = "g";
  all.push_back(sample(12, 3, std::move(beat)));
  all.push_back(
      sample(18, 3, ApiVersionsRequest{.client_software_name = "t", .client_software_version = "1"}));
  CreateTopicsRequest create;
  auto& topic = create.topics.emplace_back();
  topic.name = "fresh";
  topic.num_partitions = topic.replication_factor = 1;
  all.push_back(sample(19, 5, std::move(create)));
  InitProducerIdRequest producer;
  producer.transactional_id = std::nullopt;
  all.push_back(sample(22, 4, std::move(producer)));
  return all;
}

// Whether any error field of an answer has this code.
bool tells(const schema::Table& table, const void* object, Version version, ErrorCode code) {
  for (const schema::Field& field : table.all()) {
    const void* value = field.versions.contains(version) ? schema::value_of(field, object) : nullptr;
    if (value == nullptr) continue;
    if (field.hint == schema::Hint::kErrorCode && field.array == nullptr) {
      if (schema::load_16(value) == static_cast<std::uint16_t>(code)) return true;
    } else if (field.type == schema::FieldType::kStruct) {
      const schema::Elements many =
          field.array != nullptr ? schema::elements_of(field, value) : schema::Elements{};
      for (std::size_t i = 0; i < many.count; ++i) {
        if (tells(*field.element, many[i], version, code)) return true;
      }
      if (field.array == nullptr && tells(*field.element, value, version, code)) return true;
    }
  }
  return false;
}

struct Rig {
  Rig() : sim(one_broker()), connection(sim.connect(1)) { sim.create_topic("t"); }
  RuleId arm(const FaultRule& rule) {
    const auto id = sim.cluster.rules().add(rule);
    REQUIRE(id.ok());
    return *id;
  }
  FaultRule rule(std::int16_t key, FaultAction action, const char* point = "kafka.request.received") {
    FaultRule made;
    made.point = point;
    made.action = action;
    made.api_key = key;
    made.error_code = static_cast<std::int32_t>(kBusy);
    return made;
  }
  void send(const Sample& one) { sim.send(connection, *find_api(one.key), one.version, one.body.object()); }
  // Whether an answer came, and told of `code`.
  enum class Fate { none, closed, plain, code };
  Fate fate(const Sample& one, DurationNs patience_ns = 100 * kMillisecond_ns) {
    const auto frame = sim.receive(connection, patience_ns);
    if (!frame) return connection.closed ? Fate::closed : Fate::none;
    const auto answer = decode_response(*find_api(one.key), one.version, *frame);
    REQUIRE(answer.ok());
    const bool told = tells(answer->body.table(), answer->body.object(), one.version, kBusy);
    return told ? Fate::code : Fate::plain;
  }
  void reconnect() {
    if (connection.closed) connection = sim.connect(1);
  }
  std::uint64_t hits(RuleId id) { return sim.cluster.rules().state(id)->hits; }

  KafkaSim sim;
  KafkaSim::Connection connection;
};
using Fate = Rig::Fate;

// The sample under one rule; the rule is gone afterwards.
void check_action(Rig& rig, const Sample& one, FaultAction action, const char* point, Fate wanted) {
  INFO(find_api(one.key)->name << " " << fault_action_name(action) << " at " << point);
  rig.reconnect();
  const RuleId id = rig.arm(rig.rule(one.key, action, point));
  rig.send(one);
  CHECK(rig.fate(one) == wanted);
  CHECK(rig.hits(id) == 1);
  if (action == FaultAction::hold) {
    CHECK(rig.sim.cluster.rules().state(id)->holding == 1);
    CHECK(rig.sim.cluster.rules().release(id));
    CHECK(rig.fate(one) == Fate::plain);
  }
  rig.sim.cluster.rules().remove(id);
}

}  // namespace

TEST_CASE("every action has its effect on a request of every kind") {
  Rig rig;
  for (const Sample& one : samples(rig.sim)) {
    for (const char* point : {"kafka.request.received", "kafka.request.answered"}) {
      check_action(rig, one, FaultAction::observe, point, Fate::plain);
      check_action(rig, one, FaultAction::answer, point, Fate::code);
      check_action(rig, one, FaultAction::answer_after, point, Fate::code);
      check_action(rig, one, FaultAction::hold, point, Fate::none);
      check_action(rig, one, FaultAction::drop_request, point, Fate::none);
      check_action(rig, one, FaultAction::drop_answer, point, Fate::none);
      check_action(rig, one, FaultAction::close, point, Fate::closed);
      check_action(rig, one, FaultAction::close_after, point, Fate::closed);
    }
  }
  CHECK(rig.sim.finding() == "");
}

TEST_CASE("a delay holds an answer back for its time, alone and before an error") {
  Rig rig;
  for (const Sample& one : samples(rig.sim)) {
    for (const FaultAction action : {FaultAction::delay, FaultAction::answer}) {
      INFO(find_api(one.key)->name << " " << fault_action_name(action));
      FaultRule slow = rig.rule(one.key, action);
      slow.delay_ns = 300 * kMillisecond_ns;
      const RuleId id = rig.arm(slow);
      rig.send(one);
      rig.sim.run(299 * kMillisecond_ns);
      CHECK(rig.fate(one, 0) == Fate::none);
      CHECK(rig.fate(one, kMillisecond_ns) == (action == FaultAction::delay ? Fate::plain : Fate::code));
      rig.sim.cluster.rules().remove(id);
    }
  }
}

TEST_CASE("the work of a dropped request is not done, that of a dropped answer is") {
  Rig rig;
  const auto produce = [&](FaultAction action) {
    rig.reconnect();
    const RuleId id = rig.arm(rig.rule(kProduce, action));
    rig.sim.send(rig.connection, kProduce, 9, rig.sim.produce_request("t", rig.sim.batch("a")));
    rig.sim.run(kMillisecond_ns);
    rig.sim.take(rig.connection);
    rig.sim.cluster.rules().remove(id);
    return rig.sim.cluster.partition("t", 0)->leo;
  };
  CHECK(produce(FaultAction::drop_request) == 0);
  CHECK(produce(FaultAction::answer) == 0);
  CHECK(produce(FaultAction::close) == 0);
  CHECK(produce(FaultAction::drop_answer) == 1);
  CHECK(produce(FaultAction::answer_after) == 2);
  CHECK(produce(FaultAction::close_after) == 3);
}

TEST_CASE("a filter by group sees the group of every request that names one") {
  Rig rig;
  std::vector<Sample> all;
  const auto add = [&all](std::int16_t key, Version version, auto request) {
    all.push_back(sample(key, version, std::move(request)));
  };
  add(8, 8, OffsetCommitRequest{.group_id = "g"});
  add(9, 7, OffsetFetchRequest{.group_id = "g"});
  OffsetFetchRequest many;
  many.groups.emplace_back().group_id = "other";
  many.groups.emplace_back().group_id = "g";
  add(9, 8, std::move(many));
  add(10, 3, FindCoordinatorRequest{.key = "g"});
  add(10, 4, FindCoordinatorRequest{.coordinator_keys = {"other", "g"}});
  add(11, 5, JoinGroupRequest{.group_id = "g"});
  add(12, 3, HeartbeatRequest{.group_id = "g"});
  add(13, 4, LeaveGroupRequest{.group_id = "g"});
  add(14, 5, SyncGroupRequest{.group_id = "g"});
  add(15, 5, DescribeGroupsRequest{.groups = {"other", "g"}});
  add(25, 3, AddOffsetsToTxnRequest{.group_id = "g"});
  add(28, 3, TxnOffsetCommitRequest{.group_id = "g"});
  add(42, 2, DeleteGroupsRequest{.groups_names = {"g"}});
  add(47, 0, OffsetDeleteRequest{.group_id = "g"});
  add(68, 0, ConsumerGroupHeartbeatRequest{.group_id = "g"});
  add(69, 0, ConsumerGroupDescribeRequest{.group_ids = {"g"}});
  FaultRule mine;
  mine.point = "kafka.request.received";
  mine.action = FaultAction::drop_request;
  mine.group = "g";
  FaultRule others = mine;
  others.group = "h";
  const RuleId never = rig.arm(others), watching = rig.arm(mine);
  std::uint64_t sent = 0;
  for (const Sample& one : all) {
    INFO(find_api(one.key)->name << " version " << one.version);
    rig.send(one);
    CHECK(rig.fate(one) == Fate::none);
    CHECK(rig.hits(watching) == ++sent);
  }
  CHECK(rig.hits(never) == 0);
}

TEST_CASE("a filter by transactional id sees it in every request that names one") {
  Rig rig;
  FaultRule mine;
  mine.point = "kafka.request.received";
  mine.action = FaultAction::answer;
  mine.error_code = static_cast<std::int32_t>(kBusy);
  mine.transactional_id = "tx";
  rig.arm(mine);
  std::vector<Sample> all;
  all.push_back(sample(22, 4, InitProducerIdRequest{.transactional_id = "tx"}));
  all.push_back(sample(25, 3, AddOffsetsToTxnRequest{.transactional_id = "tx", .group_id = "g"}));
  all.push_back(sample(26, 3, EndTxnRequest{.transactional_id = "tx"}));
  all.push_back(sample(10, 4, FindCoordinatorRequest{.key_type = 1, .coordinator_keys = {"tx"}}));
  ProduceRequest produce = rig.sim.produce_request("t", rig.sim.batch("a"));
  produce.transactional_id = "tx";
  all.push_back(sample(kProduce, 9, std::move(produce)));
  AddPartitionsToTxnRequest partitions;
  partitions.v3_and_below_transactional_id = "tx";
  auto& topic = partitions.v3_and_below_topics.emplace_back();
  topic.name = "t";
  topic.partitions = {0};
  all.push_back(sample(24, 3, std::move(partitions)));
  for (const Sample& one : all) {
    INFO(find_api(one.key)->name);
    rig.send(one);
    rig.fate(one);
  }
  CHECK(rig.sim.cluster.rules().all().front().hits == all.size());
  const Sample other = sample(26, 3, EndTxnRequest{.transactional_id = "ty"});
  rig.send(other);
  rig.fate(other);
  CHECK(rig.sim.cluster.rules().all().front().hits == all.size());
}

namespace {

FaultRule topic_rule(std::int16_t key, const char* topic, FaultAction action = FaultAction::answer) {
  FaultRule rule;
  rule.point = "kafka.request.received";
  rule.api_key = key;
  rule.action = action;
  rule.topic = topic;
  rule.error_code = static_cast<std::int32_t>(kBusy);
  return rule;
}

ProduceRequest two_topics(KafkaSim& sim) {
  ProduceRequest request = sim.produce_request("t", sim.batch("a"));
  auto& other = request.topic_data.emplace_back();
  other.name = "u";
  other.partition_data.emplace_back().records = SliceList{sim.batch("b")};
  auto& second = other.partition_data.emplace_back();
  second.index = 1;
  second.records = SliceList{sim.batch("c")};
  return request;
}

}  // namespace

TEST_CASE("a produce fails for the topic that the rule means, and for no other") {
  Rig rig;
  rig.sim.create_topic("u", 2);
  rig.arm(topic_rule(kProduce, "u"));
  const auto answer = rig.sim.call<ProduceResponse>(rig.connection, kProduce, 9, two_topics(rig.sim));
  REQUIRE(answer);
  REQUIRE(answer->responses.size() == 2);
  CHECK(answer->responses[0].partition_responses[0].error_code == ErrorCode::kNone);
  REQUIRE(answer->responses[1].partition_responses.size() == 2);
  CHECK(answer->responses[1].partition_responses[1].error_code == kBusy);
  CHECK(rig.sim.cluster.partition("t", 0)->leo == 1);
  CHECK(rig.sim.cluster.partition("u", 1)->leo == 0);
}

TEST_CASE("a produce fails for one partition, instead of its work or after it") {
  Rig rig;
  rig.sim.create_topic("u", 2);
  for (const FaultAction action : {FaultAction::answer, FaultAction::answer_after}) {
    FaultRule rule = topic_rule(kProduce, "u", action);
    rule.partition = 1;
    const RuleId id = rig.arm(rule);
    const auto answer = rig.sim.call<ProduceResponse>(rig.connection, kProduce, 9, two_topics(rig.sim));
    REQUIRE(answer);
    REQUIRE(answer->responses.size() == 2);
    const auto& parts = answer->responses[1].partition_responses;
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].error_code == ErrorCode::kNone);
    CHECK(parts[1].index == 1);
    CHECK(parts[1].error_code == kBusy);
    rig.sim.cluster.rules().remove(id);
  }
  CHECK(rig.sim.cluster.partition("u", 0)->leo == 2);
  CHECK(rig.sim.cluster.partition("u", 1)->leo == 1);
}

TEST_CASE("metadata of all topics tells an error of one, and the brokers all the same") {
  Rig rig;
  rig.sim.create_topic("u");
  rig.arm(topic_rule(kMetadata, "u"));
  MetadataRequest one;
  one.topics->emplace_back().name = "u";
  MetadataRequest every;
  every.topics.reset();
  for (const MetadataRequest& request : {one, every}) {
    const auto answer = rig.sim.call<MetadataResponse>(rig.connection, kMetadata, 9, request);
    REQUIRE(answer);
    CHECK(answer->brokers.size() == 1);
    for (const auto& topic : answer->topics) {
      CHECK(topic.error_code == (topic.name == "u" ? kBusy : ErrorCode::kNone));
    }
    CHECK(answer->topics.size() >= (request.topics ? 1 : 2));
  }
}

TEST_CASE(
    "a fetch in a session tells an error of a partition that it does not name, and goes on afterwards") {
  Rig rig;
  rig.sim.create_topic("u");
  REQUIRE(rig.sim.call<ProduceResponse>(rig.connection, kProduce, 9,
                                        rig.sim.produce_request("t", rig.sim.batch("a"))));
  FetchRequest first = KafkaSim::fetch_request("t", 1, 0);
  first.session_epoch = 0;
  auto& other = first.topics.emplace_back();
  other.topic = "u";
  other.partitions.emplace_back().partition_max_bytes = 1 << 20;
  const auto opened = rig.sim.call<FetchResponse>(rig.connection, kFetch, 12, first);
  REQUIRE(opened);
  REQUIRE(opened->session_id != 0);
  FaultRule rule = topic_rule(kFetch, "u");
  rule.count = 1;
  rig.arm(rule);
  REQUIRE(rig.sim.call<ProduceResponse>(rig.connection, kProduce, 9,
                                        rig.sim.produce_request("u", rig.sim.batch("b"))));
  FetchRequest next;
  next.max_wait_ms = 30'000;
  next.min_bytes = 1;
  next.max_bytes = 1 << 20;
  next.session_id = opened->session_id;
  next.session_epoch = 1;
  const TimeNs before_ns = rig.sim.cluster.kernel().now();
  const auto failed = rig.sim.call<FetchResponse>(rig.connection, kFetch, 12, next);
  REQUIRE(failed);
  CHECK(rig.sim.cluster.kernel().now() == before_ns);
  CHECK(failed->error_code == ErrorCode::kNone);
  REQUIRE(failed->responses.size() == 1);
  CHECK(failed->responses[0].topic == "u");
  CHECK(failed->responses[0].partitions[0].error_code == kBusy);
  next.session_epoch = 2;
  const auto served = rig.sim.call<FetchResponse>(rig.connection, kFetch, 12, next);
  REQUIRE(served);
  REQUIRE(served->responses.size() == 1);
  CHECK(served->responses[0].partitions[0].error_code == ErrorCode::kNone);
  CHECK(served->responses[0].partitions[0].high_watermark == 1);
  CHECK_FALSE(served->responses[0].partitions[0].records->empty());
}

TEST_CASE("topics are created but for the one that the rule means") {
  Rig rig;
  rig.arm(topic_rule(19, "x"));
  CreateTopicsRequest request;
  for (const char* name : {"x", "y"}) {
    auto& topic = request.topics.emplace_back();
    topic.name = name;
    topic.num_partitions = topic.replication_factor = 1;
  }
  const auto answer = rig.sim.call<CreateTopicsResponse>(rig.connection, 19, 5, request);
  REQUIRE(answer);
  REQUIRE(answer->topics.size() == 2);
  for (const auto& topic : answer->topics)
    CHECK(topic.error_code == (topic.name == "x" ? kBusy : ErrorCode::kNone));
  CHECK_FALSE(rig.sim.cluster.partition("x", 0));
  CHECK(rig.sim.cluster.partition("y", 0));
}

TEST_CASE("a rule answers the next requests of an API in turn, then is used up") {
  Rig rig;
  FaultRule rule = rig.rule(2, FaultAction::answer);
  rule.steps.push_back({FaultAction::answer, static_cast<std::int32_t>(kBusy), 0});
  rule.steps.push_back({FaultAction::delay, 0, 50 * kMillisecond_ns});
  rule.steps.push_back({FaultAction::close, 0, 0});
  rule.steps.push_back({FaultAction::answer, static_cast<std::int32_t>(kBusy), 50 * kMillisecond_ns});
  const RuleId id = rig.arm(rule);
  const std::vector<Sample> all = samples(rig.sim);
  const Sample& list = all[2];
  const Fate wanted[] = {Fate::code, Fate::plain, Fate::closed, Fate::code, Fate::plain};
  for (std::size_t i = 0; i < std::size(wanted); ++i) {
    INFO("request " << i);
    rig.reconnect();
    const TimeNs before_ns = rig.sim.cluster.kernel().now();
    rig.send(list);
    CHECK(rig.fate(list) == wanted[i]);
    const bool slow = i == 1 || i == 3;
    CHECK(rig.sim.cluster.kernel().now() - before_ns == (slow ? 50 * kMillisecond_ns : 0));
    CHECK(rig.sim.cluster.rules().state(id)->left == (i < 4 ? 3 - i : 0));
  }
  CHECK(rig.hits(id) == 4);
}

TEST_CASE("versions of an API are capped: told so and refused beyond") {
  Rig rig;
  ApiCaps& caps = rig.sim.cluster.controls().api_caps;
  caps.set(kFetch, {4, 11});
  caps.set(22, {1, 0});
  const auto answer = rig.sim.call<ApiVersionsResponse>(rig.connection, 18, 0, ApiVersionsRequest());
  REQUIRE(answer);
  for (const auto& api : answer->api_keys) {
    CHECK(api.api_key != 22);
    if (api.api_key == kFetch) CHECK(api.max_version == 11);
  }
  CHECK(rig.sim.call<FetchResponse>(rig.connection, kFetch, 11, KafkaSim::fetch_request("t", 0, 0)));
  CHECK_FALSE(rig.sim.call<FetchResponse>(rig.connection, kFetch, 12, KafkaSim::fetch_request("t", 0, 0)));
  CHECK(rig.connection.closed);
  rig.reconnect();
  // A client that asks in a version that is not there is told how to ask.
  caps.set(18, {0, 2});
  rig.sim.send(rig.connection, 18, 3, ApiVersionsRequest());
  const auto told = rig.sim.receive_as<ApiVersionsResponse>(rig.connection, 18, 0);
  REQUIRE(told);
  CHECK(told->error_code == ErrorCode::kUnsupportedVersion);
  CHECK(told->api_keys.at(0).max_version == 2);
  caps.reset_all();
  CHECK(rig.sim.call<FetchResponse>(rig.connection, kFetch, 12, KafkaSim::fetch_request("t", 0, 0)));
}

TEST_CASE("requests are listed once asked for, the last ones, and leave no mark in the run") {
  std::uint64_t hashes[2];
  for (const bool listed : {false, true}) {
    Rig rig;
    RequestLog& log = rig.sim.cluster.controls().requests;
    if (listed) log.start(3);
    for (const Sample& one : samples(rig.sim)) {
      rig.send(one);
      rig.fate(one);
    }
    hashes[listed ? 1 : 0] = rig.sim.cluster.kernel().trace().hash();
    if (!listed) continue;
    REQUIRE(log.seen().size() == 3);
    CHECK(log.dropped() == 7);
    CHECK(log.seen().back().api_key == 22);
    CHECK(log.seen().back().number == 10);
    CHECK(log.seen().back().client_id == "test");
    CHECK(log.seen()[1].topic == "fresh");
    log.stop();
    rig.send(samples(rig.sim)[0]);
    CHECK(log.seen().back().number == 10);
    log.clear();
    CHECK(log.seen().empty());
  }
  CHECK(hashes[0] == hashes[1]);
}

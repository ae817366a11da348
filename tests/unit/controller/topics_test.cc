#include <catch2/catch.hpp>

#include "sim/controller/names.h"
#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

std::string said(const Error& error) {
  return std::to_string(static_cast<int>(error.code)) + " " + error.message;
}

CreateTopics::Topic topic_request(const std::string& name, std::int32_t partitions, std::int16_t factor) {
  CreateTopics::Topic topic;
  topic.name = name;
  topic.partitions = partitions;
  topic.replication_factor = factor;
  return topic;
}

CreateTopics assigned(const std::string& name, std::vector<ReplicaAssignment> assignments) {
  CreateTopics request;
  request.topics.push_back(topic_request(name, -1, -1));
  request.topics[0].assignments = std::move(assignments);
  return request;
}

}  // namespace

TEST_CASE("a topic gets an id, replicas spread over the brokers, and leaders", "[controller][topics]") {
  TestCluster cluster(3);
  const auto result = cluster.create("t", 6, 2);
  REQUIRE(result.error.ok());
  CHECK(result.partitions == 6);
  CHECK(result.replication_factor == 2);
  const TopicState& topic = *cluster.image().topic("t");
  CHECK(topic.topic_id == result.topic_id);
  CHECK(topic.topic_id.hex_text()[14] == '4');
  CHECK(*topic.property("kafkaTopicUUID") == topic.topic_id.hex_text());
  std::map<BrokerId, int> leads;
  std::map<BrokerId, int> holds;
  for (std::int32_t i = 0; i < 6; ++i) {
    const PartitionState& partition = *topic.partition(i);
    CHECK(partition.leader == partition.replicas[0]);
    CHECK(partition.isr == partition.replicas);
    CHECK(partition.leader_epoch == 0);
    ++leads[partition.leader];
    for (const BrokerId id : partition.replicas) ++holds[id];
  }
  for (BrokerId id = 1; id <= 3; ++id) {
    CHECK(leads[id] == 2);
    CHECK(holds[id] == 4);
    CHECK(cluster.broker(id).image()->topic("t") != nullptr);
  }
  CHECK(topic.partition(6) == nullptr);
  CHECK(topic.partition(-1) == nullptr);
}

TEST_CASE("single-partition topics spread over the brokers", "[controller][topics]") {
  TestCluster cluster(3);
  std::map<BrokerId, int> leads;
  for (int i = 0; i < 9; ++i) {
    const std::string name = "t" + std::to_string(i);
    cluster.create(name);
    ++leads[cluster.image().partition(name, 0)->leader];
  }
  CHECK(leads == std::map<BrokerId, int>{{1, 3}, {2, 3}, {3, 3}});
}

TEST_CASE("defaults of partitions and replicas", "[controller][topics]") {
  for (const int brokers : {1, 2, 5}) {
    TestCluster cluster(brokers);
    const auto result = cluster.create("t", -1, -1);
    CHECK(result.partitions == 1);
    CHECK(result.replication_factor == std::min(3, brokers));
  }
}

TEST_CASE("topic names", "[controller][topics]") {
  TestCluster cluster(1);
  const std::string invalid = "17 Topic name is invalid: ";
  CHECK(said(cluster.create("").error) == invalid + "the empty string is not allowed");
  CHECK(said(cluster.create(".").error) == invalid + "'.' is not allowed");
  CHECK(said(cluster.create("..").error) == invalid + "'..' is not allowed");
  const std::string characters =
      " contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'";
  CHECK(said(cluster.create("a b").error) == invalid + "'a b'" + characters);
  CHECK(said(cluster.create("persistent://public/default/x").error) ==
        invalid + "'persistent://public/default/x'" + characters);
  CHECK(cluster.create(std::string(249, 'x')).error.ok());
  CHECK(said(cluster.create(std::string(250, 'x')).error) ==
        invalid + "the length of '" + std::string(250, 'x') + "' is longer than the max allowed length 249");
  CHECK(cluster.create("a.b").error.ok());
  CHECK(said(cluster.create("a_b").error) == "17 Topic 'a_b' collides with existing topic: a.b");
  CHECK(said(cluster.create("a.b").error) == "36 Topic 'a.b' already exists.");
  CHECK(said(cluster.create("__cluster_metadata").error) ==
        "42 Creation of internal topic __cluster_metadata is prohibited.");

  DeleteTopics gone;
  gone.topics.push_back({"a.b", Uuid()});
  CHECK(cluster.ask(gone)->results[0].error.ok());
  CHECK(cluster.create("a_b").error.ok());
}

TEST_CASE("a topic and a partition of another one cannot have one name", "[controller][topics]") {
  TestCluster cluster(1);
  REQUIRE(cluster.create("x", 2).error.ok());
  CHECK(said(cluster.create("x-partition-1").error) ==
        "17 Topic 'x-partition-1' collides with existing topic: x");
  CHECK(cluster.create("x-partition-2").error.ok());
  CHECK(cluster.create("x-partition-01").error.ok());
  CreatePartitions more;
  more.topics.push_back({"x", 3, std::nullopt});
  CHECK(said(cluster.ask(more)->results[0].error) ==
        "17 Topic 'x' collides with existing topic: x-partition-2");
  REQUIRE(cluster.create("y-partition-0").error.ok());
  CHECK(said(cluster.create("y").error) == "17 Topic 'y' collides with existing topic: y-partition-0");
}

TEST_CASE("short and full names", "[controller][names]") {
  CHECK(full_topic_name("x") == "persistent://public/default/x");
  CHECK(full_topic_name("persistent://t/n/x") == "persistent://t/n/x");
  CHECK(kafka_topic_name("persistent://public/default/x") == "x");
  CHECK(kafka_topic_name("public/default/x") == "x");
  CHECK(kafka_topic_name("persistent://t/n/x") == "persistent://t/n/x");
  for (const char* bad :
       {"", "persistent://", "persistent://a/b", "a/b", "a//b", "/a/b", "a/b/c/d", "persistent://x"})
    CHECK_FALSE(parse_topic_name(bad));
  CHECK(split_partition_name("x-partition-12")->topic == "x");
  CHECK(split_partition_name("x-partition-12")->partition == 12);
  for (const char* bad : {"x", "x-partition-", "x-partition-01", "x-partition--1", "-partition-1",
                          "x-partition-1a", "x-partition-99999999999"})
    CHECK_FALSE(split_partition_name(bad));
  CHECK(partition_name("x", 7) == "x-partition-7");

  TestCluster cluster(1);
  CreateTopics request;
  request.allow_full_names = true;
  request.topics.push_back(topic_request("persistent://public/default/x", 1, 1));
  request.topics.push_back(topic_request("persistent://t/n/x", 1, 1));
  request.topics.push_back(topic_request("persistent://t/n/a b", 1, 1));
  const auto results = cluster.ask(request)->results;
  CHECK(cluster.image().topic("x") != nullptr);
  CHECK(cluster.image().topic("persistent://t/n/x") != nullptr);
  CHECK(results[1].error.code == ErrorCode::invalid_topic_exception);
  CHECK(cluster.create("x").error.code == ErrorCode::topic_already_exists);
}

TEST_CASE("counts and factors that cannot be", "[controller][topics]") {
  TestCluster cluster(3);
  CHECK(said(cluster.create("t", 0).error) ==
        "37 Number of partitions was set to an invalid non-positive value.");
  CHECK(said(cluster.create("t", -2).error) ==
        "37 Number of partitions was set to an invalid non-positive value.");
  for (const std::int16_t factor : {std::int16_t{0}, std::int16_t{-2}}) {
    CHECK(said(cluster.create("t", 1, factor).error) ==
          "38 Replication factor must be larger than 0, or -1 to use the default value.");
  }
  CHECK(
      said(cluster.create("t", 1, 4).error) ==
      "38 Unable to replicate the partition 4 time(s): The target replication factor of 4 cannot be reached "
      "because only 3 broker(s) are registered or some brokers have all their log directories cordoned.");
  CHECK(said(cluster.create("t", 10001).error) == "44 Excessively large number of partitions per request.");
  CHECK(cluster.image().topic_count() == 0);
}

TEST_CASE("the cluster holds a bounded number of partitions", "[controller][topics]") {
  TestCluster::Options options;
  options.controller.max_partitions = 5;
  TestCluster cluster(1, options);
  CHECK(cluster.create("a", 4).error.ok());
  CHECK(cluster.create("b", 2).error.code == ErrorCode::policy_violation);
  CHECK(cluster.create("b", 1).error.ok());
  CreatePartitions more;
  more.topics.push_back({"b", 2, std::nullopt});
  CHECK(cluster.ask(more)->results[0].error.code == ErrorCode::policy_violation);
}

TEST_CASE("a cluster of single replicas refuses every other factor", "[controller][topics]") {
  TestCluster::Options options;
  options.controller.single_replica = true;
  TestCluster cluster(3, options);
  CHECK(cluster.create("a", 1, -1).replication_factor == 1);
  CHECK(cluster.create("b", 1, 1).error.ok());
  CHECK(cluster.create("c", 1, 2).error.code == ErrorCode::invalid_replication_factor);
  CHECK(cluster.create(assigned("d", {{0, {1, 2}}})).error.code == ErrorCode::invalid_replication_factor);
  CHECK(cluster.create("e", 1, 1, {{"min.insync.replicas", "2"}}).error.code == ErrorCode::invalid_config);
}

TEST_CASE("manual assignments", "[controller][topics]") {
  TestCluster cluster(3);
  CHECK(cluster.create(assigned("ok", {{1, {2, 3}}, {0, {3, 1}}})).error.ok());
  CHECK(cluster.image().partition("ok", 0)->replicas == std::vector<BrokerId>{3, 1});
  CHECK(cluster.image().partition("ok", 1)->leader == 2);

  const std::string includes = "39 The manual partition assignment includes ";
  CHECK(said(cluster.create(assigned("t", {{0, {}}})).error) == includes + "an empty replica list.");
  CHECK(said(cluster.create(assigned("t", {{0, {1, 1}}})).error) ==
        includes + "the broker 1 more than once.");
  CHECK(said(cluster.create(assigned("t", {{0, {1, 9}}})).error) ==
        includes + "broker 9, but no such broker is registered.");
  CHECK(said(cluster.create(assigned("t", {{0, {1, 2}}, {1, {1}}})).error) ==
        includes +
            "a partition with 1 replica(s), but this is not consistent with previous partitions, which "
            "have 2 replica(s).");
  CHECK(said(cluster.create(assigned("t", {{0, {1}}, {2, {1}}})).error) ==
        "39 partitions should be a consecutive 0-based integer sequence");
  CHECK(said(cluster.create(assigned("t", {{0, {1}}, {0, {1}}})).error) ==
        "39 Found multiple manual partition assignments for partition 0");
  CreateTopics both = assigned("t", {{0, {1}}});
  both.topics[0].replication_factor = 1;
  CHECK(said(cluster.create(both).error) ==
        "42 A manual partition assignment was specified, but replication factor was not set to -1.");
  both = assigned("t", {{0, {1}}});
  both.topics[0].partitions = 1;
  CHECK(said(cluster.create(both).error) ==
        "42 A manual partition assignment was specified, but numPartitions was not set to -1.");
  cluster.crash_broker(2);
  CHECK(said(cluster.create(assigned("t", {{0, {2}}})).error) ==
        "39 All brokers specified in the manual partition assignment for partition 0 are fenced or in "
        "controlled shutdown.");
  CHECK(cluster.create(assigned("t", {{0, {2, 3}}})).error.ok());
  CHECK(cluster.image().partition("t", 0)->leader == 3);
}

TEST_CASE("one request with many topics answers each by itself", "[controller][topics]") {
  TestCluster cluster(1);
  CreateTopics request;
  for (const char* name : {"b", "a", "b", "x y", "c"}) request.topics.push_back(topic_request(name, 1, 1));
  const auto results = cluster.ask(request)->results;
  REQUIRE(results.size() == 4);
  CHECK(results[0].name == "a");
  CHECK(results[0].error.ok());
  CHECK(said(results[1].error) == "42 Duplicate topic name.");
  CHECK(results[2].error.ok());
  CHECK(results[3].error.code == ErrorCode::invalid_topic_exception);
  CHECK(cluster.image().topic_count() == 2);
}

TEST_CASE("validate only: everything is checked and nothing happens", "[controller][topics]") {
  TestCluster cluster(1);
  const auto end = cluster.log().end_offset();
  CreateTopics request;
  request.validate_only = true;
  request.topics.push_back(topic_request("t", 3, 1));
  const auto result = cluster.create(request);
  CHECK(result.error.ok());
  CHECK(result.partitions == 3);
  CHECK_FALSE(result.topic_id.is_zero());
  CHECK(cluster.log().end_offset() == end);
  cluster.create("t");
  CHECK(cluster.create(request).error.code == ErrorCode::topic_already_exists);
  CreatePartitions more;
  more.validate_only = true;
  more.topics.push_back({"t", 5, std::nullopt});
  CHECK(cluster.ask(more)->results[0].error.ok());
  CHECK(cluster.image().topic("t")->partition_count() == 1);
}

TEST_CASE("deleting topics", "[controller][topics]") {
  TestCluster cluster(1);
  const Uuid a = cluster.create("a", 1, 1, {{"retention.ms", "5"}}).topic_id;
  const Uuid b = cluster.create("b").topic_id;
  const Uuid unknown = Uuid::from_halves(1, 2);
  DeleteTopics request;
  request.topics = {{"u", Uuid()}, {std::nullopt, unknown}, {"a", a},      {std::nullopt, Uuid()},
                    {"d", Uuid()}, {"d", Uuid()},           {"b", Uuid()}, {std::nullopt, b}};
  const auto results = cluster.ask(request)->results;
  REQUIRE(results.size() == 6);
  CHECK(said(results[0].error) == "3 This server does not host this topic-partition.");
  CHECK(said(results[1].error) == "100 This server does not host this topic ID.");
  CHECK_FALSE(results[1].name);
  CHECK(said(results[2].error) == "42 You may not specify both topic name and topic id.");
  CHECK(said(results[3].error) == "42 Neither topic name nor id were specified.");
  CHECK(said(results[4].error) == "42 Duplicate topic name.");
  CHECK(said(results[5].error) == "42 The provided topic name maps to an ID that was already supplied.");
  CHECK(results[5].name == "b");
  CHECK(cluster.image().topic_count() == 2);

  DeleteTopics by_name;
  by_name.topics = {{"a", Uuid()}, {std::nullopt, b}};
  const auto gone = cluster.ask(by_name)->results;
  CHECK(gone[0].topic_id == a);
  CHECK(gone[1].name == "b");
  CHECK(gone[1].error.ok());
  CHECK(cluster.image().topic("b") == nullptr);
  CHECK(cluster.image().topic(b) == nullptr);
  CHECK(cluster.image().partition_count() == 0);
  SECTION("a topic of the same name is another topic, without the old configs") {
    const Uuid again = cluster.create("a").topic_id;
    CHECK(again != a);
    CHECK(cluster.image().partition("a", 0)->leader_epoch == 0);
    CHECK(cluster.image().configs(ConfigResourceType::topic, "a").empty());
  }
}

TEST_CASE("growing topics", "[controller][topics]") {
  TestCluster cluster(3);
  cluster.create("t", 2, 2);
  const auto grow = [&](const std::string& name, std::int32_t count,
                        std::optional<std::vector<std::vector<BrokerId>>> assignments = std::nullopt) {
    CreatePartitions request;
    request.topics.push_back({name, count, std::move(assignments)});
    return said(cluster.ask(request)->results.at(0).error);
  };
  CHECK(grow("t", 2) == "37 Topic already has 2 partition(s).");
  CHECK(grow("t", 1) == "37 The topic t currently has 2 partition(s); 1 would not be an increase.");
  CHECK(grow("u", 1) == "3 ");
  CHECK(grow("t", 4, {{{1, 2}}}) ==
        "39 Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified.");
  CHECK(
      grow("t", 3, {{{1}}}) ==
      "39 The manual partition assignment includes a partition with 1 replica(s), but this is not consistent "
      "with previous partitions, which have 2 replica(s).");
  CHECK(grow("t", 10003) == "44 Excessively large number of additional partitions per request.");
  CHECK(grow("t", 3, {{{3, 1}}}) == "0 ");
  CHECK(cluster.image().partition("t", 2)->replicas == std::vector<BrokerId>{3, 1});
  CHECK(grow("t", 5) == "0 ");
  CHECK(cluster.image().topic("t")->partition_count() == 5);
  CHECK(cluster.image().partition("t", 4)->replicas.size() == 2);
  CHECK(cluster.broker(2).image()->topic("t")->partition_count() == 5);

  CreatePartitions twice;
  twice.topics = {{"t", 6, std::nullopt}, {"t", 7, std::nullopt}};
  const auto results = cluster.ask(twice)->results;
  REQUIRE(results.size() == 1);
  CHECK(said(results[0].error) == "42 Duplicate topic name.");
}

TEST_CASE("racks are alternated", "[controller][topics]") {
  TestCluster cluster(0);
  for (BrokerId id = 1; id <= 4; ++id) {
    RegisterBroker request;
    request.cluster_id = ControllerOptions().cluster_id;
    request.broker = id;
    request.incarnation = Uuid::from_halves(static_cast<std::uint64_t>(id), 1);
    request.rack = id <= 2 ? "r1" : "r2";
    const auto epoch = cluster.ask(request)->broker_epoch;
    BrokerHeartbeat beat;
    beat.broker = id;
    beat.broker_epoch = epoch;
    beat.metadata_offset = epoch + 1;
    cluster.ask(beat);
  }
  // Wherever the last topic has left off.
  for (const std::string name : {"a", "b", "c", "d", "e"}) {
    INFO(name);
    cluster.create(name, 8, 2);
    std::map<BrokerId, int> leaders;
    std::map<BrokerId, int> replicas_of;
    for (std::int32_t i = 0; i < 8; ++i) {
      const auto& replicas = cluster.image().partition(name, i)->replicas;
      CHECK((replicas[0] <= 2) != (replicas[1] <= 2));
      ++leaders[replicas[0]];
      for (const BrokerId replica : replicas) ++replicas_of[replica];
    }
    CHECK(leaders == std::map<BrokerId, int>{{1, 2}, {2, 2}, {3, 2}, {4, 2}});
    CHECK(replicas_of == std::map<BrokerId, int>{{1, 4}, {2, 4}, {3, 4}, {4, 4}});
    // Three replicas in two racks: both have one at least.
    cluster.create(name + "3", 5, 3);
    for (std::int32_t i = 0; i < 5; ++i) {
      const auto& replicas = cluster.image().partition(name + "3", i)->replicas;
      CHECK(std::set<BrokerId>(replicas.begin(), replicas.end()).size() == 3);
      CHECK((replicas[0] <= 2) != (replicas[1] <= 2));
    }
  }
}

TEST_CASE("properties of a topic", "[controller][topics]") {
  TestCluster cluster(1);
  CreateTopics request;
  request.topics.push_back(topic_request("t", 1, 1));
  request.topics[0].properties["kafkaEntryFormat"] = "pulsar";
  const Uuid id = cluster.create(request).topic_id;
  CHECK(*cluster.image().topic("t")->property("kafkaEntryFormat") == "pulsar");
  AlterTopicProperties change;
  change.topic_id = id;
  change.changes = {{"kafkaEntryFormat", std::nullopt}, {"team", "blue"}};
  CHECK(cluster.ask(change)->error.ok());
  CHECK(cluster.image().topic("t")->property("kafkaEntryFormat") == nullptr);
  CHECK(*cluster.broker(1).image()->topic("t")->property("team") == "blue");
  change.changes = {{"kafkaTopicUUID", "x"}};
  CHECK(cluster.ask(change)->error.code == ErrorCode::invalid_request);
  change.topic_id = Uuid::from_halves(1, 1);
  CHECK(cluster.ask(change)->error.code == ErrorCode::unknown_topic_id);
}

#include <catch2/catch.hpp>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

std::string said(const Error& error) {
  return std::to_string(static_cast<int>(error.code)) + " " + error.message;
}

IncrementalAlterConfigs alter(ConfigResourceType type, const std::string& name,
                              std::vector<IncrementalAlterConfigs::Op> ops) {
  IncrementalAlterConfigs request;
  request.asked_broker = 1;
  request.resources.push_back({static_cast<std::int8_t>(type), name, std::move(ops)});
  return request;
}

constexpr auto kTopic = ConfigResourceType::topic;
constexpr auto kBroker = ConfigResourceType::broker;

}  // namespace

TEST_CASE("config tables are sorted and complete", "[controller][configs]") {
  CHECK(topic_config_defs().size() == 37);
  CHECK(broker_config_defs().size() == 350);
  for (const auto defs :
       {topic_config_defs(), broker_config_defs(), group_config_defs(), client_metrics_config_defs()}) {
    for (std::size_t i = 1; i < defs.size(); ++i) CHECK(defs[i - 1].name < defs[i].name);
    for (const ConfigDef& def : defs) {
      CHECK(find_config(defs, def.name) == &def);
      INFO(def.name);
      if (def.default_value && def.name != "cleanup.policy")
        CHECK(validate_config_value(def, *def.default_value).ok());
      if (!def.broker_synonym.empty() && defs.data() == topic_config_defs().data())
        CHECK(find_config(broker_config_defs(), def.broker_synonym) != nullptr);
    }
  }
}

TEST_CASE("every release has its own configs", "[controller][configs]") {
  // Counted on brokers of 4.0.2, 4.1.2, 4.2.2, 4.3.1 and 4.4.0.
  const std::size_t sizes[][3] = {{33, 289, 6}, {33, 316, 10}, {34, 321, 11}, {33, 340, 17}, {37, 350, 21}};
  for (int release = kOldestRelease; release <= kNewestRelease; ++release) {
    INFO(release);
    CHECK(topic_config_defs(release).size() == sizes[release][0]);
    CHECK(broker_config_defs(release).size() == sizes[release][1]);
    CHECK(group_config_defs(release).size() == sizes[release][2]);
    for (const auto defs :
         {topic_config_defs(release), broker_config_defs(release), group_config_defs(release)}) {
      for (std::size_t i = 1; i < defs.size(); ++i) CHECK(defs[i - 1].name < defs[i].name);
    }
  }
  const auto broker_default = [](int release, std::string_view name) {
    const ConfigDef* def = find_config(broker_config_defs(release), name);
    return def == nullptr ? "none" : std::string(def->default_value.value_or("null"));
  };
  CHECK(broker_default(0, "group.share.max.groups") == "10");
  CHECK(broker_default(1, "group.share.max.groups") == "none");
  CHECK(broker_default(0, "share.coordinator.append.linger.ms") == "10");
  CHECK(broker_default(1, "share.coordinator.append.linger.ms") == "5");
  CHECK(broker_default(4, "share.coordinator.append.linger.ms") == "-1");
  CHECK(validate_topic_configs({{"max.decompressed.message.bytes", "1"}}, 2).ok());
  CHECK(said(validate_topic_configs({{"max.decompressed.message.bytes", "1"}}, 3)) ==
        "40 Unknown topic config name: max.decompressed.message.bytes");
  CHECK(validate_topic_configs({{"segment.bytes", "14"}}, 0).ok());
  CHECK(said(validate_topic_configs({{"segment.bytes", "14"}}, 1)) ==
        "40 Invalid value 14 for configuration segment.bytes: Value must be at least 1048576");
  CHECK(said(validate_group_configs({{"streams.assignor.name", "sticky"}}, {}, 3)) ==
        "40 Unknown group config name: streams.assignor.name");
}

TEST_CASE("values of topic configs", "[controller][configs]") {
  // What a 4.4.0 broker answers to each.
  const std::vector<std::tuple<std::string, std::string, std::string>> rows = {
      {"compression.gzip.level", "0", "Value must be between 1 and 9 or equal to -1"},
      {"compression.gzip.level", "-1", ""},
      {"compression.lz4.level", "18", "Value must be no more than 17"},
      {"compression.zstd.level", "-131073", "Value must be at least -131072"},
      {"flush.messages", "0", "Value must be at least 1"},
      {"local.retention.ms", "-3", "Value must be at least -2"},
      {"min.cleanable.dirty.ratio", "abc", "Not a number of type DOUBLE"},
      {"min.cleanable.dirty.ratio", "-0.1", "Value must be at least 0"},
      {"min.cleanable.dirty.ratio", "2.0", "Value must be no more than 1"},
      {"min.cleanable.dirty.ratio", "1e-1", ""},
      {"min.insync.replicas", "0", "Value must be at least 1"},
      {"retention.bytes", "-2", ""},
      {"retention.ms", "-2", "Value must be at least -1"},
      {"retention.ms", " 5 ", ""},
      {"retention.ms", "+5", ""},
      {"retention.ms", "", "Not a number of type LONG"},
      {"retention.ms", "0x10", "Not a number of type LONG"},
      {"retention.ms", "99999999999999999999", "Not a number of type LONG"},
      {"segment.bytes", "9999999999", "Not a number of type INT"},
      {"segment.bytes", "100", "Value must be at least 1048576"},
      {"preallocate", "TRUE", ""},
      {"preallocate", "yes", "Expected value to be either true or false"},
      {"cleanup.policy", "delete, compact", ""},
      {"cleanup.policy", "", ""},
      {"cleanup.policy", "x", "String must be one of: compact, delete"},
      {"compression.type", "Gzip", "String must be one of: uncompressed, zstd, lz4, snappy, gzip, producer"},
      {"compression.type", " gzip ", ""},
      {"message.timestamp.type", "x", "String must be one of: CreateTime, LogAppendTime"},
      {"leader.replication.throttled.replicas", "*", ""},
      {"leader.replication.throttled.replicas", "0:1,1:2", ""},
  };
  for (const auto& [key, value, why] : rows) {
    INFO(key << "=" << value);
    const Error error = validate_topic_configs({{key, value}});
    if (why.empty()) {
      CHECK(error == Error());
    } else {
      CHECK(said(error) == "40 Invalid value " + value + " for configuration " + key + ": " + why);
    }
  }
  CHECK(said(validate_topic_configs({{"cleanup.policy", "delete,x"}})) ==
        "40 Invalid value x for configuration cleanup.policy: String must be one of: compact, delete");
  CHECK(said(validate_topic_configs({{"cleanup.policy", ",delete"}})) ==
        "40 Configuration 'cleanup.policy' values must not be empty.");
  CHECK(
      said(validate_topic_configs({{"leader.replication.throttled.replicas", "0:1,*"}})) ==
      "40 Invalid value [0:1, *] for configuration leader.replication.throttled.replicas: "
      "leader.replication.throttled.replicas must be the literal '*' or a list of replicas in the following "
      "format: [partitionId]:[brokerId],[partitionId]:[brokerId],...");
  CHECK(said(validate_topic_configs({{"retention.ms", "x"}, {"no.such", "1"}})) ==
        "40 Unknown topic config name: no.such");
  CHECK(said(validate_topic_configs({{"min.compaction.lag.ms", "10"}, {"max.compaction.lag.ms", "5"}})) ==
        "40 conflict topic config setting min.compaction.lag.ms (10) > max.compaction.lag.ms (5)");
}

TEST_CASE("configs at creation", "[controller][configs]") {
  TestCluster cluster(1);
  const auto result = cluster.create("t", 1, 1, {{"retention.ms", "5"}, {"cleanup.policy", "compact"}});
  CHECK(result.configs ==
        std::map<std::string, std::string>{{"cleanup.policy", "compact"}, {"retention.ms", "5"}});
  CHECK(*cluster.broker(1).image()->config(kTopic, "t", "retention.ms") == "5");
  CHECK(topic_config_int(cluster.image(), "t", "retention.ms") == 5);
  CHECK(topic_config_int(cluster.image(), "t", "segment.bytes") == 1073741824);
  CHECK(effective_topic_config(cluster.image(), "t", "retention.ms").source == ConfigSource::topic);
  CHECK(effective_topic_config(cluster.image(), "t", "min.insync.replicas").source ==
        ConfigSource::broker_default);
  CHECK(effective_topic_config(cluster.image(), "t", "segment.ms").source == ConfigSource::builtin);
  CHECK(
      said(cluster.create("u", 1, 1, {{"retention.ms", std::nullopt}, {"segment.ms", std::nullopt}}).error) ==
      "40 Null value not supported for topic configs: retention.ms,segment.ms");
  CHECK(
      said(cluster.create("u", 1, 1, {{"remote.storage.enable", "true"}}).error) ==
      "40 Tiered Storage functionality is disabled in the broker. Topic cannot be configured with remote log "
      "storage.");
  CHECK(cluster.image().topic("u") == nullptr);
}

TEST_CASE("altering configs", "[controller][configs]") {
  TestCluster cluster(1);
  cluster.create("t");
  const auto ask = [&](const IncrementalAlterConfigs& request) {
    return said(cluster.ask(request)->results.at(0).error);
  };
  CHECK(ask(alter(kTopic, "t", {{"retention.ms", 0, "7"}})) == "0 ");
  CHECK(*cluster.image().config(kTopic, "t", "retention.ms") == "7");
  CHECK(ask(alter(kTopic, "t", {{"cleanup.policy", 2, "compact"}})) == "0 ");
  CHECK(*cluster.image().config(kTopic, "t", "cleanup.policy") == "delete,compact");
  CHECK(ask(alter(kTopic, "t", {{"cleanup.policy", 3, "delete"}})) == "0 ");
  CHECK(*cluster.image().config(kTopic, "t", "cleanup.policy") == "compact");
  CHECK(ask(alter(kTopic, "t", {{"retention.ms", 1, std::nullopt}, {"no.such", 1, std::nullopt}})) == "0 ");
  CHECK(cluster.image().config(kTopic, "t", "retention.ms") == nullptr);

  CHECK(ask(alter(kTopic, "t", {{"retention.ms", 2, "5"}})) ==
        "40 Can't APPEND to key retention.ms because its type is not LIST.");
  CHECK(ask(alter(kTopic, "t", {{"retention.ms", 3, "5"}})) ==
        "40 Can't SUBTRACT to key retention.ms because its type is not LIST.");
  CHECK(ask(alter(kTopic, "t", {{"no.such", 0, "5"}})) == "40 Unknown topic config name: no.such");
  CHECK(ask(alter(kTopic, "t", {{"retention.ms", 0, std::nullopt}})) ==
        "42 Null value not supported for : retention.ms");
  CHECK(ask(alter(kTopic, "t", {{"retention.ms", 0, "1"}, {"retention.ms", 0, "2"}})) ==
        "42 Error due to duplicate config keys");
  CHECK(ask(alter(kTopic, "t", {{"retention.ms", 9, "1"}})) == "-1 ");
  CHECK(ask(alter(kTopic, "t", {{"remote.storage.enable", 0, "true"}})).starts_with("40 Tiered Storage"));
  CHECK(ask(alter(kTopic, "u", {})) == "3 The topic 'u' does not exist.");
  CHECK(ask(alter(kTopic, "a b", {})).starts_with("17 Topic name is invalid"));
  CHECK(ask(alter(kTopic, "", {})) == "42 Default topic resources are not allowed.");
  CHECK(ask(alter(static_cast<ConfigResourceType>(99), "x", {})) == "42 Unknown resource type 99");

  CHECK(ask(alter(kBroker, "9", {})) == "42 Unexpected broker id, expected 1, but received 9");
  CHECK(ask(alter(kBroker, "abc", {})) == "42 Node id must be an integer, but it is: abc");
  CHECK(ask(alter(kBroker, "", {{"node.id", 0, "3"}})) ==
        "42 Cannot update these configs dynamically: [node.id]");
  CHECK(ask(alter(kBroker, "", {{"log.segment.bytes", 0, "2000000"}})) == "0 ");
  CHECK(topic_config_int(cluster.image(), "t", "segment.bytes") == 2000000);
  CHECK(ask(alter(kBroker, "1", {{"log.retention.ms", 0, "x"}})).starts_with("42 Invalid value x"));
  CHECK(ask(alter(kBroker, "", {{"min.insync.replicas", 1, std::nullopt}})) ==
        "40 Cluster-level min.insync.replicas cannot be removed while ELR is enabled.");
  CHECK(ask(alter(kBroker, "1", {{"min.insync.replicas", 0, "2"}})) ==
        "40 Broker-level min.insync.replicas cannot be altered while ELR is enabled.");
  CHECK(ask(alter(kBroker, "1", {{"no", 2, "x"}})) == "40 Unknown config name: no");
  CHECK(ask(alter(kBroker, "1", {{"no", 0, "x"}})) == "0 ");

  IncrementalAlterConfigs twice = alter(kTopic, "t", {{"retention.ms", 0, "1"}});
  twice.resources.push_back(twice.resources[0]);
  const auto results = cluster.ask(twice)->results;
  REQUIRE(results.size() == 2);
  CHECK(said(results[1].error) == "42 Each resource must appear at most once.");
  CHECK(results[0].error == results[1].error);

  SECTION("an alter that changes nothing writes nothing, nor does one that only validates") {
    const auto end = cluster.log().end_offset();
    CHECK(ask(alter(kTopic, "t", {{"cleanup.policy", 0, "compact"}})) == "0 ");
    IncrementalAlterConfigs only = alter(kTopic, "t", {{"cleanup.policy", 0, "delete"}});
    only.validate_only = true;
    CHECK(ask(only) == "0 ");
    CHECK(cluster.log().end_offset() == end);
  }
}

TEST_CASE("before 4.4 a broker names the config that bounds a group's", "[controller][configs]") {
  for (const int release : {0, 3}) {
    CHECK(said(validate_group_configs({{"consumer.session.timeout.ms", "1"}}, {}, release)) ==
          "40 consumer.session.timeout.ms must be greater than or equal to "
          "group.consumer.min.session.timeout.ms");
    CHECK(said(validate_group_configs({{"share.record.lock.duration.ms", "60001"}}, {}, release)) ==
          "40 share.record.lock.duration.ms must be less than or equal to "
          "group.share.max.record.lock.duration.ms");
  }
  CHECK(said(validate_group_configs({{"streams.num.standby.replicas", "3"}}, {}, 3)) ==
        "40 streams.num.standby.replicas must be less than or equal to group.streams.max.standby.replicas");
}

TEST_CASE("configs of groups and of client metrics", "[controller][configs]") {
  // What a 4.4.0 broker answers to each.
  CHECK(said(validate_group_configs({{"no.such", "1"}})) == "40 Unknown group config name: no.such");
  CHECK(said(validate_group_configs({{"consumer.session.timeout.ms", "1"}})) ==
        "40 consumer.session.timeout.ms must be in the range 45000 to 60000 inclusive.");
  CHECK(said(validate_group_configs({{"consumer.session.timeout.ms", "0"}})) ==
        "40 Invalid value 0 for configuration consumer.session.timeout.ms: Value must be at least 1");
  CHECK(said(validate_group_configs({{"streams.num.standby.replicas", "3"}})) ==
        "40 streams.num.standby.replicas must be less than or equal to 2");
  CHECK(said(validate_group_configs({{"share.isolation.level", "x"}})) ==
        "40 Invalid value x for configuration share.isolation.level: String must be one of: read_committed, "
        "read_uncommitted");
  CHECK(said(validate_group_configs({{"share.auto.offset.reset", "x"}}))
            .ends_with("or of the format 'by_duration:<PnDTnHnMn.nS>'."));
  CHECK(validate_group_configs({{"share.auto.offset.reset", "by_duration:PT1H"}}).ok());
  const std::map<std::string, std::int64_t, std::less<>> in_file = {
      {"group.consumer.min.session.timeout.ms", 100}, {"group.consumer.max.heartbeat.interval.ms", 20'000}};
  CHECK(validate_group_configs({{"consumer.session.timeout.ms", "5001"}}, in_file).ok());
  CHECK(said(validate_group_configs({{"consumer.session.timeout.ms", "5000"}}, in_file)) ==
        "40 consumer.session.timeout.ms must be greater than consumer.heartbeat.interval.ms");
  CHECK(said(validate_group_configs({{"consumer.session.timeout.ms", "99"}}, in_file)) ==
        "40 consumer.session.timeout.ms must be in the range 100 to 60000 inclusive.");
  CHECK(validate_group_configs({{"consumer.heartbeat.interval.ms", "20000"}}, in_file).ok());
  CHECK(said(validate_client_metrics_configs({{"no.such", "1"}})) ==
        "42 Unknown client metrics configuration: no.such");
  CHECK(said(validate_client_metrics_configs({{"interval.ms", "99"}})) ==
        "42 Invalid value 99 for interval.ms, interval must be between 100 and 3600000 (1 hour)");
  CHECK(said(validate_client_metrics_configs({{"interval.ms", "x"}})) ==
        "40 Invalid value x for configuration interval.ms: Not a number of type INT");
  CHECK(said(validate_client_metrics_configs({{"match", "x=y"}})) ==
        "40 Illegal client matching pattern: x=y");
  CHECK(validate_client_metrics_configs({{"match", "client_id=a"}}).ok());

  TestCluster cluster(1);
  const auto ask = [&](const IncrementalAlterConfigs& request) {
    return said(cluster.ask(request)->results.at(0).error);
  };
  CHECK(ask(alter(ConfigResourceType::group, "g", {{"consumer.session.timeout.ms", 0, "50000"}})) == "0 ");
  CHECK(*cluster.image().config(ConfigResourceType::group, "g", "consumer.session.timeout.ms") == "50000");
  CHECK(ask(alter(ConfigResourceType::group, "", {})) == "42 Default group resources are not allowed.");
  CHECK(ask(alter(ConfigResourceType::client_metrics, "", {})) == "42 Subscription name can't be empty");
}

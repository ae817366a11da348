// Features, client quotas, the older way to set configs.
#include <bit>
#include <catch2/catch.hpp>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

Error update(TestCluster& cluster, const std::string& name, std::int16_t level,
             UpgradeType type = UpgradeType::upgrade) {
  UpdateFeatures request;
  request.updates.push_back({name, level, static_cast<std::int8_t>(type)});
  return cluster.ask(request)->error;
}

AlterClientQuotas::Entry quota(const std::string& user, const std::string& key, std::optional<double> value) {
  AlterClientQuotas::Entry entry;
  entry.entity.emplace_back("user", user);
  entry.ops.push_back({key, std::nullopt});
  if (value) entry.ops.back().value_bits = std::bit_cast<std::uint64_t>(*value);
  return entry;
}

Error set(TestCluster& cluster, const AlterClientQuotas::Entry& entry) {
  AlterClientQuotas request;
  request.entries.push_back(entry);
  return cluster.ask(request)->results.at(0).error;
}

// One that says what it supports.
void register_broker(TestCluster& cluster) {
  RegisterBroker request;
  request.cluster_id = ControllerOptions().cluster_id;
  request.broker = 1;
  request.features = {{"eligible.leader.replicas.version", {0, 1}},
                      {"group.version", {0, 1}},
                      {"metadata.version", {7, 33}},
                      {"transaction.version", {0, 2}}};
  REQUIRE(cluster.ask(request)->error.ok());
}

}  // namespace

TEST_CASE("a feature goes down only when asked to", "[controller][features]") {
  TestCluster cluster(0);
  register_broker(cluster);
  CHECK(update(cluster, "transaction.version", 1).code == ErrorCode::invalid_update_version);
  CHECK(update(cluster, "transaction.version", 1, UpgradeType::safe_downgrade).ok());
  CHECK(cluster.image().features().at("transaction.version") == 1);
  CHECK(update(cluster, "transaction.version", 2, UpgradeType::safe_downgrade).code ==
        ErrorCode::invalid_update_version);
  CHECK(update(cluster, "transaction.version", 2).ok());
  CHECK(update(cluster, "metadata.version", 7, UpgradeType::unsafe_downgrade).code ==
        ErrorCode::invalid_update_version);
  // With level 0 it is gone.
  CHECK(update(cluster, "group.version", 0, UpgradeType::safe_downgrade).ok());
  CHECK(cluster.image().features().count("group.version") == 0);
}

TEST_CASE("a feature waits for the one that it depends on", "[controller][features]") {
  TestCluster::Options options;
  options.controller.features = {{"metadata.version", std::int16_t{21}}};
  TestCluster cluster(0, options);
  register_broker(cluster);
  // In the words of a 4.4.0 broker that was formatted for 3.9.
  CHECK(update(cluster, "eligible.leader.replicas.version", 1).message ==
        "The update failed for all features since the following feature had an error: Invalid update version "
        "1 for feature eligible.leader.replicas.version. eligible.leader.replicas.version could not be set "
        "to 1 because it depends on metadata.version level 23");
  UpdateFeatures both;
  both.updates.push_back({"eligible.leader.replicas.version", 1, 1});
  both.updates.push_back({"metadata.version", 22, 1});
  CHECK(cluster.ask(both)->error.code == ErrorCode::invalid_update_version);
  both.updates.back().level = 23;
  CHECK(cluster.ask(both)->error.ok());
  CHECK(cluster.image().features().at("eligible.leader.replicas.version") == 1);
}

TEST_CASE("quotas are kept as they were set", "[controller][quotas]") {
  TestCluster cluster(1);
  REQUIRE(set(cluster, quota("u", "producer_byte_rate", 1024)).ok());
  const QuotaEntity entity = {{"user", "u"}};
  REQUIRE(cluster.image().quotas().count(entity) == 1);
  CHECK(std::bit_cast<double>(cluster.image().quotas().at(entity).at("producer_byte_rate")) == 1024);
  CHECK(set(cluster, quota("u", "producer_byte_rate", 0.5)).code == ErrorCode::invalid_request);
  CHECK(set(cluster, quota("u", "producer_byte_rate", -1)).code == ErrorCode::invalid_request);
  CHECK(set(cluster, quota("u", "request_percentage", 0.5)).ok());
  CHECK(set(cluster, quota("u", "nonsense", 1)).code == ErrorCode::invalid_request);
  CHECK(set(cluster, quota("", "producer_byte_rate", 1)).code == ErrorCode::invalid_request);
  const MetadataOffset end = cluster.image().end_offset();
  REQUIRE(set(cluster, quota("u", "request_percentage", 0.5)).ok());
  CHECK(cluster.image().end_offset() == end);
  REQUIRE(set(cluster, quota("u", "request_percentage", std::nullopt)).ok());
  REQUIRE(set(cluster, quota("u", "producer_byte_rate", std::nullopt)).ok());
  CHECK(cluster.image().quotas().empty());
  cluster.restart_controller();
  CHECK(cluster.image().quotas().empty());
}

TEST_CASE("AlterConfigs resets what it does not name", "[controller][configs]") {
  TestCluster cluster(1);
  cluster.create("t", 1, 1, {{"retention.ms", "1000"}, {"segment.bytes", "2000000"}});
  AlterConfigs request;
  request.resources.push_back({2, "t", {{"retention.ms", "5000"}}});
  REQUIRE(cluster.ask(request)->results.at(0).error.ok());
  const ConfigMap& configs = cluster.image().configs(ConfigResourceType::topic, "t");
  CHECK(configs == ConfigMap{{"retention.ms", "5000"}});
  request.resources[0].configs = {{"retention.ms", "x"}};
  CHECK(cluster.ask(request)->results.at(0).error.code == ErrorCode::invalid_config);
  CHECK(configs == ConfigMap{{"retention.ms", "5000"}});
}

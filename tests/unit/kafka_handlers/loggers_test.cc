// Levels of a broker's loggers.
#include <catch2/catch.hpp>

#include "sim/kafka/handlers/loggers.h"
#include "sim/kafka/wire/messages/configs.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::kafka {
namespace {

using test::KafkaSim;
using Change = IncrementalAlterConfigsRequest::AlterableConfig;

Change change(const std::string& logger, const std::string& level, std::int8_t operation = 0) {
  Change change;
  change.name = logger;
  change.config_operation = operation;
  change.value = level;
  return change;
}

ErrorCode alter(Loggers& loggers, const std::vector<Change>& changes, bool validate_only = false) {
  std::string why;
  return loggers.alter(changes, validate_only, why);
}

// What a broker tells of one of its loggers; "" when it has no such logger.
std::string told(KafkaSim& sim, KafkaSim::Connection& connection, const std::string& logger) {
  DescribeConfigsRequest request;
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 8;
  resource.resource_name = "1";
  resource.configuration_keys = {logger};
  const auto answer = sim.call<DescribeConfigsResponse>(connection, 32, 4, request);
  REQUIRE(answer);
  const auto& configs = answer->results.at(0).configs;
  return configs.empty() ? "" : configs.at(0).value.value_or("null");
}

}  // namespace

TEST_CASE("a logger without a level has that of the next one above it") {
  Loggers loggers;
  CHECK(loggers.level("kafka.server.KafkaApis") == "INFO");
  CHECK(alter(loggers, {change("kafka", "ERROR"), change("kafka.server.KafkaApis", "TRACE")}) ==
        ErrorCode::kNone);
  CHECK(loggers.level("kafka.server.KafkaApis") == "TRACE");
  CHECK(loggers.level("kafka.server.ReplicaManager") == "ERROR");
  CHECK(loggers.level("org.apache.kafka") == "INFO");
  CHECK(alter(loggers, {change("kafka.server.KafkaApis", "", 1)}) == ErrorCode::kNone);
  CHECK(loggers.level("kafka.server.KafkaApis") == "ERROR");
  CHECK(alter(loggers, {change("kafka", "", 1), change("root", "WARN")}) == ErrorCode::kNone);
  CHECK(loggers.level("kafka.server.KafkaApis") == "WARN");
  for (const auto& [name, level] : loggers.all()) {
    INFO(name);
    CHECK(level == "WARN");
  }
}

TEST_CASE("nothing is set when one change is wrong, or only to be checked") {
  Loggers loggers;
  CHECK(alter(loggers, {change("kafka", "DEBUG"), change("kafka", "OFF")}) == ErrorCode::kInvalidConfig);
  CHECK(alter(loggers, {change("kafka", "DEBUG"), change("no.such", "INFO")}) == ErrorCode::kInvalidConfig);
  CHECK(alter(loggers, {change("kafka", "DEBUG"), change("root", "", 1)}) == ErrorCode::kInvalidRequest);
  CHECK(alter(loggers, {change("kafka", "DEBUG"), change("kafka", "INFO", 2)}) == ErrorCode::kInvalidRequest);
  CHECK(alter(loggers, {change("kafka", "DEBUG"), change("kafka", "INFO", 9)}) == ErrorCode::kInvalidRequest);
  CHECK(alter(loggers, {change("kafka", "DEBUG")}, true) == ErrorCode::kNone);
  CHECK(loggers.level("kafka") == "INFO");
}

TEST_CASE("levels are a broker's own and end with it, whatever else the request alters") {
  cluster::ClusterOptions options;
  options.brokers = 2;
  KafkaSim sim(options);
  auto connection = sim.connect(1);
  IncrementalAlterConfigsRequest request;
  auto& loggers = request.resources.emplace_back();
  loggers.resource_type = 8;
  loggers.resource_name = "1";
  loggers.configs = {change("kafka.server.KafkaApis", "TRACE")};
  auto& broker = request.resources.emplace_back();
  broker.resource_type = 4;
  broker.resource_name = "";
  broker.configs = {change("no.such.config", "1", 2)};
  auto& others = request.resources.emplace_back();
  others.resource_type = 8;
  others.resource_name = "2";
  others.configs = {change("kafka.server.KafkaApis", "TRACE")};
  const auto answer = sim.call<IncrementalAlterConfigsResponse>(connection, 44, 1, request);
  REQUIRE(answer);
  REQUIRE(answer->responses.size() == 3);
  CHECK(answer->responses[0].error_code == ErrorCode::kNone);
  CHECK(answer->responses[1].error_code == ErrorCode::kInvalidConfig);
  CHECK(answer->responses[2].error_code == ErrorCode::kInvalidRequest);
  CHECK(told(sim, connection, "kafka.server.KafkaApis") == "TRACE");
  CHECK(told(sim, connection, "kafka.server") == "");

  sim.do_command(R"({"do":"crash_broker","broker":1})");
  sim.do_command(R"({"do":"restart_broker","broker":1})");
  sim.run(10 * kSecond_ns);
  auto again = sim.connect(1);
  CHECK(told(sim, again, "kafka.server.KafkaApis") == "INFO");
}

}  // namespace wt::kafka

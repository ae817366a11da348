// Error answers: the code in every place that the protocol has for it, with the items of the request.
#include <catch2/catch.hpp>

#include "sim/kafka/handlers/echo_errors.h"
#include "sim/kafka/wire/api.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/schema_text.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::kafka {
namespace {

using test::KafkaSim;

std::string refused(std::int16_t key, schema::Version version, std::string_view request_json,
                    ErrorLevels levels = ErrorLevels::outermost) {
  const ApiSpec& api = *find_api(key);
  AnyMessage request(*api.request);
  REQUIRE(from_json(*api.request, request.object(), request_json).ok());
  AnyMessage response(*api.response);
  echo_errors(*api.request, request.object(), *api.response, response.object(), version,
              ErrorCode::kUnsupportedVersion, levels);
  return schema::to_text(*api.response, response.object(), version);
}

TEST_CASE("an error answer names each item of the request") {
  // Topics and partitions.
  CHECK(refused(8, 8, R"({"groupId":"g","topics":[{"name":"t","partitions":[{"partitionIndex":3}]}]})") ==
        R"({"throttleTimeMs":0,"topics":[{"name":"t","partitions":[{"partitionIndex":3,"errorCode":35}]}]})");
  // Plain numbers in the request, structs in the answer.
  CHECK(refused(61, 0, R"({"topics":[{"name":"t","partitionIndexes":[1,2]}]})") ==
        R"({"throttleTimeMs":0,"topics":[{"name":"t","partitions":[)"
        R"({"partitionIndex":1,"errorCode":35,"errorMessage":null,"activeProducers":[]},)"
        R"({"partitionIndex":2,"errorCode":35,"errorMessage":null,"activeProducers":[]}]}]})");
  // Names under another field.
  CHECK(refused(42, 2, R"({"groupsNames":["a","b"]})") ==
        R"({"throttleTimeMs":0,"results":[{"groupId":"a","errorCode":35},{"groupId":"b","errorCode":35}]})");
  // A level that has no counterpart in the answer.
  CHECK(refused(34, 2, R"({"dirs":[{"path":"/d","topics":[{"name":"t","partitions":[0]}]}]})") ==
        R"({"throttleTimeMs":0,"results":[{"topicName":"t","partitions":[)"
        R"({"partitionIndex":0,"errorCode":35}]}]})");
  // Items without a name of their own are only counted.
  CHECK(refused(30, 3, R"({"creations":[{"resourceName":"x"},{"resourceName":"y"}]})") ==
        R"({"throttleTimeMs":0,"results":[{"errorCode":35,"errorMessage":null},)"
        R"({"errorCode":35,"errorMessage":null}]})");
  // What says which item is meant may be a list itself.
  CHECK(refused(49, 1, R"({"entries":[{"entity":[{"entityType":"user","entityName":null}],"ops":[]}]})") ==
        R"({"throttleTimeMs":0,"entries":[{"errorCode":35,"errorMessage":null,)"
        R"("entity":[{"entityType":"user","entityName":null}]}]})");
  // Two lists of the request are one in the answer.
  CHECK(refused(51, 0, R"({"deletions":[{"name":"u"}],"upsertions":[{"name":"v"}]})") ==
        R"({"throttleTimeMs":0,"results":[{"user":"u","errorCode":35,"errorMessage":null},)"
        R"({"user":"v","errorCode":35,"errorMessage":null}]})");
}

TEST_CASE("an error of the whole is said once, except where clients look for it in both places") {
  const std::string election =
      R"({"electionType":0,"topicPartitions":[{"topic":"t","partitions":[0]}],"timeoutMs":1})";
  CHECK(refused(43, 2, election) == R"({"throttleTimeMs":0,"errorCode":35,"replicaElectionResults":[]})");
  CHECK(refused(43, 2, election, ErrorLevels::all) ==
        R"({"throttleTimeMs":0,"errorCode":35,"replicaElectionResults":[{"topic":"t","partitionResult":[)"
        R"({"partitionId":0,"errorCode":35,"errorMessage":null}]}]})");
  CHECK(refused(9, 8, R"({"groups":[{"groupId":"g","topics":[{"name":"t","partitionIndexes":[0]}]}]})") ==
        R"({"throttleTimeMs":0,"groups":[{"groupId":"g","topics":[],"errorCode":35}]})");
  // What belongs to the work, not to the item, keeps its default.
  CHECK(refused(2, 1, R"({"topics":[{"name":"t","partitions":[{"partitionIndex":0,"timestamp":7}]}]})") ==
        R"({"topics":[{"name":"t","partitions":[)"
        R"({"partitionIndex":0,"errorCode":35,"timestamp":-1,"offset":-1}]}]})");
}

TEST_CASE("every API that is advertised gets an answer in every version") {
  cluster::ClusterOptions options;
  options.brokers = 1;
  KafkaSim sim(options);
  auto connection = sim.connect(1);
  for (const ApiRange& range : default_profile().apis) {
    const ApiSpec* api = find_api(range.key);
    REQUIRE(api != nullptr);
    INFO(api->name);
    for (schema::Version version = api->versions().first; version <= range.versions.last; ++version) {
      INFO(version);
      AnyMessage request(*api->request);
      // Without acks there is no answer to a Produce.
      if (auto* produce = request.get<ProduceRequest>()) produce->acks = 1;
      REQUIRE(sim.send(connection, *api, version, request.object()) >= 0);
      CHECK(sim.receive(connection).has_value());
      CHECK_FALSE(connection.closed);
    }
  }
  CHECK(sim.finding() == "");
}

}  // namespace
}  // namespace wt::kafka

// Commands that steer what clients meet: sequences of answers, coordinators, leaders, round trips, ports,
// versions and the list of requests.
#include <catch2/catch.hpp>

#include "sim/cluster/json_fields.h"
#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

using namespace wt;
using namespace wt::kafka;
using test::KafkaSim;

namespace {

namespace json = cluster::json;

constexpr std::int16_t kApiVersions = 18;
constexpr std::int16_t kMetadata = 3;

struct Rig {
  json::object does(const std::string& text) { return parsed(sim.do_command(text)); }
  json::object asks(const std::string& text) { return parsed(sim.commands.query(text)); }
  static json::object parsed(const std::string& text) { return json::parse(text).as_object(); }
  static bool failed(const json::object& answer) { return answer.contains("error"); }

  KafkaSim sim;
};

}  // namespace

TEST_CASE("steps of a rule come by text and tell how many are left") {
  Rig rig;
  const json::object made = rig.does(
      R"({"do":"add_rule","point":"kafka.request.received","api_key":18,"steps":[
          {"action":"answer","error_code":41},{"action":"close"}]})");
  REQUIRE(made.contains("rule"));
  CHECK(rig.asks(R"({"get":"rule","rule":1})").at("left").to_number<int>() == 2);
  auto connection = rig.sim.connect(1);
  const auto answer = rig.sim.call<ApiVersionsResponse>(connection, kApiVersions, 0, ApiVersionsRequest());
  REQUIRE(answer);
  CHECK(static_cast<int>(answer->error_code) == 41);
  CHECK_FALSE(rig.sim.call<ApiVersionsResponse>(connection, kApiVersions, 0, ApiVersionsRequest()));
  CHECK(connection.closed);
  CHECK(rig.asks(R"({"get":"rule","rule":1})").at("left").to_number<int>() == 0);
  for (const char* bad :
       {R"({"do":"add_rule","point":"kafka.request.received","steps":[]})",
        R"({"do":"add_rule","point":"kafka.request.received","steps":[6]})",
        R"({"do":"add_rule","point":"kafka.request.received","steps":[{"action":"x"}]})",
        R"({"do":"add_rule","point":"kafka.request.received","action":"close","every":0})"}) {
    CHECK(Rig::failed(rig.does(bad)));
  }
}

TEST_CASE("a coordinator is whoever leads the partition of its key, and moves with it") {
  Rig rig;
  CHECK(Rig::failed(rig.does(R"({"do":"move_coordinator","key":"g","to":2})")));
  CHECK(Rig::failed(rig.does(R"({"do":"move_coordinator","type":"queue","key":"g"})")));
  rig.sim.create_topic("__consumer_offsets", 50);
  for (const std::int32_t to : {3, 1, 2, 2}) {
    const std::string text = R"({"do":"move_coordinator","key":"my-group","to":)" + std::to_string(to) + "}";
    CHECK(rig.does(text).at("leader").to_number<int>() == to);
    const json::object found = rig.asks(R"({"get":"coordinator","key":"my-group"})");
    CHECK(found.at("broker").to_number<int>() == to);
    // Java's hash of "my-group" is 1379421312.
    CHECK(found.at("partition").to_number<int>() == 12);
  }
  CHECK(Rig::failed(rig.does(R"({"do":"move_coordinator","key":"my-group","to":9})")));
}

TEST_CASE("all leaders move, of one topic or of all") {
  Rig rig;
  rig.sim.create_topic("a", 3);
  rig.sim.create_topic("b", 2);
  const std::int32_t a = rig.sim.leader("a", 1), b = rig.sim.leader("b", 1);
  CHECK(rig.does(R"({"do":"move_leaders","topic":"a"})").at("moved").to_number<int>() == 3);
  CHECK(rig.sim.leader("a", 1) != a);
  CHECK(rig.sim.leader("b", 1) == b);
  CHECK(rig.does(R"({"do":"move_leaders"})").at("moved").to_number<int>() == 5);
  CHECK(rig.sim.leader("b", 1) != b);
  CHECK(Rig::failed(rig.does(R"({"do":"move_leaders","topic":"c"})")));
}

TEST_CASE("a round trip takes its time, and requests do not wait for each other") {
  Rig rig;
  CHECK_FALSE(Rig::failed(rig.does(R"({"do":"set_round_trip","broker":1,"delay_us":20000})")));
  auto connection = rig.sim.connect(1), other = rig.sim.connect(2);
  const TimeNs start_ns = rig.sim.cluster.kernel().now();
  for (int i = 0; i < 5; ++i) rig.sim.send(connection, kApiVersions, 0, ApiVersionsRequest());
  for (int i = 0; i < 5; ++i) REQUIRE(rig.sim.receive(connection));
  CHECK(rig.sim.cluster.kernel().now() == start_ns + 20 * kMillisecond_ns);
  REQUIRE(rig.sim.call<ApiVersionsResponse>(other, kApiVersions, 0, ApiVersionsRequest()));
  CHECK(rig.sim.cluster.kernel().now() == start_ns + 20 * kMillisecond_ns);
  rig.does(R"({"do":"set_round_trip","delay_us":0})");
  REQUIRE(rig.sim.call<ApiVersionsResponse>(connection, kApiVersions, 0, ApiVersionsRequest()));
  CHECK(rig.sim.cluster.kernel().now() == start_ns + 20 * kMillisecond_ns);
}

TEST_CASE("a closed port keeps clients away and no leader moves") {
  Rig rig;
  rig.sim.create_topic("t", 3);
  auto connection = rig.sim.connect(1);
  const std::int32_t leaders[] = {rig.sim.leader("t", 0), rig.sim.leader("t", 1), rig.sim.leader("t", 2)};
  rig.does(R"({"do":"close_port","broker":1})");
  rig.sim.take(connection);
  CHECK(connection.closed);
  CHECK(rig.sim.connect(1).closed);
  CHECK_FALSE(rig.sim.cluster.accepts(1));
  for (int i = 0; i < 3; ++i) CHECK(rig.sim.leader("t", i) == leaders[i]);
  rig.does(R"({"do":"open_port","broker":1})");
  CHECK_FALSE(rig.sim.connect(1).closed);
  CHECK(Rig::failed(rig.does(R"({"do":"close_port","broker":9})")));
}

TEST_CASE("caps on versions are checked against the release and outlive a broker") {
  Rig rig;
  for (const char* bad : {R"({"do":"set_api_versions","api_key":1,"min":5,"max":4})",
                          R"({"do":"set_api_versions","api_key":1,"min":900,"max":901})",
                          R"({"do":"set_api_versions","api_key":126,"min":0,"max":1})"}) {
    INFO(bad);
    CHECK(Rig::failed(rig.does(bad)));
  }
  rig.does(R"({"do":"set_api_versions","api_key":3,"max":7})");
  rig.does(R"({"do":"restart_broker","broker":1})");
  rig.sim.run(kSecond_ns);
  auto connection = rig.sim.connect(1);
  CHECK(rig.sim.call<MetadataResponse>(connection, kMetadata, 7, MetadataRequest()));
  CHECK_FALSE(rig.sim.call<MetadataResponse>(connection, kMetadata, 8, MetadataRequest()));
  CHECK(rig.asks(R"({"get":"api_versions"})").at("caps").as_array().size() == 1);
  rig.does(R"({"do":"reset_api_versions"})");
  CHECK(rig.asks(R"({"get":"api_versions"})").at("caps").as_array().empty());
}

TEST_CASE("requests that were seen are asked for by API, broker and place") {
  Rig rig;
  CHECK(rig.asks(R"({"get":"requests"})").at("on") == false);
  rig.does(R"({"do":"track_requests","limit":100})");
  auto first = rig.sim.connect(1), second = rig.sim.connect(2);
  for (int i = 0; i < 3; ++i) rig.sim.call<ApiVersionsResponse>(first, kApiVersions, 0, ApiVersionsRequest());
  rig.sim.call<MetadataResponse>(second, kMetadata, 9, MetadataRequest());
  const auto count = [&](const std::string& filter) {
    return rig.asks(R"({"get":"requests")" + filter + "}").at("requests").as_array().size();
  };
  CHECK(count("") == 4);
  CHECK(count(R"(,"api_key":18)") == 3);
  CHECK(count(R"(,"broker":2)") == 1);
  CHECK(count(R"(,"after":3)") == 1);
  CHECK(count(R"(,"limit":2)") == 2);
  CHECK(count(R"(,"client_id":"nobody")") == 0);
  rig.does(R"({"do":"clear_requests"})");
  CHECK(count("") == 0);
}

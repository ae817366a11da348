// The control API on a running cluster.
#include "harness/control/session_backend.h"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

using namespace wt;
using namespace wt::harness;

namespace {

namespace json = boost::json;

struct Rig {
  explicit Rig(ClockMode clock = ClockMode::frozen) : session(start(clock)), backend(*session) {}
  static std::unique_ptr<Session> start(ClockMode clock) {
    SessionOptions options;
    options.clock = clock;
    StatusOr<std::unique_ptr<Session>> started = Session::start(std::move(options));
    REQUIRE(started.ok());
    return std::move(*started);
  }
  // The answer's object; the status must be that.
  json::object call(int status, const std::string& method, const std::string& path,
                    const std::string& body = "") {
    const HttpResponse response = serve({method, path, body}, backend);
    INFO(method << " " << path << " " << body << " -> " << response.body);
    CHECK(response.status == status);
    return json::parse(response.body).as_object();
  }
  std::unique_ptr<Session> session;
  SessionBackend backend;
};

}  // namespace

TEST_CASE("a cluster is controlled over HTTP alone") {
  Rig rig;
  CHECK(rig.call(201, "POST", "/v1/topics", R"({"name":"orders","partitions":2})")
            .at("partitions")
            .as_int64() == 2);
  rig.call(409, "POST", "/v1/topics", R"({"name":"orders"})");
  rig.call(422, "POST", "/v1/topics", R"({"name":"orders","partition":2})");
  CHECK(rig.call(200, "GET", "/v1/topics").at("topics").as_array().size() == 1);
  const json::object before = rig.call(200, "GET", "/v1/topics/orders/partitions/1");
  for (const char* field : {"leader", "leader_epoch", "log_start", "leo", "hw", "lso", "isr", "replicas"}) {
    CHECK(before.contains(field));
  }
  const std::int64_t leader = before.at("leader").as_int64();
  const std::string other = leader == 1 ? "2" : "1";
  rig.call(200, "POST", "/v1/topics/orders/partitions/1/move", "{\"to\":" + other + "}");
  CHECK(std::to_string(rig.call(200, "GET", "/v1/topics/orders/partitions/1").at("leader").as_int64()) ==
        other);
  rig.call(200, "PATCH", "/v1/topics/orders/configs", R"({"retention.ms":"1000"})");
  CHECK(rig.call(200, "GET", "/v1/topics/orders").at("configs").at("retention.ms").as_string() == "1000");
  rig.call(200, "PATCH", "/v1/topics/orders/configs", R"({"retention.ms":null})");
  CHECK(rig.call(200, "GET", "/v1/topics/orders").at("configs").as_object().empty());
  rig.call(422, "PATCH", "/v1/topics/orders/configs", R"({"retention.ms":"soon"})");
  rig.call(200, "POST", "/v1/brokers/" + other + "/crash");
  CHECK(rig.call(200, "GET", "/v1/topics/orders/partitions/1").at("leader").as_int64() != std::stoll(other));
  rig.call(200, "POST", "/v1/brokers/" + other + "/restart");
  rig.call(404, "POST", "/v1/brokers/9/crash");
  rig.call(200, "POST", "/v1/controller/crash");
  rig.call(200, "POST", "/v1/controller/restart");
  rig.call(200, "DELETE", "/v1/topics/orders");
  rig.call(404, "GET", "/v1/topics/orders");
}

TEST_CASE("time is moved over HTTP") {
  Rig rig;
  const std::int64_t before_ms = to_ms(rig.session->now());
  CHECK(rig.call(200, "POST", "/v1/advance", R"({"ms":900000})").at("now_ms").as_int64() ==
        before_ms + 900'000);
}

TEST_CASE("rules are armed, looked at, waited for and removed over HTTP") {
  Rig rig;
  const json::object made =
      rig.call(201, "POST", "/v1/rules", R"({"point":"controller.record.append","action":"observe"})");
  const std::string path = "/v1/rules/" + std::to_string(made.at("rule").as_int64());
  CHECK_FALSE(rig.call(200, "POST", path + "/wait", R"({"timeout_ms":1})").at("hit").as_bool());
  rig.call(201, "POST", "/v1/topics", R"({"name":"orders"})");
  CHECK(rig.call(200, "POST", path + "/wait", R"({"hits":1})").at("hit").as_bool());
  CHECK(rig.call(200, "GET", path).at("hits").as_int64() >= 1);
  CHECK(rig.call(200, "GET", "/v1/rules").at("rules").as_array().size() == 1);
  rig.call(200, "POST", path + "/release");
  rig.call(200, "DELETE", path);
  rig.call(404, "GET", path);
  rig.call(404, "POST", path + "/wait");
  rig.call(422, "POST", "/v1/rules", R"({"point":"no.such.point","action":"observe"})");
  CHECK(rig.call(200, "GET", "/v1/points").at("points").as_array().size() > 10);
}

TEST_CASE("a wait for a rule by parameters tells why it took too long") {
  Rig rig;
  rig.call(
      201, "POST", "/v1/rules",
      R"({"point":"kafka.request.received","api":"SyncGroup","group":"g","answers":["NOT_COORDINATOR","close"]})");
  const json::object waited = rig.call(200, "GET", "/v1/rules/1/wait?hits=2&holding=0&timeout_ms=1");
  CHECK_FALSE(waited.at("hit").as_bool());
  CHECK(waited.at("report").as_string().find("never hit") != std::string::npos);
  CHECK(rig.call(200, "GET", "/v1/rules/1").at("left").to_number<int>() == 2);
  rig.call(422, "GET", "/v1/rules/1/wait?hits=two");
  rig.call(422, "GET", "/v1/rules/1/wait?hit=2");
  rig.call(400, "GET", "/v1/rules/1/wait?hits");
  rig.call(400, "GET", "/v1/rules/1?hits=2");
  rig.call(404, "GET", "/v1/rules/9/wait?holding=1&timeout_ms=1");
}

TEST_CASE("links are cut and healed over HTTP") {
  Rig rig(ClockMode::flow);
  rig.call(200, "POST", "/v1/network",
           R"({"action":"block","from":"broker-1","to":"controller","both_ways":true})");
  rig.call(200, "POST", "/v1/network", R"({"action":"heal"})");
  rig.call(200, "POST", "/v1/network",
           R"({"action":"latency","from":"broker-1","to":"controller","base_ms":0.5})");
  rig.call(404, "POST", "/v1/network", R"({"action":"clog","from":"nobody","to":"controller"})");
}

TEST_CASE("after a finding only looking is possible, and it says so") {
  Rig rig;
  const auto violate = [&] { rig.session->simulated().kernel().report("test.check", "on purpose", 0); };
  REQUIRE(rig.session->driver().call(violate).ok());
  CHECK(rig.call(200, "GET", "/v1/finding").at("finding").at("message").as_string() == "on purpose");
  const json::object refused = rig.call(409, "POST", "/v1/topics", R"({"name":"orders"})");
  CHECK(refused.at("error").at("code").as_string() == "finding");
  rig.call(409, "POST", "/v1/advance", R"({"ms":1})");
  CHECK(rig.call(200, "GET", "/v1/status").at("finding").as_bool());
}

TEST_CASE("when the cluster has been stopped every call says so") {
  Rig rig;
  rig.session->stop();
  rig.call(503, "POST", "/v1/topics", R"({"name":"orders"})");
  rig.call(503, "GET", "/v1/topics");
  rig.call(503, "POST", "/v1/advance", R"({"ms":1})");
}

TEST_CASE("the recording is flushed on demand") {
  Rig rig;
  CHECK(rig.call(200, "POST", "/v1/recording/flush").at("path").is_null());
}

// The control API without sockets: which calls a request becomes, which response an answer becomes.
#include "harness/control/api.h"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

#include "harness/control/routes.h"

using namespace wt;
using namespace wt::harness;

namespace {

namespace json = boost::json;

// Answers from a script and keeps what it was asked.
class ScriptedBackend final : public ControlBackend {
 public:
  std::string execute(std::string request) override { return record("execute", std::move(request)); }
  std::string query(std::string request) override { return record("query", std::move(request)); }
  std::string advance(DurationNs by_ns, bool silence_counts) override {
    return record("advance", std::to_string(by_ns) + (silence_counts ? " counts" : " stands"));
  }
  std::string wait_rule(const RuleWait& wait) override {
    return record("query", std::to_string(wait.rule) + " " + std::to_string(wait.hits) + " " +
                               std::to_string(wait.holding) + " " + std::to_string(wait.timeout_ns));
  }
  std::string flush_recording() override { return record("flush", ""); }

  std::string answer = R"({"ok":true})";
  std::vector<std::string> kinds;
  std::vector<std::string> requests;

 private:
  std::string record(const char* kind, std::string request) {
    kinds.emplace_back(kind);
    requests.push_back(std::move(request));
    return answer;
  }
};

std::string code_of(const HttpResponse& response) {
  return json::parse(response.body).at("error").at("code").as_string().c_str();
}

json::value asked(ScriptedBackend& backend, const HttpRequest& request) {
  serve(request, backend);
  REQUIRE(backend.requests.size() == 1);
  return json::parse(backend.requests.front());
}

}  // namespace

TEST_CASE("GET /v1 lists every route with help, and every example is a body that its route takes") {
  ScriptedBackend backend;
  const HttpResponse response = serve({"GET", "/v1", ""}, backend);
  CHECK(response.status == 200);
  const json::value list = json::parse(response.body);
  CHECK(list.at("routes").as_array().size() == routes().size());
  for (const Route& route : routes()) {
    INFO(route.method << " " << route.path);
    CHECK_FALSE(route.help.empty());
    std::string target(route.path);
    for (const char* name : {"{id}", "{n}"}) {
      if (const auto at = target.find(name); at != std::string::npos)
        target.replace(at, std::strlen(name), "1");
    }
    const HttpResponse answer =
        serve({std::string(route.method), target, std::string(route.example)}, backend);
    CHECK(answer.status < 300);
  }
}

TEST_CASE("calls that change something are executed, calls that look are queries") {
  ScriptedBackend backend;
  for (const Route& route : routes()) {
    backend.kinds.clear();
    std::string target(route.path);
    for (const char* name : {"{id}", "{n}"}) {
      if (const auto at = target.find(name); at != std::string::npos)
        target.replace(at, std::strlen(name), "1");
    }
    serve({std::string(route.method), target, std::string(route.example)}, backend);
    INFO(route.method << " " << route.path);
    const bool looks = route.method == "GET" || route.path.find("/wait") != std::string_view::npos;
    for (const std::string& kind : backend.kinds) CHECK((kind == "query") == looks);
  }
}

TEST_CASE("a topic is created with what the body says") {
  ScriptedBackend backend;
  backend.answer = R"({"ok":true,"name":"orders","partitions":3})";
  const HttpResponse response = serve({"POST", "/v1/topics", R"({"name":"orders","partitions":3})"}, backend);
  CHECK(response.status == 201);
  CHECK(json::parse(response.body) == json::parse(R"({"name":"orders","partitions":3})"));
  CHECK(json::parse(backend.requests.front()) ==
        json::parse(R"({"do":"create_topic","name":"orders","partitions":3})"));
}

TEST_CASE("names in the path are decoded") {
  ScriptedBackend backend;
  CHECK(asked(backend, {"GET", "/v1/topics/my%2Etopic/partitions/7", ""}) ==
        json::parse(R"({"get":"partition","topic":"my.topic","partition":7})"));
}

TEST_CASE("rules take names for APIs and errors, and friendly counts") {
  ScriptedBackend backend;
  CHECK(asked(backend, {"POST", "/v1/rules",
                        R"({"point":"kafka.request.received","action":"answer","api":"produce",
                            "error":"NOT_LEADER_OR_FOLLOWER","nth":3,"probability":0.25})"}) ==
        json::parse(
            R"({"do":"add_rule","point":"kafka.request.received","action":"answer","api_key":0,"error_code":6,
                        "skip":2,"count":1,"probability_ppm":250000})"));
}

TEST_CASE("a list of answers becomes steps") {
  ScriptedBackend backend;
  CHECK(asked(backend, {"POST", "/v1/rules",
                        R"({"point":"kafka.request.received","transactional_id":"tx","every":2,"answers":
                            ["NOT_COORDINATOR","close","drop",-195,0,{"error":"NONE","delay_ms":20},
                             {"delay_ms":0.5,"error":6},{"error":"close","delay_ms":1}]})"}) ==
        json::parse(R"({"do":"add_rule","point":"kafka.request.received","transactional_id":"tx","every":2,
            "steps":[{"action":"answer","error_code":16},{"action":"close"},{"action":"drop_request"},
                     {"action":"close"},{"action":"observe","error_code":0},
                     {"action":"delay","error_code":0,"delay_us":20000},
                     {"action":"answer","error_code":6,"delay_us":500},
                     {"action":"close","delay_us":1000}]})"));
}

TEST_CASE("rules that cannot be meant are refused with a sentence") {
  ScriptedBackend backend;
  const char* const bodies[] = {
      R"({"point":"kafka.produce.received","answers":[]})",
      R"({"point":"kafka.produce.received","answers":"NONE"})",
      R"({"point":"kafka.produce.received","answers":["NO_SUCH"]})",
      R"({"point":"kafka.produce.received","answers":[{"error":{"error":"NONE"}}]})",
      R"({"point":"kafka.produce.received","answers":[{"code":6}]})",
      R"({"point":"kafka.produce.received","action":"answer"})",
      R"({"point":"kafka.produce.received","action":"answer","error":"NO_SUCH"})",
      R"({"point":"kafka.produce.received","action":"observe","api":"NoSuch"})",
      R"({"point":"kafka.produce.received","action":"delay"})",
      R"({"point":"kafka.produce.received","action":"observe","probability":1.5})",
      R"({"point":"kafka.produce.received","action":"observe","times":0})",
      R"({"point":"kafka.produce.received","action":"observe","do":"crash_controller"})",
  };
  for (const char* body : bodies) {
    INFO(body);
    const HttpResponse response = serve({"POST", "/v1/rules", body}, backend);
    CHECK(response.status == 422);
    CHECK(code_of(response) == "invalid_argument");
  }
  CHECK(backend.requests.empty());
}

TEST_CASE("an advance is not a call of the cluster but a move of the clock") {
  ScriptedBackend backend;
  backend.answer = R"({"ok":true,"now_ms":5})";
  const HttpResponse response =
      serve({"POST", "/v1/advance", R"({"ms":900000,"silence_counts":true})"}, backend);
  CHECK(response.body == R"({"now_ms":5})");
  CHECK(backend.kinds.front() == "advance");
  CHECK(backend.requests.front() == "900000000000 counts");
  CHECK(serve({"POST", "/v1/advance", R"({"ms":-1})"}, backend).status == 422);
  CHECK(serve({"POST", "/v1/advance", ""}, backend).status == 422);
  // A duration beyond all bounds saturates.
  CHECK(serve({"POST", "/v1/advance", R"({"ms":9223372036854775807})"}, backend).status == 200);
}

TEST_CASE("a wait for a rule has a count and a limit") {
  ScriptedBackend backend;
  serve({"POST", "/v1/rules/3/wait", R"({"hits":2,"timeout_ms":1000})"}, backend);
  serve({"POST", "/v1/rules/3/wait", ""}, backend);
  CHECK(backend.requests == std::vector<std::string>{"3 2 0 1000000000", "3 1 0 5000000000"});
  CHECK(serve({"POST", "/v1/rules/3/wait", R"({"timeout_ms":999999999})"}, backend).status == 422);
}

TEST_CASE("a link is cut in both directions with one request") {
  ScriptedBackend backend;
  serve({"POST", "/v1/network", R"({"action":"block","from":"broker-1","to":"controller","both_ways":true})"},
        backend);
  REQUIRE(backend.requests.size() == 2);
  CHECK(json::parse(backend.requests[0]) ==
        json::parse(R"({"do":"block","from":"broker-1","to":"controller"})"));
  CHECK(json::parse(backend.requests[1]) ==
        json::parse(R"({"do":"block","from":"controller","to":"broker-1"})"));
}

TEST_CASE("errors have the status that belongs to their code") {
  ScriptedBackend backend;
  const std::pair<const char*, int> rows[] = {{"not_found", 404},        {"already_exists", 409},
                                              {"invalid_argument", 422}, {"finding", 409},
                                              {"timed_out", 503},        {"stopped", 503}};
  for (const auto& [code, status] : rows) {
    backend.answer = std::string(R"({"error":{"code":")") + code + R"(","message":"A sentence."}})";
    const HttpResponse response = serve({"DELETE", "/v1/topics/x", ""}, backend);
    INFO(code);
    CHECK(response.status == status);
    CHECK(response.body == backend.answer);
  }
}

TEST_CASE("what is wrong with a request is said, and nothing is done") {
  ScriptedBackend backend;
  CHECK(serve({"POST", "/v1/topics", "{"}, backend).status == 400);
  CHECK(serve({"POST", "/v1/topics", "[1]"}, backend).status == 400);
  CHECK(serve({"POST", "/v1/topics", R"({"do":"crash_controller"})"}, backend).status == 422);
  CHECK(serve({"GET", "/v1/nothing", ""}, backend).status == 404);
  CHECK(serve({"GET", "/", ""}, backend).status == 404);
  CHECK(serve({"GET", "", ""}, backend).status == 400);
  CHECK(serve({"GET", "/v1/topics?x=1", ""}, backend).status == 400);
  CHECK(serve({"GET", "/v1/topics/%zz", ""}, backend).status == 400);
  CHECK(serve({"GET", "/v1/topics/x/partitions/one", ""}, backend).status == 404);
  CHECK(serve({"POST", "/v1/brokers/1/crash", R"({"hard":true})"}, backend).status == 422);
  CHECK(serve({"POST", "/v1/network", R"({"action":"explode"})"}, backend).status == 422);
  CHECK(backend.requests.empty());
  const HttpResponse response = serve({"PUT", "/v1/topics", ""}, backend);
  CHECK(response.status == 405);
  CHECK(response.allow == "GET, POST");
}

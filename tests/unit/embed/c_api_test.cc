// The C interface.
#include <catch2/catch.hpp>
#include <string>

#include "harness/cli/demo_client.h"
#include "wavetank/wavetank.h"

namespace {

std::string taken(char* text) {
  REQUIRE(text != nullptr);
  std::string copy(text);
  wt_free(text);
  return copy;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("C: a cluster is made, used and freed with JSON texts") {
  wt_cluster* sim =
      wt_cluster_new(R"({"seed":42,"brokers":2,"clock":"frozen","broker_configs":{"num.partitions":3}})");
  REQUIRE(sim != nullptr);
  CHECK(contains(taken(wt_execute(sim, R"({"do":"create_topic","name":"orders"})")), R"("partitions":3)"));
  CHECK(contains(
      taken(wt_add_rule(sim, R"({"point":"kafka.produce.received","action":"observe","api":"Produce"})")),
      R"("rule":1)"));
  wt::harness::cli::DemoClient client(wt_bootstrap(sim), "c");
  REQUIRE(client.produce("orders", 0, {"a"}).ok());
  CHECK(
      contains(taken(wt_query(sim, R"({"get":"partition","topic":"orders","partition":0})")), R"("leo":1)"));
  CHECK(contains(taken(wt_query(sim, R"({"get":"rule","rule":1})")), R"("hits":1)"));
  CHECK(wt_wait_rule(sim, 1, 1, 0, 1000) == 1);
  CHECK(wt_wait_rule(sim, 1, 0, 1, 1) == 0);
  CHECK(contains(wt_last_error(), "frozen"));
  CHECK(wt_wait_rule(sim, 9, 1, 0, 1) == -1);
  CHECK(contains(wt_last_error(), "There is no rule 9."));
  const std::int64_t before_ms = wt_now_ms(sim);
  CHECK(wt_advance_ms(sim, 60'000, 0) == 0);
  CHECK(wt_now_ms(sim) == before_ms + 60'000);
  CHECK(wt_stop_recording(sim) == 0);
  wt_cluster_free(sim);
}

TEST_CASE("C: what is wrong is said, and nothing ends the program") {
  CHECK(wt_cluster_new("{") == nullptr);
  CHECK(contains(wt_last_error(), "JSON"));
  CHECK(wt_cluster_new(R"({"brokers":0})") == nullptr);
  CHECK(wt_cluster_new(R"({"clock":"fast"})") == nullptr);
  CHECK(contains(wt_last_error(), "clock"));
  CHECK(wt_cluster_new(R"({"no_such_option":1})") == nullptr);
  CHECK(contains(wt_last_error(), "no_such_option"));
  CHECK(wt_execute(nullptr, "{}") == nullptr);
  CHECK(wt_advance_ms(nullptr, 1, 0) == -1);
  wt_cluster_free(nullptr);
  wt_free(nullptr);
  wt_cluster* sim = wt_cluster_new(nullptr);
  REQUIRE(sim != nullptr);
  CHECK(wt_execute(sim, nullptr) == nullptr);
  CHECK(contains(taken(wt_execute(sim, "nonsense")), "invalid_argument"));
  CHECK(wt_advance_ms(sim, -5, 0) == -1);
  CHECK(contains(wt_last_error(), "back"));
  wt_cluster_free(sim);
}

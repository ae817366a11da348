// What a finding does to an embedded cluster.
#include <catch2/catch.hpp>

#include "harness/embed/cluster_impl.h"
#include "sim/cluster/json_fields.h"

using namespace std::chrono_literals;
using wavetank::detail::ClusterImpl;

namespace {

void violate(ClusterImpl& cluster) {
  const auto report = [&] { cluster.session().simulated().kernel().report("test.check", "on purpose", 0); };
  REQUIRE(cluster.session().driver().call(report).ok());
}

template <class Work>
bool throws_finding(const Work& work) {
  try {
    work();
  } catch (const wavetank::Error& error) {
    return error.code() == wavetank::ErrorCode::finding && std::string(error.what()).size() > 10;
  }
  return false;
}

}  // namespace

TEST_CASE("a finding sticks: calls throw it, a wait ends, the recording is complete and has it") {
  wavetank::Options options;
  options.brokers = 1;
  ClusterImpl cluster(options);
  CHECK_FALSE(cluster.finding(true));
  violate(cluster);
  CHECK(throws_finding([&] { cluster.ask("topics"); }));
  wavetank::detail::json::object request;
  request["do"] = "crash_controller";
  CHECK(throws_finding([&] { cluster.tell(request); }));
  CHECK(throws_finding([&] { cluster.wait_until([](const wavetank::View&) { return false; }, 60s, true); }));
  const auto finding = cluster.finding(true);
  REQUIRE(finding);
  CHECK(finding->check == "test.check");
  CHECK(finding->message == "on purpose");
  CHECK_FALSE(finding->last_events.empty());
  // The replay does not make the same mistake, and that is a difference at the end.
  const std::string recording(cluster.session().recorded().text());
  const wavetank::Replay replay = wavetank::replay_bytes(recording);
  CHECK_FALSE(replay.equal);
  CHECK(replay.text.size() > 10);
}

TEST_CASE("a wait that is going on ends with the finding") {
  wavetank::Options options;
  options.brokers = 1;
  ClusterImpl cluster(options);
  bool reported = false;
  const auto reports = [&](const wavetank::View&) {
    if (!reported) cluster.session().simulated().kernel().report("test.check", "on purpose", 0);
    reported = true;
    return false;
  };
  CHECK(throws_finding([&] { cluster.wait_until(reports, 60s, true); }));
  CHECK(cluster.finding(true));
}

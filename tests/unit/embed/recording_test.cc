// Recording and replay through the public interface.
#include <unistd.h>

#include <absl/strings/str_cat.h>
#include <catch2/catch.hpp>
#include <cstdio>

#include "harness/cli/demo_client.h"
#include "wavetank/cluster.h"

using namespace std::chrono_literals;
using wt::harness::cli::DemoClient;

namespace {

// A run with faults, time and data; leaves the cluster running.
void run(wavetank::Cluster& sim) {
  sim.create_topic("orders", {2});
  DemoClient client(sim.kafka_bootstrap(), "test");
  const auto producer = client.init_producer();
  REQUIRE(producer.ok());
  REQUIRE(client.produce("orders", 0, {"a", "b"}, *producer, 0).ok());
  const auto cut = sim.on("append.head.committed").topic("orders").once().crash_leader();
  REQUIRE(client.produce("orders", 0, {"c"}, *producer, 2).ok());
  sim.advance(3min);
  REQUIRE(client.fetch("orders", 0, 0)->size() == 3);
}

}  // namespace

TEST_CASE("a run is recorded in memory and replays to the same hash") {
  wavetank::Options options;
  options.clock = GENERATE(wavetank::Clock::frozen, wavetank::Clock::flow);
  options.real_delays = GENERATE(false, true);
  if (options.real_delays && options.clock == wavetank::Clock::frozen) return;  // answers would wait for time
  wavetank::Cluster sim(options);
  run(sim);
  sim.stop_recording();
  CHECK(sim.recording_path().empty());
  const wavetank::Replay replay = wavetank::replay_bytes(sim.recording());
  INFO(replay.text);
  CHECK(replay.equal);
  CHECK(replay.complete);
  CHECK(replay.events > 100);
  CHECK(wavetank::replay_bytes(sim.recording()).hash == replay.hash);
}

TEST_CASE("a recording in a file is complete once the cluster is gone") {
  const std::string path = absl::StrCat(WT_BUILD_DIR "/unit_embed.", ::getpid(), ".wtj");
  {
    wavetank::Options options;
    options.recording = wavetank::Recording::file(path);
    wavetank::Cluster sim(options);
    CHECK(sim.recording_path() == path);
    run(sim);
    sim.flush_recording();
    CHECK_FALSE(wavetank::replay_file(path).complete);
  }
  const wavetank::Replay replay = wavetank::replay_file(path);
  INFO(replay.text);
  CHECK(replay.equal);
  CHECK(replay.complete);
  std::remove(path.c_str());
}

TEST_CASE("a recording that is switched off or too small is said to be so") {
  wavetank::Options off;
  off.brokers = 1;
  off.recording = wavetank::Recording::off();
  wavetank::Cluster unrecorded(off);
  CHECK(unrecorded.recording().empty());
  CHECK_THROWS_AS(unrecorded.stop_recording(), wavetank::Error);
  wavetank::Options small;
  small.recording = wavetank::Recording::memory(4096);
  wavetank::Cluster sim(small);
  run(sim);
  DemoClient client(sim.kafka_bootstrap(), "test");
  REQUIRE(client.produce("orders", 1, {std::string(8192, 'x')}).ok());
  CHECK_THROWS_AS(sim.stop_recording(), wavetank::Error);
  CHECK(sim.recording().size() <= 4096);
  const wavetank::Replay replay = wavetank::replay_bytes(sim.recording());
  CHECK(replay.equal);
  CHECK_FALSE(replay.complete);
  CHECK(replay.text.size() > 10);
}

TEST_CASE("bytes that are no recording are no replay") {
  CHECK_FALSE(wavetank::replay_bytes("").equal);
  CHECK_FALSE(wavetank::replay_bytes("WTJOURN1 and rubbish").equal);
  CHECK_FALSE(wavetank::replay_file("/nonexistent/file").equal);
}

TEST_CASE("levels of features are a part of the recording") {
  wavetank::Options options;
  options.clock = wavetank::Clock::frozen;
  options.features = {{"group.version", 0}};
  wavetank::Cluster sim(options);
  sim.create_topic("orders", {2});
  sim.stop_recording();
  const wavetank::Replay replay = wavetank::replay_bytes(sim.recording());
  INFO(replay.text);
  CHECK(replay.equal);
  CHECK(replay.complete);
  wavetank::Options wrong;
  wrong.features = {{"group.version", 70'000}};
  CHECK_THROWS_AS(wavetank::Cluster(wrong), wavetank::Error);
}

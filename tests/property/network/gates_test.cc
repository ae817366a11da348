// The gates of determinism and of leaks, run over the small workload.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/property/network/workload.h"

using namespace wt::test;

namespace {

constexpr std::uint64_t kHashedSeeds = 200;
const char* const kHashFile = WT_SOURCE_DIR "/tests/property/network/data/workload_hashes.txt";
// Set to write the file anew: WT_WRITE_HASHES=1 property_network "[hashes]"
const char* const kWriteVariable = "WT_WRITE_HASHES";

void check_nothing_left(const WorkloadResult& result) {
  CHECK(result.finding.empty());
  CHECK(result.pending_events == 0);
  CHECK(result.parked == 0);
  CHECK(result.connections == 0);
  CHECK(result.calls == 0);
  CHECK(result.held_parcels == 0);
  CHECK(result.live_frames == 0);
}

WorkloadResult run_seed(std::uint64_t seed) {
  WorkloadOptions options;
  options.seed = seed;
  return run_workload(options);
}

}  // namespace

TEST_CASE("the same seed gives the same hash, also with another run between") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const WorkloadResult first = run_seed(seed);
    const std::uint64_t other = run_workload(seed + 1000);
    const WorkloadResult again = run_seed(seed);
    CHECK(first.hash == again.hash);
    CHECK(first.steps == again.steps);
    CHECK(first.hash != other);
  }
}

TEST_CASE("hashes of 200 seeds are those of every other build", "[hashes]") {
  if (std::getenv(kWriteVariable) != nullptr) {
    std::ofstream file(kHashFile);
    for (std::uint64_t seed = 1; seed <= kHashedSeeds; ++seed) {
      file << seed << ' ' << std::hex << run_workload(seed) << std::dec << '\n';
    }
  }
  std::ifstream file(kHashFile);
  std::uint64_t seed = 0;
  std::uint64_t expected = 0;
  std::uint64_t compared = 0;
  std::uint64_t different = 0;
  while (file >> std::dec >> seed >> std::hex >> expected) {
    ++compared;
    if (run_workload(seed) != expected) ++different;
  }
  if (different > 0) {
    std::cout << "When the order of events was changed on purpose, write the hashes anew with\n  "
              << kWriteVariable << "=1 property_network '[hashes]'\nand run this test in both builds.\n";
  }
  CHECK(compared == kHashedSeeds);
  CHECK(different == 0);
}

TEST_CASE("after a run nothing is left, and the workload does something") {
  std::uint64_t echoed_bytes = 0;
  std::uint64_t answers = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    const WorkloadResult result = run_seed(seed);
    check_nothing_left(result);
    echoed_bytes += result.echoed_bytes;
    answers += result.answers;
  }
  CHECK(echoed_bytes > 500'000);
  CHECK(answers > 1'000);
}

TEST_CASE("a process killed before any step leaves nothing and touches nothing that is gone") {
  for (const bool inside : {false, true}) {
    for (std::uint32_t process = 1; process <= 5; ++process) {
      WorkloadOptions options;
      options.seed = 11 + process;
      options.disturbances = 4;
      options.kill_process = process;
      options.kill_from_inside = inside;
      const std::uint64_t steps = run_workload(options).steps;
      REQUIRE(steps > 100);
      for (std::int64_t step = 0; step < static_cast<std::int64_t>(steps); ++step) {
        INFO("process " << process << " step " << step << " inside " << inside);
        options.kill_step = step;
        check_nothing_left(run_workload(options));
      }
    }
  }
}

TEST_CASE("a script of the choices of a run repeats it") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    if (seed % 3 == 0) continue;  // FIFO: nothing is chosen
    INFO("seed " << seed);
    const WorkloadResult original = run_seed(seed);
    REQUIRE(original.choices.size() > 10);
    WorkloadOptions options;
    options.seed = seed;
    options.replay_choices = true;
    options.choices = original.choices;
    const WorkloadResult replayed = run_workload(options);
    CHECK(replayed.hash == original.hash);
    CHECK(replayed.choices == original.choices);
  }
}

TEST_CASE("arming a rule that never matches changes nothing") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    WorkloadOptions options;
    options.seed = seed;
    options.disturbances = 0;  // these arm rules, whose numbers the idle rule would shift
    const WorkloadResult without = run_workload(options);
    options.arm_idle_rule = true;
    const WorkloadResult with = run_workload(options);
    CHECK(with.hash == without.hash);
    CHECK(with.steps == without.steps);
    CHECK(with.draws == without.draws);
  }
}

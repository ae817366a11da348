// A small random workload over the kernel, the fault rules and the network: what the hash gates, the
// leak checks and the kill-at-every-step test run.
//
// Three servers echo bytes and answer calls, two clients and one client outside use them, one durable
// service counts; meanwhile links, processes, rules and clocks are disturbed. The echoed bytes of every
// connection must be a prefix of what was sent, else the run ends with a finding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/kernel/ready_policy.h"

namespace wt::test {

struct WorkloadOptions {
  std::uint64_t seed = 1;
  std::uint32_t disturbances = 60;
  bool arm_idle_rule = false;      // a rule that matches nothing
  std::int64_t kill_step = -1;     // kill `kill_process` before this step …
  std::uint32_t kill_process = 0;  // … 1 to 5
  bool kill_from_inside = false;   // … in an event of that process instead of between two
  bool replay_choices = false;     // run with `choices` as the script
  std::vector<std::uint32_t> choices;
};

// Everything that must be zero, and what identifies the run.
struct WorkloadResult {
  std::uint64_t hash = 0;
  std::uint64_t steps = 0;
  std::uint64_t draws = 0;
  std::string finding;  // empty when there was none
  std::size_t pending_events = 0;
  std::size_t parked = 0;
  std::size_t connections = 0;
  std::size_t calls = 0;
  std::size_t held_parcels = 0;
  std::int64_t live_frames = 0;  // objects on frames that were never destroyed
  std::uint64_t echoed_bytes = 0;
  std::uint64_t answers = 0;
  std::vector<std::uint32_t> choices;
};

WorkloadResult run_workload(const WorkloadOptions& options);
// The hash alone.
std::uint64_t run_workload(std::uint64_t seed);

}  // namespace wt::test

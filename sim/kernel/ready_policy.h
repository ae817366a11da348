// The order in which events that are ready at the same instant run.
//
// FIFO is what real systems mostly show; the others explore the orders that they rarely show.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/kernel/random.h"

namespace wt {

enum class ReadyOrder : std::uint8_t {
  fifo,
  random,    // any ready event, uniformly
  pct,       // random priorities by process, lowered at d random steps (probabilistic concurrency testing)
  scripted,  // indexes from a list, then FIFO
};

struct ReadyPolicyOptions {
  ReadyOrder order = ReadyOrder::fifo;
  std::uint32_t pct_change_points = 3;       // d
  std::uint64_t pct_horizon_steps = 10'000;  // change points are drawn in [0, horizon)
  std::vector<std::uint32_t> script;         // index into the ready events at each choice
};

class ReadyPolicy {
 public:
  ReadyPolicy(const ReadyPolicyOptions& options, std::uint64_t seed);

  bool is_fifo() const noexcept { return options_.order == ReadyOrder::fifo; }
  // Index into `processes` (the process of each ready event, in FIFO order) of the one to run.
  // Asked only when there are at least two.
  std::size_t choose(const std::vector<std::uint32_t>& processes, std::uint64_t step);
  // What was chosen, for replaying the run with the scripted order.
  const std::vector<std::uint32_t>& choices() const noexcept { return choices_; }

 private:
  std::size_t choose_pct(const std::vector<std::uint32_t>& processes, std::uint64_t step);
  // Index of the process with the highest priority; the first of equals.
  std::size_t highest(const std::vector<std::uint32_t>& processes);

  ReadyPolicyOptions options_;
  RandomStream random_;
  std::map<std::uint32_t, std::uint64_t> priorities_;
  std::vector<std::uint64_t> change_points_;
  std::uint64_t next_low_priority_ = 1'000'000;
  std::size_t script_at_ = 0;
  std::vector<std::uint32_t> choices_;
};

}  // namespace wt

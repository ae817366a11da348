#include "sim/kernel/ready_policy.h"

#include <algorithm>

#include "sim/kernel/hash.h"

namespace wt {
namespace {
constexpr std::size_t kMaxKeptChoices = 1'000'000;
constexpr std::uint64_t kHighPriorityFloor = 1'000'001;
}  // namespace

ReadyPolicy::ReadyPolicy(const ReadyPolicyOptions& options, std::uint64_t seed)
    : options_(options), random_(fold64(seed, hash_text("kernel.ready"))) {
  if (options_.order == ReadyOrder::pct) {
    const std::uint64_t horizon_steps = std::max<std::uint64_t>(1, options_.pct_horizon_steps);
    for (std::uint32_t i = 0; i < options_.pct_change_points; ++i) {
      change_points_.push_back(random_.below(horizon_steps));
    }
    std::stable_sort(change_points_.begin(), change_points_.end());
  }
}

std::size_t ReadyPolicy::choose(const std::vector<std::uint32_t>& processes, std::uint64_t step) {
  std::size_t chosen = 0;
  switch (options_.order) {
    case ReadyOrder::fifo:
      return 0;
    case ReadyOrder::random:
      chosen = random_.below(processes.size());
      break;
    case ReadyOrder::pct:
      chosen = choose_pct(processes, step);
      break;
    case ReadyOrder::scripted:
      if (script_at_ < options_.script.size()) {
        chosen = std::min<std::size_t>(options_.script[script_at_++], processes.size() - 1);
      }
      break;
  }
  if (choices_.size() < kMaxKeptChoices) choices_.push_back(static_cast<std::uint32_t>(chosen));
  return chosen;
}

std::size_t ReadyPolicy::choose_pct(const std::vector<std::uint32_t>& processes, std::uint64_t step) {
  for (const std::uint32_t process : processes) {
    if (priorities_.contains(process)) continue;
    const std::uint64_t draw = random_.next();
    priorities_[process] = kHighPriorityFloor + draw % (1ULL << 32);
  }
  const std::size_t best = highest(processes);
  if (change_points_.empty() || step < change_points_.front()) return best;
  change_points_.erase(change_points_.begin());
  priorities_[processes[best]] = --next_low_priority_;
  return highest(processes);
}

std::size_t ReadyPolicy::highest(const std::vector<std::uint32_t>& processes) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < processes.size(); ++i) {
    if (priorities_[processes[i]] > priorities_[processes[best]]) best = i;
  }
  return best;
}

}  // namespace wt

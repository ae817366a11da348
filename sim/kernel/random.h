// Random numbers that are the same in every build: xoshiro256++, integer arithmetic only.
//
// Each user draws from a stream of its own, derived from the root seed and a name, so that one more
// draw in one place moves nothing elsewhere. Fault decisions use hash_chance instead: stateless,
// so that editing one thing leaves all others alone.
#pragma once

#include <cstdint>

#include "sim/kernel/time.h"

namespace wt {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);

  std::uint64_t next() noexcept;
  // Uniform in [0, bound); bound must be positive. Exact: rejects the biased tail.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [low, high], both ends included; low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high);
  // True with a probability in parts per million; draws exactly once.
  bool chance_ppm(std::uint32_t ppm);
  // Exponential with the given mean, in whole units, capped at 20 times the mean; from a fixed table.
  std::int64_t exponential(std::int64_t mean);
  std::uint64_t draws() const noexcept { return draws_; }

 private:
  std::uint64_t state_[4];
  std::uint64_t draws_ = 0;
};

// Stateless decision: the same (seed, label, actor, occurrence) always answers the same.
bool hash_chance(std::uint64_t seed, std::uint64_t label_hash, std::uint64_t actor, std::uint64_t occurrence,
                 std::uint32_t ppm) noexcept;

inline constexpr std::uint32_t kPpmAlways = 1'000'000;

}  // namespace wt

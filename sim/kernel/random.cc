#include "sim/kernel/random.h"

#include <bit>

#include "sim/kernel/finding.h"
#include "sim/kernel/hash.h"

namespace wt {
namespace {

std::uint64_t splitmix(std::uint64_t& state) noexcept {
  state += 0x9E3779B97F4A7C15ULL;
  return mix64(state);
}

// -ln(1 - (i + 0.5) / 64) in units of 1/65536: the exponential's quantiles at 64 points.
constexpr std::uint32_t kExponentialQuantile[64] = {
    514,    1554,   2611,   3686,   4778,   5889,   7019,   8169,   9339,   10530,  11744,  12981,  14241,
    15526,  16837,  18174,  19540,  20934,  22359,  23815,  25305,  26829,  28390,  29988,  31627,  33307,
    35032,  36803,  38624,  40496,  42424,  44410,  46458,  48572,  50757,  53017,  55358,  57786,  60307,
    62928,  65659,  68509,  71489,  74610,  77887,  81338,  84979,  88836,  92933,  97304,  101987, 107030,
    112495, 118457, 125016, 132305, 140508, 149886, 160834, 173985, 190455, 212507, 245984, 317983};

}  // namespace

RandomStream::RandomStream(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix(seed);
}

std::uint64_t RandomStream::next() noexcept {
  ++draws_;
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  WT_INVARIANT(bound > 0, "kernel.random.bound", "a random number below zero was asked for");
  const std::uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t value = next();
    if (value >= threshold) return value % bound;
  }
}

std::int64_t RandomStream::between(std::int64_t low, std::int64_t high) {
  WT_INVARIANT(low <= high, "kernel.random.range", "a random number from an empty range was asked for");
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if (span == ~0ULL) return static_cast<std::int64_t>(next());
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + below(span + 1));
}

bool RandomStream::chance_ppm(std::uint32_t ppm) {
  const std::uint64_t value = next() >> 32;
  return (value * kPpmAlways) >> 32 < ppm;
}

std::int64_t RandomStream::exponential(std::int64_t mean) {
  if (mean <= 0) return 0;
  const std::uint64_t draw = next();
  const std::uint32_t quantile = kExponentialQuantile[draw >> 58];
  const std::int64_t whole = mean / 65536;
  const std::int64_t rest = mean % 65536;
  std::int64_t value = 0;
  if (__builtin_mul_overflow(whole, static_cast<std::int64_t>(quantile), &value)) return mean;
  return saturating_add(value, rest * quantile / 65536);
}

bool hash_chance(std::uint64_t seed, std::uint64_t label_hash, std::uint64_t actor, std::uint64_t occurrence,
                 std::uint32_t ppm) noexcept {
  std::uint64_t hash = fold64(mix64(seed), label_hash);
  hash = fold64(hash, actor);
  hash = fold64(hash, occurrence);
  return ((mix64(hash) >> 32) * kPpmAlways) >> 32 < ppm;
}

}  // namespace wt

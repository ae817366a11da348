// Virtual time: signed nanoseconds since the Unix epoch, 1970-01-01T00:00:00Z.
#pragma once

#include <cstdint>
#include <limits>

namespace wt {

using TimeNs = std::int64_t;
using DurationNs = std::int64_t;

inline constexpr DurationNs kMicrosecond_ns = 1'000;
inline constexpr DurationNs kMillisecond_ns = 1'000'000;
inline constexpr DurationNs kSecond_ns = 1'000'000'000;
inline constexpr DurationNs kMinute_ns = 60 * kSecond_ns;
inline constexpr DurationNs kHour_ns = 60 * kMinute_ns;
inline constexpr DurationNs kDay_ns = 24 * kHour_ns;

// 2020-01-01T00:00:00Z: where the clock of a run without sockets starts.
inline constexpr TimeNs kDefaultEpoch_ns = 1'577'836'800 * kSecond_ns;
inline constexpr TimeNs kNever_ns = std::numeric_limits<TimeNs>::max();

// Sum that stops at the ends of the range: a duration from outside can be anything.
constexpr TimeNs saturating_add(TimeNs a, DurationNs b) noexcept {
  TimeNs sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    return b > 0 ? std::numeric_limits<TimeNs>::max() : std::numeric_limits<TimeNs>::min();
  }
  return sum;
}

// Milliseconds, as both protocols count them, to nanoseconds; saturates.
constexpr DurationNs from_ms(std::int64_t value_ms) noexcept {
  DurationNs product = 0;
  if (__builtin_mul_overflow(value_ms, kMillisecond_ns, &product)) {
    return value_ms > 0 ? std::numeric_limits<DurationNs>::max() : std::numeric_limits<DurationNs>::min();
  }
  return product;
}
constexpr std::int64_t to_ms(TimeNs time_ns) noexcept {
  return time_ns / kMillisecond_ns;
}

}  // namespace wt

// The wall clock, as far as the gateway needs one. Tests put their own in its place.
#pragma once

#include "harness/journal/entry.h"
#include "sim/kernel/time.h"

namespace wt::harness {

class WallClock {
 public:
  virtual ~WallClock() = default;
  // Never goes back; says nothing about the date.
  virtual std::int64_t monotonic_ns() = 0;
  // Since 1970.
  virtual TimeNs unix_ns() = 0;
};

// The machine's.
WallClock& system_wall_clock();

// Where the clock of a simulation starts: at the wall clock, in whole milliseconds, or at a fixed date.
TimeNs starting_epoch_ns(ClockMode mode, WallClock& wall);

// Says where virtual time should be, by the rules of the clock mode.
//
// In `flow` it follows the wall clock times a rate, in whole milliseconds. When the wall clock jumps by more
// than 250 ms between two looks (a debugger, a machine that slept), that counts as 250 ms: what the program
// could not do meanwhile does not time out. In the other modes time stands unless somebody moves it.
class Pacer {
 public:
  Pacer(ClockMode mode, double rate, WallClock& wall, TimeNs start_ns);

  // Where time should be now; not before `now_ns`.
  TimeNs target(TimeNs now_ns);
  // Somebody has moved virtual time by hand: go on from there.
  void jumped(DurationNs by_ns) noexcept { base_ns_ = saturating_add(base_ns_, by_ns); }
  // How long to wait on the wall clock until target() reaches `due_ns`; at most kLongestWait_ns.
  DurationNs wall_until(TimeNs due_ns) const;

  static constexpr DurationNs kLongestGap_ns = 250 * kMillisecond_ns;
  // Shorter than the longest gap, so that idle waiting is never taken for a stall.
  static constexpr DurationNs kLongestWait_ns = 200 * kMillisecond_ns;

 private:
  TimeNs position() const;

  ClockMode mode_;
  double rate_;
  WallClock& wall_;
  TimeNs base_ns_;
  std::int64_t last_wall_ns_;
  std::int64_t followed_wall_ns_ = 0;
};

}  // namespace wt::harness

#include "harness/gateway/wall_clock.h"

#include <time.h>

#include <algorithm>

namespace wt::harness {

namespace {

std::int64_t read_clock(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kSecond_ns + now.tv_nsec;
}

class SystemWallClock final : public WallClock {
 public:
  std::int64_t monotonic_ns() override { return read_clock(CLOCK_MONOTONIC); }
  TimeNs unix_ns() override { return read_clock(CLOCK_REALTIME); }
};

TimeNs whole_milliseconds(TimeNs time_ns) {
  return time_ns - time_ns % kMillisecond_ns;
}

}  // namespace

WallClock& system_wall_clock() {
  static SystemWallClock clock;
  return clock;
}

TimeNs starting_epoch_ns(ClockMode mode, WallClock& wall) {
  return mode == ClockMode::virtual_time ? kDefaultEpoch_ns : whole_milliseconds(wall.unix_ns());
}

Pacer::Pacer(ClockMode mode, double rate, WallClock& wall, TimeNs start_ns)
    : mode_(mode), rate_(rate), wall_(wall), base_ns_(start_ns), last_wall_ns_(wall.monotonic_ns()) {}

TimeNs Pacer::position() const {
  return saturating_add(base_ns_, static_cast<DurationNs>(static_cast<double>(followed_wall_ns_) * rate_));
}

TimeNs Pacer::target(TimeNs now_ns) {
  if (mode_ != ClockMode::flow) return now_ns;
  const std::int64_t wall_ns = wall_.monotonic_ns();
  followed_wall_ns_ += std::clamp<std::int64_t>(wall_ns - last_wall_ns_, 0, kLongestGap_ns);
  last_wall_ns_ = wall_ns;
  return std::max(now_ns, whole_milliseconds(position()));
}

DurationNs Pacer::wall_until(TimeNs due_ns) const {
  if (due_ns == kNever_ns) return kLongestWait_ns;
  const TimeNs position_ns = position();
  const TimeNs reached_ns = saturating_add(due_ns, kMillisecond_ns - 1) / kMillisecond_ns * kMillisecond_ns;
  if (reached_ns <= position_ns) return 0;
  const double wall_ns = static_cast<double>(reached_ns - position_ns) / rate_ -
                         static_cast<double>(wall_.monotonic_ns() - last_wall_ns_);
  if (wall_ns <= 0) return 0;
  return wall_ns >= static_cast<double>(kLongestWait_ns) ? kLongestWait_ns
                                                         : static_cast<DurationNs>(wall_ns) + 1;
}

}  // namespace wt::harness

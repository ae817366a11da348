// Requests that wait for an answer while the clock is frozen: which of them to let go, by the wall clock.
#pragma once

#include <vector>

#include "harness/gateway/simulated.h"

namespace wt::harness {

// While virtual time stands, a parked request (a fetch that waits for bytes) would wait for ever. It is
// let go after min(its remaining wait, a limit) on the wall clock.
class ParkWatch {
 public:
  explicit ParkWatch(DurationNs limit_ns) : limit_ns_(limit_ns) {}

  // Looks at what is parked now, and gives the ids of what has waited long enough.
  std::vector<std::uint64_t> expired(Kernel& kernel, std::int64_t wall_ns);
  // The ids of those behind which another request of the same connection waits.
  static std::vector<std::uint64_t> queued_behind(Simulated& simulated);
  // When the next one will have waited long enough, or kNever_ns.
  std::int64_t next_wall_ns() const noexcept { return next_wall_ns_; }

 private:
  struct Waiting {
    std::uint64_t id;
    std::int64_t release_wall_ns;
  };
  DurationNs limit_ns_;
  std::vector<Waiting> waiting_;  // by id
  std::vector<Waiting> scratch_;
  std::int64_t next_wall_ns_ = kNever_ns;
};

}  // namespace wt::harness

#include "harness/gateway/parks.h"

#include <algorithm>

namespace wt::harness {

std::vector<std::uint64_t> ParkWatch::expired(Kernel& kernel, std::int64_t wall_ns) {
  std::vector<std::uint64_t> ids;
  next_wall_ns_ = kNever_ns;
  scratch_.clear();
  if (kernel.parked_count() > 0) {
    auto known = waiting_.begin();
    for (const Kernel::Parked& parked : kernel.parked()) {
      while (known != waiting_.end() && known->id < parked.id) ++known;
      const bool seen = known != waiting_.end() && known->id == parked.id;
      const DurationNs wait_ns = std::clamp<DurationNs>(parked.due_ns - kernel.now(), 0, limit_ns_);
      const std::int64_t release_ns = seen ? known->release_wall_ns : wall_ns + wait_ns;
      if (release_ns <= wall_ns) ids.push_back(parked.id);
      next_wall_ns_ = std::min(next_wall_ns_, release_ns);
      scratch_.push_back({parked.id, release_ns});
    }
  }
  waiting_.swap(scratch_);
  return ids;
}

std::vector<std::uint64_t> ParkWatch::queued_behind(Simulated& simulated) {
  std::vector<std::uint64_t> ids;
  Kernel& kernel = simulated.kernel();
  if (kernel.parked_count() == 0) return ids;
  for (const Kernel::Parked& parked : kernel.parked()) {
    if (parked.tag != 0 && simulated.queued_behind(parked.tag)) ids.push_back(parked.id);
  }
  return ids;
}

}  // namespace wt::harness

// The trace records of a range of steps, kept in full, so that two runs can be compared event by event.
//
// A replay that differs names the window in which it happened (Difference::from_step, to_step). Run both
// sides with a window each; first_difference() then names the one event.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/kernel.h"

namespace wt::harness {

class TraceWindow final : public TraceObserver {
 public:
  // Keeps what is recorded from `from_step` to `to_step`, at most so many records.
  TraceWindow(const Kernel& kernel, std::uint64_t from_step, std::uint64_t to_step,
              std::size_t most_records = 1'000'000)
      : kernel_(kernel), from_step_(from_step), to_step_(to_step), most_records_(most_records) {}

  void on_record(const TraceRecord& record) override;

  struct Event {
    std::uint64_t step = 0;
    TraceRecord record{};
    std::string text;  // as it is printed
  };
  const std::vector<Event>& events() const noexcept { return events_; }

 private:
  const Kernel& kernel_;
  std::uint64_t from_step_;
  std::uint64_t to_step_;
  std::size_t most_records_;
  std::vector<Event> events_;
};

struct TraceDifference {
  std::size_t index = 0;  // into both windows
  std::uint64_t step = 0;
  std::string first;   // the event of the one run; empty when it has no more
  std::string second;  // of the other
};

// Nothing when both windows hold the same events.
std::optional<TraceDifference> first_difference(const TraceWindow& first, const TraceWindow& second);

}  // namespace wt::harness

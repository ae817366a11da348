// The trace: one stream of small plain records that feeds the hash, the invariants, coverage, the
// timeline and the comparison of two runs.
//
// Records are folded field by field into a rolling 64-bit hash; the last ones stay in a ring, and
// text is made only when somebody prints them. Every 1,000 steps a checkpoint keeps the hash, so
// that two runs can be compared by halves.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/kernel/label.h"
#include "sim/kernel/time.h"

namespace wt {

struct TraceRecord {
  TimeNs time_ns;
  const LabelInfo* label;
  std::uint32_t actor;     // process id, 0 for the world outside all processes
  std::uint32_t step_low;  // low half of the step that was running
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t c;
};
static_assert(sizeof(TraceRecord) == 48);

struct Checkpoint {
  std::uint64_t step = 0;
  TimeNs time_ns = 0;
  std::uint64_t hash = 0;
  std::uint64_t draws = 0;   // of all random streams together
  std::uint64_t digest = 0;  // of the registered state digests
};

// Called for every record, in order. Observers must not schedule, draw or trace.
class TraceObserver {
 public:
  virtual ~TraceObserver() = default;
  virtual void on_record(const TraceRecord& record) = 0;
};

class Trace {
 public:
  explicit Trace(std::size_t ring_records);

  void record(const TraceRecord& record);
  // Folds the running event itself: its time and its sequence number.
  void fold_event(TimeNs time_ns, std::uint64_t sequence) noexcept;

  std::uint64_t hash() const noexcept { return hash_; }
  std::uint64_t records() const noexcept { return records_; }
  // The kept records, oldest first.
  std::vector<TraceRecord> last() const;
  void observe(TraceObserver* observer) { observers_.push_back(observer); }
  void unobserve(TraceObserver* observer);
  // Off for measuring only: the hash then stays as it is.
  void set_hashing(bool on) noexcept { hashing_ = on; }

 private:
  std::vector<TraceRecord> ring_;
  std::size_t ring_capacity_;
  std::uint64_t records_ = 0;
  std::uint64_t hash_ = 0x243F6A8885A308D3ULL;
  bool hashing_ = true;
  std::vector<TraceObserver*> observers_;
};

// "+12.345678901s step 42 broker-1 append.head.committed 5 0 7", time relative to `epoch_ns`.
std::string to_text(const TraceRecord& record, TimeNs epoch_ns, std::string_view actor_name);

}  // namespace wt

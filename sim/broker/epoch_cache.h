// Leader epochs and where each starts in a partition's log.
//
// Answers OffsetForLeaderEpoch and finds where a reader's history leaves the leader's.
#pragma once

#include <cstdint>
#include <vector>

namespace wt::broker {

class EpochCache {
 public:
  struct End {
    std::int32_t epoch = -1;
    std::int64_t offset = -1;
    friend bool operator==(const End&, const End&) = default;
  };

  // Epoch `epoch` starts at `start_offset`. Ignored when it is not above the latest one.
  void assign(std::int32_t epoch, std::int64_t start_offset);
  // Where `epoch` ends, the log ending at `log_end_offset`:
  //   the current epoch → (epoch, log end); one below the latest → (the largest known epoch not above it,
  //   start of the next known one), or (epoch, first known start) when it is below all; an unknown
  //   higher or negative epoch → (-1, -1).
  End end_of(std::int32_t epoch, std::int64_t log_end_offset) const;
  // Epoch of the record at `offset`; -1 when the cache is empty or starts later.
  std::int32_t epoch_at(std::int64_t offset) const;
  // Forgets epochs that end at or before the new log start; the one that spans it starts there.
  void trim(std::int64_t log_start_offset);
  std::int32_t latest() const noexcept { return entries_.empty() ? -1 : entries_.back().epoch; }
  void clear() noexcept { entries_.clear(); }

 private:
  struct Start {
    std::int32_t epoch;
    std::int64_t offset;
  };
  std::vector<Start> entries_;  // both fields ascending
};

}  // namespace wt::broker

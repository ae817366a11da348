// How a partition's log is cut into segments, and which of them its retention lets go.
//
// There are no files: a segment is a stretch of the log that retention gives up as a whole, cut where a
// broker would have begun a new file. Rebuilt from the log when a partition is opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "sim/formats/entry.h"

namespace wt::broker {

// Of the topic, else the broker's. Negative: no limit.
struct SegmentLimits {
  std::int64_t segment_bytes = 1'073'741'824;  // segment.bytes: no larger, unless by a single entry
  std::int64_t segment_ms = 604'800'000;       // segment.ms: between the timestamps of its entries
  std::int64_t retention_bytes = -1;           // retention.bytes: of the whole log
  std::int64_t retention_ms = 604'800'000;     // retention.ms: since the largest timestamp in a segment
  bool deletable = true;                       // cleanup.policy contains delete
};

class Segments {
 public:
  // Takes in an appended or replayed entry. `now_ms` counts where entries have no timestamps.
  void add(const formats::EntryHeader& entry, std::int64_t size_bytes, std::int64_t now_ms,
           const SegmentLimits& limits);
  // Where the log begins once everything is gone that may go now: whole segments from the oldest on, in the
  // order of a broker: those below the log start, those beyond the size, those that are too old. Nothing that
  // is not replicated goes. The start of the oldest segment when all of them stay; there must be one.
  std::int64_t kept_from(const SegmentLimits& limits, std::int64_t now_ms, std::int64_t log_start,
                         std::int64_t high_watermark) const;
  // Lets go of the segments that end at or before the offset. Where all are gone the next entry begins a new
  // one.
  void trim(std::int64_t offset);
  void clear() { segments_.clear(); }

  bool empty() const noexcept { return segments_.empty(); }
  std::size_t size() const noexcept { return segments_.size(); }
  std::int64_t size_bytes() const;
  // Of the oldest segment; there must be one.
  std::int64_t first_offset() const noexcept { return segments_.front().base_offset; }

 private:
  struct Segment {
    std::int64_t base_offset = 0;
    std::int64_t end_offset = 0;
    std::int64_t size_bytes = 0;
    std::int64_t first_timestamp_ms = -1;  // of its first entry
    std::int64_t max_timestamp_ms = -1;
    std::int64_t created_ms = 0;
    std::int64_t written_ms = 0;
    std::int64_t age_ms(std::int64_t now_ms) const;
  };
  bool is_full(const formats::EntryHeader& entry, std::int64_t size_bytes, std::int64_t now_ms,
               const SegmentLimits& limits) const;

  std::deque<Segment> segments_;  // oldest first, without gaps; the last one takes the next entry
};

}  // namespace wt::broker

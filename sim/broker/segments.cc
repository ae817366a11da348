#include "sim/broker/segments.h"

#include <algorithm>
#include <iterator>

namespace wt::broker {

std::int64_t Segments::Segment::age_ms(std::int64_t now_ms) const {
  return now_ms - (max_timestamp_ms >= 0 ? max_timestamp_ms : written_ms);
}

bool Segments::is_full(const formats::EntryHeader& entry, std::int64_t size_bytes, std::int64_t now_ms,
                       const SegmentLimits& limits) const {
  const Segment& last = segments_.back();
  if (last.size_bytes > limits.segment_bytes - size_bytes) return true;
  const std::int64_t lasted_ms =
      last.first_timestamp_ms >= 0 ? entry.max_timestamp - last.first_timestamp_ms : now_ms - last.created_ms;
  return lasted_ms > limits.segment_ms;
}

void Segments::add(const formats::EntryHeader& entry, std::int64_t size_bytes, std::int64_t now_ms,
                   const SegmentLimits& limits) {
  if (segments_.empty() || is_full(entry, size_bytes, now_ms, limits)) {
    Segment next;
    next.base_offset = entry.base_offset;
    next.first_timestamp_ms = entry.max_timestamp;
    next.created_ms = now_ms;
    segments_.push_back(next);
  }
  Segment& last = segments_.back();
  last.end_offset = entry.next_offset();
  last.size_bytes += size_bytes;
  last.max_timestamp_ms = std::max(last.max_timestamp_ms, entry.max_timestamp);
  last.written_ms = now_ms;
}

std::int64_t Segments::kept_from(const SegmentLimits& limits, std::int64_t now_ms, std::int64_t log_start,
                                 std::int64_t high_watermark) const {
  auto kept = segments_.begin();
  const auto may_go = [&] { return kept != segments_.end() && kept->end_offset <= high_watermark; };
  while (may_go() && std::next(kept) != segments_.end() && kept->end_offset <= log_start) ++kept;
  if (limits.deletable && limits.retention_bytes >= 0) {
    std::int64_t excess_bytes = -limits.retention_bytes;
    for (auto each = kept; each != segments_.end(); ++each) excess_bytes += each->size_bytes;
    while (may_go() && excess_bytes >= kept->size_bytes) {
      excess_bytes -= kept->size_bytes;
      ++kept;
    }
  }
  if (limits.deletable && limits.retention_ms >= 0) {
    while (may_go() && kept->age_ms(now_ms) > limits.retention_ms) ++kept;
  }
  return kept == segments_.end() ? segments_.back().end_offset : kept->base_offset;
}

std::int64_t Segments::size_bytes() const {
  std::int64_t sum_bytes = 0;
  for (const Segment& segment : segments_) sum_bytes += segment.size_bytes;
  return sum_bytes;
}

void Segments::trim(std::int64_t offset) {
  while (!segments_.empty() && segments_.front().end_offset <= offset) segments_.pop_front();
}

}  // namespace wt::broker

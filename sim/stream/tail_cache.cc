#include "sim/stream/tail_cache.h"

#include <algorithm>

namespace wt::stream {

void TailCache::clear(std::int64_t next_offset) {
  entries_.clear();
  size_bytes_ = 0;
  next_offset_ = next_offset;
}

void TailCache::push(const StoredEntry& entry) {
  if (entry.start() < next_offset_) return;
  if (entry.start() > next_offset_) clear(entry.start());
  entries_.push_back(entry);
  size_bytes_ += entry.entry.payload.size();
  next_offset_ = entry.end();
  while (!entries_.empty() && (size_bytes_ > max_bytes_ || entries_.size() > max_entries_)) {
    size_bytes_ -= entries_.front().entry.payload.size();
    entries_.pop_front();
  }
}

std::ptrdiff_t TailCache::find_offset(std::int64_t offset) const {
  if (entries_.empty() || offset < entries_.front().start() || offset >= next_offset_) return -1;
  const auto after = std::upper_bound(
      entries_.begin(), entries_.end(), offset,
      [](std::int64_t position, const StoredEntry& entry) { return position < entry.start(); });
  return after - entries_.begin() - 1;
}

std::ptrdiff_t TailCache::find_ordinal(std::int64_t ordinal) const {
  if (entries_.empty() || ordinal < entries_.front().ordinal) return -1;
  const auto found =
      std::partition_point(entries_.begin(), entries_.end(),
                           [ordinal](const StoredEntry& entry) { return entry.ordinal_end() <= ordinal; });
  return found == entries_.end() ? -1 : found - entries_.begin();
}

}  // namespace wt::stream

// The newest committed entries of a stream, in memory: what nearly every fetch wants.
//
// Holds a contiguous run of entries that ends at the committed end, bounded in payload bytes and in
// entries. Entries share their payloads with whoever appended them.
#pragma once

#include <cstdint>
#include <deque>

#include "sim/stream/types.h"

namespace wt::stream {

class TailCache {
 public:
  TailCache(std::size_t max_bytes, std::size_t max_entries)
      : max_bytes_(max_bytes), max_entries_(max_entries) {}

  // Empty, and expecting the entry that starts at `next_offset`.
  void clear(std::int64_t next_offset);
  // Takes an entry that starts where the run ends; ignores one that is in it; starts anew at a gap.
  void push(const StoredEntry& entry);

  std::int64_t next_offset() const noexcept { return next_offset_; }
  std::size_t size() const noexcept { return entries_.size(); }
  const StoredEntry& at(std::size_t index) const { return entries_[index]; }
  // Index of the entry that covers the offset or ordinal, or -1. Entries without ordinals cover none.
  std::ptrdiff_t find_offset(std::int64_t offset) const;
  std::ptrdiff_t find_ordinal(std::int64_t ordinal) const;

 private:
  std::size_t max_bytes_;
  std::size_t max_entries_;
  std::size_t size_bytes_ = 0;
  std::int64_t next_offset_ = 0;
  std::deque<StoredEntry> entries_;
};

}  // namespace wt::stream

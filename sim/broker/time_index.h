// The largest timestamp of each entry of a partition: finds the entry for a time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace wt::broker {

class TimeIndex {
 public:
  void add(std::int64_t base_offset, std::int64_t max_timestamp_ms);
  void trim(std::int64_t log_start_offset);
  void clear() { entries_.clear(); }
  // Base offset of the first entry with a record at or after the time.
  std::optional<std::int64_t> first_at_or_after(std::int64_t timestamp_ms) const;
  // Base offset of the first entry that has the largest timestamp of all below `upper_offset`.
  std::optional<std::int64_t> largest(std::int64_t upper_offset) const;
  // The next one behind `base_offset`.
  std::optional<std::int64_t> next_at_or_after(std::int64_t base_offset, std::int64_t timestamp_ms) const;
  // Of the entry that begins at `base_offset`; -1 when there is none.
  std::int64_t timestamp_of(std::int64_t base_offset) const;

 private:
  struct Item {
    std::int64_t base_offset;
    std::int64_t max_timestamp_ms;
    std::int64_t running_max_ms;  // of this and all earlier items since the last clear
  };
  std::deque<Item> entries_;
};

}  // namespace wt::broker

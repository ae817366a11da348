#include "sim/broker/time_index.h"

#include <algorithm>

namespace wt::broker {

void TimeIndex::add(std::int64_t base_offset, std::int64_t max_timestamp_ms) {
  const std::int64_t running_ms =
      entries_.empty() ? max_timestamp_ms : std::max(entries_.back().running_max_ms, max_timestamp_ms);
  entries_.push_back({base_offset, max_timestamp_ms, running_ms});
}

void TimeIndex::trim(std::int64_t log_start_offset) {
  // The entry that spans the new start stays: the next one begins behind it.
  bool removed = false;
  while (entries_.size() > 1 && entries_[1].base_offset <= log_start_offset) {
    entries_.pop_front();
    removed = true;
  }
  if (!removed) return;
  std::int64_t running_ms = entries_.front().max_timestamp_ms;
  for (Item& item : entries_) {
    running_ms = std::max(running_ms, item.max_timestamp_ms);
    item.running_max_ms = running_ms;
  }
}

std::optional<std::int64_t> TimeIndex::first_at_or_after(std::int64_t timestamp_ms) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), timestamp_ms,
                       [](const Item& item, std::int64_t t) { return item.running_max_ms < t; });
  if (found == entries_.end()) return std::nullopt;
  return found->base_offset;
}

std::optional<std::int64_t> TimeIndex::largest(std::int64_t upper_offset) const {
  const Item* best = nullptr;
  for (const Item& item : entries_) {
    if (item.base_offset >= upper_offset) break;
    if (best == nullptr || item.max_timestamp_ms > best->max_timestamp_ms) best = &item;
  }
  if (best == nullptr) return std::nullopt;
  return best->base_offset;
}

std::optional<std::int64_t> TimeIndex::next_at_or_after(std::int64_t base_offset,
                                                        std::int64_t timestamp_ms) const {
  for (const Item& item : entries_) {
    if (item.base_offset > base_offset && item.max_timestamp_ms >= timestamp_ms) return item.base_offset;
  }
  return std::nullopt;
}

std::int64_t TimeIndex::timestamp_of(std::int64_t base_offset) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), base_offset,
                       [](const Item& item, std::int64_t offset) { return item.base_offset < offset; });
  return found == entries_.end() || found->base_offset != base_offset ? -1 : found->max_timestamp_ms;
}

}  // namespace wt::broker

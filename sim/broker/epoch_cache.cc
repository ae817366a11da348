#include "sim/broker/epoch_cache.h"

#include <algorithm>
#include <string>

#include "sim/kernel/finding.h"

namespace wt::broker {

void EpochCache::assign(std::int32_t epoch, std::int64_t start_offset) {
  if (epoch <= latest()) return;
  WT_INVARIANT(entries_.empty() || start_offset >= entries_.back().offset, "broker.epoch_cache.order",
               "leader epoch " + std::to_string(epoch) + " starts at " + std::to_string(start_offset) +
                   ", before its predecessor");
  // An epoch in which nothing was written leaves no trace.
  if (!entries_.empty() && entries_.back().offset == start_offset) entries_.pop_back();
  entries_.push_back({epoch, start_offset});
}

EpochCache::End EpochCache::end_of(std::int32_t epoch, std::int64_t log_end_offset) const {
  if (epoch == -1 || entries_.empty()) return {};
  if (epoch == latest()) return {epoch, log_end_offset};
  const auto higher = std::find_if(entries_.begin(), entries_.end(),
                                   [epoch](const Start& start) { return start.epoch > epoch; });
  if (higher == entries_.end()) return {};
  if (higher == entries_.begin()) return {epoch, higher->offset};
  return {std::prev(higher)->epoch, higher->offset};
}

std::int32_t EpochCache::epoch_at(std::int64_t offset) const {
  std::int32_t epoch = -1;
  for (const Start& start : entries_) {
    if (start.offset > offset) break;
    epoch = start.epoch;
  }
  return epoch;
}

void EpochCache::trim(std::int64_t log_start_offset) {
  std::size_t keep = 0;
  while (keep + 1 < entries_.size() && entries_[keep + 1].offset <= log_start_offset) ++keep;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(keep));
  if (!entries_.empty()) entries_.front().offset = std::max(entries_.front().offset, log_start_offset);
}

}  // namespace wt::broker

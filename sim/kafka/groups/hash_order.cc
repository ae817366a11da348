#include "sim/kafka/groups/hash_order.h"

#include <algorithm>
#include <bit>

namespace wt::kafka {
namespace {

constexpr std::size_t kHashMapSlots = 16;
constexpr std::size_t kTimelineSlots = 2;
// 2^64 divided by the golden ratio: the highest bits of a product are well spread.
constexpr std::uint64_t kFibonacci = 0x9E3779B97F4A7C15ULL;

// Java's hash tables of power-of-two sizes look at low bits only; this brings the high ones there.
std::uint32_t spread(std::uint32_t hash) {
  return hash ^ (hash >> 16U);
}

}  // namespace

std::uint32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  const auto add = [&hash](std::uint32_t unit) { hash = hash * 31 + unit; };
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<std::uint8_t>(text[at++]);
    int more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : -1;
    if (more < 0) {
      add(0xfffd);
      continue;
    }
    std::uint32_t point = more == 0 ? lead : lead & (0x3fU >> more);
    for (; more > 0 && at < text.size() && (static_cast<std::uint8_t>(text[at]) & 0xc0) == 0x80; --more) {
      point = point << 6 | (static_cast<std::uint8_t>(text[at++]) & 0x3fU);
    }
    if (more > 0) {
      add(0xfffd);
    } else if (point < 0x10000) {
      add(point);
    } else {
      add(0xd800 + ((point - 0x10000) >> 10));
      add(0xdc00 + ((point - 0x10000) & 0x3ff));
    }
  }
  return hash;
}

HashOrder::HashOrder(Table table) : table_(table) {
  clear();
}

void HashOrder::clear() {
  size_ = 0;
  slots_.assign(table_ == Table::timeline ? kTimelineSlots : kHashMapSlots, {});
}

std::size_t HashOrder::slot_of(std::string_view key) const {
  const std::uint32_t hash = java_hash(key);
  if (table_ == Table::hash_map) return spread(hash) & (slots_.size() - 1);
  // The highest bits of the product of the hash, as a signed number, and the factor.
  const auto wide = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(hash)});
  return (wide * kFibonacci) >> (64 - std::countr_zero(slots_.size()));
}

void HashOrder::grow() {
  std::vector<std::vector<std::string>> before(slots_.size() * 2);
  std::swap(before, slots_);
  for (std::vector<std::string>& slot : before) {
    for (std::string& key : slot) slots_[slot_of(key)].push_back(std::move(key));
  }
}

void HashOrder::put(std::string_view key) {
  if (table_ == Table::timeline && (size_ + 1) * 3 > slots_.size() * 4) grow();
  std::vector<std::string>& slot = slots_[slot_of(key)];
  if (std::find(slot.begin(), slot.end(), key) != slot.end()) return;
  slot.emplace_back(key);
  ++size_;
  if (table_ == Table::hash_map && size_ * 4 > slots_.size() * 3) grow();
}

void HashOrder::erase(std::string_view key) {
  std::vector<std::string>& slot = slots_[slot_of(key)];
  const auto found = std::find(slot.begin(), slot.end(), key);
  if (found == slot.end()) return;
  slot.erase(found);
  --size_;
}

std::vector<std::string> HashOrder::listed() const {
  std::vector<std::string> keys;
  keys.reserve(size_);
  for (const std::vector<std::string>& slot : slots_) {
    if (table_ == Table::timeline) {
      keys.insert(keys.end(), slot.rbegin(), slot.rend());
    } else {
      keys.insert(keys.end(), slot.begin(), slot.end());
    }
  }
  return keys;
}

std::string HashOrder::first() const {
  for (const std::vector<std::string>& slot : slots_) {
    if (!slot.empty()) return table_ == Table::timeline ? slot.back() : slot.front();
  }
  return {};
}

void sort_as_concurrent_map(std::string_view topic, std::size_t most, std::vector<std::int32_t>& partitions) {
  std::size_t slots = kHashMapSlots;
  while (most * 4 >= slots * 3) slots *= 2;
  const std::uint32_t of_topic = java_hash(topic);
  const auto slot_of = [&](std::int32_t partition) {
    return spread(31 * (31 + static_cast<std::uint32_t>(partition)) + of_topic) & (slots - 1);
  };
  std::stable_sort(partitions.begin(), partitions.end(),
                   [&](std::int32_t a, std::int32_t b) { return slot_of(a) < slot_of(b); });
}

}  // namespace wt::kafka

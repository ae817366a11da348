// The keys of the metadata store: found by hash, listed in order.
//
// Most keys of a produce live for a moment (an attempt's protection and commit), and lists are rare: a
// key takes its place in the order only when somebody lists after it was created.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"
#include "sim/formats/crc32c.h"
#include "sim/formats/slice.h"
#include "sim/kernel/lookup_map.h"
#include "sim/metadata/messages.h"

namespace wt::metadata {

inline std::uint64_t text_hash(std::string_view text) noexcept {
  return formats::crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

class KeyTable {
 public:
  struct Item {
    const std::string key;
    Slice value;
    Version version = kAbsent;
    SessionId owner = 0;

   private:
    friend class KeyTable;
    explicit Item(std::string name) : key(std::move(name)) {}
    std::size_t unordered_at = 0;  // its place in `unordered_`, or kOrdered
  };

  KeyTable() = default;
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;

  // Null when absent. Items stay where they are until they are erased.
  Item* find(std::string_view key) noexcept;
  const Item* find(std::string_view key) const noexcept;
  // Precondition: the key is absent.
  Item& create(std::string key);
  // Precondition: the item is of this table; it is gone afterwards, its key with it.
  void erase(Item& item);
  std::size_t size() const noexcept { return items_.size(); }

  // In ascending order. `from`: the first that is not less than `key`; `after`: the first that is greater.
  // Valid until the table changes.
  using Order = absl::btree_map<std::string_view, const Item*>;
  Order::const_iterator from(std::string_view key) const;
  Order::const_iterator after(std::string_view key) const;
  Order::const_iterator end() const { return order_.end(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const noexcept { return mix64(text_hash(key)); }
  };
  static constexpr std::size_t kOrdered = SIZE_MAX;

  void put_in_order() const;

  LookupMap<std::string_view, std::unique_ptr<Item>, Hash> items_;  // keys: the items' own
  // Every item is in one of these two; only lists look, so they may be arranged by a const one.
  mutable Order order_;
  mutable std::vector<Item*> unordered_;
};

}  // namespace wt::metadata

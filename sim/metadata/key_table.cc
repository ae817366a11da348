#include "sim/metadata/key_table.h"

#include <utility>

#include "sim/kernel/finding.h"

namespace wt::metadata {

KeyTable::Item* KeyTable::find(std::string_view key) noexcept {
  const auto* found = items_.find(key);
  return found == nullptr ? nullptr : found->get();
}

const KeyTable::Item* KeyTable::find(std::string_view key) const noexcept {
  const auto* found = items_.find(key);
  return found == nullptr ? nullptr : found->get();
}

KeyTable::Item& KeyTable::create(std::string key) {
  std::unique_ptr<Item> made(new Item(std::move(key)));
  Item& item = *made;
  const bool created = items_.insert(item.key, std::move(made));
  WT_INVARIANT(created, "metadata.key.unique", "the key is there already");
  item.unordered_at = unordered_.size();
  unordered_.push_back(&item);
  return item;
}

void KeyTable::erase(Item& item) {
  if (item.unordered_at == kOrdered) {
    order_.erase(item.key);
  } else {
    Item* const last = unordered_.back();
    unordered_[item.unordered_at] = last;
    last->unordered_at = item.unordered_at;
    unordered_.pop_back();
  }
  const bool erased = items_.erase(std::string_view(item.key));
  WT_INVARIANT(erased, "metadata.key.known", "an item of another table");
}

KeyTable::Order::const_iterator KeyTable::from(std::string_view key) const {
  put_in_order();
  return order_.lower_bound(key);
}

KeyTable::Order::const_iterator KeyTable::after(std::string_view key) const {
  put_in_order();
  return order_.upper_bound(key);
}

void KeyTable::put_in_order() const {
  for (Item* item : unordered_) {
    order_.emplace(item->key, item);
    item->unordered_at = kOrdered;
  }
  unordered_.clear();
}

}  // namespace wt::metadata

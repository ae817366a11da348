// The only hash map of the simulation: fixed hash function and no iteration, so that the order of
// buckets can never reach an event. Use an ordered container where order is needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "sim/kernel/hash.h"

namespace wt {

struct FixedHash {
  using is_transparent = void;
  template <class Integer>
  requires std::is_integral_v<Integer> || std::is_enum_v<Integer> std::size_t operator()(
      Integer value) const noexcept {
    return mix64(static_cast<std::uint64_t>(value));
  }
  std::size_t operator()(std::string_view text) const noexcept { return hash_text(text); }
};

template <class Key, class Value>
class LookupMap {
  using Map = std::unordered_map<Key, Value, FixedHash, std::equal_to<>>;

 public:
  // Pointer to the value of `key`, or null.
  template <class Lookup>
  Value* find(const Lookup& key) {
    auto it = map_.find(key);
    return it == map_.end() ? nullptr : &it->second;
  }
  template <class Lookup>
  const Value* find(const Lookup& key) const {
    auto it = map_.find(key);
    return it == map_.end() ? nullptr : &it->second;
  }
  // False, and nothing changed, when the key is present.
  bool insert(Key key, Value value) { return map_.emplace(std::move(key), std::move(value)).second; }
  Value& operator[](const Key& key) { return map_[key]; }
  bool erase(const Key& key) { return map_.erase(key) > 0; }
  std::size_t size() const noexcept { return map_.size(); }
  bool empty() const noexcept { return map_.empty(); }
  void clear() noexcept { map_.clear(); }

 private:
  Map map_;
};

}  // namespace wt

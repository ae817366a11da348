// The only hash map of the simulation: fixed hash function and no iteration, so that the order of
// buckets can never reach an event. Use an ordered container where order is needed.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/container/flat_hash_map.h"
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

// Values move when the map grows: hold what must stay in place behind a pointer. `Hash` depends on the
// key alone: never on an address, never on a seed of the process.
template <class Key, class Value, class Hash = FixedHash>
class LookupMap {
 public:
  // Pointer to the value of `key`, or null; valid until the next insertion.
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
  bool insert(Key key, Value value) { return map_.try_emplace(std::move(key), std::move(value)).second; }
  // The new value of a key that is not present, in place.
  Value& add(Key key) { return map_.try_emplace(std::move(key)).first->second; }
  // Takes out the value of a key that is present: it is destroyed only when the map is whole again.
  template <class Lookup>
  Value take(const Lookup& key) {
    auto it = map_.find(key);
    Value taken = std::move(it->second);
    map_.erase(it);
    return taken;
  }
  template <class Lookup>
  bool erase(const Lookup& key) {
    return map_.erase(key) > 0;
  }
  std::size_t size() const noexcept { return map_.size(); }
  bool empty() const noexcept { return map_.empty(); }
  void clear() noexcept { map_.clear(); }

 private:
  absl::flat_hash_map<Key, Value, Hash, std::equal_to<>> map_;
};

}  // namespace wt

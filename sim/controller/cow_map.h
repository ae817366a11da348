// Ordered map whose copies are cheap: what snapshots of the metadata are made of.
//
// Entries live in sorted chunks that copies share; changing an entry copies its chunk only. A copy
// costs one pointer for each chunk of up to 64 entries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace wt::controller {

// A shared value that is copied before it is changed when somebody else holds it too.
template <class T>
class CowPtr {
 public:
  CowPtr() : value_(std::make_shared<T>()) {}
  explicit CowPtr(T value) : value_(std::make_shared<T>(std::move(value))) {}
  const T& operator*() const noexcept { return *value_; }
  const T* operator->() const noexcept { return value_.get(); }
  T& change() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
};

template <class Key, class Value>
class CowMap {
 public:
  using Entry = std::pair<Key, Value>;
  static constexpr std::size_t kMaxChunk = 64;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  // Pointer to the value of `key`, or null. Valid until the map changes.
  template <class Lookup>
  const Value* find(const Lookup& key) const {
    const std::size_t at = chunk_of(key);
    if (at == chunks_.size()) return nullptr;
    const auto it = lower(*chunks_[at], key);
    return it != chunks_[at]->end() && it->first == key ? &it->second : nullptr;
  }

  // The value to change, or null. Copies the chunk when it is shared.
  template <class Lookup>
  Value* change(const Lookup& key) {
    const std::size_t at = chunk_of(key);
    if (at == chunks_.size()) return nullptr;
    Chunk& chunk = chunks_[at].change();
    const auto it = lower(chunk, key);
    return it != chunk.end() && it->first == key ? &it->second : nullptr;
  }

  void set(Key key, Value value) {
    if (chunks_.empty()) {
      Chunk first;
      first.emplace_back(std::move(key), std::move(value));
      chunks_.emplace_back(std::move(first));
      size_ = 1;
      return;
    }
    const std::size_t at = std::min(chunk_of(key), chunks_.size() - 1);
    Chunk& chunk = chunks_[at].change();
    const auto it = lower(chunk, key);
    if (it != chunk.end() && it->first == key) {
      it->second = std::move(value);
      return;
    }
    chunk.insert(it, Entry(std::move(key), std::move(value)));
    ++size_;
    if (chunk.size() > kMaxChunk) split(at);
  }

  template <class Lookup>
  bool erase(const Lookup& key) {
    const std::size_t at = chunk_of(key);
    if (at == chunks_.size() || find(key) == nullptr) return false;
    Chunk& chunk = chunks_[at].change();
    chunk.erase(lower(chunk, key));
    if (chunk.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(at));
    --size_;
    return true;
  }

  // Calls `visit(key, value)` in order of the keys.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& chunk : chunks_) {
      for (const Entry& entry : *chunk) visit(entry.first, entry.second);
    }
  }

 private:
  using Chunk = std::vector<Entry>;

  // The first chunk whose last key is not smaller.
  template <class Lookup>
  std::size_t chunk_of(const Lookup& key) const {
    const auto it = std::partition_point(chunks_.begin(), chunks_.end(), [&key](const CowPtr<Chunk>& chunk) {
      return chunk->back().first < key;
    });
    return static_cast<std::size_t>(it - chunks_.begin());
  }
  template <class ChunkType, class Lookup>
  static auto lower(ChunkType& chunk, const Lookup& key) {
    return std::partition_point(chunk.begin(), chunk.end(),
                                [&key](const Entry& entry) { return entry.first < key; });
  }
  void split(std::size_t at) {
    Chunk& low = chunks_[at].change();
    const auto middle = low.begin() + static_cast<std::ptrdiff_t>(low.size() / 2);
    Chunk high(std::make_move_iterator(middle), std::make_move_iterator(low.end()));
    low.erase(middle, low.end());
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(at) + 1, CowPtr<Chunk>(std::move(high)));
  }

  std::vector<CowPtr<Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace wt::controller

// Immutable, reference-counted pieces of bytes.
//
// A Slice is a view into a Block that it keeps alive. Bytes read from a connection land in a block
// once and travel as slices to the log and back to other connections; nothing copies or changes
// them. Counts are not atomic: slices belong to the one thread of the simulation.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace wt {

// A piece smaller than this is copied out of its read block, so that it never pins the whole block.
inline constexpr std::size_t kCopyBelow_bytes = 1024;
// Size of the blocks that a connection reads into.
inline constexpr std::size_t kReadBlock_bytes = 256 * 1024;

// Storage behind slices: a header followed by `capacity` bytes, freed with the last slice.
class Block {
 public:
  // A new block with one reference, owned by the caller.
  static Block* create(std::size_t capacity_bytes);
  void ref() noexcept { ++references_; }
  void unref() noexcept {
    if (--references_ == 0) destroy(this);
  }
  std::uint8_t* data() noexcept { return reinterpret_cast<std::uint8_t*>(this + 1); }
  std::size_t capacity() const noexcept { return capacity_bytes_; }
  bool unique() const noexcept { return references_ == 1; }

 private:
  explicit Block(std::size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}
  static void destroy(Block* block) noexcept;

  std::size_t capacity_bytes_;
  std::uint64_t references_ = 1;
};

class Slice {
 public:
  Slice() = default;
  // Shares `block`; `data` must lie inside it.
  Slice(Block* block, const std::uint8_t* data, std::size_t size_bytes) noexcept
      : block_(block), data_(data), size_bytes_(size_bytes) {
    if (block_ != nullptr) block_->ref();
  }
  Slice(const Slice& other) noexcept : Slice(other.block_, other.data_, other.size_bytes_) {}
  Slice(Slice&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        size_bytes_(std::exchange(other.size_bytes_, 0)) {}
  Slice& operator=(Slice other) noexcept {
    std::swap(block_, other.block_);
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
  }
  ~Slice() {
    if (block_ != nullptr) block_->unref();
  }

  // A slice with its own copy of the bytes.
  static Slice copy_of(std::span<const std::uint8_t> bytes);
  static Slice copy_of(std::string_view text);

  const std::uint8_t* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_bytes_; }
  bool empty() const noexcept { return size_bytes_ == 0; }
  std::span<const std::uint8_t> bytes() const noexcept { return {data_, size_bytes_}; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_bytes_}; }

  // Part of this slice sharing the block; offset + size_bytes must be within size(). An empty part
  // pins nothing.
  Slice sub(std::size_t offset, std::size_t size_bytes) const noexcept {
    if (size_bytes == 0) return {};
    return Slice(block_, data_ + offset, size_bytes);
  }
  Slice from(std::size_t offset) const noexcept { return sub(offset, size_bytes_ - offset); }
  // The same bytes, copied out when they are few enough that sharing would waste the block.
  Slice compact() const;

  friend bool operator==(const Slice& a, const Slice& b) noexcept {
    return a.size_bytes_ == b.size_bytes_ &&
           (a.size_bytes_ == 0 || std::memcmp(a.data_, b.data_, a.size_bytes_) == 0);
  }

 private:
  Block* block_ = nullptr;
  const std::uint8_t* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

// A gathered message: slices sent one after the other.
using SliceList = std::vector<Slice>;

std::size_t total_size(const SliceList& slices) noexcept;
// One contiguous copy of all.
Slice flatten(const SliceList& slices);

}  // namespace wt

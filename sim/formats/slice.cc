#include "sim/formats/slice.h"

#include <new>

namespace wt {

Block* Block::create(std::size_t capacity_bytes) {
  void* memory = ::operator new(sizeof(Block) + capacity_bytes);
  return new (memory) Block(capacity_bytes);
}

void Block::destroy(Block* block) noexcept {
  block->~Block();
  ::operator delete(block);
}

Slice Slice::copy_of(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return {};
  Block* block = Block::create(bytes.size());
  std::memcpy(block->data(), bytes.data(), bytes.size());
  Slice slice(block, block->data(), bytes.size());
  block->unref();
  return slice;
}

Slice Slice::copy_of(std::string_view text) {
  return copy_of(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

Slice Slice::compact() const {
  if (block_ == nullptr || size_bytes_ >= kCopyBelow_bytes || block_->capacity() < 4 * size_bytes_)
    return *this;
  return copy_of(bytes());
}

std::size_t total_size(const SliceList& slices) noexcept {
  std::size_t total_bytes = 0;
  for (const Slice& slice : slices) total_bytes += slice.size();
  return total_bytes;
}

Slice flatten(const SliceList& slices) {
  if (slices.size() == 1) return slices.front();
  const std::size_t total_bytes = total_size(slices);
  if (total_bytes == 0) return {};
  Block* block = Block::create(total_bytes);
  std::uint8_t* out = block->data();
  for (const Slice& slice : slices) {
    if (!slice.empty()) std::memcpy(out, slice.data(), slice.size());
    out += slice.size();
  }
  Slice whole(block, block->data(), total_bytes);
  block->unref();
  return whole;
}

}  // namespace wt

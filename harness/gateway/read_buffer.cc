#include "harness/gateway/read_buffer.h"

namespace wt::harness {
namespace {

// A block with less room than this is not read into any more: short reads cost more than memory.
constexpr std::size_t kLeastRoom_bytes = 64 * 1024;

}  // namespace

ReadBuffer::~ReadBuffer() {
  if (block_ != nullptr) block_->unref();
}

std::span<std::uint8_t> ReadBuffer::room() {
  if (block_ != nullptr && block_->unique()) used_bytes_ = 0;  // nobody refers to what was read before
  if (block_ != nullptr && block_->capacity() - used_bytes_ < kLeastRoom_bytes) {
    block_->unref();
    block_ = nullptr;
  }
  if (block_ == nullptr) {
    block_ = Block::create(kReadBlock_bytes);
    used_bytes_ = 0;
  }
  return {block_->data() + used_bytes_, block_->capacity() - used_bytes_};
}

Slice ReadBuffer::take(std::size_t size_bytes) {
  Slice slice(block_, block_->data() + used_bytes_, size_bytes);
  used_bytes_ += size_bytes;
  return slice;
}

}  // namespace wt::harness

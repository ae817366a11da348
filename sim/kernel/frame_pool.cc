#include "sim/kernel/frame_pool.h"

#include <array>
#include <new>

namespace wt {

#ifdef WT_SANITIZED

void* allocate_frame(std::size_t size_bytes) {
  return ::operator new(size_bytes);
}
void free_frame(void* frame, std::size_t) noexcept {
  ::operator delete(frame);
}

#else

namespace {

constexpr std::size_t kClass_bytes = 64;
constexpr std::size_t kClasses = 32;  // frames up to 2 KiB
constexpr std::size_t kMaxKeptPerClass = 4096;

// Free blocks of this thread. A cache only: nothing that a run does can depend on it.
class FramePool {
 public:
  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  ~FramePool() {
    for (FreeBlock*& block : heads_) {
      while (block != nullptr) ::operator delete(std::exchange(block, block->next));
    }
    closed_ = true;
  }

  void* allocate(std::size_t size_bytes) {
    const std::size_t index = (size_bytes - 1) / kClass_bytes;
    if (index >= kClasses || heads_[index] == nullptr) {
      return ::operator new(index < kClasses ? (index + 1) * kClass_bytes : size_bytes);
    }
    FreeBlock* block = heads_[index];
    heads_[index] = block->next;
    --counts_[index];
    return block;
  }

  void free(void* frame, std::size_t size_bytes) noexcept {
    const std::size_t index = (size_bytes - 1) / kClass_bytes;
    if (index >= kClasses || counts_[index] >= kMaxKeptPerClass || closed_) {
      ::operator delete(frame);
      return;
    }
    heads_[index] = new (frame) FreeBlock{heads_[index]};
    ++counts_[index];
  }

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  std::array<FreeBlock*, kClasses> heads_{};
  std::array<std::size_t, kClasses> counts_{};
  bool closed_ = false;
};

thread_local FramePool pool;

}  // namespace

void* allocate_frame(std::size_t size_bytes) {
  return pool.allocate(size_bytes);
}
void free_frame(void* frame, std::size_t size_bytes) noexcept {
  pool.free(frame, size_bytes);
}

#endif

}  // namespace wt

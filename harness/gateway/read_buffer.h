// Where bytes are read to. Small reads of many connections share a block.
#pragma once

#include <span>

#include "sim/formats/slice.h"

namespace wt::harness {

class ReadBuffer {
 public:
  ReadBuffer() = default;
  ReadBuffer(const ReadBuffer&) = delete;
  ReadBuffer& operator=(const ReadBuffer&) = delete;
  ~ReadBuffer();
  // Room for one read: never empty.
  std::span<std::uint8_t> room();
  // The first bytes of the room, which were filled.
  Slice take(std::size_t size_bytes);

 private:
  Block* block_ = nullptr;
  std::size_t used_bytes_ = 0;
};

}  // namespace wt::harness

#include "sim/formats/crc32c.h"

#include <isa-l/crc.h>

namespace wt::formats {

// ISA-L neither inverts the initial value nor the result, and takes an int length.
std::uint32_t crc32c_extend(std::uint32_t crc, std::span<const std::uint8_t> bytes) noexcept {
  constexpr std::size_t kMaxStep_bytes = std::size_t{1} << 30;
  std::uint32_t state = ~crc;
  while (!bytes.empty()) {
    const std::size_t step_bytes = std::min(bytes.size(), kMaxStep_bytes);
    state = crc32_iscsi(const_cast<unsigned char*>(bytes.data()), static_cast<int>(step_bytes), state);
    bytes = bytes.subspan(step_bytes);
  }
  return ~state;
}

std::uint32_t crc32c(const SliceList& slices) noexcept {
  std::uint32_t crc = 0;
  for (const Slice& slice : slices) crc = crc32c_extend(crc, slice.bytes());
  return crc;
}

}  // namespace wt::formats

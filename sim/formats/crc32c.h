// CRC32C (Castagnoli), the checksum of Kafka record batches and of stored entries.
//
// The running value passed between calls is the finished checksum of the bytes so far, so that
// crc32c_extend(crc32c(a), b) equals crc32c(a followed by b), and the checksum of no bytes is 0.
#pragma once

#include <cstdint>
#include <span>

#include "sim/formats/slice.h"

namespace wt::formats {

std::uint32_t crc32c_extend(std::uint32_t crc, std::span<const std::uint8_t> bytes) noexcept;
inline std::uint32_t crc32c(std::span<const std::uint8_t> bytes) noexcept {
  return crc32c_extend(0, bytes);
}
std::uint32_t crc32c(const SliceList& slices) noexcept;

}  // namespace wt::formats

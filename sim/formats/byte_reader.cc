#include "sim/formats/byte_reader.h"

namespace wt {

std::uint64_t ByteReader::unsigned_varlong(int max_bytes) noexcept {
  std::uint64_t value = 0;
  for (int i = 0; i < max_bytes; ++i) {
    const std::uint8_t byte = u8();
    if (!ok_) return 0;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
    if ((byte & 0x80) == 0) return value;
  }
  fail();
  return 0;
}

// Bits of the fifth byte beyond 32 are dropped, as Kafka's and Protobuf's readers drop them.
std::uint32_t ByteReader::unsigned_varint() noexcept {
  return static_cast<std::uint32_t>(unsigned_varlong(5));
}

std::int32_t ByteReader::varint() noexcept {
  const std::uint32_t raw = unsigned_varint();
  return static_cast<std::int32_t>((raw >> 1) ^ (~(raw & 1) + 1));
}

std::int64_t ByteReader::varlong() noexcept {
  const std::uint64_t raw = unsigned_varlong(10);
  return static_cast<std::int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
}

}  // namespace wt

// Appending big-endian fields and varints to a growing buffer.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/formats/slice.h"

namespace wt {

class ByteWriter {
 public:
  ByteWriter() = default;
  explicit ByteWriter(std::size_t reserve_bytes) { bytes_.reserve(reserve_bytes); }

  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void i8(std::int8_t value) { u8(static_cast<std::uint8_t>(value)); }
  void u16(std::uint16_t value) { unsigned_field<2>(value); }
  void i16(std::int16_t value) { unsigned_field<2>(static_cast<std::uint16_t>(value)); }
  void u32(std::uint32_t value) { unsigned_field<4>(value); }
  void i32(std::int32_t value) { unsigned_field<4>(static_cast<std::uint32_t>(value)); }
  void u64(std::uint64_t value) { unsigned_field<8>(value); }
  void i64(std::int64_t value) { unsigned_field<8>(static_cast<std::uint64_t>(value)); }
  void unsigned_varint(std::uint32_t value) { unsigned_varlong(value); }
  void varint(std::int32_t value) {
    unsigned_varlong((static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31));
  }
  void varlong(std::int64_t value) {
    unsigned_varlong((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void bytes(std::span<const std::uint8_t> value) { bytes_.insert(bytes_.end(), value.begin(), value.end()); }
  void text(std::string_view value) {
    bytes({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
  }

  // Overwrites four bytes written earlier, such as a length known only at the end.
  void patch_i32(std::size_t at, std::int32_t value) {
    for (int i = 0; i < 4; ++i)
      bytes_[at + i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> (24 - 8 * i));
  }

  std::size_t size() const noexcept { return bytes_.size(); }
  std::span<const std::uint8_t> view() const noexcept { return bytes_; }
  std::vector<std::uint8_t> take() noexcept { return std::move(bytes_); }
  Slice to_slice() const { return Slice::copy_of(bytes_); }
  void clear() noexcept { bytes_.clear(); }

 private:
  template <int kBytes>
  void unsigned_field(std::uint64_t value) {
    std::uint8_t field[kBytes];
    for (int i = 0; i < kBytes; ++i) field[i] = static_cast<std::uint8_t>(value >> (8 * (kBytes - 1 - i)));
    bytes_.insert(bytes_.end(), field, field + kBytes);
  }
  void unsigned_varlong(std::uint64_t value) {
    while (value >= 0x80) {
      u8(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    u8(static_cast<std::uint8_t>(value));
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace wt

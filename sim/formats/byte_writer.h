// Appending big-endian fields and varints to a growing buffer.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/formats/slice.h"

namespace wt {

class ByteWriter {
 public:
  ByteWriter() = default;
  explicit ByteWriter(std::size_t reserve_bytes) : bytes_(reserve_bytes) {}

  void u8(std::uint8_t value) { *extend(1) = value; }
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
  void bytes(std::span<const std::uint8_t> value) {
    if (!value.empty()) std::memcpy(extend(value.size()), value.data(), value.size());
  }
  void text(std::string_view value) {
    bytes({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
  }

  // Overwrites four bytes written earlier, such as a length known only at the end.
  void patch_i32(std::size_t at, std::int32_t value) {
    for (int i = 0; i < 4; ++i)
      bytes_[at + i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> (24 - 8 * i));
  }

  std::size_t size() const noexcept { return size_; }
  std::span<const std::uint8_t> view() const noexcept { return {bytes_.data(), size_}; }
  std::vector<std::uint8_t> take() noexcept {
    bytes_.resize(std::exchange(size_, 0));
    return std::exchange(bytes_, {});
  }
  Slice to_slice() const { return Slice::copy_of(view()); }
  void clear() noexcept { size_ = 0; }

 private:
  // Where the next bytes go, which count as written.
  std::uint8_t* extend(std::size_t size_bytes) {
    if (bytes_.size() - size_ < size_bytes) grow(size_bytes);
    std::uint8_t* at = bytes_.data() + size_;
    size_ += size_bytes;
    return at;
  }
  void grow(std::size_t size_bytes) {
    bytes_.resize(std::max(size_ + size_bytes, std::max<std::size_t>(2 * bytes_.size(), 32)));
  }
  template <int kBytes>
  void unsigned_field(std::uint64_t value) {
    std::uint8_t* field = extend(kBytes);
    for (int i = 0; i < kBytes; ++i) field[i] = static_cast<std::uint8_t>(value >> (8 * (kBytes - 1 - i)));
  }
  void unsigned_varlong(std::uint64_t value) {
    // Not a byte more than needed: a buffer that was reserved for the whole must not grow at its end.
    const auto bits = static_cast<std::size_t>(std::bit_width(value | 1));
    std::uint8_t* at = extend((bits + 6) / 7);
    for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::uint8_t>(value | 0x80);
    *at = static_cast<std::uint8_t>(value);
  }

  std::vector<std::uint8_t> bytes_;  // written up to size_
  std::size_t size_ = 0;
};

}  // namespace wt

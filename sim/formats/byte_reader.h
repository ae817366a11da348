// Bounds-checked reading of big-endian fields and varints from outside bytes.
//
// A reader never throws and never reads past its end: the first failed read marks it bad, and every
// later read returns zero or empty. Callers check ok() once, after reading a group of fields.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wt {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes)
      : at_(bytes.data()), end_(at_ + bytes.size()), begin_(at_) {}

  bool ok() const noexcept { return ok_; }
  std::size_t remaining() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  std::size_t position() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  void fail() noexcept {
    ok_ = false;
    at_ = end_;
  }

  std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(unsigned_field<1>()); }
  std::int8_t i8() noexcept { return static_cast<std::int8_t>(unsigned_field<1>()); }
  std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(unsigned_field<2>()); }
  std::int16_t i16() noexcept { return static_cast<std::int16_t>(unsigned_field<2>()); }
  std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(unsigned_field<4>()); }
  std::int32_t i32() noexcept { return static_cast<std::int32_t>(unsigned_field<4>()); }
  std::uint64_t u64() noexcept { return unsigned_field<8>(); }
  std::int64_t i64() noexcept { return static_cast<std::int64_t>(unsigned_field<8>()); }

  // Base-128, least significant group first, at most five bytes; surplus high bits are dropped.
  std::uint32_t unsigned_varint() noexcept;
  // Zigzag forms, at most five and ten bytes.
  std::int32_t varint() noexcept;
  std::int64_t varlong() noexcept;

  // A view of the next size_bytes bytes; empty and bad when there are fewer.
  std::span<const std::uint8_t> take(std::size_t size_bytes) noexcept {
    if (size_bytes > remaining()) {
      fail();
      return {};
    }
    std::span<const std::uint8_t> view(at_, size_bytes);
    at_ += size_bytes;
    return view;
  }
  std::string_view take_text(std::size_t size_bytes) noexcept {
    auto view = take(size_bytes);
    return {reinterpret_cast<const char*>(view.data()), view.size()};
  }

 private:
  template <int kBytes>
  std::uint64_t unsigned_field() noexcept {
    if (remaining() < kBytes) {
      fail();
      return 0;
    }
    std::uint64_t value = 0;
    for (int i = 0; i < kBytes; ++i) value = value << 8 | at_[i];
    at_ += kBytes;
    return value;
  }
  std::uint64_t unsigned_varlong(int max_bytes) noexcept;

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  const std::uint8_t* begin_;
  bool ok_ = true;
};

}  // namespace wt

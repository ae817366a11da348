// Reads the variable-length numbers and texts of a recording.
#pragma once

#include <string>

#include "sim/formats/byte_reader.h"

namespace wt::harness {

inline std::uint64_t take_number(ByteReader& in) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t group = in.u8();
    value |= static_cast<std::uint64_t>(group & 0x7F) << shift;
    if ((group & 0x80) == 0) return value;
  }
  in.fail();
  return 0;
}

inline std::string take_string(ByteReader& in) {
  const std::uint64_t size_bytes = take_number(in);
  if (size_bytes > in.remaining()) {
    in.fail();
    return {};
  }
  return std::string(in.take_text(static_cast<std::size_t>(size_bytes)));
}

// A count of things of at least `least_bytes` each; bad when the rest cannot hold them.
inline std::size_t take_count(ByteReader& in, std::size_t least_bytes) {
  const std::uint64_t count = take_number(in);
  if (count > in.remaining() / least_bytes) {
    in.fail();
    return 0;
  }
  return static_cast<std::size_t>(count);
}

}  // namespace wt::harness

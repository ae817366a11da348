#include "sim/formats/crc32c.h"

#include <catch2/catch.hpp>

using namespace wt;
using namespace wt::formats;

TEST_CASE("CRC32C test vectors of RFC 3720") {
  std::vector<std::uint8_t> bytes(32, 0);
  CHECK(crc32c(bytes) == 0x8A9136AAU);
  std::fill(bytes.begin(), bytes.end(), 0xFF);
  CHECK(crc32c(bytes) == 0x62A8AB43U);
  for (int i = 0; i < 32; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  CHECK(crc32c(bytes) == 0x46DD794EU);
  CHECK(crc32c(Slice::copy_of("123456789").bytes()) == 0xE3069283U);
  CHECK(crc32c(std::span<const std::uint8_t>()) == 0);
}

TEST_CASE("CRC32C in pieces equals CRC32C of the whole") {
  std::vector<std::uint8_t> bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 31);
  const std::uint32_t whole = crc32c(bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); cut += 37) {
    const auto view = std::span<const std::uint8_t>(bytes);
    CHECK(crc32c_extend(crc32c(view.first(cut)), view.subspan(cut)) == whole);
    CHECK(crc32c(SliceList{Slice::copy_of(view.first(cut)), Slice(), Slice::copy_of(view.subspan(cut))}) ==
          whole);
  }
}

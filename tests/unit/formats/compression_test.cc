#include "sim/formats/compression.h"

#include <catch2/catch.hpp>

using namespace wt::formats;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::size_t kLimit_bytes = 1 << 20;

Bytes from_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  return bytes;
}

Bytes bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

Bytes join(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes sentence() {
  const std::string_view once = "The quick brown fox jumps over the lazy dog. ";
  return join(join(bytes_of(once), bytes_of(once)), bytes_of(once));
}

std::string text_of(const absl::StatusOr<Bytes>& content) {
  return content.ok() ? std::string(content->begin(), content->end())
                      : std::string(content.status().message());
}

bool malformed(Codec codec, const Bytes& bytes) {
  return absl::IsInvalidArgument(decompress(codec, bytes, kLimit_bytes).status());
}

// Written by other encoders: Python's gzip, and the zstd and lz4 command line tools.
const char kPythonGzip[] =
    "1f8b08000000000002030bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456552aa4e4a7"
    "eb2984d04c31"
    "0058001e0087000000";
const char kGzipWithName[] =
    "1f8b08080000000000036e616d65000bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456"
    "552aa4e4a7eb"
    "2984d04c310058001e0087000000";
const char kZstd[] =
    "28b52ffd0058ad0100d40254686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a792064"
    "6f672e200100"
    "3d38a932";
const char kZstdChecked[] =
    "28b52ffd0468ad0100d40254686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a792064"
    "6f672e200100"
    "3d38a93258a7a5fa";
const char kLz4[] =
    "04224d1860408238000000ff1e54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a79"
    "20646f672e20"
    "2d004250646f672e2000000000";
const char kLz4AllChecks[] =
    "04224d187440bd38000000ff1e54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a79"
    "20646f672e20"
    "2d004250646f672e20054d3852000000000cbefb05";
}  // namespace

TEST_CASE("every codec returns what it was given, the same bytes each time") {
  for (const Codec codec : kAllCodecs) {
    for (const std::size_t size_bytes : {0, 1, 100, 40'000, 300'000}) {
      Bytes content(size_bytes);
      std::uint32_t state = 1;
      for (std::size_t i = 0; i < size_bytes; ++i) {
        state = state * 1664525 + 1013904223;
        content[i] = static_cast<std::uint8_t>((i % 1000 < 500) ? state >> 24 : i % 7);
      }
      INFO(codec_name(codec) << " of " << size_bytes);
      const Bytes packed = compress(codec, content);
      CHECK(packed == compress(codec, content));
      const auto back = decompress(codec, packed, size_bytes);
      REQUIRE(back.ok());
      CHECK(*back == content);
      if (size_bytes > 0)
        CHECK(absl::IsResourceExhausted(decompress(codec, packed, size_bytes - 1).status()));
    }
  }
}

TEST_CASE("what other encoders wrote is read") {
  CHECK(text_of(decompress(Codec::kGzip, from_hex(kPythonGzip), kLimit_bytes)) == text_of(sentence()));
  CHECK(text_of(decompress(Codec::kGzip, from_hex(kGzipWithName), kLimit_bytes)) == text_of(sentence()));
  CHECK(text_of(decompress(Codec::kZstd, from_hex(kZstd), kLimit_bytes)) == text_of(sentence()));
  CHECK(text_of(decompress(Codec::kZstd, from_hex(kZstdChecked), kLimit_bytes)) == text_of(sentence()));
  CHECK(text_of(decompress(Codec::kLz4, from_hex(kLz4), kLimit_bytes)) == text_of(sentence()));
  CHECK(text_of(decompress(Codec::kLz4, from_hex(kLz4AllChecks), kLimit_bytes)) == text_of(sentence()));
}

TEST_CASE("a cut stream is refused at every length") {
  for (const Codec codec : {Codec::kGzip, Codec::kLz4, Codec::kZstd}) {
    const Bytes packed = compress(codec, sentence());
    for (std::size_t size_bytes = 0; size_bytes < packed.size(); ++size_bytes) {
      INFO(codec_name(codec) << " cut at " << size_bytes);
      CHECK(
          malformed(codec, Bytes(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size_bytes))));
    }
  }
}

TEST_CASE("gzip: further members count, other bytes behind do not") {
  const Bytes one = compress(Codec::kGzip, bytes_of("one "));
  const Bytes two = compress(Codec::kGzip, bytes_of("two"));
  CHECK(text_of(decompress(Codec::kGzip, join(one, two), kLimit_bytes)) == "one two");
  CHECK(text_of(decompress(Codec::kGzip, join(one, bytes_of("trailing garbage that is no member")),
                           kLimit_bytes)) == "one ");
  Bytes broken = join(one, two);
  broken[one.size() + 12] ^= 0xFF;
  CHECK(malformed(Codec::kGzip, broken));
  Bytes wrong_sum = one;
  wrong_sum[wrong_sum.size() - 8] ^= 1;
  CHECK(malformed(Codec::kGzip, wrong_sum));
}

TEST_CASE("snappy: framed, raw and concatenated") {
  CHECK(text_of(decompress(Codec::kSnappy, compress_raw_snappy(sentence()), kLimit_bytes)) ==
        text_of(sentence()));
  const Bytes framed = compress(Codec::kSnappy, sentence());
  const Bytes head = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1};
  CHECK(Bytes(framed.begin(), framed.begin() + 16) == head);
  CHECK(text_of(decompress(Codec::kSnappy, join(framed, framed), kLimit_bytes)) ==
        text_of(join(sentence(), sentence())));
  // Written by hand: a literal of three bytes.
  CHECK(text_of(decompress(Codec::kSnappy, Bytes{3, 2 << 2, 'a', 'b', 'c'}, kLimit_bytes)) == "abc");
  CHECK(text_of(decompress(Codec::kSnappy, join(head, {0, 0, 0, 5, 3, 2 << 2, 'x', 'y', 'z'}),
                           kLimit_bytes)) == "xyz");
  CHECK(text_of(decompress(Codec::kSnappy, join(framed, {0, 0, 0}), kLimit_bytes)) == text_of(sentence()));
  CHECK(malformed(Codec::kSnappy, join(framed, {0, 0, 0, 9, 1})));
  CHECK(malformed(Codec::kSnappy, {}));
}

TEST_CASE("lz4: dependent blocks, bad checksums and missing end marks are refused") {
  Bytes bad = from_hex(kLz4);
  bad[4] = 0x40;  // flags without block independence, and their checksum
  bad[6] = 0xC0;
  CHECK(text_of(decompress(Codec::kLz4, bad, kLimit_bytes)) == "lz4: dependent blocks are unsupported");
  bad = from_hex(kLz4AllChecks);
  bad[6] ^= 1;  // descriptor checksum
  CHECK(malformed(Codec::kLz4, bad));
  bad = from_hex(kLz4AllChecks);
  bad[bad.size() - 9] ^= 1;  // block checksum
  CHECK(malformed(Codec::kLz4, bad));
  bad = from_hex(kLz4AllChecks);
  bad.back() ^= 1;  // content checksum, which brokers do not verify
  CHECK(decompress(Codec::kLz4, bad, kLimit_bytes).ok());
  CHECK(text_of(decompress(Codec::kLz4, join(from_hex(kLz4), bytes_of("behind")), kLimit_bytes)) ==
        text_of(sentence()));
}

TEST_CASE("zstd: several frames, skippable frames and garbage") {
  const Bytes frame = from_hex(kZstd);
  const Bytes skippable = {0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9};
  CHECK(text_of(decompress(Codec::kZstd, join(frame, compress(Codec::kZstd, bytes_of("more"))),
                           kLimit_bytes)) == text_of(join(sentence(), bytes_of("more"))));
  CHECK(text_of(decompress(Codec::kZstd, join(join(frame, skippable), frame), kLimit_bytes)) ==
        text_of(join(sentence(), sentence())));
  CHECK(malformed(Codec::kZstd, join(frame, {1, 2, 3, 4})));
}

TEST_CASE("a small input that announces or holds a huge content is cut off at the limit") {
  const Bytes zeros(8 << 20, 0);
  for (const Codec codec : {Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd}) {
    const Bytes bomb = compress(codec, zeros);
    INFO(codec_name(codec) << " bomb of " << bomb.size());
    CHECK(absl::IsResourceExhausted(decompress(codec, bomb, kLimit_bytes).status()));
  }
  // Announces 4 GiB - 1 in a raw block of ten bytes.
  CHECK_FALSE(
      decompress(Codec::kSnappy, Bytes{0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 1, 2, 3, 4}, std::size_t{1} << 33)
          .ok());
  // A frame header that announces 2^40 bytes, then one empty last block.
  CHECK_FALSE(decompress(Codec::kZstd, Bytes{0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0},
                         std::size_t{1} << 62)
                  .ok());
}

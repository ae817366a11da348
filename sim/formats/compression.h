// The compression codecs of Kafka record batches.
//
// compress() is deterministic for one version of the codec libraries: fixed levels, no time stamps,
// no threads. decompress() accepts what a Java broker accepts and refuses what it refuses:
//   gzip    several members; bytes after the last member that are no member are ignored
//   snappy  xerial framing (concatenated streams too) or one raw snappy block
//   lz4     one frame with independent blocks; block and descriptor checksums are verified, the
//           content checksum is not; what follows the end mark is ignored
//   zstd    any number of frames and skippable frames; anything else after a frame is refused
// Output is grown as bytes are produced or after a declared size has been checked against the
// limit, never because an input announces a large size.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace wt::formats {

enum class Codec : std::uint8_t { kNone = 0, kGzip = 1, kSnappy = 2, kLz4 = 3, kZstd = 4 };
inline constexpr Codec kAllCodecs[] = {Codec::kNone, Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd};

// Whether `id`, from a batch's attributes, names a codec.
inline bool is_known_codec(int id) noexcept {
  return id >= 0 && id <= 4;
}
std::string_view codec_name(Codec codec) noexcept;

// kResourceExhausted: the content is larger than limit_bytes. kInvalidArgument: not valid `codec`.
absl::StatusOr<std::vector<std::uint8_t>> decompress(Codec codec, std::span<const std::uint8_t> compressed,
                                                     std::size_t limit_bytes);
// Snappy is written with xerial framing, as every Kafka client writes it.
std::vector<std::uint8_t> compress(Codec codec, std::span<const std::uint8_t> content);
// One raw snappy block, which some clients send and brokers accept.
std::vector<std::uint8_t> compress_raw_snappy(std::span<const std::uint8_t> content);

}  // namespace wt::formats

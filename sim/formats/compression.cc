#include "sim/formats/compression.h"

#include "sim/formats/compression_parts.h"

namespace wt::formats {

namespace parts {

absl::Status malformed(std::string_view codec, std::string_view what) {
  return absl::InvalidArgumentError(std::string(codec) + ": " + std::string(what));
}

absl::Status too_large(std::string_view codec, std::size_t limit_bytes) {
  return absl::ResourceExhaustedError(std::string(codec) + ": content exceeds " +
                                      std::to_string(limit_bytes) + " bytes");
}

}  // namespace parts

std::string_view codec_name(Codec codec) noexcept {
  switch (codec) {
    case Codec::kNone:
      return "none";
    case Codec::kGzip:
      return "gzip";
    case Codec::kSnappy:
      return "snappy";
    case Codec::kLz4:
      return "lz4";
    case Codec::kZstd:
      return "zstd";
  }
  return "unknown";
}

absl::StatusOr<std::vector<std::uint8_t>> decompress(Codec codec, std::span<const std::uint8_t> compressed,
                                                     std::size_t limit_bytes) {
  switch (codec) {
    case Codec::kNone:
      if (compressed.size() > limit_bytes) return parts::too_large("none", limit_bytes);
      return parts::Bytes(compressed.begin(), compressed.end());
    case Codec::kGzip:
      return parts::gzip_decompress(compressed, limit_bytes);
    case Codec::kSnappy:
      return parts::snappy_decompress(compressed, limit_bytes);
    case Codec::kLz4:
      return parts::lz4_decompress(compressed, limit_bytes);
    case Codec::kZstd:
      return parts::zstd_decompress(compressed, limit_bytes);
  }
  return absl::InvalidArgumentError("unknown codec");
}

std::vector<std::uint8_t> compress(Codec codec, std::span<const std::uint8_t> content) {
  switch (codec) {
    case Codec::kGzip:
      return parts::gzip_compress(content);
    case Codec::kSnappy:
      return parts::snappy_compress(content);
    case Codec::kLz4:
      return parts::lz4_compress(content);
    case Codec::kZstd:
      return parts::zstd_compress(content);
    case Codec::kNone:
      break;
  }
  return parts::Bytes(content.begin(), content.end());
}

}  // namespace wt::formats

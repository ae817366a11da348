// The codecs behind compression.h, one pair each. For use by compression*.cc only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace wt::formats::parts {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

absl::Status malformed(std::string_view codec, std::string_view what);
absl::Status too_large(std::string_view codec, std::size_t limit_bytes);

Bytes gzip_compress(View content);
absl::StatusOr<Bytes> gzip_decompress(View compressed, std::size_t limit_bytes);
Bytes snappy_compress(View content);
absl::StatusOr<Bytes> snappy_decompress(View compressed, std::size_t limit_bytes);
Bytes lz4_compress(View content);
absl::StatusOr<Bytes> lz4_decompress(View compressed, std::size_t limit_bytes);
Bytes zstd_compress(View content);
absl::StatusOr<Bytes> zstd_decompress(View compressed, std::size_t limit_bytes);

}  // namespace wt::formats::parts

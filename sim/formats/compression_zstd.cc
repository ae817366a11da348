#include <zstd.h>
#include <zstd_errors.h>

#include "sim/formats/compression_parts.h"

namespace wt::formats::parts {
namespace {

constexpr int kZstdLevel = 3;
// The most content that one input byte can stand for: a run-length block of four bytes yields at
// most 128 KiB.
constexpr std::uint64_t kMaxExpansion = 32 * 1024;
constexpr std::size_t kFirstGuess_bytes = 64 * 1024;

struct FreeDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

// What to allocate first: the announced size when the input is long enough to justify it.
std::size_t first_capacity(View compressed, std::size_t bound_bytes) {
  const unsigned long long announced = ZSTD_getFrameContentSize(compressed.data(), compressed.size());
  if (announced == ZSTD_CONTENTSIZE_ERROR || announced == ZSTD_CONTENTSIZE_UNKNOWN || announced == 0)
    return std::min(bound_bytes, std::max(kFirstGuess_bytes, 4 * compressed.size()));
  return static_cast<std::size_t>(std::min<std::uint64_t>(announced, bound_bytes));
}

}  // namespace

Bytes zstd_compress(View content) {
  Bytes out(ZSTD_compressBound(content.size()));
  const std::size_t size_bytes =
      ZSTD_compress(out.data(), out.size(), content.data(), content.size(), kZstdLevel);
  out.resize(ZSTD_isError(size_bytes) != 0 ? 0 : size_bytes);
  return out;
}

// Whole-buffer decoding instead of streaming: a streaming decoder allocates the window that the
// frame asks for, up to 128 MiB, before it has seen any content. An output that proves too small is
// doubled up to the limit.
absl::StatusOr<Bytes> zstd_decompress(View compressed, std::size_t limit_bytes) {
  if (compressed.empty()) return malformed("zstd", "empty");
  // Kept between calls: making one costs more than most batches. Nothing of one input outlives its call.
  // thread-ok: one for each driver thread, never observable
  static thread_local const std::unique_ptr<ZSTD_DCtx, FreeDecoder> decoder(ZSTD_createDCtx());
  if (decoder == nullptr) return absl::InternalError("zstd: no memory for a decoder");
  const std::size_t bound_bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(limit_bytes, compressed.size() * kMaxExpansion));
  Bytes out(first_capacity(compressed, bound_bytes) + 1);
  for (;;) {
    const std::size_t capacity_bytes = out.size() - 1;
    const std::size_t result =
        ZSTD_decompressDCtx(decoder.get(), out.data(), capacity_bytes, compressed.data(), compressed.size());
    if (ZSTD_isError(result) == 0) {
      out.resize(result);
      return out;
    }
    if (ZSTD_getErrorCode(result) != ZSTD_error_dstSize_tooSmall)
      return malformed("zstd", ZSTD_getErrorName(result));
    if (capacity_bytes >= limit_bytes) return too_large("zstd", limit_bytes);
    if (capacity_bytes >= bound_bytes) return malformed("zstd", "content exceeds what the input can hold");
    out.clear();
    out.resize(std::min(bound_bytes, std::max(kFirstGuess_bytes, 2 * capacity_bytes)) + 1);
  }
}

}  // namespace wt::formats::parts

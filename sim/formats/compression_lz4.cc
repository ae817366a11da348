// The LZ4 frame is walked here rather than by liblz4's frame decoder, because a broker's reader is a
// partial one: it refuses dependent blocks and dictionaries, and stops at the first end mark.
#include <lz4.h>
#include <lz4frame.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/formats/compression_parts.h"

namespace wt::formats::parts {
namespace {

constexpr std::uint32_t kFrameMagic = 0x184D2204;
constexpr std::uint32_t kStoredBlockBit = 0x80000000;

// Little-endian fields with the same contract as ByteReader's.
class FrameReader {
 public:
  explicit FrameReader(View bytes) : bytes_(bytes) {}
  bool has(std::size_t size_bytes) const { return bytes_.size() - at_ >= size_bytes; }
  std::uint8_t u8() { return bytes_[at_++]; }
  std::uint32_t u32() {
    const View field = take(4);
    return field[0] | std::uint32_t{field[1]} << 8 | std::uint32_t{field[2]} << 16 |
           std::uint32_t{field[3]} << 24;
  }
  View take(std::size_t size_bytes) {
    const View view = bytes_.subspan(at_, size_bytes);
    at_ += size_bytes;
    return view;
  }
  View since(std::size_t start) const { return bytes_.subspan(start, at_ - start); }
  std::size_t position() const { return at_; }

 private:
  View bytes_;
  std::size_t at_ = 0;
};

std::uint32_t hash32(View bytes) {
  return XXH32(bytes.data(), bytes.size(), 0);
}

struct Frame {
  bool content_checksum = false;
  bool block_checksum = false;
  std::size_t max_block_bytes = 0;
};

absl::StatusOr<Frame> read_descriptor(FrameReader& in) {
  if (!in.has(6)) return malformed("lz4", "truncated");
  if (in.u32() != kFrameMagic) return malformed("lz4", "not a frame");
  const std::size_t start = in.position();
  const std::uint8_t flags = in.u8();
  const std::uint8_t block_descriptor = in.u8();
  if ((flags & 0x03) != 0) return malformed("lz4", "reserved bits or dictionary in use");
  if ((flags & 0x20) == 0) return malformed("lz4", "dependent blocks are unsupported");
  if ((flags >> 6) != 1) return malformed("lz4", "unsupported version");
  const int size_code = block_descriptor >> 4;
  if ((block_descriptor & 0x8F) != 0 || size_code < 4) return malformed("lz4", "bad block descriptor");
  const bool has_content_size = (flags & 0x08) != 0;
  if (!in.has(has_content_size ? 9 : 1)) return malformed("lz4", "truncated");
  if (has_content_size) in.take(8);
  const std::uint8_t expected = static_cast<std::uint8_t>(hash32(in.since(start)) >> 8);
  if (in.u8() != expected) return malformed("lz4", "descriptor checksum mismatch");
  return Frame{(flags & 0x04) != 0, (flags & 0x10) != 0, std::size_t{1} << (2 * size_code + 8)};
}

// Grows `out` by at most what the block can yield: no LZ4 byte stands for more than 255.
absl::Status append_compressed(View block, std::size_t max_block_bytes, std::size_t limit_bytes, Bytes& out) {
  const std::size_t room_bytes = std::min(max_block_bytes, block.size() * 255);
  const std::size_t allowed_bytes = limit_bytes - out.size();
  const std::size_t at = out.size();
  const std::size_t given_bytes = std::min(room_bytes, allowed_bytes);
  out.resize(at + given_bytes + 1);
  const int produced_bytes = LZ4_decompress_safe(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data() + at),
      static_cast<int>(block.size()), static_cast<int>(given_bytes));
  if (produced_bytes < 0)
    return given_bytes < room_bytes ? too_large("lz4", limit_bytes) : malformed("lz4", "corrupt block");
  out.resize(at + static_cast<std::size_t>(produced_bytes));
  return absl::OkStatus();
}

}  // namespace

Bytes lz4_compress(View content) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.frameInfo.blockSizeID = LZ4F_max64KB;
  Bytes out(LZ4F_compressFrameBound(content.size(), &preferences));
  const std::size_t size_bytes =
      LZ4F_compressFrame(out.data(), out.size(), content.data(), content.size(), &preferences);
  out.resize(LZ4F_isError(size_bytes) != 0 ? 0 : size_bytes);
  return out;
}

absl::StatusOr<Bytes> lz4_decompress(View compressed, std::size_t limit_bytes) {
  FrameReader in(compressed);
  const absl::StatusOr<Frame> frame = read_descriptor(in);
  if (!frame.ok()) return frame.status();
  Bytes out;
  for (;;) {
    if (!in.has(4)) return malformed("lz4", "no end mark");
    const std::uint32_t field = in.u32();
    const std::size_t size_bytes = field & ~kStoredBlockBit;
    if (size_bytes == 0) break;
    if (size_bytes > frame->max_block_bytes) return malformed("lz4", "block exceeds the declared maximum");
    if (!in.has(size_bytes)) return malformed("lz4", "truncated block");
    const View block = in.take(size_bytes);
    if ((field & kStoredBlockBit) != 0) {
      if (size_bytes > limit_bytes - out.size()) return too_large("lz4", limit_bytes);
      out.insert(out.end(), block.begin(), block.end());
    } else if (absl::Status status = append_compressed(block, frame->max_block_bytes, limit_bytes, out);
               !status.ok()) {
      return status;
    }
    if (!frame->block_checksum) continue;
    if (!in.has(4)) return malformed("lz4", "truncated block checksum");
    if (in.u32() != hash32(block)) return malformed("lz4", "block checksum mismatch");
  }
  if (frame->content_checksum && !in.has(4)) return malformed("lz4", "truncated content checksum");
  return out;
}

}  // namespace wt::formats::parts

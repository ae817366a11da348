#include <snappy.h>

#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"
#include "sim/formats/compression.h"
#include "sim/formats/compression_parts.h"

namespace wt::formats {
namespace parts {
namespace {

constexpr std::uint8_t kXerialMagic[] = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
constexpr std::uint32_t kXerialMagicHead = 0x82534E41;
constexpr std::size_t kXerialHeader_bytes = 16;
constexpr std::int32_t kXerialVersion = 1;
constexpr std::size_t kXerialBlock_bytes = 32 * 1024;
// No snappy element yields more than 64 bytes, and the shortest takes two; a block that declares
// more than this many times its size cannot be valid, so nothing is allocated for it.
constexpr std::size_t kMaxExpansion = 64;

bool has_xerial_header(View bytes) {
  return bytes.size() >= kXerialHeader_bytes &&
         std::memcmp(bytes.data(), kXerialMagic, sizeof kXerialMagic) == 0;
}

absl::Status append_block(View block, std::size_t limit_bytes, Bytes& out) {
  const char* data = reinterpret_cast<const char*>(block.data());
  std::size_t size_bytes = 0;
  if (!snappy::GetUncompressedLength(data, block.size(), &size_bytes))
    return malformed("snappy", "bad length");
  if (size_bytes > limit_bytes - out.size()) return too_large("snappy", limit_bytes);
  if (size_bytes / kMaxExpansion > block.size()) return malformed("snappy", "block cannot hold its length");
  const std::size_t at = out.size();
  // One byte more, so that an empty block still has an address to decode to.
  out.resize(at + size_bytes + 1);
  if (!snappy::RawUncompress(data, block.size(), reinterpret_cast<char*>(out.data() + at)))
    return malformed("snappy", "corrupt block");
  out.resize(at + size_bytes);
  return absl::OkStatus();
}

absl::Status check_xerial_header(ByteReader& reader) {
  reader.take(sizeof kXerialMagic);
  const std::int32_t version = reader.i32();
  reader.i32();  // oldest version able to read it: the Java reader does not look
  if (!reader.ok() || version < kXerialVersion) return malformed("snappy", "unsupported framing version");
  return absl::OkStatus();
}

}  // namespace

Bytes snappy_compress(View content) {
  ByteWriter out;
  out.bytes(kXerialMagic);
  out.i32(kXerialVersion);
  out.i32(kXerialVersion);
  while (!content.empty()) {
    const View block = content.first(std::min(content.size(), kXerialBlock_bytes));
    const Bytes packed = compress_raw_snappy(block);
    out.i32(static_cast<std::int32_t>(packed.size()));
    out.bytes(packed);
    content = content.subspan(block.size());
  }
  return out.take();
}

absl::StatusOr<Bytes> snappy_decompress(View compressed, std::size_t limit_bytes) {
  Bytes out;
  if (!has_xerial_header(compressed)) {
    if (absl::Status status = append_block(compressed, limit_bytes, out); !status.ok()) return status;
    return out;
  }
  ByteReader reader(compressed);
  if (absl::Status status = check_xerial_header(reader); !status.ok()) return status;
  // Fewer bytes than a block's length field end the stream, as they do for the Java reader.
  while (reader.remaining() >= 4) {
    const View rest = compressed.subspan(reader.position());
    const std::uint32_t size_bytes = reader.u32();
    if (size_bytes == kXerialMagicHead) {
      if (!has_xerial_header(rest)) return malformed("snappy", "bad header of a further stream");
      reader = ByteReader(compressed = rest);
      if (absl::Status status = check_xerial_header(reader); !status.ok()) return status;
      continue;
    }
    const View block = reader.take(size_bytes);
    if (!reader.ok()) return malformed("snappy", "truncated block");
    if (absl::Status status = append_block(block, limit_bytes, out); !status.ok()) return status;
  }
  return out;
}

}  // namespace parts

std::vector<std::uint8_t> compress_raw_snappy(std::span<const std::uint8_t> content) {
  std::vector<std::uint8_t> out(snappy::MaxCompressedLength(content.size()));
  std::size_t size_bytes = 0;
  snappy::RawCompress(reinterpret_cast<const char*>(content.data()), content.size(),
                      reinterpret_cast<char*>(out.data()), &size_bytes);
  out.resize(size_bytes);
  return out;
}

}  // namespace wt::formats

#include <zlib.h>

#include "sim/formats/compression_parts.h"

namespace wt::formats::parts {
namespace {

constexpr int kGzipWindowBits = 15 + 16;
constexpr int kGzipLevel = 6;
constexpr std::size_t kChunk_bytes = 16 * 1024;
// The smallest member is a 10-byte header, a 2-byte empty block and an 8-byte trailer; the Java
// reader does not look for another member in fewer bytes than header and trailer.
constexpr std::size_t kMinMember_bytes = 18;

// zlib's state, ended on every way out.
class Inflater {
 public:
  Inflater() { ready_ = inflateInit2(&stream_, kGzipWindowBits) == Z_OK; }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  bool ready() const { return ready_; }
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

// The size of a gzip member's header when one can be read at the start of `bytes`, else 0.
std::size_t member_header_size(View bytes) {
  constexpr std::uint8_t kHasHeaderCrc = 2, kHasExtra = 4, kHasName = 8, kHasComment = 16;
  if (bytes.size() < 10 || bytes[0] != 0x1F || bytes[1] != 0x8B || bytes[2] != 8) return 0;
  const std::uint8_t flags = bytes[3];
  std::size_t at = 10;
  if ((flags & kHasExtra) != 0) {
    if (bytes.size() < at + 2) return 0;
    at += 2 + (bytes[at] | std::size_t{bytes[at + 1]} << 8);
  }
  const int texts = ((flags & kHasName) != 0 ? 1 : 0) + ((flags & kHasComment) != 0 ? 1 : 0);
  for (int i = 0; i < texts; ++i) {
    while (at < bytes.size() && bytes[at] != 0) ++at;
    ++at;
  }
  if ((flags & kHasHeaderCrc) != 0) at += 2;
  return at <= bytes.size() ? at : 0;
}

// Inflates the one member at the start of `in` and moves `in` behind it.
absl::Status inflate_member(View& in, std::size_t limit_bytes, Bytes& out) {
  Inflater inflater;
  if (!inflater.ready()) return absl::InternalError("gzip: no memory for a decoder");
  z_stream& stream = inflater.stream();
  std::uint8_t chunk[kChunk_bytes];
  View fed = in.first(std::min<std::size_t>(in.size(), 1U << 30));
  stream.next_in = const_cast<Bytef*>(fed.data());
  stream.avail_in = static_cast<uInt>(fed.size());
  for (;;) {
    stream.next_out = chunk;
    stream.avail_out = kChunk_bytes;
    const int code = inflate(&stream, Z_NO_FLUSH);
    const std::size_t produced_bytes = kChunk_bytes - stream.avail_out;
    if (produced_bytes > limit_bytes - out.size()) return too_large("gzip", limit_bytes);
    out.insert(out.end(), chunk, chunk + produced_bytes);
    if (code == Z_STREAM_END) break;
    if (code == Z_BUF_ERROR) return malformed("gzip", "truncated");
    if (code != Z_OK) return malformed("gzip", stream.msg != nullptr ? stream.msg : "corrupt stream");
  }
  in = in.subspan(fed.size() - stream.avail_in);
  return absl::OkStatus();
}

}  // namespace

Bytes gzip_compress(View content) {
  z_stream stream{};
  if (deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kGzipWindowBits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  Bytes out(deflateBound(&stream, content.size()));
  stream.next_in = const_cast<Bytef*>(content.data());
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

absl::StatusOr<Bytes> gzip_decompress(View compressed, std::size_t limit_bytes) {
  Bytes out;
  if (member_header_size(compressed) == 0) return malformed("gzip", "not a gzip stream");
  do {
    if (absl::Status status = inflate_member(compressed, limit_bytes, out); !status.ok()) return status;
  } while (compressed.size() > kMinMember_bytes && member_header_size(compressed) != 0);
  return out;
}

}  // namespace wt::formats::parts

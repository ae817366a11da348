// The first byte chooses the codec, the rest is a stream to decompress; and content to compress.
#include <cstdlib>

#include "sim/formats/compression.h"

using namespace wt::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  constexpr std::size_t kLimit_bytes = 1 << 20;
  if (size_bytes == 0) return 0;
  const auto codec = static_cast<Codec>(data[0] % 5);
  const std::span<const std::uint8_t> rest(data + 1, size_bytes - 1);
  const auto content = decompress(codec, rest, kLimit_bytes);
  if (content.ok() && content->size() > kLimit_bytes) std::abort();
  const auto packed = compress(codec, rest);
  const auto back = decompress(codec, packed, rest.size());
  if (!back.ok() || !std::equal(back->begin(), back->end(), rest.begin(), rest.end())) std::abort();
  return 0;
}

// Decodes any bytes as a stored entry. The second pass puts both checksums right first.
#include <cstdlib>

#include "sim/formats/crc32c.h"
#include "sim/formats/entry.h"

using namespace wt;
using namespace wt::formats;

namespace {

void put_u32(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint32_t value) {
  for (int i = 0; i < 4; ++i)
    bytes[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

void decode(const Slice& bytes) {
  const auto entry = decode_entry(bytes);
  if (!entry.ok()) return;
  (void)project_kafka(*entry);
  SliceList again;
  encode_entry(*entry, again);
  const Slice encoded = flatten(again);
  if (!(encoded == bytes.sub(0, encoded.size()))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  decode(Slice::copy_of(std::span(data, size_bytes)));
  if (size_bytes < kEntryHeader_bytes) return 0;
  std::vector<std::uint8_t> sealed(data, data + size_bytes);
  const std::size_t payload_bytes = size_bytes - kEntryHeader_bytes;
  put_u32(sealed, kEntryHeader_bytes - 12, static_cast<std::uint32_t>(payload_bytes));
  put_u32(sealed, kEntryHeader_bytes - 8, crc32c(std::span(sealed).subspan(kEntryHeader_bytes)));
  put_u32(sealed, kEntryHeader_bytes - 4, crc32c(std::span(sealed).first(kEntryHeader_bytes - 4)));
  decode(Slice::copy_of(sealed));
  return 0;
}

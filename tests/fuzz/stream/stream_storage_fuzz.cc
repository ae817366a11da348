// The decoders of the stream storage: metadata records and WAL objects. The first byte of the input
// chooses the decoder; a record is also decoded with its checksum made right, to get behind it.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sim/formats/crc32c.h"
#include "sim/stream/keys.h"
#include "sim/stream/records.h"
#include "sim/stream/wal_object.h"

namespace {

using namespace wt;
using namespace wt::stream;

void require(bool condition) {
  if (!condition) std::abort();
}

// What decodes must survive encoding.
void decode_records(const std::string& text) {
  if (auto head = decode_head(text); head.ok()) require(*decode_head(encode_head(*head).text()) == *head);
  if (auto commit = decode_commit(text); commit.ok())
    require(*decode_commit(encode_commit(*commit).text()) == *commit);
  if (auto binding = decode_binding(text); binding.ok())
    require(*decode_binding(encode_binding(*binding).text()) == *binding);
}

void decode_wal(const std::uint8_t* data, std::size_t size_bytes) {
  // In two slices, cut somewhere, as a provider might return it.
  const std::size_t cut = size_bytes == 0 ? 0 : data[0] % size_bytes;
  SliceList object;
  object.push_back(Slice::copy_of(std::span(data, cut)));
  object.push_back(Slice::copy_of(std::span(data + cut, size_bytes - cut)));
  const auto directory = decode_wal_directory(object);
  if (!directory.ok()) return;
  for (std::uint32_t i = 0; i <= directory->parts.size(); ++i) {
    const AppendAttemptId attempt =
        i < directory->parts.size() ? directory->parts[i].attempt : AppendAttemptId();
    const auto entries = decode_wal_slice(object, i, attempt);
    require(i < directory->parts.size() || !entries.ok());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  if (size_bytes == 0) return 0;
  const std::uint8_t which = data[0];
  ++data, --size_bytes;
  if (which % 2 == 1) {
    decode_wal(data, size_bytes);
    return 0;
  }
  std::string text(reinterpret_cast<const char*>(data), size_bytes);
  decode_records(text);
  StreamKeys("c", 1).parse_attempt(text);
  if (text.size() < 4) return 0;
  const std::uint32_t crc = formats::crc32c(std::span(data, size_bytes - 4));
  for (std::size_t i = 0; i < 4; ++i) text[text.size() - 4 + i] = static_cast<char>(crc >> (24 - 8 * i));
  decode_records(text);
  return 0;
}

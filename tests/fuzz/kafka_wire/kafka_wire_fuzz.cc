// Any bytes as any message: [0] what to do with the rest, even for requests; [1] API; [2] version; the
// rest. What decodes must encode, and decode again to an equal message.
#include <cstdlib>

#include "sim/kafka/wire/frame.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/schema_text.h"
#include "sim/kafka/wire/trace_text.h"

namespace {

using namespace wt;
using namespace wt::kafka;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_message(const Table& table, Version version, const Slice& bytes) {
  const auto message = decode_any(table, bytes, version, {.max_memory_bytes = 16UL << 20});
  if (!message.ok()) return;
  trace_text(table, message->object(), version);
  const auto encoded = encode_any(table, message->object(), version);
  // Strings over 32,767 bytes can be read in compact form, but not written.
  if (!encoded.ok()) {
    require(bytes.size() > 32767);
    return;
  }
  const Slice again_bytes = flatten(*encoded);
  const auto again = decode_any(table, again_bytes, version);
  require(again.ok());
  require(schema::equal(table, message->object(), again->object(), version));
  require(flatten(*encode_any(table, again->object(), version)) == again_bytes);
}

// Reading like a broker accepts more; what it accepts need not be sayable, but must print.
void check_lenient(const Table& table, Version version, const Slice& bytes) {
  const auto message = decode_any(table, bytes, version,
                                  {.max_memory_bytes = 16UL << 20, .strictness = Strictness::kLikeBroker});
  if (!message.ok()) return;
  trace_text(table, message->object(), version);
  encode_any(table, message->object(), version).IgnoreError();
}

void check_json(const Table& table, Version version, std::string_view text) {
  AnyMessage message(table);
  if (!from_json(table, message.object(), text).ok()) return;
  encode_any(table, message.object(), version).IgnoreError();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  if (size_bytes < 3) return 0;
  const auto apis = all_apis();
  const ApiSpec& api = apis[data[1] % apis.size()];
  const Slice rest = Slice::copy_of(std::span(data + 3, size_bytes - 3));
  const bool is_request = data[0] % 2 == 0;
  const Table& table = is_request ? *api.request : *api.response;
  const int span = table.versions.last - table.versions.first + 1;
  const auto version = static_cast<Version>(table.versions.first + data[2] % span);
  switch (data[0] % 8) {
    case 5:
      check_lenient(table, version, rest);
      break;
    case 6:
      decode_request(rest).status().IgnoreError();
      break;
    case 7:
      check_json(table, version, rest.text());
      break;
    default:
      check_message(table, version, rest);
      break;
  }
  return 0;
}

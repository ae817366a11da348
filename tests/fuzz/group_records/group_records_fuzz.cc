// Any bytes as a record of a coordinator's log: [0] how long the key is; the key; the value, if [0] is even.
// What decodes must encode, and decode again to an equal record.
#include <algorithm>
#include <cstdlib>

#include "sim/kafka/groups/classic/module.h"
#include "sim/kafka/groups/consumer/module.h"
#include "sim/kafka/groups/offset_records.h"

namespace {

using namespace wt;
using namespace wt::kafka;
using schema::kEveryVersion;

void require(bool condition) {
  if (!condition) std::abort();
}

const RecordCodec& codec() {
  static const RecordCodec codec = [] {
    RecordCodec made;
    for (const RecordType& type : offset_record_types()) made.add(type);
    for (const RecordType& type : classic_module().types) made.add(type);
    for (const RecordType& type : consumer_group_module().types) made.add(type);
    return made;
  }();
  return codec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  if (size_bytes < 1) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size_bytes - 1);
  const std::size_t key_bytes = std::min<std::size_t>(data[0], rest.size());
  std::optional<std::span<const std::uint8_t>> value;
  if (data[0] % 2 == 0) value = rest.subspan(key_bytes);
  const auto record = codec().decode(rest.first(key_bytes), value);
  if (!record.ok()) return 0;
  const auto bytes = codec().encode(*record);
  if (!bytes.ok()) return 0;  // a string that is too long for the version in which it would be written
  std::optional<std::span<const std::uint8_t>> written;
  if (bytes->value) written = bytes->value->bytes();
  const auto again = codec().decode(bytes->key.bytes(), written);
  require(again.ok());
  require(static_cast<bool>(again->value) == static_cast<bool>(record->value));
  require(schema::equal(record->key.table(), record->key.object(), again->key.object(), kEveryVersion));
  // A value of an older version is written in a newer one, with other fields.
  const bool same_version =
      bytes->value && std::equal(written->begin(), written->begin() + 2, value->begin());
  if (!same_version) return 0;
  require(schema::equal(record->value.table(), record->value.object(), again->value.object(), kEveryVersion));
  return 0;
}

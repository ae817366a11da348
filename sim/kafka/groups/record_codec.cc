#include "sim/kafka/groups/record_codec.h"

#include <utility>

#include "sim/formats/byte_writer.h"
#include "sim/kafka/wire/codec.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {
namespace {

constexpr std::size_t kVersion_bytes = 2;
constexpr std::size_t kDecodedLimit_bytes = std::size_t{64} << 20;

std::int16_t version_at(std::span<const std::uint8_t> bytes) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(bytes[0]) << 8 | bytes[1]);
}

// The fields of a key do not depend on its version: its table names either that version or only 0.
schema::Version layout_of(const RecordType& type) {
  return type.key->versions.contains(type.key_version) ? type.key_version : type.key->versions.last;
}

StatusOr<Slice> versioned(std::int16_t version, const schema::AnyMessage& message, schema::Version layout) {
  StatusOr<SliceList> fields = encode_any(message.table(), message.object(), layout);
  if (!fields.ok()) return fields.status();
  ByteWriter out(kVersion_bytes + total_size(*fields));
  out.i16(version);
  for (const Slice& part : *fields) out.bytes(part.bytes());
  return out.to_slice();
}

StatusOr<schema::AnyMessage> fields_of(const schema::Table& table, std::span<const std::uint8_t> bytes,
                                       schema::Version version) {
  DecodeLimits limits;
  limits.max_memory_bytes = kDecodedLimit_bytes;
  limits.strictness = Strictness::kLikeBroker;
  limits.allow_trailing_bytes = true;
  return decode_any(table, Slice::copy_of(bytes.subspan(kVersion_bytes)), version, limits);
}

}  // namespace

void RecordCodec::add(const RecordType& type) {
  const bool added = types_.emplace(type.key_version, type).second;
  WT_INVARIANT(added, "groups.record_types", "two kinds of records have the same key version");
}

const RecordType* RecordCodec::type_of(const GroupRecord& record) const {
  for (const auto& [version, type] : types_) {
    if (type.key == &record.key.table() && !type.read_only) return &type;
  }
  return nullptr;
}

StatusOr<RecordBytes> RecordCodec::encode(const GroupRecord& record) const {
  const RecordType* type = type_of(record);
  if (type == nullptr) return make_status(StatusCode::kInvalidArgument, "a record of no known type");
  RecordBytes bytes;
  StatusOr<Slice> key = versioned(type->key_version, record.key, layout_of(*type));
  if (!key.ok()) return key.status();
  bytes.key = *std::move(key);
  if (!record.value) return bytes;
  const schema::Version version =
      type->choose_version != nullptr ? type->choose_version(record.value) : type->value_version;
  StatusOr<Slice> value = versioned(version, record.value, version);
  if (!value.ok()) return value.status();
  bytes.value = *std::move(value);
  return bytes;
}

StatusOr<GroupRecord> RecordCodec::decode(std::span<const std::uint8_t> key,
                                          std::optional<std::span<const std::uint8_t>> value) const {
  if (key.size() < kVersion_bytes)
    return make_status(StatusCode::kInvalidArgument, "a key without a version");
  const auto found = types_.find(version_at(key));
  if (found == types_.end()) return make_status(StatusCode::kNotFound, "an unknown kind of record");
  const RecordType& type = found->second;
  GroupRecord record;
  StatusOr<schema::AnyMessage> fields = fields_of(*type.key, key, layout_of(type));
  if (!fields.ok()) return fields.status();
  record.key = *std::move(fields);
  if (!value) return record;
  if (value->size() < kVersion_bytes) {
    return make_status(StatusCode::kInvalidArgument, "a value without a version");
  }
  const std::int16_t version = version_at(*value);
  if (!type.value->versions.contains(version)) {
    return make_status(StatusCode::kNotFound, "an unknown version of a value");
  }
  StatusOr<schema::AnyMessage> content = fields_of(*type.value, *value, version);
  if (!content.ok()) return content.status();
  record.value = *std::move(content);
  return record;
}

}  // namespace wt::kafka

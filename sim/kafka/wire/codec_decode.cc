#include "absl/strings/str_cat.h"
#include "sim/formats/byte_reader.h"
#include "sim/kafka/wire/codec.h"
#include "sim/kafka/wire/codec_measure.h"

namespace wt::kafka {

using schema::as;
using schema::Field;
using schema::FieldType;
using schema::Path;

namespace {

constexpr std::size_t kSmallArray = 16;

// The fewest bytes an element can take: what an announced array length is checked against.
std::size_t min_wire_size(const Field& field, Version version, bool flexible) {
  const bool compact = flexible && !field.is_classic;
  switch (field.type) {
    case FieldType::kBool:
    case FieldType::kInt8:
      return 1;
    case FieldType::kInt16:
    case FieldType::kUint16:
      return 2;
    case FieldType::kInt32:
    case FieldType::kUint32:
      return 4;
    case FieldType::kInt64:
    case FieldType::kFloat64:
      return 8;
    case FieldType::kUuid:
      return 16;
    case FieldType::kString:
      return compact ? 1 : 2;
    case FieldType::kBytes:
    case FieldType::kRecords:
      return compact ? 1 : 4;
    case FieldType::kStruct:
      break;
  }
  std::size_t size_bytes = flexible ? 1 : 0;
  for (const Field& inner : field.element->all()) {
    if (!inner.versions.contains(version) || inner.is_tagged(version)) continue;
    if (inner.array != nullptr) {
      size_bytes += flexible ? 1 : 4;
    } else if (inner.type == FieldType::kStruct && inner.nullable.contains(version)) {
      size_bytes += 1;
    } else {
      size_bytes += min_wire_size(inner, version, flexible);
    }
  }
  return std::max<std::size_t>(size_bytes, 1);
}

class Decoder {
 public:
  Decoder(const Slice& frame, Version version, bool flexible, const DecodeLimits& limits)
      : frame_(frame),
        reader_(frame.bytes()),
        version_(version),
        flexible_(flexible),
        is_lenient_(limits.strictness == Strictness::kLikeBroker),
        memory_left_(limits.max_memory_bytes) {}

  bool get(const Table& table, void* object, const Path* path);
  std::size_t position() const { return reader_.position(); }
  std::size_t remaining() const { return reader_.remaining(); }
  const absl::Status& status() const { return status_; }

 private:
  bool get_tags(const Table& table, void* object, const Path* path);
  bool get_tag(const Table& table, void* object, std::uint32_t tag, std::size_t size_bytes, const Path* path);
  bool get_field(const Field& field, void* object, const Path* path);
  bool get_array(const Field& field, void* array, std::size_t count, const Path* path);
  bool get_value(const Field& field, void* value, const Path* path);
  bool get_sized(const Field& field, void* value, std::size_t length, const Path* path);
  // A length; nothing for null.
  bool get_length(const Field& field, std::optional<std::size_t>& length, const Path* path);
  bool is_sized(const Field& field) const {
    return field.array != nullptr || field.type == FieldType::kString || field.type == FieldType::kBytes ||
           field.type == FieldType::kRecords;
  }
  Slice take(std::size_t size_bytes) {
    const std::size_t at = reader_.position();
    reader_.take(size_bytes);
    return size_bytes == 0 ? Slice() : frame_.sub(at, size_bytes);
  }
  bool fail(const Path* path, std::string_view what) {
    const std::string where = path->text();
    status_ = absl::InvalidArgumentError(
        absl::StrCat(where, where.empty() ? "" : ": ", absl::string_view(what.data(), what.size())));
    return false;
  }
  bool check(const Path* path) { return reader_.ok() || fail(path, "the bytes end here"); }

  const Slice& frame_;
  ByteReader reader_;
  Version version_;
  bool flexible_;
  bool is_lenient_;
  std::size_t memory_left_;
  absl::Status status_;
};

bool Decoder::get(const Table& table, void* object, const Path* path) {
  for (const Field& field : table.all()) {
    if (!field.versions.contains(version_) || field.is_tagged(version_)) continue;
    const Path here{path, &field};
    if (!get_field(field, object, &here)) return false;
  }
  return !flexible_ || get_tags(table, object, path);
}

bool Decoder::get_tags(const Table& table, void* object, const Path* path) {
  const std::uint32_t count = reader_.unsigned_varint();
  if (!check(path)) return false;
  std::int64_t last = -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t tag = reader_.unsigned_varint();
    const std::uint32_t size_bytes = reader_.unsigned_varint();
    if (!check(path)) return false;
    if (tag <= last && !is_lenient_) return fail(path, "tags repeat or descend");
    if (size_bytes > reader_.remaining() && (!is_lenient_ || find_tag(table, tag) == nullptr))
      return fail(path, "a tagged field is longer than the rest");
    last = tag;
    if (!get_tag(table, object, tag, size_bytes, path)) return false;
  }
  return true;
}

bool Decoder::get_tag(const Table& table, void* object, std::uint32_t tag, std::size_t size_bytes,
                      const Path* path) {
  const Field* field = find_tag(table, tag);
  if (field == nullptr) {
    if (memory_left_ < sizeof(schema::UnknownTag)) return fail(path, "too many tagged fields");
    memory_left_ -= sizeof(schema::UnknownTag);
    schema::unknown_tags_of(table, object).push_back({tag, take(size_bytes)});
    return true;
  }
  const Path here{path, field};
  // As the real broker: a tag of a later version is not an unknown one.
  if (!field->versions.contains(version_) || !field->is_tagged(version_)) {
    return fail(&here, "tagged, but the version has no such tag");
  }
  const std::size_t end = reader_.position() + size_bytes;
  if (!get_field(*field, object, &here)) return false;
  return reader_.position() == end || is_lenient_ || fail(&here, "not as long as its tag says");
}

bool Decoder::get_length(const Field& field, std::optional<std::size_t>& length, const Path* path) {
  std::int64_t value = 0;
  if (flexible_ && !field.is_classic) {
    value = static_cast<std::int64_t>(reader_.unsigned_varint()) - 1;
  } else if (field.array == nullptr && field.type == FieldType::kString) {
    value = reader_.i16();
  } else {
    value = reader_.i32();
  }
  if (!check(path)) return false;
  if (value < -1 && !is_lenient_) return fail(path, absl::StrCat("negative length ", value));
  if (value < 0) return true;
  if (static_cast<std::uint64_t>(value) > reader_.remaining()) {
    return fail(path,
                absl::StrCat("length ", value, " is more than the ", reader_.remaining(), " bytes left"));
  }
  length = static_cast<std::size_t>(value);
  return true;
}

bool Decoder::get_field(const Field& field, void* object, const Path* path) {
  void* member = schema::member_of(field, object);
  std::optional<std::size_t> length;
  bool is_null = false;
  if (is_sized(field)) {
    if (!get_length(field, length, path)) return false;
    is_null = !length;
  } else if (field.type == FieldType::kStruct && field.nullable.contains(version_)) {
    const std::int8_t presence = reader_.i8();
    // In a tagged field null is 0, elsewhere -1.
    is_null = presence < 0 || (presence == 0 && field.is_tagged(version_));
    if (!check(path)) return false;
  }
  if (is_null) {
    if (!field.nullable.contains(version_)) return fail(path, "null, but the version does not allow it");
    field.optional->reset(member);
    return true;
  }
  void* value = member;
  if (field.optional != nullptr) value = field.optional->emplace(member);
  if (field.array != nullptr) return get_array(field, value, *length, path);
  return length ? get_sized(field, value, *length, path) : get_value(field, value, path);
}

bool Decoder::get_array(const Field& field, void* array, std::size_t count, const Path* path) {
  if (count > kSmallArray && count > reader_.remaining() / min_wire_size(field, version_, flexible_)) {
    return fail(path, absl::StrCat(count, " elements do not fit into the bytes left"));
  }
  if (count > memory_left_ / field.array->stride_bytes) return fail(path, "too many elements");
  memory_left_ -= count * field.array->stride_bytes;
  // The default may hold elements: an array is replaced, not overlaid.
  field.array->resize(array, 0);
  field.array->resize(array, count);
  auto* element = static_cast<std::uint8_t*>(field.array->data(array));
  for (std::size_t i = 0; i < count; ++i, element += field.array->stride_bytes) {
    const Path here{path, nullptr, static_cast<std::ptrdiff_t>(i)};
    if (!get_value(field, element, &here)) return false;
  }
  return true;
}

bool Decoder::get_sized(const Field& field, void* value, std::size_t length, const Path* path) {
  if (field.type == FieldType::kString) {
    const std::string_view text = reader_.take_text(length);
    as<std::string>(value).assign(text.data(), text.size());
  } else if (field.type == FieldType::kBytes) {
    as<Slice>(value) = take(length);
  } else {
    auto& records = as<SliceList>(value);
    records.clear();
    if (length != 0) records.push_back(take(length));
  }
  return check(path);
}

bool Decoder::get_value(const Field& field, void* value, const Path* path) {
  switch (field.type) {
    case FieldType::kBool:
      as<bool>(value) = reader_.u8() != 0;
      break;
    case FieldType::kInt8:
      as<std::int8_t>(value) = reader_.i8();
      break;
    case FieldType::kInt16:
    case FieldType::kUint16:
      schema::store_16(value, reader_.u16());
      break;
    case FieldType::kInt32:
    case FieldType::kUint32:
      as<std::uint32_t>(value) = reader_.u32();
      break;
    case FieldType::kInt64:
      as<std::int64_t>(value) = reader_.i64();
      break;
    case FieldType::kFloat64:
      as<double>(value) = std::bit_cast<double>(reader_.u64());
      break;
    case FieldType::kUuid: {
      const auto bytes = reader_.take(16);
      if (bytes.size() == 16) std::copy(bytes.begin(), bytes.end(), as<Uuid>(value).bytes.begin());
      break;
    }
    case FieldType::kString:
    case FieldType::kBytes:
    case FieldType::kRecords: {  // an array's element
      Field element = field;
      element.array = nullptr;
      std::optional<std::size_t> length;
      if (!get_length(element, length, path)) return false;
      if (!length) return fail(path, "null as an array's element");
      return get_sized(element, value, *length, path);
    }
    case FieldType::kStruct:
      return get(*field.element, value, path);
  }
  return check(path);
}

}  // namespace

absl::StatusOr<std::size_t> decode_into(const Table& table, void* object, Version version, bool flexible,
                                        const Slice& bytes, const DecodeLimits& limits) {
  Decoder decoder(bytes, version, flexible, limits);
  const Path root;
  if (!decoder.get(table, object, &root)) {
    return absl::InvalidArgumentError(
        absl::StrCat(table.name, " v", version, ": ", decoder.status().message()));
  }
  const bool may_trail = limits.allow_trailing_bytes || limits.strictness == Strictness::kLikeBroker;
  if (decoder.remaining() != 0 && !may_trail) {
    return absl::InvalidArgumentError(
        absl::StrCat(table.name, " v", version, ": ", decoder.remaining(), " bytes after the last field"));
  }
  return decoder.position();
}

absl::StatusOr<AnyMessage> decode_any(const Table& table, const Slice& bytes, Version version,
                                      const DecodeLimits& limits) {
  if (!table.versions.contains(version)) {
    return absl::InvalidArgumentError(absl::StrCat(table.name, " has no version ", version));
  }
  AnyMessage message(table);
  const auto taken =
      decode_into(table, message.object(), version, table.flexible.contains(version), bytes, limits);
  if (!taken.ok()) return taken.status();
  return message;
}

}  // namespace wt::kafka

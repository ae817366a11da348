#include "sim/kafka/wire/codec_measure.h"

#include "absl/strings/str_cat.h"

namespace wt::kafka {

using schema::as;
using schema::Field;
using schema::FieldType;
using schema::Path;
using schema::Table;

namespace {

constexpr std::size_t kMaxString_bytes = 32767;
constexpr std::size_t kMaxLength = 0x7FFFFFFE;

}  // namespace

const Field* find_tag(const Table& table, std::uint32_t tag) {
  for (const Field& field : table.all()) {
    if (field.tag >= 0 && static_cast<std::uint32_t>(field.tag) == tag) return &field;
  }
  return nullptr;
}

bool Measure::fail(const Path* path, std::string_view what) {
  const std::string where = path->text();
  status_ = absl::InvalidArgumentError(absl::StrCat(where, where.empty() ? "" : ": ",
                                                    absl::string_view(what.data(), what.size()), " (version ",
                                                    version_, ")"));
  return false;
}

bool Measure::add(const Table& table, const void* object, const Path* path) {
  bool has_tagged = false;
  for (const Field& field : table.all()) {
    if (!field.versions.contains(version_)) {
      if (field.is_ignorable || schema::is_default(table, field, object)) continue;
      const Path here{path, &field};
      return fail(&here, "set, but the version has no such field");
    }
    if (field.is_tagged(version_)) {
      has_tagged = true;
      continue;
    }
    const Path here{path, &field};
    if (!add_field(field, object, &here)) return false;
  }
  if (!has_tagged && schema::unknown_tags_of(table, object).empty()) {
    total_bytes_ += flexible_ ? 1 : 0;
    return true;
  }
  return add_tags(table, object, path);
}

bool Measure::add_tags(const Table& table, const void* object, const Path* path) {
  const schema::UnknownTags& unknown = schema::unknown_tags_of(table, object);
  if (!flexible_) return unknown.empty() || fail(path, "tagged fields in a version without them");
  std::size_t count = unknown.size();
  for (const Field& field : table.all()) {
    if (!field.is_tagged(version_) || !field.versions.contains(version_)) continue;
    if (schema::is_default(table, field, object)) continue;
    ++count;
    const Path here{path, &field};
    Measure inside(version_, flexible_, static_cast<std::size_t>(-1));
    if (!inside.add_field(field, object, &here)) {
      status_ = inside.status_;
      return false;
    }
    const std::size_t size_bytes = inside.total_bytes();
    total_bytes_ += varint_size(static_cast<std::uint32_t>(field.tag)) + varint_size(size_bytes) + size_bytes;
  }
  std::int64_t last = -1;
  for (const schema::UnknownTag& tag : unknown) {
    if (tag.tag <= last || find_tag(table, tag.tag) != nullptr) return fail(path, "unknown tag out of place");
    last = tag.tag;
    total_bytes_ += varint_size(tag.tag) + varint_size(tag.bytes.size()) + tag.bytes.size();
  }
  total_bytes_ += varint_size(count);
  return true;
}

bool Measure::add_length(const Field& field, std::size_t length, std::size_t limit, std::size_t classic_bytes,
                         const Path* path) {
  if (length > limit) return fail(path, "too long");
  total_bytes_ += flexible_ && !field.is_classic ? varint_size(length + 1) : classic_bytes;
  return true;
}

bool Measure::add_field(const Field& field, const void* object, const Path* path) {
  const void* value = schema::value_of(field, object);
  if (value == nullptr) {
    if (!field.nullable.contains(version_)) return fail(path, "null, but the version does not allow it");
    if (field.array == nullptr && field.type == FieldType::kStruct) return ++total_bytes_, true;
    const std::size_t classic_bytes = field.array == nullptr && field.type == FieldType::kString ? 2 : 4;
    total_bytes_ += flexible_ && !field.is_classic ? 1 : classic_bytes;
    return true;
  }
  if (field.array == nullptr) {
    if (field.type == FieldType::kStruct && field.nullable.contains(version_)) ++total_bytes_;
    return add_value(field, value, path);
  }
  const schema::Elements elements = schema::elements_of(field, value);
  if (!add_length(field, elements.count, kMaxLength, 4, path)) return false;
  for (std::size_t i = 0; i < elements.count; ++i) {
    const Path here{path, nullptr, static_cast<std::ptrdiff_t>(i)};
    if (!add_value(field, elements[i], &here)) return false;
  }
  return true;
}

bool Measure::add_value(const Field& field, const void* value, const Path* path) {
  switch (field.type) {
    case FieldType::kBool:
    case FieldType::kInt8:
      total_bytes_ += 1;
      return true;
    case FieldType::kInt16:
    case FieldType::kUint16:
      total_bytes_ += 2;
      return true;
    case FieldType::kInt32:
    case FieldType::kUint32:
      total_bytes_ += 4;
      return true;
    case FieldType::kInt64:
    case FieldType::kFloat64:
      total_bytes_ += 8;
      return true;
    case FieldType::kUuid:
      total_bytes_ += 16;
      return true;
    case FieldType::kString: {
      const std::size_t size_bytes = as<std::string>(value).size();
      total_bytes_ += size_bytes;
      return add_length(field, size_bytes, kMaxString_bytes, 2, path);
    }
    case FieldType::kBytes: {
      const std::size_t size_bytes = as<Slice>(value).size();
      total_bytes_ += size_bytes;
      return add_length(field, size_bytes, kMaxLength, 4, path);
    }
    case FieldType::kRecords: {
      const std::size_t size_bytes = total_size(as<SliceList>(value));
      total_bytes_ += size_bytes;
      if (!is_inlined(size_bytes, inline_below_bytes_)) apart_bytes_ += size_bytes;
      return add_length(field, size_bytes, kMaxLength, 4, path);
    }
    case FieldType::kStruct:
      return add(*field.element, value, path);
  }
  return fail(path, "a field of no type");
}

}  // namespace wt::kafka

#include "sim/kafka/wire/schema.h"

namespace wt::schema {
namespace {

bool equal_records(const SliceList& a, const SliceList& b) {
  if (total_size(a) != total_size(b)) return false;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  std::size_t used_a = 0;
  std::size_t used_b = 0;
  while (at_a < a.size() && at_b < b.size()) {
    const std::size_t size_bytes = std::min(a[at_a].size() - used_a, b[at_b].size() - used_b);
    if (size_bytes != 0 && std::memcmp(a[at_a].data() + used_a, b[at_b].data() + used_b, size_bytes) != 0)
      return false;
    used_a += size_bytes;
    used_b += size_bytes;
    if (used_a == a[at_a].size()) ++at_a, used_a = 0;
    if (used_b == b[at_b].size()) ++at_b, used_b = 0;
  }
  return true;
}

bool equal_value(const Field& field, const void* a, const void* b, Version version) {
  switch (field.type) {
    case FieldType::kBool:
      return as<bool>(a) == as<bool>(b);
    case FieldType::kInt8:
      return as<std::int8_t>(a) == as<std::int8_t>(b);
    case FieldType::kInt16:
    case FieldType::kUint16:
      return load_16(a) == load_16(b);
    case FieldType::kInt32:
    case FieldType::kUint32:
      return as<std::uint32_t>(a) == as<std::uint32_t>(b);
    case FieldType::kInt64:
      return as<std::int64_t>(a) == as<std::int64_t>(b);
    case FieldType::kFloat64:
      return std::memcmp(a, b, sizeof(double)) == 0;
    case FieldType::kUuid:
      return as<Uuid>(a) == as<Uuid>(b);
    case FieldType::kString:
      return as<std::string>(a) == as<std::string>(b);
    case FieldType::kBytes:
      return as<Slice>(a) == as<Slice>(b);
    case FieldType::kRecords:
      return equal_records(as<SliceList>(a), as<SliceList>(b));
    case FieldType::kStruct:
      return equal(*field.element, a, b, version);
  }
  return false;
}

}  // namespace

bool equal_field(const Field& field, const void* object_a, const void* object_b, Version version) {
  const void* a = value_of(field, object_a);
  const void* b = value_of(field, object_b);
  if (a == nullptr || b == nullptr) return a == b;
  if (field.array == nullptr) return equal_value(field, a, b, version);
  const Elements left = elements_of(field, a);
  const Elements right = elements_of(field, b);
  if (left.count != right.count) return false;
  for (std::size_t i = 0; i < left.count; ++i) {
    if (!equal_value(field, left[i], right[i], version)) return false;
  }
  return true;
}

bool equal(const Table& table, const void* a, const void* b, Version version) {
  for (const Field& field : table.all()) {
    if (version != kEveryVersion && !field.versions.contains(version)) continue;
    if (!equal_field(field, a, b, version)) return false;
  }
  return unknown_tags_of(table, a) == unknown_tags_of(table, b);
}

std::string camel_name(std::string_view snake) {
  std::string name;
  name.reserve(snake.size());
  bool upper = false;
  for (const char c : snake) {
    if (c == '_') {
      upper = true;
      continue;
    }
    name.push_back(upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    upper = false;
  }
  return name;
}

std::string Path::text() const {
  std::string text = parent != nullptr ? parent->text() : std::string();
  if (field != nullptr) {
    if (!text.empty()) text += '.';
    text += camel_name(field->name);
  }
  if (index >= 0) text += "[" + std::to_string(index) + "]";
  return text;
}

}  // namespace wt::schema

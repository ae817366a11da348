#include "sim/kafka/handlers/topic_shape.h"

#include <algorithm>
#include <initializer_list>

namespace wt::kafka {
namespace {

using schema::Elements;
using schema::Field;
using schema::FieldType;
using schema::Table;
using schema::Version;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_number(const Field& field) {
  return field.type == FieldType::kInt32 && field.array == nullptr;
}

const Field* index_field(const Table& table) {
  for (const Field& field : table.all()) {
    if (is_number(field) && is_one_of(field.name, {"partition", "partition_index", "partition_id", "index"}))
      return &field;
  }
  return nullptr;
}

// Whether the list holds partitions; then `shape` knows it.
void take_partitions(const Field& field, TopicShape& shape) {
  const bool named =
      is_one_of(field.name, {"partitions", "partition_data", "partition_indexes", "partition_responses",
                             "results_by_partition", "partition_result"});
  if (!named || field.array == nullptr || shape.partitions != nullptr) return;
  const Field* index = field.type == FieldType::kStruct ? index_field(*field.element) : nullptr;
  if (index == nullptr && field.type != FieldType::kInt32) return;
  shape.partitions = &field;
  shape.index = index;
}

}  // namespace

std::optional<TopicShape> topic_shape(const Field& list) {
  if (list.array == nullptr || list.type != FieldType::kStruct) return std::nullopt;
  TopicShape shape;
  bool certain = false;
  for (const Field& field : list.element->all()) {
    const std::string_view name = field.name;
    if (field.type == FieldType::kString && field.array == nullptr &&
        is_one_of(name, {"topic", "name", "topic_name"})) {
      shape.name = &field;
      certain = certain || name != "name";
    } else if (field.type == FieldType::kUuid && name == "topic_id") {
      shape.id = &field;
      certain = true;
    }
    take_partitions(field, shape);
  }
  // Configs, features and protocols have names too.
  certain =
      certain || shape.partitions != nullptr || is_one_of(list.name, {"topics", "responses", "results"});
  if (!certain || (shape.name == nullptr && shape.id == nullptr)) return std::nullopt;
  return shape;
}

std::string_view topic_name_in(const TopicShape& shape, const void* topic) {
  const void* name = shape.name == nullptr ? nullptr : schema::value_of(*shape.name, topic);
  return name == nullptr ? std::string_view() : std::string_view(schema::as<std::string>(name));
}

Uuid topic_id_in(const TopicShape& shape, const void* topic) {
  return shape.id == nullptr ? Uuid() : schema::as<Uuid>(schema::value_of(*shape.id, topic));
}

std::int32_t partition_in(const TopicShape& shape, const void* partition) {
  const void* number = shape.index == nullptr ? partition : schema::value_of(*shape.index, partition);
  return schema::as<std::int32_t>(number);
}

void copy_element(const Field& field, const void* from, void* to, Version version) {
  switch (field.type) {
    case FieldType::kBool:
      schema::as<bool>(to) = schema::as<bool>(from);
      return;
    case FieldType::kInt8:
      schema::as<std::int8_t>(to) = schema::as<std::int8_t>(from);
      return;
    case FieldType::kInt16:
    case FieldType::kUint16:
      return schema::store_16(to, schema::load_16(from));
    case FieldType::kInt32:
    case FieldType::kUint32:
      schema::as<std::uint32_t>(to) = schema::as<std::uint32_t>(from);
      return;
    case FieldType::kInt64:
      schema::as<std::int64_t>(to) = schema::as<std::int64_t>(from);
      return;
    case FieldType::kFloat64:
      schema::as<double>(to) = schema::as<double>(from);  // float-ok: a field of the protocol
      return;
    case FieldType::kUuid:
      schema::as<Uuid>(to) = schema::as<Uuid>(from);
      return;
    case FieldType::kString:
      schema::as<std::string>(to) = schema::as<std::string>(from);
      return;
    case FieldType::kBytes:
      schema::as<Slice>(to) = schema::as<Slice>(from);
      return;
    case FieldType::kRecords:
      schema::as<SliceList>(to) = schema::as<SliceList>(from);
      return;
    case FieldType::kStruct:
      return copy_struct(*field.element, from, to, version);
  }
}

void copy_field(const Field& field, const void* from_object, void* to_object, Version version) {
  const void* from = schema::value_of(field, from_object);
  void* to = schema::member_of(field, to_object);
  if (field.optional != nullptr) {
    field.optional->reset(to);
    if (from == nullptr) return;
    to = field.optional->emplace(to);
  }
  if (field.array == nullptr) return copy_element(field, from, to, version);
  const Elements elements = schema::elements_of(field, from);
  field.array->resize(to, 0);
  field.array->resize(to, elements.count);
  const Elements copies = schema::elements_of(field, to);
  for (std::size_t i = 0; i < elements.count; ++i)
    copy_element(field, elements[i], const_cast<void*>(copies[i]), version);
}

void copy_struct(const Table& table, const void* from, void* to, Version version) {
  for (const Field& field : table.all()) {
    if (field.versions.contains(version)) copy_field(field, from, to, version);
  }
  schema::unknown_tags_of(table, to) = schema::unknown_tags_of(table, from);
}

}  // namespace wt::kafka

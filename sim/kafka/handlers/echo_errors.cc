#include "sim/kafka/handlers/echo_errors.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace wt::kafka {
namespace {

using schema::Field;
using schema::FieldType;
using schema::Table;
using schema::Version;

// Fields that say which item is meant. A request and its answer may call the same thing by different names:
// those of one kind.
struct IdentityName {
  std::string_view name;
  int kind;
};
constexpr IdentityName kIdentityNames[] = {
    {"name", 0},
    {"topic", 0},
    {"topic_name", 0},
    {"user", 0},
    {"topic_id", 1},
    {"partition", 2},
    {"partition_index", 2},
    {"partition_id", 2},
    {"index", 2},
    {"group_id", 3},
    {"group", 3},
    {"key", 4},
    {"resource_type", 5},
    {"resource_name", 6},
    {"transactional_id", 7},
    {"producer_id", 8},
    {"entity_type", 9},
    {"entity_name", 10},
};
constexpr int kNoIdentity = -1;

int identity_of(const Field& field) {
  if (field.array != nullptr || field.type == FieldType::kStruct) return kNoIdentity;
  const auto* found = std::find_if(std::begin(kIdentityNames), std::end(kIdentityNames),
                                   [&field](const IdentityName& entry) { return entry.name == field.name; });
  return found == std::end(kIdentityNames) ? kNoIdentity : found->kind;
}

bool is_error(const Field& field) {
  return field.hint == schema::Hint::kErrorCode && field.array == nullptr;
}

// Copies one value of that type; false for types that identify nothing.
bool copy_value(FieldType type, const void* from, void* to) {
  switch (type) {
    case FieldType::kInt8:
      schema::as<std::int8_t>(to) = schema::as<std::int8_t>(from);
      return true;
    case FieldType::kInt32:
      schema::as<std::int32_t>(to) = schema::as<std::int32_t>(from);
      return true;
    case FieldType::kInt64:
      schema::as<std::int64_t>(to) = schema::as<std::int64_t>(from);
      return true;
    case FieldType::kUuid:
      schema::as<Uuid>(to) = schema::as<Uuid>(from);
      return true;
    case FieldType::kString:
      schema::as<std::string>(to) = schema::as<std::string>(from);
      return true;
    default:
      return false;
  }
}

// Where to put the value of a field that may be optional.
void* place_of(const Field& field, void* object) {
  void* member = schema::member_of(field, object);
  return field.optional == nullptr ? member : field.optional->emplace(member);
}

class Echo {
 public:
  Echo(Version version, ErrorCode code, ErrorLevels levels)
      : version_(version), code_(code), levels_(levels) {}

  void fill(const Table& request_table, const void* request, const Table& table, void* object) const {
    const bool own_error = fill_errors(table, object);
    for (const Field& field : table.all()) {
      if (!is_live(field) || field.array == nullptr || field.type != FieldType::kStruct) continue;
      const bool wanted = has_errors(*field.element);
      if (wanted ? own_error && levels_ == ErrorLevels::outermost : field.optional != nullptr) continue;
      fill_array(request_table, request, field, object, wanted);
    }
  }

 private:
  bool is_live(const Field& field) const { return field.versions.contains(version_); }

  bool has_errors(const Table& table) const {
    return std::any_of(table.all().begin(), table.all().end(), [this](const Field& field) {
      if (!is_live(field)) return false;
      return is_error(field) || (field.element != nullptr && has_errors(*field.element));
    });
  }

  // Of this level and of the structs in it, arrays left out. Whether there was room for the code.
  bool fill_errors(const Table& table, void* object) const {
    bool found = false;
    for (const Field& field : table.all()) {
      if (!is_live(field) || field.array != nullptr) continue;
      void* member = schema::member_of(field, object);
      if (field.optional != nullptr) {
        if (std::string_view(field.name) == "error_message") field.optional->reset(member);
      } else if (is_error(field)) {
        schema::store_16(member, static_cast<std::uint16_t>(code_));
        found = true;
      } else if (field.type == FieldType::kStruct) {
        found = fill_errors(*field.element, member) || found;
      }
    }
    return found;
  }

  // The array of that name in the request, or all of its arrays where errors need a place.
  void fill_array(const Table& request_table, const void* request, const Field& array, void* object,
                  bool wanted) const {
    const auto live_array = [this](const Field& field) { return is_live(field) && field.array != nullptr; };
    for (const Field& field : request_table.all()) {
      if (!live_array(field) || std::string_view(field.name) != array.name) continue;
      append(field, request, array, object);
      return;
    }
    if (!wanted) return;
    for (const Field& field : request_table.all()) {
      if (live_array(field)) append(field, request, array, object);
    }
  }

  // One item of `array` for each item of the request's `source`.
  void append(const Field& source, const void* request, const Field& array, void* object) const {
    const void* value = schema::value_of(source, request);
    if (value == nullptr) return;
    const schema::Elements items = schema::elements_of(source, value);
    for (std::size_t i = 0; i < items.count; ++i) append_item(source, items[i], array, object);
  }

  void append_item(const Field& source, const void* item, const Field& array, void* object) const {
    if (source.element != nullptr && is_wrapper(*source.element, *array.element)) {
      for (const Field& inner : source.element->all()) {
        if (is_live(inner) && inner.array != nullptr) append(inner, item, array, object);
      }
      return;
    }
    void* member = schema::member_of(array, object);
    void* value = array.optional == nullptr ? member : array.optional->get(member);
    if (value == nullptr) value = array.optional->emplace(member);
    const std::size_t count = array.array->size(value);
    array.array->resize(value, count + 1);
    void* answer = static_cast<std::uint8_t*>(array.array->data(value)) + count * array.array->stride_bytes;
    if (source.element == nullptr) {
      identify(source.type, item, *array.element, answer);
      fill_errors(*array.element, answer);
      return;
    }
    identify(*source.element, item, *array.element, answer);
    fill(*source.element, item, *array.element, answer);
  }

  // Whether the request groups its items by something that the answer does not know.
  bool is_wrapper(const Table& source, const Table& element) const {
    bool named = false;
    for (const Field& field : element.all()) {
      if (!is_live(field) || identity_of(field) == kNoIdentity) continue;
      named = true;
      if (same_in(source, field) != nullptr) return false;
    }
    return named;
  }

  // The request's field for the same thing; null when it has none.
  const Field* same_in(const Table& source, const Field& wanted) const {
    const Field* found = nullptr;
    for (const Field& field : source.all()) {
      if (!is_live(field) || field.type != wanted.type || identity_of(field) != identity_of(wanted)) continue;
      if (std::string_view(field.name) == wanted.name) return &field;
      if (found == nullptr) found = &field;
    }
    return found;
  }

  void identify(const Table& source, const void* item, const Table& element, void* answer) const {
    for (const Field& field : element.all()) {
      if (!is_live(field) || identity_of(field) == kNoIdentity) continue;
      const Field* same = same_in(source, field);
      if (same == nullptr) continue;
      const void* value = schema::value_of(*same, item);
      if (value != nullptr) {
        copy_value(field.type, value, place_of(field, answer));
      } else if (field.optional != nullptr) {
        field.optional->reset(schema::member_of(field, answer));
      }
    }
  }

  // An item that is a plain value names the first field of its type.
  void identify(FieldType type, const void* item, const Table& element, void* answer) const {
    for (const Field& field : element.all()) {
      if (!is_live(field) || field.type != type || identity_of(field) == kNoIdentity) continue;
      copy_value(type, item, place_of(field, answer));
      return;
    }
  }

  Version version_;
  ErrorCode code_;
  ErrorLevels levels_;
};

}  // namespace

void echo_errors(const Table& request_table, const void* request, const Table& response_table, void* response,
                 Version version, ErrorCode code, ErrorLevels levels) {
  const Echo echo(version, code, levels);
  echo.fill(request_table, request, response_table, response);
}

}  // namespace wt::kafka

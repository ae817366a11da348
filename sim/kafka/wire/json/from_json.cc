#include "sim/kafka/wire/json/from_json.h"

#include <boost/json.hpp>
#include <charconv>
#include <limits>

#include "absl/strings/str_cat.h"
#include "sim/formats/base64.h"
#include "sim/kafka/wire/error_code.h"

namespace wt::kafka {

using schema::as;
using schema::Field;
using schema::FieldType;
using schema::Path;
using schema::Table;

namespace {

namespace json = boost::json;

std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

class JsonReader {
 public:
  bool get(const Table& table, void* object, const json::value& value, const Path* path) {
    if (!value.is_object()) return fail(path, "an object is wanted");
    for (const auto& [key, inner] : value.get_object()) {
      const std::string_view name(key.data(), key.size());
      if (name == "_tags") {
        if (!get_tags(schema::unknown_tags_of(table, object), inner, path)) return false;
        continue;
      }
      const Field* field = find(table, name);
      if (field == nullptr) {
        return fail(path, absl::StrCat(table.name, " has no field \"",
                                       absl::string_view(name.data(), name.size()), "\""));
      }
      const Path here{path, field};
      if (!get_field(*field, object, inner, &here)) return false;
    }
    return true;
  }
  const absl::Status& status() const { return status_; }

 private:
  static const Field* find(const Table& table, std::string_view name) {
    for (const Field& field : table.all()) {
      if (schema::camel_name(field.name) == name) return &field;
    }
    return nullptr;
  }
  bool fail(const Path* path, std::string_view what) {
    const std::string where = path->text();
    status_ = absl::InvalidArgumentError(
        absl::StrCat(where, where.empty() ? "" : ": ", absl::string_view(what.data(), what.size())));
    return false;
  }
  bool get_tags(schema::UnknownTags& tags, const json::value& value, const Path* path) {
    if (!value.is_object()) return fail(path, "_tags: an object is wanted");
    for (const auto& [key, inner] : value.get_object()) {
      std::uint32_t tag = 0;
      const auto parsed = std::from_chars(key.data(), key.data() + key.size(), tag);
      Slice bytes;
      if (parsed.ec != std::errc() || parsed.ptr != key.data() + key.size())
        return fail(path, "_tags: not a number");
      if (!get_bytes(bytes, inner, path)) return false;
      tags.push_back({tag, bytes});
    }
    std::stable_sort(tags.begin(), tags.end(), [](const auto& a, const auto& b) { return a.tag < b.tag; });
    return true;
  }
  bool get_field(const Field& field, void* object, const json::value& value, const Path* path) {
    void* member = schema::member_of(field, object);
    if (value.is_null()) {
      if (field.optional == nullptr) return fail(path, "null, but no version allows it");
      field.optional->reset(member);
      return true;
    }
    if (field.optional != nullptr) member = field.optional->emplace(member);
    if (field.array == nullptr) return get_value(field, member, value, path);
    if (!value.is_array()) return fail(path, "an array is wanted");
    const json::array& elements = value.get_array();
    field.array->resize(member, 0);
    field.array->resize(member, elements.size());
    auto* element = static_cast<std::uint8_t*>(field.array->data(member));
    for (std::size_t i = 0; i < elements.size(); ++i, element += field.array->stride_bytes) {
      const Path here{path, nullptr, static_cast<std::ptrdiff_t>(i)};
      if (!get_value(field, element, elements[i], &here)) return false;
    }
    return true;
  }

  template <class T>
  bool get_integer(T& out, const json::value& value, const Path* path) {
    boost::system::error_code error;
    out = value.to_number<T>(error);
    return !error || fail(path, "a whole number in the field's range is wanted");
  }
  bool get_int16(const Field& field, void* out, const json::value& value, const Path* path) {
    std::int16_t number = 0;
    if (field.hint == schema::Hint::kErrorCode && value.is_string()) {
      const auto code = error_from_name(view(value.get_string()));
      if (!code) return fail(path, "no error code has that name");
      number = static_cast<std::int16_t>(*code);
    } else if (!get_integer(number, value, path)) {
      return false;
    }
    schema::store_16(out, static_cast<std::uint16_t>(number));
    return true;
  }
  bool get_bytes(Slice& out, const json::value& value, const Path* path) {
    if (!value.is_string()) return fail(path, "base64 text is wanted");
    const auto bytes = base64_decode(view(value.get_string()), Base64Alphabet::kStandard);
    if (!bytes) return fail(path, "base64 text is wanted");
    out = Slice::copy_of(*bytes);
    return true;
  }
  bool get_double(double& out, const json::value& value, const Path* path) {
    if (value.is_string()) {
      const std::string_view text = view(value.get_string());
      if (text == "NaN") return out = std::numeric_limits<double>::quiet_NaN(), true;
      if (text == "Infinity") return out = std::numeric_limits<double>::infinity(), true;
      if (text == "-Infinity") return out = -std::numeric_limits<double>::infinity(), true;
    }
    if (!value.is_number()) return fail(path, "a number is wanted");
    boost::system::error_code error;
    out = value.to_number<double>(error);
    return !error || fail(path, "a number is wanted");
  }
  bool get_value(const Field& field, void* out, const json::value& value, const Path* path) {
    switch (field.type) {
      case FieldType::kBool:
        if (!value.is_bool()) return fail(path, "true or false is wanted");
        as<bool>(out) = value.get_bool();
        return true;
      case FieldType::kInt8:
        return get_integer(as<std::int8_t>(out), value, path);
      case FieldType::kInt16:
        return get_int16(field, out, value, path);
      case FieldType::kUint16:
        return get_integer(as<std::uint16_t>(out), value, path);
      case FieldType::kInt32:
        return get_integer(as<std::int32_t>(out), value, path);
      case FieldType::kUint32:
        return get_integer(as<std::uint32_t>(out), value, path);
      case FieldType::kInt64:
        return get_integer(as<std::int64_t>(out), value, path);
      case FieldType::kFloat64:
        return get_double(as<double>(out), value, path);
      case FieldType::kUuid: {
        const auto uuid = value.is_string() ? Uuid::from_text(view(value.get_string())) : std::nullopt;
        if (!uuid) return fail(path, "22 characters of base64 are wanted");
        as<Uuid>(out) = *uuid;
        return true;
      }
      case FieldType::kString:
        if (!value.is_string()) return fail(path, "a string is wanted");
        as<std::string>(out) = view(value.get_string());
        return true;
      case FieldType::kBytes:
        return get_bytes(as<Slice>(out), value, path);
      case FieldType::kRecords: {
        Slice bytes;
        if (!get_bytes(bytes, value, path)) return false;
        auto& records = as<SliceList>(out);
        records.clear();
        if (!bytes.empty()) records.push_back(bytes);
        return true;
      }
      case FieldType::kStruct:
        return get(*field.element, out, value, path);
    }
    return fail(path, "a field of no type");
  }

  absl::Status status_;
};

}  // namespace

absl::Status from_json(const Table& table, void* object, std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) return absl::InvalidArgumentError(absl::StrCat("not JSON: ", error.message()));
  JsonReader reader;
  const Path root;
  if (!reader.get(table, object, value, &root)) {
    return absl::InvalidArgumentError(absl::StrCat(table.name, ": ", reader.status().message()));
  }
  return absl::OkStatus();
}

}  // namespace wt::kafka

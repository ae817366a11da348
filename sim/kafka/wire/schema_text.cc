#include "sim/kafka/wire/schema_text.h"

#include <charconv>
#include <cmath>

#include "sim/formats/base64.h"

namespace wt::schema {
namespace {

template <class T>
void append_number(std::string& out, T value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

// Length of the well-formed UTF-8 sequence at the start; 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const auto continues = [&](std::size_t from, std::size_t to) {
    if (text.size() < to) return false;
    for (std::size_t i = from; i < to; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return false;
    }
    return true;
  };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1, 2) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1, 3)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    return first == 0xED && byte(1) > 0x9F ? 0 : 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1, 4)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    return first == 0xF4 && byte(1) > 0x8F ? 0 : 4;
  }
  return 0;
}

class TextWalker {
 public:
  TextWalker(std::string& out, Version version, const TextOptions& options)
      : out_(out), version_(version), options_(options) {}

  void put(const Table& table, const void* object) {
    out_ += '{';
    bool first = true;
    for (const Field& field : table.all()) {
      if (!field.versions.contains(version_)) continue;
      if (field.is_tagged(version_) && is_default(table, field, object)) continue;
      put_name(camel_name(field.name), first);
      put_field(field, object);
    }
    const UnknownTags& tags = unknown_tags_of(table, object);
    if (!tags.empty()) {
      put_name("_tags", first);
      put_tags(tags);
    }
    out_ += '}';
  }

 private:
  void put_name(std::string_view name, bool& first) {
    if (!first) out_ += ',';
    first = false;
    out_ += '"';
    out_ += name;
    out_ += "\":";
  }
  void put_bytes(std::span<const std::uint8_t> bytes) {
    if (options_.whole_bytes) {
      out_ += '"';
      out_ += base64_encode(bytes, Base64Alphabet::kStandard);
      out_ += '"';
      return;
    }
    out_ += "{\"bytes\":";
    append_number(out_, bytes.size());
    out_ += '}';
  }
  void put_records(const SliceList& records) {
    if (options_.records != nullptr) return options_.records(out_, records);
    if (options_.whole_bytes) return put_bytes(flatten(records).bytes());
    out_ += "{\"bytes\":";
    append_number(out_, total_size(records));
    out_ += '}';
  }
  void put_tags(const UnknownTags& tags) {
    out_ += '{';
    bool first = true;
    for (const UnknownTag& tag : tags) {
      put_name(std::to_string(tag.tag), first);
      put_bytes(tag.bytes.bytes());
    }
    out_ += '}';
  }
  void put_field(const Field& field, const void* object) {
    const void* value = value_of(field, object);
    if (value == nullptr) {
      out_ += "null";
      return;
    }
    if (field.array == nullptr) return put_value(field, value);
    const Elements elements = elements_of(field, value);
    out_ += '[';
    for (std::size_t i = 0; i < elements.count; ++i) {
      if (i != 0) out_ += ',';
      put_value(field, elements[i]);
    }
    out_ += ']';
  }
  void put_int16(const Field& field, std::int16_t value) {
    if (field.hint != Hint::kErrorCode || !options_.error_names || options_.error_name == nullptr) {
      return append_number(out_, value);
    }
    append_json_string(out_, options_.error_name(value));
  }
  void put_double(double value) {
    if (std::isfinite(value)) return append_number(out_, value);
    out_ += std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  }
  void put_value(const Field& field, const void* value) {
    switch (field.type) {
      case FieldType::kBool:
        out_ += as<bool>(value) ? "true" : "false";
        return;
      case FieldType::kInt8:
        return append_number(out_, static_cast<int>(as<std::int8_t>(value)));
      case FieldType::kInt16:
        return put_int16(field, static_cast<std::int16_t>(load_16(value)));
      case FieldType::kUint16:
        return append_number(out_, as<std::uint16_t>(value));
      case FieldType::kInt32:
        return append_number(out_, as<std::int32_t>(value));
      case FieldType::kUint32:
        return append_number(out_, as<std::uint32_t>(value));
      case FieldType::kInt64:
        return append_number(out_, as<std::int64_t>(value));
      case FieldType::kFloat64:
        return put_double(as<double>(value));
      case FieldType::kUuid:
        out_ += '"';
        out_ += as<Uuid>(value).text();
        out_ += '"';
        return;
      case FieldType::kString:
        return append_json_string(out_, as<std::string>(value));
      case FieldType::kBytes:
        return put_bytes(as<Slice>(value).bytes());
      case FieldType::kRecords:
        return put_records(as<SliceList>(value));
      case FieldType::kStruct:
        return put(*field.element, value);
    }
  }

  std::string& out_;
  Version version_;
  const TextOptions& options_;
};

std::string_view type_name(FieldType type) {
  switch (type) {
    case FieldType::kBool:
      return "bool";
    case FieldType::kInt8:
      return "int8";
    case FieldType::kInt16:
      return "int16";
    case FieldType::kInt32:
      return "int32";
    case FieldType::kInt64:
      return "int64";
    case FieldType::kUint16:
      return "uint16";
    case FieldType::kUint32:
      return "uint32";
    case FieldType::kFloat64:
      return "float64";
    case FieldType::kUuid:
      return "uuid";
    case FieldType::kString:
      return "string";
    case FieldType::kBytes:
      return "bytes";
    case FieldType::kRecords:
      return "records";
    case FieldType::kStruct:
      return "struct";
  }
  return "?";
}

bool has_length(const Field& field) {
  return field.array != nullptr || field.type == FieldType::kString || field.type == FieldType::kBytes ||
         field.type == FieldType::kRecords;
}

void describe_into(std::string& out, const Table& table, Version version, bool flexible, int depth);

void describe_field(std::string& out, const Field& field, Version version, bool flexible, int depth) {
  out.append(static_cast<std::size_t>(depth) * 2, ' ');
  out += field.name;
  out += ' ';
  if (flexible && !field.is_classic && has_length(field)) out += "compact ";
  if (field.nullable.contains(version)) out += "nullable ";
  if (field.array != nullptr) out += "array of ";
  out += type_name(field.type);
  if (field.is_tagged(version)) {
    out += " tag ";
    append_number(out, field.tag);
  }
  out += '\n';
  if (field.element != nullptr) describe_into(out, *field.element, version, flexible, depth + 1);
}

void describe_into(std::string& out, const Table& table, Version version, bool flexible, int depth) {
  for (const bool tagged : {false, true}) {
    for (const Field& field : table.all()) {
      if (!field.versions.contains(version) || field.is_tagged(version) != tagged) continue;
      describe_field(out, field, version, flexible, depth);
    }
  }
}

}  // namespace

std::string to_text(const Table& table, const void* object, Version version, const TextOptions& options) {
  std::string out;
  TextWalker(out, version, options).put(table, object);
  return out;
}

std::string describe(const Table& table, Version version, bool flexible) {
  std::string out;
  describe_into(out, table, version, flexible, 0);
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<std::uint8_t>(c) < 0x20) {
      out += "\\u00";
      out += kHex[static_cast<std::uint8_t>(c) >> 4];
      out += kHex[static_cast<std::uint8_t>(c) & 15];
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

}  // namespace wt::schema

// Messages as text: one line of JSON, fields in wire order under their camelCase names.
//
// Deterministic, so that the text can be compared, traced and kept in golden files. Fields that the version
// lacks are left out, and so are tagged fields with their default. Unknown tags appear under "_tags".
#pragma once

#include <string>

#include "sim/kafka/wire/schema.h"

namespace wt::schema {

struct TextOptions {
  // Error codes as names; otherwise as numbers, which is what the JSON reader of every tool expects.
  bool error_names = false;
  // Bytes and records in full, as base64; otherwise {"bytes":<how many>} and whatever `records` adds.
  bool whole_bytes = true;
  // Name of an error code.
  std::string_view (*error_name)(std::int16_t code) = nullptr;
  // Appends the text for a records field.
  void (*records)(std::string& out, const SliceList& records) = nullptr;
};

std::string to_text(const Table& table, const void* object, Version version, const TextOptions& options = {});

// The fields of a version in wire order, one a line: indented name, form, type, tag.
std::string describe(const Table& table, Version version, bool flexible);

// A string as a JSON literal; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace wt::schema

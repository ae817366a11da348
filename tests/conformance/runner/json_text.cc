#include "tests/conformance/runner/json_text.h"

#include <charconv>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"

namespace wt::conformance {

absl::StatusOr<json::value> parse_json(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) return absl::InvalidArgumentError(error.message());
  return value;
}

absl::StatusOr<json::value> read_json_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  std::ostringstream text;
  text << file.rdbuf();
  absl::StatusOr<json::value> value = parse_json(text.str());
  if (!value.ok()) return absl::InvalidArgumentError(absl::StrCat(path, ": ", value.status().message()));
  return value;
}

namespace {

// On one line, with the spaces that a person would write.
void flat(const json::value& value, std::string& out) {
  if (value.is_object()) {
    const char* separator = "{";
    for (const auto& [key, inner] : value.get_object()) {
      out += separator;
      out += json::serialize(json::value(key));
      out += ": ";
      flat(inner, out);
      separator = ", ";
    }
    out += value.get_object().empty() ? "{}" : "}";
  } else if (value.is_array()) {
    out += "[";
    for (std::size_t i = 0; i < value.get_array().size(); ++i) {
      if (i > 0) out += ", ";
      flat(value.get_array()[i], out);
    }
    out += "]";
  } else {
    out += json::serialize(value);
  }
}

void indented(const json::value& value, std::size_t indent, std::size_t used, std::size_t width,
              std::string& out) {
  std::string line;
  flat(value, line);
  const bool has_parts = value.is_object() || value.is_array();
  if (!has_parts || used + line.size() <= width) {
    out += line;
    return;
  }
  const std::string margin(indent + 1, ' ');
  out += value.is_object() ? "{" : "[";
  bool first = true;
  const auto begin = [&] {
    out += first ? "\n" : ",\n";
    out += margin;
    first = false;
  };
  if (value.is_object()) {
    for (const auto& [key, inner] : value.get_object()) {
      begin();
      const std::string name = json::serialize(json::value(key)) + ": ";
      out += name;
      indented(inner, indent + 1, indent + 2 + name.size(), width, out);
    }
  } else {
    for (const json::value& inner : value.get_array()) {
      begin();
      indented(inner, indent + 1, indent + 2, width, out);
    }
  }
  out += "\n" + std::string(indent, ' ');
  out += value.is_object() ? "}" : "]";
}

const json::value* step_into(const json::value& value, std::string_view name) {
  if (!value.is_object()) return nullptr;
  return value.get_object().if_contains(json::string_view(name.data(), name.size()));
}

const json::value* element(const json::value& value, std::string_view number) {
  std::size_t index = 0;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), index);
  if (parsed.ec != std::errc() || !value.is_array()) return nullptr;
  return index < value.get_array().size() ? &value.get_array()[index] : nullptr;
}

}  // namespace

std::string pretty(const json::value& value, std::size_t width) {
  std::string out;
  indented(value, 0, 0, width, out);
  return out;
}

const json::value* find(const json::value& value, std::string_view path) {
  const json::value* at = &value;
  while (at != nullptr && !path.empty()) {
    if (path.front() == '[') {
      const std::size_t close = path.find(']');
      if (close == std::string_view::npos) return nullptr;
      at = element(*at, path.substr(1, close - 1));
      path.remove_prefix(close + 1);
      continue;
    }
    if (path.front() == '.') path.remove_prefix(1);
    const std::size_t end = path.find_first_of(".[");
    at = step_into(*at, path.substr(0, end));
    path.remove_prefix(end == std::string_view::npos ? path.size() : end);
  }
  return at;
}

}  // namespace wt::conformance

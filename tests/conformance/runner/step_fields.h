// Fields of a step.
#pragma once

#include "absl/strings/string_view.h"
#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

inline absl::string_view absl_view(std::string_view text) {
  return {text.data(), text.size()};
}
inline json::string_view json_view(std::string_view text) {
  return {text.data(), text.size()};
}

inline const json::value* field(const json::object& step, std::string_view name) {
  return step.if_contains(json_view(name));
}
inline std::int64_t number(const json::object& step, std::string_view name, std::int64_t otherwise) {
  const json::value* value = field(step, name);
  return value != nullptr && value->is_int64() ? value->get_int64() : otherwise;
}
inline std::string_view text(const json::object& step, std::string_view name,
                             std::string_view otherwise = "") {
  const json::value* value = field(step, name);
  return value != nullptr && value->is_string() ? view(value->get_string()) : otherwise;
}
inline bool flag(const json::object& step, std::string_view name) {
  const json::value* value = field(step, name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace wt::conformance

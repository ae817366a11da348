// JSON as the row files hold it: read, and written so that a person can review a change of a row.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace wt::conformance {

namespace json = boost::json;

inline std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

absl::StatusOr<json::value> read_json_file(const std::string& path);
absl::StatusOr<json::value> parse_json(std::string_view text);

// Objects and arrays that fit into `width` columns stay on one line; key order is kept.
std::string pretty(const json::value& value, std::size_t width = 118);

// "responses[0].errorCode" inside `value`; null when there is no such place.

const json::value* find(const json::value& value, std::string_view path);

}  // namespace wt::conformance

// Reading fields of JSON requests, with sentences for what is wrong.
#pragma once

#include <boost/json.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "sim/kernel/status.h"

namespace wt::cluster {

namespace json = boost::json;

inline std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

// Reads the fields of one object; the first problem sticks.
class Fields {
 public:
  explicit Fields(const json::object& object) : object_(object) {}

  bool ok() const noexcept { return error_.empty(); }
  const std::string& error() const noexcept { return error_; }
  bool has(std::string_view name) const { return object_.contains({name.data(), name.size()}); }

  std::string text(std::string_view name, std::optional<std::string> otherwise = std::nullopt);
  std::int64_t number(std::string_view name, std::optional<std::int64_t> otherwise = std::nullopt,
                      std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                      std::int64_t high = std::numeric_limits<std::int64_t>::max());
  bool flag(std::string_view name, bool otherwise);
  const json::object* object(std::string_view name);
  const json::array* array(std::string_view name);
  // Complains about fields that nobody asked for.
  void finish();

 private:
  const json::value* find(std::string_view name);
  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }

  const json::object& object_;
  std::string error_;
  std::vector<std::string> known_;
};

// The object in `text`, or a sentence.
StatusOr<json::object> parse_object(std::string_view text);

std::string ok_answer(json::object fields = {});
std::string error_answer(std::string_view code, std::string_view message);

}  // namespace wt::cluster

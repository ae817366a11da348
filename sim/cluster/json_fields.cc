#include "sim/cluster/json_fields.h"

#include <algorithm>

namespace wt::cluster {
namespace {
constexpr std::size_t kMaxText_bytes = 1024 * 1024;
}  // namespace

const json::value* Fields::find(std::string_view name) {
  known_.emplace_back(name);
  return object_.if_contains({name.data(), name.size()});
}

std::string Fields::text(std::string_view name, std::optional<std::string> otherwise) {
  const json::value* value = find(name);
  if (value == nullptr) {
    if (!otherwise) fail("The field '" + std::string(name) + "' is missing.");
    return std::move(otherwise).value_or("");
  }
  if (!value->is_string()) {
    fail("The field '" + std::string(name) + "' must be a text.");
    return {};
  }
  return std::string(view(value->get_string()));
}

std::int64_t Fields::number(std::string_view name, std::optional<std::int64_t> otherwise, std::int64_t low,
                            std::int64_t high) {
  const json::value* value = find(name);
  if (value == nullptr) {
    if (!otherwise) fail("The field '" + std::string(name) + "' is missing.");
    return otherwise.value_or(0);
  }
  std::int64_t number = 0;
  if (value->is_int64()) {
    number = value->get_int64();
  } else if (value->is_uint64()) {
    number = std::numeric_limits<std::int64_t>::max();
  } else {
    fail("The field '" + std::string(name) + "' must be a whole number.");
    return 0;
  }
  if (number < low || number > high) {
    fail("The field '" + std::string(name) + "' must be between " + std::to_string(low) + " and " +
         std::to_string(high) + ".");
  }
  return number;
}

bool Fields::flag(std::string_view name, bool otherwise) {
  const json::value* value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_bool()) {
    fail("The field '" + std::string(name) + "' must be true or false.");
    return otherwise;
  }
  return value->get_bool();
}

const json::object* Fields::object(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_object()) {
    fail("The field '" + std::string(name) + "' must be an object.");
    return nullptr;
  }
  return &value->get_object();
}

const json::array* Fields::array(std::string_view name) {
  const json::value* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) {
    fail("The field '" + std::string(name) + "' must be a list.");
    return nullptr;
  }
  return &value->get_array();
}

void Fields::finish() {
  for (const auto& field : object_) {
    const std::string_view name(field.key().data(), field.key().size());
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      fail("There is no field '" + std::string(name) + "' here.");
    }
  }
}

StatusOr<json::object> parse_object(std::string_view text) {
  if (text.size() > kMaxText_bytes)
    return make_status(StatusCode::kInvalidArgument, "The request is too long.");
  boost::system::error_code error;
  json::value value = json::parse({text.data(), text.size()}, error);
  if (error)
    return make_status(StatusCode::kInvalidArgument, "The request is no JSON text: " + error.message() + ".");
  if (!value.is_object())
    return make_status(StatusCode::kInvalidArgument, "The request must be a JSON object.");
  return std::move(value.get_object());
}

std::string ok_answer(json::object fields) {
  json::object answer;
  answer["ok"] = true;
  for (auto& field : fields) answer[field.key()] = std::move(field.value());
  return json::serialize(answer);
}

std::string error_answer(std::string_view code, std::string_view message) {
  json::object error;
  error["code"] = json::string_view(code.data(), code.size());
  error["message"] = json::string_view(message.data(), message.size());
  json::object answer;
  answer["error"] = std::move(error);
  return json::serialize(answer);
}

}  // namespace wt::cluster

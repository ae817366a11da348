#include "harness/embed/rule_request.h"

#include <cmath>

#include "sim/kafka/wire/api.h"
#include "sim/kafka/wire/error_code.h"

namespace wt::harness {
namespace {

using cluster::json::object;
using cluster::json::value;

constexpr double kPpm = 1'000'000.0;

Status bad(const std::string& message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

bool same_letters(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

Status take_api(const value& from, object& out) {
  if (from.is_string()) {
    const std::string name(cluster::view(from.get_string()));
    const auto key = api_key_from_name(name);
    if (!key) return bad("There is no Kafka API '" + name + "'.");
    out["api_key"] = *key;
  } else {
    out["api_key"] = from;
  }
  return ok_status();
}

Status take_error(const value& from, object& out) {
  if (from.is_string()) {
    const std::string name(cluster::view(from.get_string()));
    const auto code = kafka::error_from_name(name);
    if (!code) return bad("There is no Kafka error '" + name + "'.");
    out["error_code"] = static_cast<std::int16_t>(*code);
  } else {
    out["error_code"] = from;
  }
  return ok_status();
}

Status take_count(std::string_view name, const value& from, object& out) {
  if (name == "once") {
    if (!from.is_bool()) return bad("'once' must be true or false.");
    if (from.get_bool()) out["count"] = 1;
    return ok_status();
  }
  if (!from.is_int64() || from.get_int64() < 1)
    return bad("'" + std::string(name) + "' must be a positive whole number.");
  if (name == "times") out["count"] = from;
  if (name == "nth") {
    out["skip"] = from.get_int64() - 1;
    out["count"] = 1;
  }
  return ok_status();
}

Status take_delay(const value& from, object& out) {
  if (!from.is_number()) return bad("'delay_ms' must be a number.");
  const double delay_ms = from.to_number<double>();
  if (!(delay_ms >= 0 && delay_ms <= 3.6e9)) return bad("'delay_ms' must be between 0 and 3600000000.");
  out["delay_us"] = std::llround(delay_ms * 1000.0);
  return ok_status();
}

constexpr std::int64_t kLostTransport = -195;  // as librdkafka numbers it: the connection is lost

// One answer of a list: a code or a name of an error, "close", "drop", or an object with "error" and
// "delay_ms".
StatusOr<object> step_of(const value& from) {
  object step;
  step["action"] = "answer";
  if (from.is_object()) {
    for (const auto& field : from.get_object()) {
      const std::string_view name(field.key().data(), field.key().size());
      if (name == "error") {
        const StatusOr<object> inner = step_of(field.value());
        if (!inner.ok() || field.value().is_object())
          return bad("The 'error' of an answer must be a name or a code.");
        for (const auto& part : *inner) step[part.key()] = part.value();
      } else if (name == "delay_ms") {
        if (Status taken = take_delay(field.value(), step); !taken.ok()) return taken;
      } else {
        return bad("An answer has no field '" + std::string(name) + "'.");
      }
    }
  } else if (from.is_string() && (from.get_string() == "close" || from.get_string() == "drop")) {
    step["action"] = from.get_string() == "close" ? "close" : "drop_request";
  } else if (from.is_int64() && from.get_int64() == kLostTransport) {
    step["action"] = "close";
  } else if (Status taken = take_error(from, step); !taken.ok()) {
    return taken;
  }
  const value* error = step.if_contains("error_code");
  const bool none = error == nullptr || (error->is_int64() && error->get_int64() == 0);
  const bool nothing_else = step["action"] != "close" && step["action"] != "drop_request";
  const value* delay = step.if_contains("delay_us");
  const bool late = delay != nullptr && delay->is_int64() && delay->get_int64() > 0;
  if (none && nothing_else) step["action"] = late ? "delay" : "observe";
  return step;
}

Status take_answers(const value& from, object& out) {
  if (!from.is_array() || from.get_array().empty()) return bad("'answers' must be a list of answers.");
  cluster::json::array steps;
  for (const value& one : from.get_array()) {
    StatusOr<object> step = step_of(one);
    if (!step.ok()) return step.status();
    steps.emplace_back(std::move(*step));
  }
  out["steps"] = std::move(steps);
  return ok_status();
}

Status take_probability(const value& from, object& out) {
  if (!from.is_number()) return bad("'probability' must be a number between 0 and 1.");
  const double probability = from.to_number<double>();
  if (!(probability >= 0 && probability <= 1)) return bad("'probability' must be between 0 and 1.");
  out["probability_ppm"] = std::llround(probability * kPpm);
  return ok_status();
}

Status take_field(std::string_view name, const value& from, object& out) {
  if (name == "api") return take_api(from, out);
  if (name == "error") return take_error(from, out);
  if (name == "once" || name == "times" || name == "nth") return take_count(name, from, out);
  if (name == "delay_ms") return take_delay(from, out);
  if (name == "answers") return take_answers(from, out);
  if (name == "probability") return take_probability(from, out);
  const std::string_view known = name == "to" ? "target_broker" : name;
  out[cluster::json::string_view(known.data(), known.size())] = from;
  return ok_status();
}

}  // namespace

std::optional<std::int16_t> api_key_from_name(std::string_view name) {
  for (const kafka::ApiSpec& api : kafka::all_apis()) {
    if (same_letters(api.name, name)) return api.key;
  }
  return std::nullopt;
}

StatusOr<object> rule_request(const object& body) {
  object out;
  out["do"] = "add_rule";
  for (const auto& field : body) {
    const std::string_view name(field.key().data(), field.key().size());
    if (name == "do") return bad("There is no field 'do' here.");
    if (Status taken = take_field(name, field.value(), out); !taken.ok()) return taken;
  }
  const value* action = out.if_contains("action");
  const bool answers = action != nullptr && action->is_string() &&
                       (action->get_string() == "answer" || action->get_string() == "answer_after");
  if (answers && !out.contains("error_code")) return bad("The action needs an 'error' to answer with.");
  const bool delays = action != nullptr && action->is_string() && action->get_string() == "delay";
  if (delays && !out.contains("delay_us")) return bad("The action 'delay' needs a 'delay_ms'.");
  return out;
}

}  // namespace wt::harness

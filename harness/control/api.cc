#include "harness/control/api.h"

#include <algorithm>
#include <charconv>

#include "harness/control/routes.h"

namespace wt::harness {
namespace {

using cluster::json::object;

// "%41" to "A"; false for a broken escape.
bool decode_part(std::string_view part, std::string& out) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  out.clear();
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '%') {
      out += part[i];
      continue;
    }
    if (i + 2 >= part.size()) return false;
    const int high = digit(part[i + 1]);
    const int low = digit(part[i + 2]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  if (!parts.empty() && parts.back().empty()) parts.pop_back();  // one slash at the end is forgiven
  return parts;
}

// Whether the path is that of the route; then `taken` holds what stands for the {names}.
bool matches(const std::vector<std::string_view>& pattern, const std::vector<std::string>& path,
             std::vector<std::string>& taken) {
  if (pattern.size() != path.size()) return false;
  taken.clear();
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i].front() == '{') {
      taken.push_back(path[i]);
    } else if (pattern[i] != path[i]) {
      return false;
    }
  }
  return true;
}

// "2" is a number, "true" a truth, everything else a text.
cluster::json::value parameter_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return cluster::json::string(text.data(), text.size());
}

// "a=1&b=two" as fields; false for a broken escape or a parameter without a value.
bool read_parameters(std::string_view query, object& out) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = one.find('=');
    std::string name;
    std::string value;
    if (equals == std::string_view::npos || !decode_part(one.substr(0, equals), name) ||
        !decode_part(one.substr(equals + 1), value)) {
      return false;
    }
    out[name] = parameter_value(value);
  }
  return true;
}

ControlCall answered(HttpResponse response) {
  ControlCall call;
  call.response = std::move(response);
  return call;
}

ControlCall run_route(const Route& route, RouteInput input, const std::string& body) {
  const bool blank = body.find_first_not_of(" \t\r\n") == std::string::npos;
  if (!blank) {
    StatusOr<object> parsed = cluster::parse_object(body);
    if (!parsed.ok()) return answered(error_response(400, "bad_request", message_of(parsed.status())));
    for (auto& field : *parsed) input.body[field.key()] = std::move(field.value());
  }
  return route.plan(input);
}

}  // namespace

ControlCall plan(const HttpRequest& request) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  const std::string_view parameters =
      std::string_view(request.target).substr(std::min(path.size() + 1, request.target.size()));
  if (path.empty() || path.front() != '/') {
    return answered(error_response(400, "bad_request", "The target must be a path."));
  }
  std::vector<std::string> parts;
  for (const std::string_view part : split_path(path)) {
    if (!decode_part(part, parts.emplace_back())) {
      return answered(error_response(400, "bad_request", "The path has a broken '%' escape."));
    }
  }
  std::string allow;
  for (const Route& route : routes()) {
    RouteInput input;
    if (!matches(split_path(route.path), parts, input.parts)) continue;
    if (route.method == request.method) {
      const bool wanted = route.takes_parameters || parameters.empty();
      if (!wanted || !read_parameters(parameters, input.body)) {
        return answered(error_response(
            400, "bad_request",
            wanted ? "A parameter is broken." : "This call takes no parameters behind a '?'."));
      }
      return run_route(route, std::move(input), request.body);
    }
    allow += (allow.empty() ? "" : ", ") + std::string(route.method);
  }
  if (allow.empty()) {
    return answered(error_response(
        404, "not_found", "There is nothing at '" + std::string(path) + "'; GET /v1 lists what there is."));
  }
  HttpResponse response = error_response(405, "method_not_allowed", "This path takes " + allow + ".");
  response.allow = allow;
  return answered(std::move(response));
}

int status_of_code(std::string_view code) {
  struct Row {
    std::string_view code;
    int status;
  };
  static constexpr Row kRows[] = {
      {"invalid_argument", 422}, {"not_found", 404}, {"already_exists", 409},
      {"finding", 409},          {"timed_out", 503}, {"stopped", 503},
  };
  for (const Row& row : kRows) {
    if (row.code == code) return row.status;
  }
  return 422;
}

HttpResponse error_response(int status, std::string_view code, std::string_view message) {
  HttpResponse response;
  response.status = status;
  response.body = cluster::error_answer(code, message);
  return response;
}

HttpResponse respond(const ControlCall& call, std::string_view answer) {
  boost::system::error_code problem;
  cluster::json::value value = cluster::json::parse({answer.data(), answer.size()}, problem);
  object* parsed = problem ? nullptr : value.if_object();
  if (parsed == nullptr) return error_response(503, "stopped", "The cluster gave no answer.");
  if (const auto* error = parsed->if_contains("error"); error != nullptr && error->is_object()) {
    const auto* code = error->get_object().if_contains("code");
    HttpResponse response;
    response.status =
        code != nullptr && code->is_string() ? status_of_code(cluster::view(code->get_string())) : 422;
    response.body = std::string(answer);
    return response;
  }
  parsed->erase("ok");
  HttpResponse response;
  response.status = call.success_status;
  response.body = cluster::json::serialize(*parsed);
  return response;
}

HttpResponse serve(const HttpRequest& request, ControlBackend& backend) {
  const ControlCall call = plan(request);
  switch (call.kind) {
    case ControlCall::Kind::answered:
      return call.response;
    case ControlCall::Kind::query:
      return respond(call, backend.query(call.requests.front()));
    case ControlCall::Kind::advance:
      return respond(call, backend.advance(call.by_ns, call.silence_counts));
    case ControlCall::Kind::wait:
      return respond(call, backend.wait_rule(call.wait));
    case ControlCall::Kind::flush:
      return respond(call, backend.flush_recording());
    case ControlCall::Kind::execute:
      break;
  }
  HttpResponse response;
  for (const std::string& one : call.requests) {
    response = respond(call, backend.execute(one));
    if (response.status >= 400) break;
  }
  return response;
}

}  // namespace wt::harness

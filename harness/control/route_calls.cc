#include "harness/control/route_calls.h"

#include <charconv>

namespace wt::harness::control {

using cluster::json::object;
using cluster::json::serialize;

ControlCall refused(int status, std::string_view code, std::string_view message) {
  ControlCall call;
  call.response = error_response(status, code, message);
  return call;
}
ControlCall unprocessable(std::string_view message) {
  return refused(422, "invalid_argument", message);
}

ControlCall query(const object& request) {
  ControlCall call;
  call.kind = ControlCall::Kind::query;
  call.requests.push_back(serialize(request));
  return call;
}
ControlCall query(std::string_view what) {
  object request;
  request["get"] = cluster::json::string_view(what.data(), what.size());
  return query(request);
}

ControlCall execute(const object& request, int success_status) {
  ControlCall call;
  call.kind = ControlCall::Kind::execute;
  call.requests.push_back(serialize(request));
  call.success_status = success_status;
  return call;
}

// A part of the path that has to be a number.
bool number_of(const std::string& part, std::int64_t& out) {
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
  return error == std::errc() && end == part.data() + part.size() && out >= 0;
}
ControlCall no_number(std::string_view what, const std::string& part) {
  return refused(404, "not_found", "There is no " + std::string(what) + " '" + part + "': it is a number.");
}

ControlCall body_not_wanted(const RouteInput& input) {
  return unprocessable("There is no field '" + std::string(input.body.begin()->key()) + "' here.");
}

}  // namespace wt::harness::control

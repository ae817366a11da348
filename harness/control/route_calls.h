// What the plans of routes are made of: queries, commands, refusals.
#pragma once

#include <string>
#include <string_view>

#include "harness/control/routes.h"

namespace wt::harness::control {

ControlCall refused(int status, std::string_view code, std::string_view message);
ControlCall unprocessable(std::string_view message);
ControlCall query(const cluster::json::object& request);
ControlCall query(std::string_view what);
ControlCall execute(const cluster::json::object& request, int success_status = 200);
// A part of the path that has to be a number.
bool number_of(const std::string& part, std::int64_t& out);
ControlCall no_number(std::string_view what, const std::string& part);
ControlCall body_not_wanted(const RouteInput& input);

}  // namespace wt::harness::control

// The routes of the control API: path, method, a line of help, an example, and what it means.
#pragma once

#include <span>

#include "harness/control/api.h"
#include "sim/cluster/json_fields.h"

namespace wt::harness {

// What a route gets: the parts of the path that stand for {names}, in order, and the body's object.
struct RouteInput {
  std::vector<std::string> parts;
  cluster::json::object body;
};

struct Route {
  std::string_view method;
  std::string_view path;  // "/v1/topics/{name}"
  std::string_view help;
  std::string_view example;  // body, or empty
  ControlCall (*plan)(const RouteInput& input);
  // Parameters behind a '?' stand for the fields of a body: numbers, true and false, or texts.
  bool takes_parameters = false;
};

std::span<const Route> routes();

}  // namespace wt::harness

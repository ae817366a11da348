// Queries beside those of queries.cc: rules, coordinators, caps and the list of requests.
#pragma once

#include "sim/cluster/cluster.h"
#include "sim/cluster/json_fields.h"

namespace wt::cluster {

using ControlQuery = std::string (*)(Cluster& cluster, Fields& fields);
// Null when there is no such query.
ControlQuery find_control_query(std::string_view name);

}  // namespace wt::cluster

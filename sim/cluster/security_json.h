// Security options as fields of the JSON object that all options make.
#pragma once

#include "sim/cluster/json_fields.h"
#include "sim/cluster/security.h"

namespace wt::cluster {

void add_to_json(const SecurityOptions& options, json::object& out);
// Fields that are absent keep their defaults; InvalidArgument with a sentence for what is none.
Status take_from_json(const json::object& from, SecurityOptions& options);

}  // namespace wt::cluster

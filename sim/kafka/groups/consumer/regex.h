// Regular expressions in the syntax of RE2, as brokers resolve them.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sim/controller/image.h"

namespace wt::kafka {

// Why it is no regular expression, in the broker's words; empty when it is one.
std::optional<std::string> regex_problem(const std::string& regex);

// Names of all topics that match as a whole. A broken expression matches nothing.
std::set<std::string> matching_topics(const std::string& regex, const controller::MetadataImage& image);

}  // namespace wt::kafka

// Comparing an answer with what a row expects.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

struct Difference {
  std::string path;  // "responses[0].partitions[0].errorCode"
  std::string expected;
  std::string got;
};

// Brings an answer into the order that rows use: lists whose order means nothing to a client are sorted by
// name or id (all but those of Fetch, synonyms and records), altered quotas by error code, in-sync replicas
// and assigned partitions by number. Members of groups, and topics without names, stay as they came:
// compare() takes them in any order.
json::value in_row_order(const json::value& answer, std::string_view api);

// All differences, at most kMostDifferences. In `expected`, the strings of variables.h stand for any value of
// their kind; an object with "$partial": true may lack fields.
inline constexpr std::size_t kMostDifferences = 20;
std::vector<Difference> compare(const json::value& expected, const json::value& actual, int broker_count);

}  // namespace wt::conformance

// What a group has written into the log of its coordinator, by field name.
#pragma once

#include "tests/conformance/runner/exchange.h"

namespace wt::conformance {

// The records of `group` in `__consumer_offsets`, oldest first:
// {"records": [{"key": {"version": 1, "group": …}, "value": {"version": 4, …} or null}]}.
// The version of a key says what kind of record it is. Kinds that are not known stay {"hex": "…"}.
absl::StatusOr<json::value> read_group_log(Exchange& exchange, int coordinator, std::string_view group);

// The absolute value of Java's hash of the name.
std::int32_t partition_of_group(std::string_view group, std::int32_t partitions);

// One record; null when it belongs to another group.
json::value describe_group_record(std::string_view group, std::span<const std::uint8_t> key,
                                  std::optional<std::span<const std::uint8_t>> value);

}  // namespace wt::conformance

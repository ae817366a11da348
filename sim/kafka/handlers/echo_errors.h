// Error answers made from the request: what an API echoes (topics, partitions, groups, resources) comes back
// with a code in each.
#pragma once

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Where an answer has room for the code: as real brokers do, once for a level and everything below it, or in
// some APIs both for the whole and for each item.
enum class ErrorLevels : std::uint8_t { outermost, all };

// Puts `code` into the default-constructed `response`, whose items are those of `request`.
void echo_errors(const schema::Table& request_table, const void* request, const schema::Table& response_table,
                 void* response, schema::Version version, ErrorCode code, ErrorLevels levels);

}  // namespace wt::kafka

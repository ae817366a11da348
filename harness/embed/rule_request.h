// Fault rules as people write them, with names for APIs and errors, to the call that the simulation takes.
#pragma once

#include "sim/cluster/json_fields.h"

namespace wt::harness {

// `body` is {"point":…,"action":…} and any of: topic, partition, client_id, group, transactional_id, broker,
// connection, api ("Produce" or a key), error ("NOT_LEADER_OR_FOLLOWER" or a code), once, times, nth, skip,
// every, probability (0 to 1), delay_ms, to (a broker). Instead of an action "answers": what the next ones
// get in turn, each an error, "close", "drop" or {"error":…,"delay_ms":…}. The names of the call itself
// (sim/cluster/commands.h) are taken as they are. InvalidArgument with a sentence for what cannot be meant.
StatusOr<cluster::json::object> rule_request(const cluster::json::object& body);

// Nothing for a name that Kafka does not have. Upper and lower case are the same.
std::optional<std::int16_t> api_key_from_name(std::string_view name);

}  // namespace wt::harness

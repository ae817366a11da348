// What consumers put into the bytes of group messages, by field name.
//
// Written:  {"subscription": {…}} or {"assignment": {…}}, with "version" and the fields of Kafka's
//           ConsumerProtocolSubscription and ConsumerProtocolAssignment; {"text": "…"}; {"hex": "…"}.
//           {"scram_final": {"mechanism", "password", "first", "challenge"}}: what a SCRAM client sends last,
//           after its message `first` (a text) and the server's `challenge` (as it stands in an answer).
// Read:     the same; no bytes stay "".
#pragma once

#include "absl/status/statusor.h"
#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

// Whether the requests and answers of an API hold such bytes.
bool has_embedded(std::string_view api);

// Descriptions become base64, which is how messages read bytes.
absl::StatusOr<json::value> with_embedded_built(const json::value& request);
void describe_embedded(json::value& answer);

}  // namespace wt::conformance

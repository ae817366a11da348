// The last message of a SCRAM client, for rows that log in.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

// {"mechanism": "SCRAM-SHA-256", "password": "…", "first": "n,,n=…,r=…", "challenge": base 64}, and "nonce"
// to send another one than the server's. InvalidArgument for anything else.
absl::StatusOr<std::string> scram_final(const json::value& description);

}  // namespace wt::conformance

// Options of a session as one JSON object: for the C interface and for whoever starts clusters from data.
#pragma once

#include "harness/embed/session.h"

namespace wt::harness {

// Fields: clock, rate, ports, recording, recording_limit_bytes, real_delays, broker_configs, and those of
// cluster::to_json(). A seed may be a number. InvalidArgument with a sentence, for unknown fields too.
StatusOr<SessionOptions> session_options_from_json(std::string_view text);

}  // namespace wt::harness

// The messages of SASL mechanisms, with and without a request around them.
#pragma once

#include "sim/kafka/handlers/context.h"

namespace wt::kafka {

struct SaslAnswer {
  ErrorCode code = ErrorCode::kNone;
  bool silent = false;  // a failure that is not answered
  std::string bytes;
  std::string message;  // of a failure
  std::int64_t session_lifetime_ms = 0;
};

// Evaluates one message of the client. After any failure the connection ends.
Task<SaslAnswer> answer_sasl_message(Process& process, broker::Broker& broker, KafkaService& service,
                                     ConnectionState& connection, const Slice& message);

}  // namespace wt::kafka

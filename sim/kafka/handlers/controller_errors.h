// The controller's errors as Kafka's.
#pragma once

#include <optional>
#include <string>

#include "sim/controller/errors.h"
#include "sim/kafka/wire/error_code.h"

namespace wt::kafka {

inline ErrorCode error_of(const controller::Error& error) {
  return static_cast<ErrorCode>(error.code);
}

// Null where there is nothing to say.
inline std::optional<std::string> message_of_error(const controller::Error& error) {
  if (error.message.empty()) return std::nullopt;
  return error.message;
}

}  // namespace wt::kafka

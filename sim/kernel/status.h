// Expected failures are values. Abseil's Status under the names that the simulation uses; strings
// and views come from the standard library.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace wt {

using absl::Status;
using absl::StatusCode;
using absl::StatusOr;

inline Status ok_status() {
  return absl::OkStatus();
}
inline Status make_status(StatusCode code, std::string_view message) {
  return Status(code, {message.data(), message.size()});
}
inline std::string_view message_of(const Status& status) {
  return {status.message().data(), status.message().size()};
}

}  // namespace wt

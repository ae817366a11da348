// SaslHandshake (17) and SaslAuthenticate (36).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct SaslHandshakeRequest {
  std::string mechanism;
  WT_HAS_TABLE;
};

struct SaslHandshakeResponse {
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<std::string> mechanisms;
  WT_HAS_TABLE;
};

struct SaslAuthenticateRequest {
  Slice auth_bytes;
  WT_HAS_TABLE;
};

struct SaslAuthenticateResponse {
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  Slice auth_bytes;
  std::int64_t session_lifetime_ms = 0;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

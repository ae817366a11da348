// What stands before every request and response.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Version 1 is classic, 2 flexible; the client id stays a classic string in both.
struct RequestHeader {
  std::int16_t request_api_key = 0;
  std::int16_t request_api_version = 0;
  std::int32_t correlation_id = 0;
  std::optional<std::string> client_id = std::string{};
  WT_HAS_TABLE;
};

// Version 0 is the correlation id alone, 1 adds tags. ApiVersions always answers with 0.
struct ResponseHeader {
  std::int32_t correlation_id = 0;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

// FindCoordinator (10): which broker serves a group or a transactional id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Versions up to 3 carry one key, from 4 on a list.
struct FindCoordinatorRequest {
  std::string key;
  std::int8_t key_type = 0;
  std::vector<std::string> coordinator_keys;
  WT_HAS_TABLE;
};

struct FindCoordinatorResponse {
  struct Coordinator {
    std::string key;
    std::int32_t node_id = 0;
    std::string host;
    std::int32_t port = 0;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::int32_t node_id = 0;
  std::string host;
  std::int32_t port = 0;
  std::vector<Coordinator> coordinators;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

// UpdateFeatures (57), UnregisterBroker (64), UnregisterController (94).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct UpdateFeaturesRequest {
  struct FeatureUpdateKey {
    std::string feature;
    std::int16_t max_version_level = 0;
    bool allow_downgrade = false;
    std::int8_t upgrade_type = 1;
    WT_HAS_TABLE;
  };
  std::int32_t timeout_ms = 60000;
  std::vector<FeatureUpdateKey> feature_updates;
  bool validate_only = false;
  WT_HAS_TABLE;
};

struct UpdateFeaturesResponse {
  struct UpdatableFeatureResult {
    std::string feature;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::vector<UpdatableFeatureResult> results;
  WT_HAS_TABLE;
};

struct UnregisterBrokerRequest {
  std::int32_t broker_id = 0;
  WT_HAS_TABLE;
};

struct UnregisterBrokerResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  WT_HAS_TABLE;
};

struct UnregisterControllerRequest {
  std::int32_t controller_id = 0;
  WT_HAS_TABLE;
};

struct UnregisterControllerResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

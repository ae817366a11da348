// ApiVersions (18): which APIs, versions and features a broker offers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// May arrive in a version the broker does not know; then only its header can be trusted.
struct ApiVersionsRequest {
  std::string client_software_name;
  std::string client_software_version;
  std::optional<std::string> cluster_id;
  std::int32_t node_id = -1;
  WT_HAS_TABLE;
};

// Error UNSUPPORTED_VERSION is answered in version 0, whatever was asked.
struct ApiVersionsResponse {
  struct ApiVersion {
    std::int16_t api_key = 0;
    std::int16_t min_version = 0;
    std::int16_t max_version = 0;
    WT_HAS_TABLE;
  };
  struct SupportedFeatureKey {
    std::string name;
    std::int16_t min_version = 0;
    std::int16_t max_version = 0;
    WT_HAS_TABLE;
  };
  struct FinalizedFeatureKey {
    std::string name;
    std::int16_t max_version_level = 0;
    std::int16_t min_version_level = 0;
    WT_HAS_TABLE;
  };
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<ApiVersion> api_keys;
  std::int32_t throttle_time_ms = 0;
  std::vector<SupportedFeatureKey> supported_features;
  std::int64_t finalized_features_epoch = -1;
  std::vector<FinalizedFeatureKey> finalized_features;
  bool zk_migration_ready = false;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

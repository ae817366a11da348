// GetTelemetrySubscriptions (71), PushTelemetry (72), and ListConfigResources (74), which began as the list
// of the subscriptions behind them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct GetTelemetrySubscriptionsRequest {
  Uuid client_instance_id;
  WT_HAS_TABLE;
};

struct GetTelemetrySubscriptionsResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  Uuid client_instance_id;
  std::int32_t subscription_id = 0;
  std::vector<std::int8_t> accepted_compression_types;
  std::int32_t push_interval_ms = 0;
  std::int32_t telemetry_max_bytes = 0;
  bool delta_temporality = false;
  std::vector<std::string> requested_metrics;
  WT_HAS_TABLE;
};

struct PushTelemetryRequest {
  Uuid client_instance_id;
  std::int32_t subscription_id = 0;
  bool terminating = false;
  std::int8_t compression_type = 0;
  Slice metrics;
  WT_HAS_TABLE;
};

struct PushTelemetryResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  WT_HAS_TABLE;
};

struct ListConfigResourcesRequest {
  std::vector<std::int8_t> resource_types;
  WT_HAS_TABLE;
};

struct ListConfigResourcesResponse {
  struct ConfigResource {
    std::string resource_name;
    std::int8_t resource_type = 16;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<ConfigResource> config_resources;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka

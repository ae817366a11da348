#include "sim/kafka/wire/messages/telemetry.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(GetTelemetrySubscriptionsRequest, 0, 0, 0,
    WT_FIELD(client_instance_id));

WT_MESSAGE(GetTelemetrySubscriptionsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(client_instance_id),
    WT_FIELD(subscription_id),
    WT_FIELD(accepted_compression_types),
    WT_FIELD(push_interval_ms),
    WT_FIELD(telemetry_max_bytes),
    WT_FIELD(delta_temporality),
    WT_FIELD(requested_metrics));

WT_MESSAGE(PushTelemetryRequest, 0, 0, 0,
    WT_FIELD(client_instance_id),
    WT_FIELD(subscription_id),
    WT_FIELD(terminating),
    WT_FIELD(compression_type),
    WT_FIELD(metrics));

WT_MESSAGE(PushTelemetryResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code));

WT_MESSAGE(ListConfigResourcesRequest, 0, 1, 0,
    WT_FIELD(resource_types).in(since(1)));

WT_STRUCT(ListConfigResourcesResponse::ConfigResource,
    WT_FIELD(resource_name),
    WT_FIELD(resource_type).in(since(1)).ignorable());
WT_MESSAGE(ListConfigResourcesResponse, 0, 1, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(config_resources));

}  // namespace wt::kafka

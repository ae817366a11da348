#include "sim/kafka/wire/messages/cluster_admin.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(UpdateFeaturesRequest::FeatureUpdateKey,
    WT_FIELD(feature),
    WT_FIELD(max_version_level),
    WT_FIELD(allow_downgrade).in(between(0, 0)),
    WT_FIELD(upgrade_type).in(since(1)));
WT_MESSAGE(UpdateFeaturesRequest, 0, 2, 0,
    WT_FIELD(timeout_ms),
    WT_FIELD(feature_updates),
    WT_FIELD(validate_only).in(since(1)));

WT_STRUCT(UpdateFeaturesResponse::UpdatableFeatureResult,
    WT_FIELD(feature),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_MESSAGE(UpdateFeaturesResponse, 0, 2, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(results).in(between(0, 1)).ignorable());

WT_MESSAGE(UnregisterBrokerRequest, 0, 0, 0,
    WT_FIELD(broker_id));

WT_MESSAGE(UnregisterBrokerResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());

WT_MESSAGE(UnregisterControllerRequest, 0, 0, 0,
    WT_FIELD(controller_id));

WT_MESSAGE(UnregisterControllerResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());

}  // namespace wt::kafka

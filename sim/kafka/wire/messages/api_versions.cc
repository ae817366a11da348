#include "sim/kafka/wire/messages/api_versions.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(ApiVersionsRequest, 0, 5, 3,
    WT_FIELD(client_software_name).in(since(3)).ignorable(),
    WT_FIELD(client_software_version).in(since(3)).ignorable(),
    WT_FIELD(cluster_id).in(since(5)).or_null().ignorable(),
    WT_FIELD(node_id).in(since(5)).ignorable());

WT_STRUCT(ApiVersionsResponse::ApiVersion,
    WT_FIELD(api_key),
    WT_FIELD(min_version),
    WT_FIELD(max_version));
WT_STRUCT(ApiVersionsResponse::SupportedFeatureKey,
    WT_FIELD(name),
    WT_FIELD(min_version),
    WT_FIELD(max_version));
WT_STRUCT(ApiVersionsResponse::FinalizedFeatureKey,
    WT_FIELD(name),
    WT_FIELD(max_version_level),
    WT_FIELD(min_version_level));
WT_MESSAGE(ApiVersionsResponse, 0, 5, 3,
    WT_FIELD(error_code),
    WT_FIELD(api_keys),
    WT_FIELD(throttle_time_ms).in(since(1)).ignorable(),
    WT_FIELD(supported_features).in(since(3)).ignorable().tagged_as(0),
    WT_FIELD(finalized_features_epoch).in(since(3)).ignorable().tagged_as(1),
    WT_FIELD(finalized_features).in(since(3)).ignorable().tagged_as(2),
    WT_FIELD(zk_migration_ready).in(since(3)).ignorable().tagged_as(3));

}  // namespace wt::kafka

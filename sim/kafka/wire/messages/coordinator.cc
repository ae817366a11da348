#include "sim/kafka/wire/messages/coordinator.h"

namespace wt::kafka {

using schema::between;
using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(FindCoordinatorRequest, 0, 6, 3,
    WT_FIELD(key).in(between(0, 3)),
    WT_FIELD(key_type).in(since(1)),
    WT_FIELD(coordinator_keys).in(since(4)));

WT_STRUCT(FindCoordinatorResponse::Coordinator,
    WT_FIELD(key),
    WT_FIELD(node_id),
    WT_FIELD(host),
    WT_FIELD(port),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null().ignorable());
WT_MESSAGE(FindCoordinatorResponse, 0, 6, 3,
    WT_FIELD(throttle_time_ms).in(since(1)).ignorable(),
    WT_FIELD(error_code).in(between(0, 3)),
    WT_FIELD(error_message).in(between(1, 3)).or_null().ignorable(),
    WT_FIELD(node_id).in(between(0, 3)),
    WT_FIELD(host).in(between(0, 3)),
    WT_FIELD(port).in(between(0, 3)),
    WT_FIELD(coordinators).in(since(4)));

}  // namespace wt::kafka

#include "sim/kafka/wire/messages/headers.h"

namespace wt::kafka {

// One field a line.
// clang-format off
WT_MESSAGE(RequestHeader, 1, 2, 2,
    WT_FIELD(request_api_key),
    WT_FIELD(request_api_version),
    WT_FIELD(correlation_id),
    WT_FIELD(client_id).or_null().classic());

WT_MESSAGE(ResponseHeader, 0, 1, 1,
    WT_FIELD(correlation_id));

}  // namespace wt::kafka

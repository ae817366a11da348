#include "sim/kafka/wire/messages/sasl.h"

namespace wt::kafka {

using schema::kNeverFlexible;
using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(SaslHandshakeRequest, 0, 1, kNeverFlexible,
    WT_FIELD(mechanism));

WT_MESSAGE(SaslHandshakeResponse, 0, 1, kNeverFlexible,
    WT_FIELD(error_code),
    WT_FIELD(mechanisms));

WT_MESSAGE(SaslAuthenticateRequest, 0, 2, 2,
    WT_FIELD(auth_bytes));

WT_MESSAGE(SaslAuthenticateResponse, 0, 2, 2,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(auth_bytes),
    WT_FIELD(session_lifetime_ms).in(since(1)).ignorable());

}  // namespace wt::kafka

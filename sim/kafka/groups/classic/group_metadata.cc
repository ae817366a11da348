#include "sim/kafka/groups/classic/group_metadata.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_MESSAGE(GroupMetadataKey, 2, 2, schema::kNeverFlexible,
    WT_FIELD(group));

WT_STRUCT(GroupMetadataValue::MemberMetadata,
    WT_FIELD(member_id),
    WT_FIELD(group_instance_id).in(since(3)).or_null().ignorable(),
    WT_FIELD(client_id),
    WT_FIELD(client_host),
    WT_FIELD(rebalance_timeout).in(since(1)).ignorable(),
    WT_FIELD(session_timeout),
    WT_FIELD(subscription),
    WT_FIELD(assignment));
WT_MESSAGE(GroupMetadataValue, 0, 4, 4,
    WT_FIELD(protocol_type),
    WT_FIELD(generation),
    WT_FIELD(protocol).or_null(),
    WT_FIELD(leader).or_null(),
    WT_FIELD(current_state_timestamp).in(since(2)).ignorable(),
    WT_FIELD(members));
// clang-format on

}  // namespace wt::kafka

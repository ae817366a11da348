// From a classic group to a consumer group and back, while members use it (KIP-848, online migration).
//
// Up: a member that speaks the consumer protocol joins a classic group whose members are consumers. Down: the
// last such member goes, or gives way to a static member that speaks the classic protocol.
#pragma once

#include "sim/kafka/groups/classic/classic_group.h"
#include "sim/kafka/groups/consumer/consumer_group.h"

namespace wt::kafka {

// Why the group may not be upgraded as it is set up; asked before anything happens to its members.
MaybeRefused check_upgrade(const ClassicGroup& classic, const GroupSettings& settings);
// Makes `upgraded`, which holds what the group will be, and the records that make it so in the log.
MaybeRefused upgrade(const ClassicGroup& classic, GroupHost& host, std::unique_ptr<ConsumerGroup>& upgraded,
                     std::vector<GroupRecord>& records);

}  // namespace wt::kafka

// Consumer groups as a part of the group coordinator.
#pragma once

#include "sim/kafka/groups/module.h"
#include "sim/kafka/wire/messages/classic_groups.h"

namespace wt::kafka {

const GroupModule& consumer_group_module();

// Requests of the classic protocol to a consumer group that has members. False: there is no such group here.
bool join_consumer_group(GroupShard& shard, Ticket ticket, const Caller& caller,
                         const JoinGroupRequest& request, Outcome& outcome);
bool sync_consumer_group(GroupShard& shard, Ticket ticket, const SyncGroupRequest& request, Outcome& outcome);
bool heartbeat_consumer_group(GroupShard& shard, Ticket ticket, const HeartbeatRequest& request,
                              Outcome& outcome);
bool leave_consumer_group(GroupShard& shard, Ticket ticket, const LeaveGroupRequest& request,
                          Outcome& outcome);

}  // namespace wt::kafka

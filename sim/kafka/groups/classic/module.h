// Classic groups in a shard: requests as steps of an operation, and the module that replays their records.
#pragma once

#include "sim/kafka/groups/shard.h"
#include "sim/kafka/wire/messages/classic_groups.h"
#include "sim/kafka/wire/messages/group_admin.h"

namespace wt::kafka {

void join_group(GroupShard& shard, Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                Outcome& outcome);
void sync_group(GroupShard& shard, Ticket ticket, const SyncGroupRequest& request, Outcome& outcome);
void heartbeat_group(GroupShard& shard, Ticket ticket, const HeartbeatRequest& request, Outcome& outcome);
// As of version 3.
void leave_group(GroupShard& shard, Ticket ticket, const LeaveGroupRequest& request, Outcome& outcome);
DescribeGroupsResponse::DescribedGroup describe_group(const GroupShard& shard, const std::string& group,
                                                      schema::Version version);

const GroupModule& classic_module();

}  // namespace wt::kafka

// What requests about committed offsets, and the clock, do to them: in a shard, as steps of an operation.
//
// Each takes what is left of a request when the handler has looked at topics and partitions, and gives the
// error of the whole, or fills the answer and adds records.
#pragma once

#include "sim/kafka/groups/shard.h"
#include "sim/kafka/wire/messages/offsets.h"

namespace wt::kafka {

ErrorCode commit_offsets(GroupShard& shard, const OffsetCommitRequest& request, schema::Version version,
                         OffsetCommitResponse& response, std::vector<GroupRecord>& records);

// One group of a request, in the form of the newest versions.
OffsetFetchResponse::OffsetFetchResponseGroup fetch_offsets(
    GroupShard& shard, const OffsetFetchRequest::OffsetFetchRequestGroup& request, bool require_stable);

ErrorCode delete_offsets(GroupShard& shard, const OffsetDeleteRequest& request,
                         OffsetDeleteResponse& response, std::vector<GroupRecord>& records);

// DeleteGroups.
ErrorCode delete_group(GroupShard& shard, std::string_view group, std::vector<GroupRecord>& records);

// Tombstones of offsets that are too old, and of groups that have nothing left.
void expire_offsets(GroupShard& shard, std::vector<GroupRecord>& records);
// … of all offsets of a topic that was deleted.
void forget_topic(GroupShard& shard, std::string_view topic, std::vector<GroupRecord>& records);

// The module that replays offsets.
const GroupModule& offsets_module();

}  // namespace wt::kafka

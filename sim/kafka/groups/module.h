// How a kind of group plugs into the coordinator: its records, and what they do to groups.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/kafka/groups/model/group.h"
#include "sim/kafka/groups/record_codec.h"

namespace wt::kafka {

class GroupShard;

// Functions, not objects: a module keeps nothing. Must outlive the coordinators it is given to.
struct GroupModule {
  std::vector<RecordType> types;
  // A record of one of these types is in the log: as loaded, or as just written.
  void (*replay)(GroupShard& shard, const GroupRecord& record) = nullptr;
  // The shard has read its log: timers of members start, and what was left undone may be done.
  void (*loaded)(GroupShard& shard, Outcome& outcome) = nullptr;
  // A group without members, for offsets that were committed without any.
  std::unique_ptr<Group> (*make_empty)(GroupHost& host, const std::string& id) = nullptr;
};

}  // namespace wt::kafka

#include "sim/kafka/groups/consumer/module.h"

#include "sim/kafka/groups/consumer/consumer_group.h"
#include "sim/kafka/groups/shard.h"

namespace wt::kafka {
namespace {

template <class Key, class Value>
RecordType record_type() {
  RecordType type;
  type.key_version = Key::kTable.versions.first;
  type.key = &Key::kTable;
  type.value = &Value::kTable;
  return type;
}

std::string group_of(const GroupRecord& record) {
  // Every key begins with the group's id.
  const schema::Field& first = record.key.table().fields[0];
  return schema::as<std::string>(schema::value_of(first, record.key.object()));
}

// A group of another kind without members gives way: it only stands for committed offsets.
ConsumerGroup* find_or_make(GroupShard& shard, const std::string& id, bool make) {
  if (auto* group = shard.find_as<ConsumerGroup>(id)) return group;
  if (!make) return nullptr;
  return &static_cast<ConsumerGroup&>(shard.put(std::make_unique<ConsumerGroup>(id, shard)));
}

void replay(GroupShard& shard, const GroupRecord& record) {
  const std::string id = group_of(record);
  ConsumerGroup* group = find_or_make(shard, id, static_cast<bool>(record.value));
  if (group == nullptr) return;
  group->replay(record);
  if (group->is_over()) shard.remove(id);
}

void loaded(GroupShard& shard, Outcome&) {
  for (const auto& [id, group] : shard.groups()) {
    if (auto* consumers = dynamic_cast<ConsumerGroup*>(group.get())) consumers->on_loaded();
  }
}

GroupModule make_module() {
  GroupModule module;
  module.types = {
      record_type<ConsumerGroupMetadataKey, ConsumerGroupMetadataValue>(),
      record_type<ConsumerGroupPartitionMetadataKey, ConsumerGroupPartitionMetadataValue>(),
      record_type<ConsumerGroupMemberMetadataKey, ConsumerGroupMemberMetadataValue>(),
      record_type<ConsumerGroupTargetAssignmentMetadataKey, ConsumerGroupTargetAssignmentMetadataValue>(),
      record_type<ConsumerGroupTargetAssignmentMemberKey, ConsumerGroupTargetAssignmentMemberValue>(),
      record_type<ConsumerGroupCurrentMemberAssignmentKey, ConsumerGroupCurrentMemberAssignmentValue>(),
      record_type<ConsumerGroupRegularExpressionKey, ConsumerGroupRegularExpressionValue>(),
  };
  module.replay = &replay;
  module.loaded = &loaded;
  return module;
}

ConsumerGroup* in_use(GroupShard& shard, const std::string& id) {
  auto* group = shard.find_as<ConsumerGroup>(id);
  return group == nullptr || group->is_empty() ? nullptr : group;
}

}  // namespace

bool join_consumer_group(GroupShard& shard, Ticket ticket, const Caller& caller,
                         const JoinGroupRequest& request, Outcome& outcome) {
  ConsumerGroup* group = in_use(shard, request.group_id);
  if (group != nullptr) group->join(ticket, caller, request, outcome);
  return group != nullptr;
}

bool sync_consumer_group(GroupShard& shard, Ticket ticket, const SyncGroupRequest& request,
                         Outcome& outcome) {
  ConsumerGroup* group = in_use(shard, request.group_id);
  if (group != nullptr) group->sync(ticket, request, outcome);
  return group != nullptr;
}

bool heartbeat_consumer_group(GroupShard& shard, Ticket ticket, const HeartbeatRequest& request,
                              Outcome& outcome) {
  ConsumerGroup* group = in_use(shard, request.group_id);
  if (group != nullptr) group->classic_heartbeat(ticket, request, outcome);
  return group != nullptr;
}

bool leave_consumer_group(GroupShard& shard, Ticket ticket, const LeaveGroupRequest& request,
                          Outcome& outcome) {
  ConsumerGroup* group = in_use(shard, request.group_id);
  if (group != nullptr) group->leave(ticket, request, outcome);
  return group != nullptr;
}

const GroupModule& consumer_group_module() {
  static const GroupModule module = make_module();
  return module;
}

}  // namespace wt::kafka

#include "sim/kafka/groups/classic/module.h"

#include <utility>

#include "sim/kafka/groups/classic/answers.h"
#include "sim/kafka/groups/classic/classic_group.h"

namespace wt::kafka {
namespace {

constexpr std::int16_t kGroupMetadataKey = 2;

std::vector<RecordType> record_types() {
  RecordType type;
  type.key_version = kGroupMetadataKey;
  type.key = &GroupMetadataKey::kTable;
  type.value = &GroupMetadataValue::kTable;
  type.value_version = kGroupMetadataVersion;
  return {type};
}

std::unique_ptr<Group> make_group(GroupHost& host, const std::string& id) {
  return std::make_unique<ClassicGroup>(host, id, ClassicGroup::Origin::log);
}

void replay(GroupShard& shard, const GroupRecord& record) {
  const std::string& id = record.key.get<GroupMetadataKey>()->group;
  if (!record.value) {
    if (shard.find_as<ClassicGroup>(id) != nullptr) shard.remove(id);
    return;
  }
  auto* group = shard.find_as<ClassicGroup>(id);
  if (group == nullptr) group = static_cast<ClassicGroup*>(&shard.put(make_group(shard, id)));
  group->replay(*record.value.get<GroupMetadataValue>());
}

void loaded(GroupShard& shard, Outcome& outcome) {
  for (const auto& [id, group] : shard.groups()) {
    if (auto* classic = dynamic_cast<ClassicGroup*>(group.get())) classic->on_loaded(outcome);
  }
}

// The group to join: as it is, or new. An empty group of another kind makes room.
ClassicGroup* group_to_join(GroupShard& shard, const JoinGroupRequest& request, Outcome& outcome) {
  Group* known = shard.find(request.group_id);
  const bool is_other = known != nullptr && known->kind() != GroupKind::classic;
  if (known != nullptr && !is_other) return static_cast<ClassicGroup*>(known);
  if (!request.member_id.empty()) return nullptr;
  if (is_other) {
    known->delete_records(outcome.records);
    outcome.replaced = shard.take(request.group_id);
  }
  auto group = std::make_unique<ClassicGroup>(shard, request.group_id, ClassicGroup::Origin::join);
  return static_cast<ClassicGroup*>(&shard.put(std::move(group)));
}

}  // namespace

void join_group(GroupShard& shard, Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                Outcome& outcome) {
  const Group* known = shard.find(request.group_id);
  if (known != nullptr && known->kind() != GroupKind::classic && !known->is_empty()) {
    return outcome.answer(ticket, refuse_join(ErrorCode::kInconsistentGroupProtocol, {}));
  }
  ClassicGroup* group = group_to_join(shard, request, outcome);
  if (group == nullptr) {
    return outcome.answer(ticket, refuse_join(ErrorCode::kUnknownMemberId, request.member_id));
  }
  group->join(ticket, caller, request, outcome);
}

void sync_group(GroupShard& shard, Ticket ticket, const SyncGroupRequest& request, Outcome& outcome) {
  auto* group = shard.find_as<ClassicGroup>(request.group_id);
  if (group == nullptr) return outcome.answer(ticket, refuse_sync(ErrorCode::kUnknownMemberId));
  group->sync(ticket, request, outcome);
}

void heartbeat_group(GroupShard& shard, Ticket ticket, const HeartbeatRequest& request, Outcome& outcome) {
  auto* group = shard.find_as<ClassicGroup>(request.group_id);
  if (group == nullptr) return outcome.answer(ticket, refuse_heartbeat(ErrorCode::kUnknownMemberId));
  group->heartbeat(ticket, request, outcome);
}

void leave_group(GroupShard& shard, Ticket ticket, const LeaveGroupRequest& request, Outcome& outcome) {
  auto* group = shard.find_as<ClassicGroup>(request.group_id);
  if (group == nullptr) return outcome.answer(ticket, leave_unknown(request));
  group->leave(ticket, request, outcome);
}

DescribeGroupsResponse::DescribedGroup describe_group(const GroupShard& shard, const std::string& id,
                                                      schema::Version version) {
  const Group* known = shard.find(id);
  const auto* group = dynamic_cast<const ClassicGroup*>(known);
  return group == nullptr ? describe_missing(id, version, known != nullptr) : group->describe();
}

const GroupModule& classic_module() {
  static const GroupModule module{record_types(), replay, loaded, make_group};
  return module;
}

}  // namespace wt::kafka

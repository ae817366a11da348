#include "sim/kafka/groups/consumer/conversion.h"

#include <algorithm>

#include "sim/kafka/groups/consumer/consumer_protocol.h"

namespace wt::kafka {
namespace {

bool allows(MigrationPolicy policy, MigrationPolicy direction) {
  return policy == direction || policy == MigrationPolicy::bidirectional;
}

Refused cannot_upgrade(const std::string& id, std::string_view why) {
  return Refused{ErrorCode::kGroupIdNotFound, "Cannot upgrade classic group " + id +
                                                  " to consumer group because " + std::string(why) + "."};
}

}  // namespace

MaybeRefused check_upgrade(const ClassicGroup& classic, const GroupSettings& settings) {
  const std::string& id = classic.id();
  if (!allows(settings.consumer_migration, MigrationPolicy::upgrade)) {
    return cannot_upgrade(id, "online upgrade is disabled");
  }
  if (classic.protocol_type() != kConsumerProtocolType) {
    return cannot_upgrade(id, "the group does not use the consumer embedded protocol");
  }
  if (static_cast<std::int64_t>(classic.members().size()) > settings.consumer_max_size) {
    return cannot_upgrade(id, "the group size exceeds the consumer group maximum size");
  }
  return std::nullopt;
}

namespace {

ConsumerGroupClassicMemberMetadata metadata_of(const ClassicMember& member) {
  ConsumerGroupClassicMemberMetadata metadata;
  metadata.session_timeout_ms = member.session_timeout_ms;
  for (const JoinProtocol& protocol : member.protocols) {
    auto& supported = metadata.supported_protocols.emplace_back();
    supported.name = protocol.name;
    supported.metadata = protocol.metadata;
  }
  return metadata;
}

MaybeRefused upgrade_member(const ClassicGroup& classic, const ClassicMember& old, GroupHost& host,
                            ConsumerMember& member) {
  TopicPartitions partitions;
  // A member that has just joined has no assignment yet.
  if (!old.assignment.empty()) {
    const auto assignment = parse_assignment(old.assignment);
    if (!assignment) return cannot_upgrade(classic.id(), "the embedded consumer protocol is malformed");
    if (assignment->user_data && !assignment->user_data->empty()) {
      return cannot_upgrade(classic.id(),
                            "an unsupported custom assignor is in use. Please refer to the documentation or "
                            "switch to a default assignor before re-attempting the upgrade");
    }
    partitions = to_partitions(assignment->assigned_partitions, host.image());
  }
  const JoinProtocol* protocol = old.find_protocol(*classic.protocol_name());
  const auto subscription = protocol == nullptr ? std::nullopt : parse_subscription(protocol->metadata);
  if (!subscription) return cannot_upgrade(classic.id(), "the embedded consumer protocol is malformed");
  member.member_id = old.id;
  member.epoch = member.previous_epoch = classic.generation();
  member.instance_id = old.instance_id;
  if (subscription->rack_id && !subscription->rack_id->empty()) member.rack_id = subscription->rack_id;
  member.rebalance_timeout_ms = old.rebalance_timeout_ms;
  member.client_id = old.client_id;
  member.client_host = old.client_host;
  member.topic_names = {subscription->topics.begin(), subscription->topics.end()};
  member.assigned = with_epoch(partitions, classic.generation());
  member.classic = metadata_of(old);
  return std::nullopt;
}

}  // namespace

MaybeRefused upgrade(const ClassicGroup& classic, GroupHost& host, std::unique_ptr<ConsumerGroup>& upgraded,
                     std::vector<GroupRecord>& records) {
  // A group whose first members are still joining has not agreed on a protocol; a broker stumbles here.
  if (!classic.protocol_name()) return Refused{ErrorCode::kUnknownServerError, {}};
  std::vector<ConsumerMember> members;
  for (const std::string& member_id : classic.listed()) {
    const ClassicMember& old = classic.members().find(member_id)->second;
    if (auto refusal = upgrade_member(classic, old, host, members.emplace_back())) return refusal;
  }
  const std::string& id = classic.id();
  classic.delete_records(records);
  upgraded = std::make_unique<ConsumerGroup>(id, host);
  const auto add = [&](GroupRecord record) {
    upgraded->replay(record);
    records.push_back(std::move(record));
  };
  for (const ConsumerMember& member : members) add(member_record(id, member));
  const std::int64_t hash = upgraded->subscriptions().metadata_hash(host.image());
  add(group_epoch_record(id, classic.generation(), hash));
  for (const ConsumerMember& member : members) {
    add(target_assignment_record(id, member.member_id, without_epochs(member.assigned)));
  }
  add(assignment_epoch_record(id, classic.generation(), 0));
  for (const ConsumerMember& member : members) add(current_assignment_record(id, member));
  return std::nullopt;
}

// --- down ---

namespace {

// `joined`: the members' ids in the order in which a broker adds them to the new group.
GroupRecord classic_record(const std::string& id, std::int32_t generation, const std::string& protocol,
                           const ClassicMembers& members, const std::vector<std::string>& joined,
                           TimeNs now) {
  GroupMetadataKey key;
  key.group = id;
  GroupMetadataValue value;
  value.protocol_type = kConsumerProtocolType;
  value.generation = generation;
  value.protocol = protocol;
  value.leader = joined.front();
  value.current_state_timestamp = to_ms(now);
  HashOrder listed(HashOrder::Table::hash_map);
  for (const std::string& member_id : joined) listed.put(member_id);
  for (const std::string& member_id : listed.listed()) {
    const ClassicMember& member = members.find(member_id)->second;
    auto& saved = value.members.emplace_back();
    saved.member_id = member_id;
    saved.group_instance_id = member.instance_id;
    saved.client_id = member.client_id;
    saved.client_host = member.client_host;
    saved.rebalance_timeout = member.rebalance_timeout_ms;
    saved.session_timeout = member.session_timeout_ms;
    saved.subscription = member.find_protocol(protocol)->metadata;
    saved.assignment = member.assignment;
  }
  return group_record(std::move(key), std::move(value));
}

ClassicMember classic_member(const ConsumerMember& from) {
  ClassicMember member;
  member.id = from.member_id;
  member.instance_id = from.instance_id;
  member.client_id = from.client_id;
  member.client_host = from.client_host;
  member.rebalance_timeout_ms = from.rebalance_timeout_ms;
  member.session_timeout_ms = from.classic->session_timeout_ms;
  for (const auto& supported : from.classic->supported_protocols) {
    JoinProtocol& protocol = member.protocols.emplace_back();
    protocol.name = supported.name;
    protocol.metadata = supported.metadata;
  }
  return member;
}

}  // namespace

// Whether only members of the classic protocol would be left, and the group may become one of theirs.
bool ConsumerGroup::downgrades_without(const MemberList& leaving) const {
  const auto classic_leaving = static_cast<std::size_t>(
      std::count_if(leaving.begin(), leaving.end(),
                    [](const ConsumerMember* member) { return member->classic.has_value(); }));
  const std::size_t left = members_.size() - leaving.size();
  if (classic_members_ - classic_leaving != left || left == 0) return false;
  const GroupSettings settings = host_.settings(id_);
  return allows(settings.consumer_migration, MigrationPolicy::downgrade) &&
         static_cast<std::int64_t>(left) <= settings.max_size;
}

// Whether a static member of the classic protocol that takes the place of `replaced` makes it so.
bool ConsumerGroup::downgrades_replacing(const ConsumerMember* replaced) const {
  if (replaced == nullptr || replaced->classic || classic_members_ + 1 != members_.size()) return false;
  const GroupSettings settings = host_.settings(id_);
  return allows(settings.consumer_migration, MigrationPolicy::downgrade) &&
         static_cast<std::int64_t>(members_.size()) <= settings.max_size;
}

void ConsumerGroup::downgrade(const MemberList& leaving, const ConsumerMember* joining, bool rebalance,
                              Outcome& outcome) const {
  ClassicMembers members;
  std::vector<std::string> joined;
  std::map<std::string, const TopicPartitions*> targets;
  for (const std::string& id : listed_.listed()) {
    const ConsumerMember& member = members_.at(id);
    const bool leaves = std::find(leaving.begin(), leaving.end(), &member) != leaving.end();
    if (leaves || !member.classic) continue;
    members.emplace(id, classic_member(member));
    joined.push_back(id);
    targets[id] = &target(id);
  }
  if (joining != nullptr) {
    members.emplace(joining->member_id, classic_member(*joining));
    joined.push_back(joining->member_id);
    targets[joining->member_id] = &target(static_member(*joining->instance_id)->member_id);
  }
  const std::string protocol = select_protocol(members);
  for (auto& [id, member] : members) {
    const auto bytes =
        assignment_bytes(*targets.at(id), host_.image(), member.find_protocol(protocol)->metadata);
    if (bytes) member.assignment = *bytes;
  }
  delete_records(outcome.records);
  outcome.records.push_back(classic_record(id_, epoch_, protocol, members, joined, host_.now()));
  outcome.after = [members = std::move(members), rebalance](Group& group, Outcome& next) {
    if (auto* classic = dynamic_cast<ClassicGroup*>(&group)) classic->take_over(members, rebalance, next);
  };
}

}  // namespace wt::kafka

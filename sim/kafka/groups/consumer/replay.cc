// ConsumerGroup: its state from records.
#include "sim/kafka/groups/consumer/consumer_group.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {
namespace {

void add_to(std::map<std::string, std::int32_t>& counts, const std::string& key, std::int32_t step) {
  if ((counts[key] += step) == 0) counts.erase(key);
}

template <class Change>
void for_each_partition(const EpochPartitions& partitions, Change change) {
  for (const auto& [topic_id, epochs] : partitions) {
    for (const auto& [number, epoch] : epochs) change(topic_id, number);
  }
}

}  // namespace

void ConsumerGroup::replay(const GroupRecord& record) {
  if (record.key.get<ConsumerGroupMetadataKey>() != nullptr) {
    replay_epoch(record.value.get<ConsumerGroupMetadataValue>());
  } else if (record.key.get<ConsumerGroupPartitionMetadataKey>() != nullptr) {
    has_old_metadata_ = static_cast<bool>(record.value);
  } else if (record.key.get<ConsumerGroupTargetAssignmentMetadataKey>() != nullptr) {
    const auto* value = record.value.get<ConsumerGroupTargetAssignmentMetadataValue>();
    assignment_epoch_ = value != nullptr ? value->assignment_epoch : -1;
    assignment_timestamp_ms_ = value != nullptr ? value->assignment_timestamp : 0;
  } else if (const auto* regex = record.key.get<ConsumerGroupRegularExpressionKey>()) {
    replay_regex(regex->regular_expression, record.value.get<ConsumerGroupRegularExpressionValue>());
  } else if (const auto* target = record.key.get<ConsumerGroupTargetAssignmentMemberKey>()) {
    const auto* value = record.value.get<ConsumerGroupTargetAssignmentMemberValue>();
    targets_.erase(target->member_id);
    if (value != nullptr) targets_.emplace(target->member_id, target_of(*value));
  } else if (const auto* member = record.key.get<ConsumerGroupMemberMetadataKey>()) {
    replay_member(member->member_id, record.value.get<ConsumerGroupMemberMetadataValue>());
  } else if (const auto* current = record.key.get<ConsumerGroupCurrentMemberAssignmentKey>()) {
    replay_current(current->member_id, record.value.get<ConsumerGroupCurrentMemberAssignmentValue>());
  }
}

void ConsumerGroup::replay_epoch(const ConsumerGroupMetadataValue* value) {
  over_ = value == nullptr;
  if (over_) return;
  epoch_ = value->epoch;
  metadata_hash_ = value->metadata_hash;
}

void ConsumerGroup::replay_regex(const std::string& regex, const ConsumerGroupRegularExpressionValue* value) {
  std::optional<ResolvedRegex> resolved;
  if (value != nullptr) {
    resolved.emplace();
    resolved->topics = {value->topics.begin(), value->topics.end()};
    resolved->version = value->version;
    resolved->timestamp_ms = value->timestamp;
  }
  subscriptions_.resolve(regex, std::move(resolved));
}

ConsumerMember ConsumerGroup::known_or_new(const std::string& member_id) const {
  const auto known = members_.find(member_id);
  if (known != members_.end()) return known->second;
  ConsumerMember member;
  member.member_id = member_id;
  return member;
}

void ConsumerGroup::replay_member(const std::string& member_id,
                                  const ConsumerGroupMemberMetadataValue* value) {
  if (value == nullptr) {
    erase_member(member_id);
    return;
  }
  ConsumerMember member = known_or_new(member_id);
  member.update(*value);
  set_member(std::move(member));
}

void ConsumerGroup::replay_current(const std::string& member_id,
                                   const ConsumerGroupCurrentMemberAssignmentValue* value) {
  if (value == nullptr && members_.count(member_id) == 0) return;
  ConsumerMember member = known_or_new(member_id);
  if (value != nullptr) {
    member.update(*value);
  } else {
    member.epoch = member.previous_epoch = kLeaveEpoch;
    member.assigned.clear();
    member.pending_revocation.clear();
  }
  set_member(std::move(member));
}

void ConsumerGroup::set_member(ConsumerMember member) {
  const auto known = members_.find(member.member_id);
  const bool is_new = known == members_.end();
  subscriptions_.replace(is_new ? nullptr : &known->second, &member);
  if (!is_new) {
    count(known->second, -1);
    release(known->second);
    if (known->second.instance_id) static_members_.erase(*known->second.instance_id);
  }
  count(member, 1);
  hold(member);
  if (member.instance_id) static_members_[*member.instance_id] = member.member_id;
  listed_.put(member.member_id);
  const ConsumerMember& stored = members_[member.member_id] = std::move(member);
  if (is_new) start_timer(GroupTimerKind::session, stored.member_id, session_timeout_ms(stored));
}

void ConsumerGroup::erase_member(const std::string& member_id) {
  const auto found = members_.find(member_id);
  if (found == members_.end()) return;
  const ConsumerMember& member = found->second;
  subscriptions_.replace(&member, nullptr);
  count(member, -1);
  release(member);
  if (member.instance_id) {
    const auto holder = static_members_.find(*member.instance_id);
    if (holder != static_members_.end() && holder->second == member_id) static_members_.erase(holder);
  }
  cancel_timers(member_id);
  listed_.erase(member_id);
  members_.erase(found);
}

void ConsumerGroup::count(const ConsumerMember& member, std::int32_t step) {
  if (member.server_assignor) add_to(assignors_, *member.server_assignor, step);
  if (!member.classic) return;
  classic_members_ += static_cast<std::size_t>(step);
  for (const auto& protocol : member.classic->supported_protocols) {
    add_to(classic_protocols_, protocol.name, step);
  }
}

void ConsumerGroup::hold(const ConsumerMember& member) {
  const auto take = [&](const Uuid& topic_id, std::int32_t number) {
    holders_[topic_id][number] = member.member_id;
  };
  for_each_partition(member.assigned, take);
  for_each_partition(member.pending_revocation, take);
}

// What somebody else has taken meanwhile stays theirs: records of a compacted log may come in another order.
void ConsumerGroup::release(const ConsumerMember& member) {
  const auto give = [&](const Uuid& topic_id, std::int32_t number) {
    const auto topic = holders_.find(topic_id);
    if (topic == holders_.end()) return;
    const auto holder = topic->second.find(number);
    if (holder != topic->second.end() && holder->second == member.member_id) topic->second.erase(holder);
    if (topic->second.empty()) holders_.erase(topic);
  };
  for_each_partition(member.assigned, give);
  for_each_partition(member.pending_revocation, give);
}

bool ConsumerGroup::is_held(const Uuid& topic_id, std::int32_t number) const {
  const auto topic = holders_.find(topic_id);
  return topic != holders_.end() && topic->second.count(number) > 0;
}

bool ConsumerGroup::same_state(const ConsumerGroup& other) const {
  return epoch_ == other.epoch_ && metadata_hash_ == other.metadata_hash_ &&
         assignment_epoch_ == other.assignment_epoch_ &&
         assignment_timestamp_ms_ == other.assignment_timestamp_ms_ && members_ == other.members_ &&
         targets_ == other.targets_ && has_old_metadata_ == other.has_old_metadata_ && over_ == other.over_ &&
         subscriptions_ == other.subscriptions_ && static_members_ == other.static_members_ &&
         assignors_ == other.assignors_ && classic_protocols_ == other.classic_protocols_ &&
         classic_members_ == other.classic_members_ && holders_ == other.holders_;
}

}  // namespace wt::kafka

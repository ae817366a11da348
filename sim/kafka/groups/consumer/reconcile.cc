#include "sim/kafka/groups/consumer/reconcile.h"

namespace wt::kafka {
namespace {

bool holds(const EpochPartitions& partitions, const Uuid& topic_id, std::int32_t number) {
  const auto topic = partitions.find(topic_id);
  return topic != partitions.end() && topic->second.count(number) > 0;
}

// A member that does not say what it owns still owns all of it.
bool still_owns(const OwnedTopics& owned, const EpochPartitions& revoked) {
  if (!owned) return true;
  for (const auto& topic : *owned) {
    for (const std::int32_t number : topic.partitions) {
      if (holds(revoked, topic.topic_id, number)) return true;
    }
  }
  return false;
}

ConsumerMember waits_for_revocation(const ConsumerMember& member, EpochPartitions assigned,
                                    EpochPartitions revoked) {
  ConsumerMember next = member;
  next.state = MemberState::unrevoked_partitions;
  next.move_to_epoch(member.epoch);
  next.assigned = std::move(assigned);
  next.pending_revocation = std::move(revoked);
  return next;
}

// Takes topics away that the member has just unsubscribed from, without waiting for a new target.
ConsumerMember drop_unsubscribed(const ConsumerMember& member, const ReconcileInput& input) {
  EpochPartitions assigned;
  EpochPartitions revoked = member.pending_revocation;
  for (const auto& [topic_id, epochs] : member.assigned) {
    if (input.subscribed_topics.count(topic_id) > 0) {
      assigned.emplace(topic_id, epochs);
    } else {
      for (const auto& [number, epoch] : epochs) revoked[topic_id][number] = epoch;
    }
  }
  if (assigned.size() == member.assigned.size()) return member;
  if (still_owns(input.owned, revoked)) {
    return waits_for_revocation(member, std::move(assigned), std::move(revoked));
  }
  ConsumerMember next = member;
  next.move_to_epoch(member.epoch);
  next.assigned = std::move(assigned);
  return next;
}

class NextAssignment {
 public:
  NextAssignment(const ConsumerMember& member, const ReconcileInput& input)
      : member_(member), input_(input) {}

  ConsumerMember build() {
    for (const auto& [topic_id, epochs] : member_.assigned) split_current(topic_id, epochs);
    for (const auto& [topic_id, numbers] : input_.target) {
      if (input_.subscribed_topics.count(topic_id) > 0) find_new(topic_id, numbers);
    }
    if (!revoked_.empty() && still_owns(input_.owned, revoked_)) {
      return waits_for_revocation(member_, std::move(kept_), std::move(revoked_));
    }
    ConsumerMember next = member_;
    next.state = unreleased_ ? MemberState::unreleased_partitions : MemberState::stable;
    next.move_to_epoch(input_.target_epoch);
    next.assigned = std::move(kept_);
    next.pending_revocation.clear();
    for (const auto& [topic_id, numbers] : added_) {
      for (const std::int32_t number : numbers) next.assigned[topic_id][number] = input_.target_epoch;
    }
    return next;
  }

 private:
  void split_current(const Uuid& topic_id, const std::map<std::int32_t, std::int32_t>& epochs) {
    const auto target = input_.target.find(topic_id);
    const bool wanted = target != input_.target.end() && input_.subscribed_topics.count(topic_id) > 0;
    for (const auto& [number, epoch] : epochs) {
      const bool keeps = wanted && target->second.count(number) > 0;
      (keeps ? kept_ : revoked_)[topic_id][number] = epoch;
    }
  }

  void find_new(const Uuid& topic_id, const std::set<std::int32_t>& numbers) {
    for (const std::int32_t number : numbers) {
      if (holds(kept_, topic_id, number)) continue;
      // What the member itself is about to give up is free for it.
      if (input_.is_held(topic_id, number) && !holds(member_.pending_revocation, topic_id, number)) {
        unreleased_ = true;
      } else {
        added_[topic_id].insert(number);
      }
    }
  }

  const ConsumerMember& member_;
  const ReconcileInput& input_;
  EpochPartitions kept_;
  EpochPartitions revoked_;
  TopicPartitions added_;
  bool unreleased_ = false;
};

}  // namespace

std::optional<ConsumerMember> reconcile(const ConsumerMember& member, const ReconcileInput& input) {
  switch (member.state) {
    case MemberState::stable:
      if (member.epoch != input.target_epoch) return NextAssignment(member, input).build();
      return input.subscription_changed ? drop_unsubscribed(member, input) : member;
    case MemberState::unrevoked_partitions:
      if (!still_owns(input.owned, member.pending_revocation)) return NextAssignment(member, input).build();
      return input.subscription_changed ? drop_unsubscribed(member, input) : member;
    case MemberState::unreleased_partitions:
      return NextAssignment(member, input).build();
    case MemberState::unknown:
      break;
  }
  if (!input.owned || !input.owned->empty()) return std::nullopt;
  return NextAssignment(member, input).build();
}

}  // namespace wt::kafka

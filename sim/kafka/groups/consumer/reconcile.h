// One step of a member towards its target assignment. A member gives up what is not in its target first, then
// moves to the epoch of the target and gets what nobody else holds.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "sim/kafka/groups/consumer/member.h"
#include "sim/kafka/wire/messages/consumer_groups.h"

namespace wt::kafka {

// What a member says it owns; empty optional: it did not say.
using OwnedTopics = std::optional<std::vector<ConsumerGroupHeartbeatRequest::TopicPartitions>>;

struct ReconcileInput {
  std::int32_t target_epoch = 0;
  const TopicPartitions& target;
  bool subscription_changed = false;
  const std::set<Uuid>& subscribed_topics;
  const OwnedTopics& owned;
  // Whether somebody (the member too) still holds the partition.
  const std::function<bool(const Uuid&, std::int32_t)>& is_held;
};

// Empty: a member in a state that this release does not know must give up all and join again.
std::optional<ConsumerMember> reconcile(const ConsumerMember& member, const ReconcileInput& input);

}  // namespace wt::kafka

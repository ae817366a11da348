// ConsumerGroup: the steps that heartbeats and joins have in common, from a changed member to its next
// assignment. They only add records; the group changes when those are replayed.
#include "sim/kafka/groups/consumer/consumer_group.h"
#include "sim/kafka/groups/consumer/regex.h"

namespace wt::kafka {
namespace {

// Regular expressions are not resolved again before this, whatever happens.
constexpr std::int64_t kRegexMinInterval_ms = 10'000;

// Among assignors that are preferred equally often the one that a broker's hash table yields first.
constexpr std::string_view kTieOrder[] = {"uniform", "range"};

std::string most_preferred(const std::map<std::string, std::int32_t>& counts) {
  std::string best;
  std::int32_t most = 0;
  const auto look = [&](const std::string& name, std::int32_t members) {
    if (members <= most) return;
    best = name;
    most = members;
  };
  for (const std::string_view name : kTieOrder) {
    const auto found = counts.find(std::string(name));
    if (found != counts.end()) look(found->first, found->second);
  }
  for (const auto& [name, members] : counts) look(name, members);
  return best;
}

}  // namespace

// --- 1. the member itself ---

// Whether its topic names changed.
bool ConsumerGroup::write_member(Update& update) const {
  if (update.after == update.before) return false;
  update.records.push_back(member_record(id_, update.after));
  return update.after.topic_names != update.before.topic_names;
}

MaybeRefused ConsumerGroup::update_regex(Update& update, RegexChange& change) {
  const std::string* before = update.before.regex();
  const std::string* after = update.after.regex();
  bool new_regex = false;
  if (update.before.topic_regex != update.after.topic_regex) {
    change = RegexChange::updated;
    if (before != nullptr && subscriptions_.regex_members(*before) == 1) {
      write_regex(*before, nullptr, update.records);
    }
    if (after == nullptr) {
      if (before != nullptr) change = RegexChange::updated_and_resolved;
    } else if (subscriptions_.regex_members(*after) == 0) {
      if (const auto problem = regex_problem(*after)) {
        return Refused{
            ErrorCode::kInvalidRegularExpression,
            "SubscribedTopicRegex `" + *after + "` is not a valid regular expression: " + *problem + "."};
      }
      new_regex = true;
    } else if (subscriptions_.resolved(*after) != nullptr) {
      change = RegexChange::updated_and_resolved;
    }
  }
  if (needs_refresh(update, new_regex)) resolve_regexes();
  return std::nullopt;
}

void ConsumerGroup::resolve_regexes() {
  resolving_ = true;
  host_.set_timer(timer(GroupTimerKind::regex), 0, TimerKind::protocol);
}

// Regular expressions are resolved beside the requests, all of the group at once: when one is new, when
// topics were created, and every now and then.
bool ConsumerGroup::needs_refresh(const Update& update, bool new_regex) {
  if (!new_regex && subscriptions_.regexes().empty()) return false;
  see_topics();
  if (resolving_) return false;
  const ResolvedRegex* last = subscriptions_.last_resolved();
  const std::int64_t now_ms = to_ms(host_.now());
  if (last != nullptr && now_ms <= last->timestamp_ms + kRegexMinInterval_ms) return false;
  Subscriptions next = subscriptions_;
  next.replace(&update.before, &update.after);
  if (next.regexes().empty()) return false;
  if (new_regex || last == nullptr) return true;
  return next.regexes().size() != subscriptions_.resolved().size() || last->version < new_topics_at_ ||
         now_ms > last->timestamp_ms + host_.settings(id_).consumer_regex_refresh_interval_ms;
}

std::string ConsumerGroup::preferred_assignor(const Update* update) const {
  std::map<std::string, std::int32_t> counts = assignors_;
  if (update != nullptr) {
    const auto& before = update->before.server_assignor;
    const auto& after = update->after.server_assignor;
    if (before && --counts[*before] == 0) counts.erase(*before);
    if (after) ++counts[*after];
  }
  std::string preferred = most_preferred(counts);
  if (!preferred.empty()) return preferred;
  const std::vector<std::string> known = host_.settings(id_).consumer_assignors;
  return known.empty() ? "uniform" : known.front();
}

bool ConsumerGroup::preferred_assignor_changes(const Update& update) const {
  return preferred_assignor(nullptr) != preferred_assignor(&update);
}

// --- 2. the group's epoch ---

// The metadata moved on, or the epoch that was written when it was last looked at was never appended.
bool ConsumerGroup::metadata_expired() const {
  return refreshed_at_ != host_.image().end_offset() || epoch_ < refreshed_epoch_;
}

void ConsumerGroup::update_epoch(Update& update, bool bump) {
  update.group_epoch = epoch_;
  update.homogeneous = subscriptions_.homogeneous(members_.size());
  if (!bump && !metadata_expired()) return;
  Subscriptions next = subscriptions_;
  next.replace(&update.before, &update.after);
  const std::string* before = update.before.regex();
  if (before != nullptr && update.before.topic_regex != update.after.topic_regex &&
      next.regex_members(*before) == 0) {
    next.resolve(*before, std::nullopt);
  }
  const bool known = members_.count(update.after.member_id) > 0 ||
                     (update.after.instance_id && static_members_.count(*update.after.instance_id) > 0);
  update.homogeneous = next.homogeneous(members_.size() + (known ? 0 : 1));
  const std::int64_t hash = next.metadata_hash(host_.image());
  if (bump || hash != metadata_hash_) {
    ++update.group_epoch;
    write_epoch(update.group_epoch, hash, update.records);
  }
  refreshed_at_ = host_.image().end_offset();
  refreshed_epoch_ = update.group_epoch;
  if (has_old_metadata_) {
    ConsumerGroupPartitionMetadataKey key;
    key.group_id = id_;
    update.records.push_back(group_tombstone(std::move(key)));
  }
}

void ConsumerGroup::write_epoch(std::int32_t epoch, std::int64_t hash, std::vector<GroupRecord>& records) {
  records.push_back(group_epoch_record(id_, epoch, hash));
  host_.trace("group.consumer.epoch"_label, id_, {}, epoch);
}

void ConsumerGroup::write_regex(const std::string& regex, const ResolvedRegex* resolved,
                                std::vector<GroupRecord>& records) const {
  ConsumerGroupRegularExpressionKey key;
  key.group_id = id_;
  key.regular_expression = regex;
  if (resolved == nullptr) {
    records.push_back(group_tombstone(std::move(key)));
    return;
  }
  ConsumerGroupRegularExpressionValue value;
  value.topics = {resolved->topics.begin(), resolved->topics.end()};
  value.version = resolved->version;
  value.timestamp = resolved->timestamp_ms;
  records.push_back(group_record(std::move(key), std::move(value)));
}

// --- 3. the target assignment ---

// Members and targets as they are with the update; a static member that takes the place of another one takes
// its target too.
AssignorInput ConsumerGroup::assignor_input(const Update& update) const {
  AssignorInput input;
  input.homogeneous = update.homogeneous;
  const auto& instance_id = update.after.instance_id;
  const auto holder = instance_id ? static_members_.find(*instance_id) : static_members_.end();
  const std::string replaced =
      holder != static_members_.end() && holder->second != update.after.member_id ? holder->second : "";
  const auto add = [&](const ConsumerMember& member, const TopicPartitions& target) {
    AssignorMember& entry = input.members.emplace_back();
    entry.member_id = member.member_id;
    entry.instance_id = member.instance_id;
    entry.topics = subscriptions_.topic_ids(member, host_.image());
    entry.target = target;
    for (const Uuid& topic_id : entry.topics) {
      input.partition_counts[topic_id] = host_.image().topic(topic_id)->partition_count();
    }
  };
  for (const auto& [member_id, member] : members_) {
    if (member_id != update.after.member_id && member_id != replaced) add(member, target(member_id));
  }
  add(update.after, target(replaced.empty() ? update.after.member_id : replaced));
  broker_order(input.members);
  return input;
}

void ConsumerGroup::update_target(Update& update) {
  update.target_epoch = assignment_epoch_;
  const auto& instance_id = update.after.instance_id;
  const auto holder = instance_id ? static_members_.find(*instance_id) : static_members_.end();
  if (!instance_id) update.target = target(update.after.member_id);
  if (holder != static_members_.end()) update.target = target(holder->second);
  if (assignment_epoch_ >= update.group_epoch) return;
  const std::int64_t now_ms = to_ms(host_.now());
  const std::int32_t interval_ms = host_.settings(id_).consumer_assignment_interval_ms;
  const bool waits =
      assignment_timestamp_ms_ != 0 && interval_ms != 0 && now_ms < assignment_timestamp_ms_ + interval_ms;
  if (waits) return;
  const AssignorInput input = assignor_input(update);
  TargetAssignment result = assign(preferred_assignor(&update), input);
  for (const AssignorMember& member : input.members) {
    const TopicPartitions& next = result[member.member_id];
    const bool takes_over = member.member_id == update.after.member_id && holder != static_members_.end();
    const bool had_target = targets_.count(takes_over ? holder->second : member.member_id) > 0;
    if (had_target && next == member.target) continue;
    update.records.push_back(target_assignment_record(id_, member.member_id, next));
  }
  update.records.push_back(assignment_epoch_record(id_, update.group_epoch, now_ms));
  update.target_epoch = update.group_epoch;
  update.target = std::move(result[update.after.member_id]);
}

const TopicPartitions& ConsumerGroup::target(const std::string& member_id) const {
  static const TopicPartitions kNothing;
  const auto found = targets_.find(member_id);
  return found == targets_.end() ? kNothing : found->second;
}

// --- 4. the member's assignment ---

MaybeRefused ConsumerGroup::reconcile_member(Update& update, const OwnedTopics& owned) {
  if (!update.subscription_changed && update.after.reconciled_to(update.target_epoch)) return std::nullopt;
  const std::set<Uuid> topics = subscriptions_.topic_ids(update.after, host_.image());
  const std::function<bool(const Uuid&, std::int32_t)> held =
      [this](const Uuid& topic_id, std::int32_t number) { return is_held(topic_id, number); };
  const ReconcileInput input{
      update.target_epoch, update.target, update.subscription_changed, topics, owned, held};
  std::optional<ConsumerMember> next = reconcile(update.after, input);
  if (!next) {
    return Refused{
        ErrorCode::kFencedMemberEpoch,
        "The consumer group member is in a unknown state. The member must abandon all its partitions "
        "and rejoin."};
  }
  if (*next == update.after) return std::nullopt;
  update.after = *std::move(next);
  const ConsumerMember& member = update.after;
  update.records.push_back(current_assignment_record(id_, member));
  host_.trace("group.consumer.member"_label, id_, member.member_id, member.epoch);
  if (member.uses_classic_protocol()) return std::nullopt;
  if (member.state == MemberState::unrevoked_partitions) {
    revocation_epochs_[member.member_id] = member.epoch;
    start_timer(GroupTimerKind::rebalance, member.member_id, member.rebalance_timeout_ms);
  } else {
    revocation_epochs_.erase(member.member_id);
    host_.cancel_timer(timer(GroupTimerKind::rebalance, member.member_id));
  }
  return std::nullopt;
}

}  // namespace wt::kafka

// ConsumerGroup: members that go, timers, and the resolution of regular expressions.
#include <algorithm>

#include "sim/kafka/groups/consumer/consumer_group.h"
#include "sim/kafka/groups/consumer/regex.h"
#include "sim/kafka/wire/messages/classic_groups.h"

namespace wt::kafka {
namespace {

template <class Response>
bool put_error(schema::AnyMessage& message, ErrorCode code) {
  Response* response = message.get<Response>();
  if (response == nullptr) return false;
  *response = Response();
  response->error_code = code;
  return true;
}

}  // namespace

void ConsumerGroup::fence(const MemberList& members, Outcome& outcome) {
  if (members.empty()) return;
  if (downgrades_without(members)) {
    downgrade(members, nullptr, true, outcome);
    return;
  }
  Subscriptions next = subscriptions_;
  for (const ConsumerMember* member : members) {
    remove_member_records(id_, member->member_id, outcome.records);
    next.replace(member, nullptr);
  }
  for (const auto& [regex, count] : subscriptions_.regexes()) {
    if (next.regex_members(regex) > 0) continue;
    write_regex(regex, nullptr, outcome.records);
    next.resolve(regex, std::nullopt);
  }
  const std::int32_t epoch = epoch_ + 1;
  write_epoch(epoch, next.metadata_hash(host_.image()), outcome.records);
  // Without members there is nothing to assign, and the next member need not wait for the interval.
  if (members.size() == members_.size()) {
    outcome.records.push_back(assignment_epoch_record(id_, epoch, 0));
  }
  for (const ConsumerMember* member : members) cancel_timers(member->member_id);
}

void ConsumerGroup::fence_member(const std::string& member_id, Outcome& outcome) {
  const auto member = members_.find(member_id);
  if (member == members_.end()) return;
  host_.trace("group.consumer.fenced"_label, id_, member_id, member->second.epoch);
  fence({&member->second}, outcome);
}

// --- timers ---

GroupTimer ConsumerGroup::timer(GroupTimerKind kind, const std::string& member_id) const {
  GroupTimer timer;
  timer.group = id_;
  timer.kind = kind;
  timer.member = member_id;
  return timer;
}

void ConsumerGroup::start_timer(GroupTimerKind kind, const std::string& member_id, std::int32_t after_ms) {
  host_.set_timer(timer(kind, member_id), from_ms(std::max(after_ms, 0)), TimerKind::silence);
}

// Runs on from the first time that the member was told to join again.
void ConsumerGroup::start_join_timer(const ConsumerMember& member) {
  if (!join_timers_.insert(member.member_id).second) return;
  start_timer(GroupTimerKind::join, member.member_id, member.rebalance_timeout_ms);
}

void ConsumerGroup::cancel_timers(const std::string& member_id) {
  for (const GroupTimerKind kind :
       {GroupTimerKind::session, GroupTimerKind::rebalance, GroupTimerKind::join, GroupTimerKind::sync}) {
    host_.cancel_timer(timer(kind, member_id));
  }
  revocation_epochs_.erase(member_id);
  join_timers_.erase(member_id);
}

std::int32_t ConsumerGroup::session_timeout_ms(const ConsumerMember& member) const {
  return member.classic ? member.classic->session_timeout_ms
                        : host_.settings(id_).consumer_session_timeout_ms;
}

void ConsumerGroup::on_loaded() {
  const std::int32_t session_ms = host_.settings(id_).consumer_session_timeout_ms;
  for (const auto& [member_id, member] : members_) {
    start_timer(GroupTimerKind::session, member_id, session_ms);
    if (member.state != MemberState::unrevoked_partitions) continue;
    revocation_epochs_[member_id] = member.epoch;
    start_timer(GroupTimerKind::rebalance, member_id, member.rebalance_timeout_ms);
  }
}

void ConsumerGroup::on_timer(const GroupTimer& timer, Outcome& outcome) {
  switch (timer.kind) {
    case GroupTimerKind::regex:
      return on_regexes_due(outcome);
    case GroupTimerKind::rebalance: {
      const auto epoch = revocation_epochs_.find(timer.member);
      const auto member = members_.find(timer.member);
      if (epoch == revocation_epochs_.end() || member == members_.end()) return;
      const bool stuck = member->second.epoch == epoch->second;
      revocation_epochs_.erase(epoch);
      if (stuck) fence_member(timer.member, outcome);
      return;
    }
    case GroupTimerKind::join:
      join_timers_.erase(timer.member);
      return fence_member(timer.member, outcome);
    case GroupTimerKind::session:
    case GroupTimerKind::sync:
      return fence_member(timer.member, outcome);
    case GroupTimerKind::initial_delay:
    case GroupTimerKind::pending:
      return;
  }
}

// --- regular expressions ---

void ConsumerGroup::see_topics() {
  const controller::MetadataImage& image = host_.image();
  if (topics_seen_at_ == image.end_offset()) return;
  bool created = topics_seen_at_ < 0;
  std::set<Uuid> seen;
  image.for_each_topic([&](const controller::TopicState& topic) {
    created = created || topics_seen_.count(topic.topic_id) == 0;
    seen.insert(topic.topic_id);
  });
  topics_seen_ = std::move(seen);
  topics_seen_at_ = image.end_offset();
  if (created) new_topics_at_ = image.end_offset();
}

void ConsumerGroup::on_regexes_due(Outcome& outcome) {
  resolving_ = false;
  const controller::MetadataImage& image = host_.image();
  Subscriptions next = subscriptions_;
  bool changed = false;
  for (const auto& [regex, members] : subscriptions_.regexes()) {
    ResolvedRegex resolved;
    resolved.topics = matching_topics(regex, image);
    resolved.version = image.end_offset();
    resolved.timestamp_ms = to_ms(host_.now());
    write_regex(regex, &resolved, outcome.records);
    const ResolvedRegex* old = subscriptions_.resolved(regex);
    if (old == nullptr ? !resolved.topics.empty() : old->topics != resolved.topics) changed = true;
    next.resolve(regex, std::move(resolved));
  }
  const std::int64_t hash = next.metadata_hash(image);
  if (!changed && hash == metadata_hash_) return;
  write_epoch(epoch_ + 1, hash, outcome.records);
  refreshed_at_ = image.end_offset();
  refreshed_epoch_ = epoch_ + 1;
}

// --- the rest of Group ---

void ConsumerGroup::on_append_failed(ErrorCode code, Outcome& failed) {
  for (Outcome::Answer& answer : failed.answers) {
    schema::AnyMessage& response = answer.response;
    const bool done = put_error<ConsumerGroupHeartbeatResponse>(response, code) ||
                      put_error<JoinGroupResponse>(response, code) ||
                      put_error<LeaveGroupResponse>(response, code);
    if (!done) put_error<SyncGroupResponse>(response, code);
  }
}

std::string_view ConsumerGroup::state_name() const {
  if (members_.empty()) return "Empty";
  if (epoch_ > assignment_epoch_) return "Assigning";
  for (const auto& [member_id, member] : members_) {
    if (!member.reconciled_to(assignment_epoch_)) return "Reconciling";
  }
  return "Stable";
}

ErrorCode ConsumerGroup::check_delete() const {
  return members_.empty() ? ErrorCode::kNone : ErrorCode::kNonEmptyGroup;
}

ErrorCode ConsumerGroup::check_commit(const Committer& committer) {
  if (committer.generation < 0 && members_.empty()) return ErrorCode::kNone;
  const bool anonymous = committer.generation == -1 && committer.member_id.empty() && !committer.instance_id;
  if (committer.transactional && anonymous) return ErrorCode::kNone;
  const auto found = members_.find(committer.member_id);
  if (found == members_.end()) return ErrorCode::kUnknownMemberId;
  const ConsumerMember& member = found->second;
  constexpr std::int16_t kFirstVersionWithEpochs = 9;
  if (!committer.transactional && !member.uses_classic_protocol() &&
      committer.api_version < kFirstVersionWithEpochs) {
    return ErrorCode::kUnsupportedVersion;
  }
  const bool older_is_fine = host_.settings(id_).commit_with_older_epoch;
  const bool fits =
      older_is_fine ? committer.generation <= member.epoch : committer.generation == member.epoch;
  if (fits) return ErrorCode::kNone;
  return member.uses_classic_protocol() ? ErrorCode::kIllegalGeneration : ErrorCode::kStaleMemberEpoch;
}

ErrorCode ConsumerGroup::check_commit_partition(const Committer& committer, const Uuid& topic_id,
                                                std::int32_t partition) const {
  const auto found = members_.find(committer.member_id);
  if (found == members_.end() || committer.generation >= found->second.epoch) return ErrorCode::kNone;
  const ConsumerMember& member = found->second;
  for (const EpochPartitions* partitions : {&member.assigned, &member.pending_revocation}) {
    const auto topic = partitions->find(topic_id);
    if (topic == partitions->end()) continue;
    const auto since = topic->second.find(partition);
    if (since != topic->second.end() && committer.generation >= since->second) return ErrorCode::kNone;
  }
  return member.uses_classic_protocol() ? ErrorCode::kIllegalGeneration : ErrorCode::kStaleMemberEpoch;
}

ErrorCode ConsumerGroup::check_fetch(std::string_view member_id, std::int32_t member_epoch) const {
  if (member_id.empty() && member_epoch < 0) return ErrorCode::kNone;
  const auto found = members_.find(std::string(member_id));
  if (found == members_.end()) return ErrorCode::kUnknownMemberId;
  if (found->second.epoch == member_epoch) return ErrorCode::kNone;
  return found->second.uses_classic_protocol() ? ErrorCode::kIllegalGeneration : ErrorCode::kStaleMemberEpoch;
}

void ConsumerGroup::delete_records(std::vector<GroupRecord>& records) const {
  for (const auto& [member_id, member] : members_) remove_member_records(id_, member_id, records);
  ConsumerGroupTargetAssignmentMetadataKey target;
  target.group_id = id_;
  records.push_back(group_tombstone(std::move(target)));
  for (const auto& [regex, resolved] : subscriptions_.resolved()) write_regex(regex, nullptr, records);
  ConsumerGroupPartitionMetadataKey metadata;
  metadata.group_id = id_;
  records.push_back(group_tombstone(std::move(metadata)));
  ConsumerGroupMetadataKey epoch;
  epoch.group_id = id_;
  records.push_back(group_tombstone(std::move(epoch)));
}

}  // namespace wt::kafka

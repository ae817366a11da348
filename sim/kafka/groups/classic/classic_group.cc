#include "sim/kafka/groups/classic/classic_group.h"

#include <algorithm>

#include "sim/kafka/groups/classic/answers.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {
namespace {

bool may_follow(ClassicState from, ClassicState to) {
  switch (to) {
    case ClassicState::empty:
    case ClassicState::completing_rebalance:
      return from == ClassicState::preparing_rebalance;
    case ClassicState::preparing_rebalance:
      return from == ClassicState::stable || from == ClassicState::completing_rebalance ||
             from == ClassicState::empty;
    case ClassicState::stable:
      return from == ClassicState::completing_rebalance;
    case ClassicState::dead:
      return true;
  }
  return false;
}

}  // namespace

std::string_view classic_state_name(ClassicState state) {
  switch (state) {
    case ClassicState::empty:
      return "Empty";
    case ClassicState::preparing_rebalance:
      return "PreparingRebalance";
    case ClassicState::completing_rebalance:
      return "CompletingRebalance";
    case ClassicState::stable:
      return "Stable";
    case ClassicState::dead:
      return "Dead";
  }
  return "Unknown";
}

ClassicGroup::ClassicGroup(GroupHost& host, std::string id, Origin origin)
    : host_(host),
      id_(std::move(id)),
      state_since_(host.now()),
      is_unwritten_(origin == Origin::join),
      is_in_use_(origin == Origin::join) {}

std::string_view ClassicGroup::protocol_type() const {
  return protocol_type_ ? std::string_view(*protocol_type_) : std::string_view();
}

ErrorCode ClassicGroup::check_member(std::string_view member_id,
                                     const std::optional<std::string>& instance_id) const {
  if (instance_id) {
    const auto known = static_members_.find(*instance_id);
    if (known == static_members_.end()) return ErrorCode::kUnknownMemberId;
    if (known->second != member_id) return ErrorCode::kFencedInstanceId;
  }
  return members_.contains(member_id) ? ErrorCode::kNone : ErrorCode::kUnknownMemberId;
}

ErrorCode ClassicGroup::check_commit(const Committer& committer) {
  if (state_ == ClassicState::dead) return ErrorCode::kCoordinatorNotAvailable;
  // Without a generation it comes from an admin client or from a consumer outside of group management.
  if (committer.generation < 0 && is_empty()) return ErrorCode::kNone;
  if (committer.generation >= 0 || !committer.member_id.empty() || committer.instance_id) {
    const ErrorCode code = check_member(committer.member_id, committer.instance_id);
    if (code != ErrorCode::kNone) return code;
    if (committer.generation != generation_) return ErrorCode::kIllegalGeneration;
  } else if (!committer.transactional && !is_empty()) {
    return ErrorCode::kUnknownMemberId;
  }
  if (committer.transactional) return ErrorCode::kNone;
  if (state_ == ClassicState::completing_rebalance) return ErrorCode::kRebalanceInProgress;
  const ClassicMember* member = find_member(committer.member_id);
  if (member != nullptr) set_session(*member);
  return ErrorCode::kNone;
}

ErrorCode ClassicGroup::check_fetch(std::string_view, std::int32_t) const {
  return state_ == ClassicState::dead ? ErrorCode::kGroupIdNotFound : ErrorCode::kNone;
}

bool ClassicGroup::subscribes_to(std::string_view topic) const {
  // What consumers subscribe may be unknown: then anything may be wanted.
  if (!topics_) return protocol_type() == kConsumerProtocolType;
  return topics_->contains(topic);
}

std::vector<MemberView> ClassicGroup::member_views() const {
  std::vector<MemberView> views;
  for (const auto& [id, member] : members_) views.push_back({id, member.instance_id, member.client_id});
  return views;
}

ErrorCode ClassicGroup::check_offset_delete() const {
  if (state_ == ClassicState::dead) return ErrorCode::kGroupIdNotFound;
  const bool may_use_them = !is_empty() && protocol_type() != kConsumerProtocolType;
  return may_use_them ? ErrorCode::kNonEmptyGroup : ErrorCode::kNone;
}

std::optional<OffsetExpiry> ClassicGroup::offset_expiry() const {
  OffsetExpiry expiry;
  if (!protocol_type_) return expiry;
  if (is_empty()) {
    if (state_since_) expiry.since_ms = to_ms(*state_since_);
    return expiry;
  }
  if (state_ == ClassicState::stable && topics_) return expiry;
  return std::nullopt;
}

ErrorCode ClassicGroup::check_delete() const {
  if (state_ == ClassicState::dead) return ErrorCode::kGroupIdNotFound;
  return is_empty() ? ErrorCode::kNone : ErrorCode::kNonEmptyGroup;
}

void ClassicGroup::delete_records(std::vector<GroupRecord>& records) const {
  GroupMetadataKey key;
  key.group = id_;
  records.push_back(group_tombstone(std::move(key)));
}

void ClassicGroup::on_timer(const GroupTimer& timer, Outcome& outcome) {
  if (state_ == ClassicState::dead) return;
  switch (timer.kind) {
    case GroupTimerKind::session:
    case GroupTimerKind::pending:
      return expire_session(timer.member, outcome);
    case GroupTimerKind::join:
      return complete_join(outcome);
    case GroupTimerKind::initial_delay:
      return extend_initial_delay(outcome);
    case GroupTimerKind::sync:
      return expire_sync(outcome);
    case GroupTimerKind::rebalance:
    case GroupTimerKind::regex:
      // Of a consumer group that was to take this one's place and could not be written.
      return;
  }
}

void ClassicGroup::send_away(ErrorCode code, Outcome& outcome) {
  for (auto& [id, member] : members_) {
    if (member.awaiting_join) answer_join(member, refuse_join(code, member.id), outcome);
    if (member.awaiting_sync) {
      outcome.answer(*std::exchange(member.awaiting_sync, std::nullopt), refuse_sync(code));
    }
  }
}

void ClassicGroup::close(ErrorCode code, Outcome& outcome) {
  send_away(code, outcome);
  cancel_all();
  write_.reset();
  enter(ClassicState::dead);
}

DescribeGroupsResponse::DescribedGroup ClassicGroup::describe() const {
  DescribeGroupsResponse::DescribedGroup group;
  group.group_id = id_;
  group.group_state = state_name();
  group.protocol_type = protocol_type();
  const bool is_stable = state_ == ClassicState::stable;
  if (is_stable) group.protocol_data = protocol_name_.value_or("");
  for (const std::string& id : listed_.listed()) {
    const ClassicMember& member = members_.find(id)->second;
    DescribeGroupsResponse::DescribedGroupMember described;
    described.member_id = id;
    described.group_instance_id = member.instance_id;
    described.client_id = member.client_id;
    described.client_host = member.client_host;
    described.member_assignment = member.assignment;
    const JoinProtocol* protocol = is_stable ? member.find_protocol(group.protocol_data) : nullptr;
    if (protocol != nullptr) described.member_metadata = protocol->metadata;
    group.members.push_back(std::move(described));
  }
  return group;
}

ClassicMember* ClassicGroup::find_member(std::string_view id) {
  const auto found = members_.find(id);
  return found == members_.end() ? nullptr : &found->second;
}

void ClassicGroup::remove_member(const std::string& member_id) {
  const auto found = members_.find(member_id);
  if (found != members_.end()) {
    if (found->second.instance_id) static_members_.erase(*found->second.instance_id);
    members_.erase(found);
    listed_.erase(member_id);
  }
  if (leader_ == member_id) {
    leader_.reset();
    if (!members_.empty()) leader_ = listed_.first();
  }
  pending_.erase(member_id);
  pending_sync_.erase(member_id);
  cancel(GroupTimerKind::session, member_id);
  cancel(GroupTimerKind::pending, member_id);
  trace("group.member.removed"_label, member_id);
}

void ClassicGroup::enter(ClassicState state) {
  WT_INVARIANT(may_follow(state_, state), "group.state", "a transition that does not exist");
  previous_state_ = state_;
  state_ = state;
  state_since_ = host_.now();
  switch (state) {
    case ClassicState::empty:
      return trace("group.empty"_label);
    case ClassicState::preparing_rebalance:
      return trace("group.rebalance.preparing"_label);
    case ClassicState::completing_rebalance:
      return trace("group.rebalance.completing"_label);
    case ClassicState::stable:
      return trace("group.stable"_label);
    case ClassicState::dead:
      return trace("group.dead"_label);
  }
}

GroupTimer ClassicGroup::timer(GroupTimerKind kind, const std::string& member_id) const {
  return GroupTimer{.group = id_, .kind = kind, .member = member_id};
}

void ClassicGroup::set_session(const ClassicMember& member, std::int32_t timeout_ms) {
  host_.set_timer(timer(GroupTimerKind::session, member.id), from_ms(std::max(timeout_ms, 0)),
                  TimerKind::silence);
}

void ClassicGroup::cancel(GroupTimerKind kind, const std::string& member_id) {
  host_.cancel_timer(timer(kind, member_id));
}

void ClassicGroup::cancel_all() {
  for (const auto& [id, member] : members_) cancel(GroupTimerKind::session, id);
  for (const std::string& id : pending_) cancel(GroupTimerKind::pending, id);
  cancel(GroupTimerKind::join);
  cancel(GroupTimerKind::initial_delay);
  cancel(GroupTimerKind::sync);
}

void ClassicGroup::trace(Label label, std::string_view member_id) const {
  host_.trace(label, id_, member_id, generation_);
}

}  // namespace wt::kafka

// From one generation to the next: who is waited for, how long, and what happens to who does not come.
#include <algorithm>

#include "sim/kafka/groups/classic/answers.h"
#include "sim/kafka/groups/classic/classic_group.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {
namespace {

// A client may ask for no rebalance timeout at all; a group must not try again at the same instant.
constexpr std::int32_t kShortestRetry_ms = 100;

}  // namespace

void ClassicGroup::rebalance_or_complete(Outcome& outcome) {
  if (state_ == ClassicState::stable || state_ == ClassicState::completing_rebalance || is_empty()) {
    prepare_rebalance(outcome);
  } else {
    maybe_complete_join(outcome);
  }
}

void ClassicGroup::prepare_rebalance(Outcome& outcome) {
  if (state_ == ClassicState::completing_rebalance) fail_syncs(ErrorCode::kRebalanceInProgress, outcome);
  pending_sync_.clear();
  cancel(GroupTimerKind::sync);
  const bool is_initial = is_empty();
  if (is_initial) {
    // Members of a new group mostly come together: one rebalance for all of them.
    initial_delay_ms_ = std::max(host_.settings(id_).initial_rebalance_delay_ms, 0);
    initial_remaining_ms_ = std::max(rebalance_timeout_ms() - initial_delay_ms_, 0);
    host_.set_timer(timer(GroupTimerKind::initial_delay), from_ms(initial_delay_ms_), TimerKind::park,
                    initial_connection_);
  }
  enter(ClassicState::preparing_rebalance);
  if (is_initial) return;
  if (all_joined()) return complete_join(outcome);
  host_.set_timer(timer(GroupTimerKind::join), from_ms(rebalance_timeout_ms()), TimerKind::silence);
}

void ClassicGroup::maybe_complete_join(Outcome& outcome) {
  // A first rebalance ends with its delay.
  if (state_ != ClassicState::preparing_rebalance || previous_state_ == ClassicState::empty) return;
  if (all_joined()) complete_join(outcome);
}

void ClassicGroup::extend_initial_delay(Outcome& outcome) {
  if (!new_member_added_ || initial_remaining_ms_ == 0) return complete_join(outcome);
  new_member_added_ = false;
  const std::int32_t delay_ms =
      std::min(std::max(host_.settings(id_).initial_rebalance_delay_ms, 0), initial_remaining_ms_);
  initial_remaining_ms_ = std::max(initial_remaining_ms_ - initial_delay_ms_, 0);
  initial_delay_ms_ = delay_ms;
  host_.set_timer(timer(GroupTimerKind::initial_delay), from_ms(delay_ms), TimerKind::park,
                  initial_connection_);
}

void ClassicGroup::complete_join(Outcome& outcome) {
  if (state_ != ClassicState::preparing_rebalance) return;
  cancel(GroupTimerKind::join);
  cancel(GroupTimerKind::initial_delay);
  std::vector<std::string> absent;
  for (const auto& [id, member] : members_) {
    if (!member.awaiting_join && !member.is_static()) absent.push_back(id);
  }
  for (const std::string& id : absent) remove_member(id);
  if (!elect_joined_leader() && !members_.empty()) {
    // Only static members are left and none of them came: wait until one does, or their sessions end.
    const std::int32_t again_ms = std::max(rebalance_timeout_ms(), kShortestRetry_ms);
    host_.set_timer(timer(GroupTimerKind::join), from_ms(again_ms), TimerKind::silence);
    return;
  }
  next_generation(outcome);
}

void ClassicGroup::next_generation(Outcome& outcome) {
  ++generation_;
  pending_sync_.clear();
  protocol_name_.reset();
  if (!members_.empty()) protocol_name_ = select_protocol(members_);
  compute_topics();
  if (members_.empty()) {
    enter(ClassicState::empty);
    return write_empty(Write::Kind::emptied, outcome);
  }
  enter(ClassicState::completing_rebalance);
  for (auto& [id, member] : members_) {
    if (member.awaiting_join) answer_join(member, join_answer(member), outcome);
    set_session(member);
    member.is_new = false;
    pending_sync_.insert(id);
  }
  host_.set_timer(timer(GroupTimerKind::sync), from_ms(rebalance_timeout_ms()), TimerKind::silence);
}

// False when nobody joined.
bool ClassicGroup::elect_joined_leader() {
  if (!leader_) return false;
  const ClassicMember* leader = find_member(*leader_);
  WT_INVARIANT(leader != nullptr, "group.leader", "the leader is no member");
  if (leader->awaiting_join) return true;
  for (const std::string& id : listed_.listed()) {
    if (!find_member(id)->awaiting_join) continue;
    leader_ = id;
    trace("group.leader.elected"_label, id);
    return true;
  }
  return false;
}

void ClassicGroup::expire_session(const std::string& member_id, Outcome& outcome) {
  if (pending_.contains(member_id)) {
    remove_member(member_id);
    if (state_ == ClassicState::preparing_rebalance && all_joined()) complete_join(outcome);
    return;
  }
  ClassicMember* member = find_member(member_id);
  if (member == nullptr || member->is_excused()) return;
  trace("group.member.expired"_label, member_id);
  // A new member that still waits may retry.
  answer_join(*member, refuse_join(ErrorCode::kUnknownMemberId, {}), outcome);
  remove_member(member_id);
  if (state_ == ClassicState::stable || state_ == ClassicState::completing_rebalance) {
    prepare_rebalance(outcome);
  } else if (state_ == ClassicState::preparing_rebalance && all_joined()) {
    complete_join(outcome);
  }
}

void ClassicGroup::expire_sync(Outcome& outcome) {
  if (state_ != ClassicState::completing_rebalance && state_ != ClassicState::stable) return;
  if (pending_sync_.empty()) return;
  const auto late = std::move(pending_sync_);
  pending_sync_.clear();
  for (const std::string& id : late) {
    trace("group.member.late"_label, id);
    remove_member(id);
  }
  prepare_rebalance(outcome);
}

bool ClassicGroup::all_joined() const {
  return pending_.empty() && std::all_of(members_.begin(), members_.end(), [](const auto& entry) {
           return entry.second.awaiting_join.has_value();
         });
}

std::int32_t ClassicGroup::rebalance_timeout_ms() const {
  std::int32_t timeout_ms = 0;
  for (const auto& [id, member] : members_) timeout_ms = std::max(timeout_ms, member.rebalance_timeout_ms);
  return timeout_ms;
}

}  // namespace wt::kafka

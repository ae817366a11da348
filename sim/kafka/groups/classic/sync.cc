// SyncGroup, Heartbeat and LeaveGroup.
#include <algorithm>

#include "sim/kafka/groups/classic/answers.h"
#include "sim/kafka/groups/classic/classic_group.h"

namespace wt::kafka {
namespace {

bool differs(const std::optional<std::string>& asked, const std::optional<std::string>& ours) {
  return asked && ours && *asked != *ours;
}

}  // namespace

ErrorCode ClassicGroup::check_sync(const SyncGroupRequest& request) const {
  if (is_empty()) return ErrorCode::kUnknownMemberId;
  if (state_ == ClassicState::dead) return ErrorCode::kCoordinatorNotAvailable;
  const ErrorCode code = check_member(request.member_id, request.group_instance_id);
  if (code != ErrorCode::kNone) return code;
  if (request.generation_id != generation_) return ErrorCode::kIllegalGeneration;
  if (differs(request.protocol_type, protocol_type_) || differs(request.protocol_name, protocol_name_)) {
    return ErrorCode::kInconsistentGroupProtocol;
  }
  return state_ == ClassicState::preparing_rebalance ? ErrorCode::kRebalanceInProgress : ErrorCode::kNone;
}

void ClassicGroup::sync(Ticket ticket, const SyncGroupRequest& request, Outcome& outcome) {
  const ErrorCode code = check_sync(request);
  if (code != ErrorCode::kNone) return outcome.answer(ticket, refuse_sync(code));
  ClassicMember& member = *find_member(request.member_id);
  synced(member.id);
  if (state_ == ClassicState::stable) {
    SyncGroupResponse response;
    response.protocol_type = protocol_type_;
    response.protocol_name = protocol_name_;
    response.assignment = member.assignment;
    return outcome.answer(ticket, std::move(response));
  }
  if (member.awaiting_sync) {
    outcome.answer(*member.awaiting_sync, refuse_sync(ErrorCode::kRebalanceInProgress));
  }
  member.awaiting_sync = ticket;
  if (leader_ == member.id) assign(request, outcome);
}

void ClassicGroup::synced(const std::string& member_id) {
  pending_sync_.erase(member_id);
  if (pending_sync_.empty()) cancel(GroupTimerKind::sync);
}

void ClassicGroup::assign(const SyncGroupRequest& request, Outcome& outcome) {
  std::map<std::string, Slice, std::less<>> assignment;
  for (const auto& given : request.assignments) {
    assignment[given.member_id] = Slice::copy_of(given.assignment.bytes());
  }
  outcome.records.push_back(record(assignment));
  for (const auto& [id, member] : members_) {
    if (!member.awaiting_sync) continue;
    SyncGroupResponse response;
    response.protocol_type = protocol_type_;
    response.protocol_name = protocol_name_;
    const auto given = assignment.find(id);
    if (given != assignment.end()) response.assignment = given->second;
    outcome.answer(*member.awaiting_sync, std::move(response));
  }
  write_.emplace();
  write_->kind = Write::Kind::assignment;
  write_->assignment = std::move(assignment);
}

void ClassicGroup::fail_syncs(ErrorCode code, Outcome& outcome) {
  for (auto& [id, member] : members_) {
    member.assignment = Slice();
    if (!member.awaiting_sync) continue;
    const Ticket ticket = *std::exchange(member.awaiting_sync, std::nullopt);
    outcome.answer(ticket, refuse_sync(code));
    set_session(member);
  }
}

void ClassicGroup::heartbeat(Ticket ticket, const HeartbeatRequest& request, Outcome& outcome) {
  ErrorCode code = ErrorCode::kCoordinatorNotAvailable;
  if (state_ != ClassicState::dead) {
    code = check_member(request.member_id, request.group_instance_id);
    if (code == ErrorCode::kNone && request.generation_id != generation_)
      code = ErrorCode::kIllegalGeneration;
    if (code == ErrorCode::kNone) {
      set_session(*find_member(request.member_id));
      if (state_ == ClassicState::preparing_rebalance) code = ErrorCode::kRebalanceInProgress;
    }
  }
  outcome.answer(ticket, refuse_heartbeat(code));
}

void ClassicGroup::leave(Ticket ticket, const LeaveGroupRequest& request, Outcome& outcome) {
  LeaveGroupResponse response;
  if (state_ == ClassicState::dead) {
    response.error_code = ErrorCode::kCoordinatorNotAvailable;
    return outcome.answer(ticket, std::move(response));
  }
  bool has_left = false;
  for (const LeaveGroupRequest::MemberIdentity& who : request.members) {
    LeaveGroupResponse::MemberResponse left;
    left.member_id = who.member_id;
    left.group_instance_id = who.group_instance_id;
    left.error_code = leave_one(who, outcome);
    has_left |= left.error_code == ErrorCode::kNone;
    response.members.push_back(std::move(left));
  }
  outcome.answer(ticket, std::move(response));
  if (has_left && !is_empty()) rebalance_or_complete(outcome);
}

ErrorCode ClassicGroup::leave_one(const LeaveGroupRequest::MemberIdentity& who, Outcome& outcome) {
  std::string id = who.member_id;
  if (id.empty()) {
    // An administrator names static members by their instance.
    if (!who.group_instance_id) return ErrorCode::kUnknownMemberId;
    const auto known = static_members_.find(*who.group_instance_id);
    if (known == static_members_.end()) return ErrorCode::kUnknownMemberId;
    id = known->second;
  } else if (!pending_.contains(id)) {
    const ErrorCode code = check_member(id, who.group_instance_id);
    if (code != ErrorCode::kNone) return code;
  }
  if (ClassicMember* member = find_member(id)) {
    answer_join(*member, refuse_join(ErrorCode::kUnknownMemberId, {}), outcome);
    // A real broker forgets this request, and its connection waits for ever.
    if (member->awaiting_sync) {
      outcome.answer(*member->awaiting_sync, refuse_sync(ErrorCode::kUnknownMemberId));
    }
  }
  remove_member(id);
  return ErrorCode::kNone;
}

}  // namespace wt::kafka

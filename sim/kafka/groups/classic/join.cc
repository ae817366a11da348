// JoinGroup: who may come in, under which id, and whether that makes a rebalance.
#include <algorithm>

#include "sim/kafka/groups/classic/answers.h"
#include "sim/kafka/groups/classic/classic_group.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {
namespace {

constexpr std::int16_t kMemberIdRequiredSince = 4;
constexpr std::int16_t kSkipAssignmentSince = 9;

// A version 4 UUID in its canonical form, as java.util.UUID prints it.
std::string java_uuid(std::string_view kafka_text) {
  Uuid uuid = Uuid::from_text(kafka_text).value_or(Uuid{});
  uuid.bytes[6] = static_cast<std::uint8_t>((uuid.bytes[6] & 0x0f) | 0x40);
  uuid.bytes[8] = static_cast<std::uint8_t>((uuid.bytes[8] & 0x3f) | 0x80);
  return uuid.hex_text();
}

}  // namespace

void ClassicGroup::join(Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                        Outcome& outcome) {
  is_in_use_ = true;
  if (!accepts(request.member_id)) {
    remove_member(request.member_id);
    outcome.answer(ticket, refuse_join(ErrorCode::kGroupMaxSizeReached, {}));
  } else if (state_ == ClassicState::dead) {
    outcome.answer(ticket, refuse_join(ErrorCode::kCoordinatorNotAvailable, request.member_id));
  } else if (!supports(request)) {
    outcome.answer(ticket, refuse_join(ErrorCode::kInconsistentGroupProtocol, request.member_id));
  } else if (request.member_id.empty()) {
    join_new(ticket, caller, request, outcome);
  } else {
    join_known(ticket, caller, request, outcome);
  }
  // Even a refused JoinGroup makes the group.
  if (is_unwritten_ && !write_) write_empty(Write::Kind::creation, outcome);
}

bool ClassicGroup::accepts(std::string_view member_id) const {
  const auto max_size = static_cast<std::size_t>(std::max(host_.settings(id_).max_size, 0));
  const auto member = members_.find(member_id);
  switch (state_) {
    case ClassicState::empty:
    case ClassicState::dead:
      return true;
    case ClassicState::preparing_rebalance: {
      // Only who waits counts, so that the last to come back are left out when the limit was lowered.
      if (member != members_.end() && member->second.awaiting_join) return true;
      const auto awaiting = std::count_if(members_.begin(), members_.end(), [](const auto& entry) {
        return entry.second.awaiting_join.has_value();
      });
      return static_cast<std::size_t>(awaiting) < max_size;
    }
    case ClassicState::completing_rebalance:
    case ClassicState::stable:
      return member != members_.end() || members_.size() < max_size;
  }
  return false;
}

bool ClassicGroup::supports(const JoinGroupRequest& request) const {
  if (is_empty()) return !request.protocol_type.empty() && !request.protocols.empty();
  return protocol_type_ == request.protocol_type && any_supported_by_all(members_, request.protocols);
}

void ClassicGroup::join_new(Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                            Outcome& outcome) {
  std::string id = request.group_instance_id.value_or(caller.client_id) + "-" + java_uuid(host_.new_uuid());
  if (!request.group_instance_id) {
    if (caller.api_version >= kMemberIdRequiredSince) {
      return hand_out_id(ticket, request, std::move(id), outcome);
    }
    return add_member(ticket, caller, request, id, outcome);
  }
  const auto known = static_members_.find(*request.group_instance_id);
  if (known == static_members_.end()) return add_member(ticket, caller, request, id, outcome);
  const std::string old_id = known->second;
  join_as_static(ticket, caller, request, old_id, id, outcome);
}

void ClassicGroup::hand_out_id(Ticket ticket, const JoinGroupRequest& request, std::string id,
                               Outcome& outcome) {
  host_.set_timer(timer(GroupTimerKind::pending, id), from_ms(std::max(request.session_timeout_ms, 0)),
                  TimerKind::silence);
  trace("group.member.pending"_label, id);
  pending_.insert(id);
  outcome.answer(ticket, refuse_join(ErrorCode::kMemberIdRequired, std::move(id)));
}

void ClassicGroup::join_known(Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                              Outcome& outcome) {
  if (pending_.contains(request.member_id)) {
    if (!request.group_instance_id) return add_member(ticket, caller, request, request.member_id, outcome);
    // Ids are handed out to dynamic members only. A real broker stumbles here, too.
    return outcome.answer(ticket, refuse_join(ErrorCode::kUnknownServerError, {}));
  }
  const ErrorCode code = check_member(request.member_id, request.group_instance_id);
  if (code != ErrorCode::kNone) {
    JoinGroupResponse refusal = refuse_join(code, request.member_id);
    refusal.protocol_name.reset();
    return outcome.answer(ticket, std::move(refusal));
  }
  rejoin(ticket, members_.find(request.member_id)->second, request, outcome);
}

void ClassicGroup::rejoin(Ticket ticket, ClassicMember& member, const JoinGroupRequest& request,
                          Outcome& outcome) {
  const bool is_same = same_protocols(member.protocols, request.protocols);
  const bool is_leader = leader_ == member.id;
  // The answer may have been lost, or a follower asks again: the generation stays. A leader that joins a
  // stable group wants to assign anew.
  const bool keeps_generation = (state_ == ClassicState::completing_rebalance && is_same) ||
                                (state_ == ClassicState::stable && is_same && !is_leader);
  if (keeps_generation) return outcome.answer(ticket, join_answer(member));
  update_member(member, request, ticket, outcome);
  rebalance_or_complete(outcome);
}

void ClassicGroup::add_member(Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                              const std::string& id, Outcome& outcome) {
  cancel(GroupTimerKind::pending, id);
  pending_.erase(id);
  ClassicMember member;
  member.id = id;
  member.instance_id = request.group_instance_id;
  member.client_id = caller.client_id;
  member.client_host = caller.client_host;
  member.rebalance_timeout_ms = request.rebalance_timeout_ms;
  member.session_timeout_ms = request.session_timeout_ms;
  member.protocols = own_protocols(request.protocols);
  member.awaiting_join = ticket;
  member.is_new = true;
  if (state_ == ClassicState::preparing_rebalance && previous_state_ == ClassicState::empty) {
    new_member_added_ = true;
  }
  if (is_empty()) initial_connection_ = caller.connection;
  if (members_.empty()) protocol_type_ = request.protocol_type;
  if (!leader_) leader_ = id;
  if (member.instance_id) static_members_[*member.instance_id] = id;
  listed_.put(id);
  const ClassicMember& added = members_.insert_or_assign(id, std::move(member)).first->second;
  trace("group.member.added"_label, id);
  // It cannot heartbeat while its JoinGroup waits, and nobody would notice that it has gone.
  set_session(added, host_.settings(id_).new_member_join_timeout_ms);
  rebalance_or_complete(outcome);
}

void ClassicGroup::update_member(ClassicMember& member, const JoinGroupRequest& request,
                                 std::optional<Ticket> ticket, Outcome& outcome) {
  member.protocols = own_protocols(request.protocols);
  member.rebalance_timeout_ms = request.rebalance_timeout_ms;
  member.session_timeout_ms = request.session_timeout_ms;
  // A real broker never answers the earlier request of a member that joins again on another connection. Here
  // every request is answered.
  if (member.awaiting_join) {
    answer_join(member, refuse_join(ErrorCode::kRebalanceInProgress, member.id), outcome);
  }
  member.awaiting_join = ticket;
}

void ClassicGroup::join_as_static(Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                                  const std::string& old_id, const std::string& new_id, Outcome& outcome) {
  const std::optional<std::string> old_leader = leader_;
  ClassicMember& member = replace_static(old_id, new_id, outcome);
  set_session(member);
  ClassicMember old_member = member;
  old_member.id = old_id;
  update_member(member, request, ticket, outcome);
  if (state_ == ClassicState::stable) {
    if (protocol_name_ == select_protocol(members_)) {
      return write_replacement(ticket, caller, new_id, std::move(old_member), old_leader, outcome);
    }
    return rebalance_or_complete(outcome);
  }
  // The leader may know the old id only, and would assign to that.
  if (state_ == ClassicState::completing_rebalance) return prepare_rebalance(outcome);
  maybe_complete_join(outcome);
}

ClassicMember& ClassicGroup::replace_static(const std::string& old_id, std::string new_id, Outcome& outcome) {
  auto node = members_.extract(old_id);
  WT_INVARIANT(!node.empty(), "group.static", "a static member that is no member");
  ClassicMember& member = node.mapped();
  // Whoever still waits under the old id is another incarnation.
  if (member.awaiting_join) {
    JoinGroupResponse fenced = refuse_join(ErrorCode::kFencedInstanceId, old_id);
    fenced.protocol_name.reset();
    answer_join(member, std::move(fenced), outcome);
  }
  if (member.awaiting_sync) {
    const Ticket ticket = *std::exchange(member.awaiting_sync, std::nullopt);
    outcome.answer(ticket, refuse_sync(ErrorCode::kFencedInstanceId));
  }
  cancel(GroupTimerKind::session, old_id);
  if (leader_ == old_id) leader_ = new_id;
  static_members_[*member.instance_id] = new_id;
  member.id = new_id;
  member.is_new = false;
  trace("group.member.replaced"_label, new_id);
  listed_.erase(old_id);
  listed_.put(new_id);
  node.key() = std::move(new_id);
  return members_.insert(std::move(node)).position->second;
}

// The group stays as it is under the member's new id, once that is durable.
void ClassicGroup::write_replacement(Ticket ticket, const Caller& caller, const std::string& new_id,
                                     ClassicMember old_member, std::optional<std::string> old_leader,
                                     Outcome& outcome) {
  std::map<std::string, Slice, std::less<>> assignment;
  for (const auto& [id, member] : members_) assignment[id] = member.assignment;
  outcome.records.push_back(record(assignment));

  JoinGroupResponse response = join_answer(*find_member(new_id));
  if (caller.api_version >= kSkipAssignmentSince) {
    response.skip_assignment = leader_ == new_id;
  } else {
    // Older members must not take themselves for the leader: the group would ignore what they assign.
    response.leader = old_leader.value_or("");
    response.members.clear();
  }
  outcome.answer(ticket, std::move(response));
  write_.emplace();
  write_->kind = Write::Kind::replacement;
  write_->new_id = new_id;
  write_->old_member = std::move(old_member);
  write_->old_leader = std::move(old_leader);
}

void ClassicGroup::take_back_replacement(ErrorCode code, Write& write, Outcome& failed) {
  const std::string old_id = write.old_member.id;
  for (Outcome::Answer& answer : failed.answers) {
    auto* response = answer.response.get<JoinGroupResponse>();
    if (response == nullptr || response->member_id != write.new_id) continue;
    response->error_code = code;
    response->member_id.clear();
    response->leader = write.old_leader.value_or("");
    response->skip_assignment = false;
    response->members.clear();
  }
  cancel(GroupTimerKind::session, write.new_id);
  members_.erase(write.new_id);
  listed_.erase(write.new_id);
  listed_.put(old_id);
  leader_ = write.old_leader;
  static_members_[*write.old_member.instance_id] = old_id;
  const auto back = members_.insert_or_assign(old_id, std::move(write.old_member)).first;
  set_session(back->second);
  trace("group.member.restored"_label, old_id);
}

JoinGroupResponse ClassicGroup::join_answer(const ClassicMember& member) const {
  JoinGroupResponse response;
  response.generation_id = generation_;
  response.protocol_type = protocol_type_;
  response.protocol_name = protocol_name_;
  response.leader = leader_.value_or("");
  response.member_id = member.id;
  if (leader_ != member.id) return response;
  for (const std::string& id : listed_.listed()) {
    const ClassicMember& other = members_.find(id)->second;
    JoinGroupResponse::JoinGroupResponseMember listed;
    listed.member_id = id;
    listed.group_instance_id = other.instance_id;
    const JoinProtocol* protocol = other.find_protocol(protocol_name_.value_or(""));
    if (protocol != nullptr) listed.metadata = protocol->metadata;
    response.members.push_back(std::move(listed));
  }
  return response;
}

void ClassicGroup::answer_join(ClassicMember& member, JoinGroupResponse response, Outcome& outcome) {
  if (!member.awaiting_join) return;
  const Ticket ticket = *std::exchange(member.awaiting_join, std::nullopt);
  outcome.answer(ticket, std::move(response));
}

}  // namespace wt::kafka

// What a classic group writes, what becomes of it when that is durable or fails, and what it reads again.
#include "sim/kafka/groups/classic/answers.h"
#include "sim/kafka/groups/classic/classic_group.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {

void ClassicGroup::on_append_failed(ErrorCode code, Outcome& failed) {
  if (!write_) return;
  Write write = std::move(*write_);
  write_.reset();
  trace("group.write.failed"_label);
  switch (write.kind) {
    case Write::Kind::creation:
      for (auto& [id, member] : members_) {
        if (member.awaiting_join) answer_join(member, refuse_join(code, {}), failed);
      }
      cancel_all();
      enter(ClassicState::dead);
      return;
    case Write::Kind::emptied:
      // Nobody is left whom the older generation in the log could mislead; only who left is told.
      for (Outcome::Answer& answer : failed.answers) {
        auto* response = answer.response.get<LeaveGroupResponse>();
        if (response == nullptr) continue;
        *response = LeaveGroupResponse{};
        response->error_code = code;
      }
      return;
    case Write::Kind::assignment:
      std::erase_if(failed.answers, [](const Outcome::Answer& answer) {
        return answer.response.get<SyncGroupResponse>() != nullptr;
      });
      fail_syncs(code, failed);
      return rebalance_or_complete(failed);
    case Write::Kind::replacement:
      return take_back_replacement(code, write, failed);
  }
}

void ClassicGroup::replay(const GroupMetadataValue& value) {
  if (write_) {
    Write write = std::move(*write_);
    write_.reset();
    return apply(write);
  }
  if (!is_in_use_) load(value);
}

void ClassicGroup::apply(Write& write) {
  switch (write.kind) {
    case Write::Kind::creation:
      is_unwritten_ = false;
      return;
    case Write::Kind::emptied:
      return;
    case Write::Kind::assignment:
      for (auto& [id, member] : members_) {
        const auto given = write.assignment.find(id);
        member.assignment = given == write.assignment.end() ? Slice() : given->second;
        // Its session ran out of sight while it waited.
        if (std::exchange(member.awaiting_sync, std::nullopt)) set_session(member);
      }
      return enter(ClassicState::stable);
    case Write::Kind::replacement:
      if (ClassicMember* member = find_member(write.new_id)) member->awaiting_join.reset();
      return;
  }
}

// Takes any record: what makes no sense together (it can be produced by anybody) is left out.
void ClassicGroup::load(const GroupMetadataValue& value) {
  members_.clear();
  listed_.clear();
  static_members_.clear();
  for (const GroupMetadataValue::MemberMetadata& saved : value.members) load_member(saved, value.protocol);
  previous_state_ = ClassicState::dead;
  state_ = members_.empty() ? ClassicState::empty : ClassicState::stable;
  generation_ = value.generation;
  protocol_type_.reset();
  if (!value.protocol_type.empty()) protocol_type_ = value.protocol_type;
  protocol_name_ = value.protocol;
  leader_ = value.leader;
  if (!members_.empty()) {
    protocol_name_ = value.protocol.value_or("");
    if (!leader_ || !members_.contains(*leader_)) leader_ = listed_.first();
  }
  state_since_.reset();
  if (value.current_state_timestamp != -1) state_since_ = from_ms(value.current_state_timestamp);
  compute_topics();
}

void ClassicGroup::load_member(const GroupMetadataValue::MemberMetadata& saved,
                               const std::optional<std::string>& protocol_name) {
  if (saved.group_instance_id && static_members_.contains(*saved.group_instance_id)) return;
  ClassicMember member;
  member.id = saved.member_id;
  member.instance_id = saved.group_instance_id;
  member.client_id = saved.client_id;
  member.client_host = saved.client_host;
  member.session_timeout_ms = saved.session_timeout;
  member.rebalance_timeout_ms =
      saved.rebalance_timeout == -1 ? saved.session_timeout : saved.rebalance_timeout;
  JoinProtocol protocol;
  protocol.name = protocol_name.value_or("");
  protocol.metadata = Slice::copy_of(saved.subscription.bytes());
  member.protocols.push_back(std::move(protocol));
  member.assignment = Slice::copy_of(saved.assignment.bytes());
  if (!members_.emplace(member.id, member).second) return;
  listed_.put(member.id);
  if (member.instance_id) static_members_[*member.instance_id] = member.id;
}

void ClassicGroup::on_loaded(Outcome& outcome) {
  is_in_use_ = true;
  for (const auto& [id, member] : members_) set_session(member);
  if (members_.size() > static_cast<std::size_t>(host_.settings(id_).max_size)) prepare_rebalance(outcome);
}

void ClassicGroup::take_over(const ClassicMembers& members, bool rebalance, Outcome& outcome) {
  for (auto& [id, member] : members_) {
    const auto known = members.find(id);
    if (known != members.end()) member.protocols = known->second.protocols;
  }
  on_loaded(outcome);
  if (rebalance && state_ == ClassicState::stable) prepare_rebalance(outcome);
}

GroupRecord ClassicGroup::record(const std::map<std::string, Slice, std::less<>>& assignment) const {
  GroupMetadataKey key;
  key.group = id_;
  GroupMetadataValue value;
  value.protocol_type = protocol_type();
  value.generation = generation_;
  value.protocol = protocol_name_;
  value.leader = leader_;
  value.current_state_timestamp = state_since_ ? to_ms(*state_since_) : -1;
  for (const std::string& id : listed_.listed()) {
    const ClassicMember& member = members_.find(id)->second;
    GroupMetadataValue::MemberMetadata saved;
    saved.member_id = id;
    saved.group_instance_id = member.instance_id;
    saved.client_id = member.client_id;
    saved.client_host = member.client_host;
    saved.rebalance_timeout = member.rebalance_timeout_ms;
    saved.session_timeout = member.session_timeout_ms;
    const JoinProtocol* protocol = protocol_name_ ? member.find_protocol(*protocol_name_) : nullptr;
    WT_INVARIANT(protocol != nullptr, "group.record", "a member without the group's protocol");
    saved.subscription = protocol->metadata;
    const auto given = assignment.find(id);
    if (given != assignment.end()) saved.assignment = given->second;
    value.members.push_back(std::move(saved));
  }
  return group_record(std::move(key), std::move(value));
}

void ClassicGroup::write_empty(Write::Kind kind, Outcome& outcome) {
  WT_INVARIANT(!write_, "group.write", "two records of a group at a time");
  GroupRecord empty;
  if (kind == Write::Kind::emptied) {
    empty = record({});
  } else {
    // A group that somebody wants to join: whatever he brought is not in the log yet.
    GroupMetadataKey key;
    key.group = id_;
    GroupMetadataValue value;
    value.protocol.reset();
    value.leader.reset();
    value.current_state_timestamp = state_since_ ? to_ms(*state_since_) : -1;
    empty = group_record(std::move(key), std::move(value));
  }
  outcome.records.push_back(std::move(empty));
  write_.emplace();
  write_->kind = kind;
}

void ClassicGroup::compute_topics() {
  topics_.reset();
  if (protocol_type() != kConsumerProtocolType) return;
  if (members_.empty()) {
    topics_.emplace();
    return;
  }
  if (!protocol_name_) return;
  std::set<std::string, std::less<>> topics;
  for (const auto& [id, member] : members_) {
    const JoinProtocol* protocol = member.find_protocol(*protocol_name_);
    const auto named = protocol == nullptr ? std::nullopt : subscribed_topics(protocol->metadata);
    if (!named) return;
    topics.insert(named->begin(), named->end());
  }
  topics_ = std::move(topics);
}

}  // namespace wt::kafka

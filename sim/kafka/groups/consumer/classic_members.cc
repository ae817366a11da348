// ConsumerGroup: members that speak the classic protocol. The broker assigns to them as well; a rebalance is
// one member that joins again, gives up what it must, and joins once more for what has become free.
#include <algorithm>

#include "sim/kafka/groups/consumer/consumer_group.h"
#include "sim/kafka/groups/consumer/consumer_protocol.h"

namespace wt::kafka {
namespace {

constexpr std::int16_t kMemberIdRequiredSince = 4;
constexpr const char* kProtocolType = "consumer";

Refused refused(ErrorCode code) {
  return Refused{code, {}};
}

ConsumerGroupClassicMemberMetadata classic_metadata(const JoinGroupRequest& request) {
  ConsumerGroupClassicMemberMetadata metadata;
  metadata.session_timeout_ms = request.session_timeout_ms;
  for (const auto& protocol : request.protocols) {
    auto& supported = metadata.supported_protocols.emplace_back();
    supported.name = protocol.name;
    supported.metadata = Slice::copy_of(protocol.metadata.bytes());
  }
  return metadata;
}

ConsumerMember changed_by(const ConsumerMember& before, const Caller& caller, const JoinGroupRequest& request,
                          const ConsumerProtocolSubscription& subscription) {
  ConsumerMember after = before;
  if (request.group_instance_id) after.instance_id = request.group_instance_id;
  if (subscription.rack_id && !subscription.rack_id->empty()) after.rack_id = subscription.rack_id;
  if (request.rebalance_timeout_ms != -1) after.rebalance_timeout_ms = request.rebalance_timeout_ms;
  after.topic_names = {subscription.topics.begin(), subscription.topics.end()};
  after.topic_regex = "";
  after.client_id = caller.client_id;
  after.client_host = caller.client_host;
  after.classic = classic_metadata(request);
  return after;
}

void fill_joined(const ConsumerMember& member, JoinGroupResponse& response) {
  response.member_id = member.member_id;
  response.generation_id = member.epoch;
  response.protocol_type = kProtocolType;
  response.protocol_name = member.classic->supported_protocols.front().name;
}

}  // namespace

void ConsumerGroup::join(Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                         Outcome& outcome) {
  JoinGroupResponse response;
  Outcome step;
  if (const MaybeRefused refusal = join_member(caller, request, response, step)) {
    response = {};
    response.error_code = refusal->code;
    step.records.clear();
  }
  for (GroupRecord& record : step.records) outcome.records.push_back(std::move(record));
  outcome.after = std::move(step.after);
  outcome.answer(ticket, std::move(response));
}

bool ConsumerGroup::supports_protocols(const JoinGroupRequest& request) const {
  if (request.protocol_type != kProtocolType) return false;
  if (members_.empty()) return !request.protocols.empty();
  return std::any_of(request.protocols.begin(), request.protocols.end(), [this](const auto& protocol) {
    const auto found = classic_protocols_.find(protocol.name);
    const std::int32_t members = found == classic_protocols_.end() ? 0 : found->second;
    return members == static_cast<std::int32_t>(classic_members_);
  });
}

MaybeRefused ConsumerGroup::join_member(const Caller& caller, const JoinGroupRequest& request,
                                        JoinGroupResponse& response, Outcome& outcome) {
  if (host_.settings(id_).consumer_migration == MigrationPolicy::disabled) {
    return refused(ErrorCode::kInconsistentGroupProtocol);
  }
  const bool is_unknown = request.member_id.empty();
  const std::string member_id = is_unknown ? host_.new_uuid() : request.member_id;
  const auto& instance_id = request.group_instance_id;
  if (auto full = check_size(member_id, instance_id)) return full;
  if (!supports_protocols(request)) return refused(ErrorCode::kInconsistentGroupProtocol);
  if (is_unknown && !instance_id && caller.api_version >= kMemberIdRequiredSince) {
    response.error_code = ErrorCode::kMemberIdRequired;
    response.member_id = member_id;
    return std::nullopt;
  }
  const OwnedTopics not_checked;
  const Sender sender{member_id, instance_id, kLeaveEpoch, !instance_id || is_unknown, true, not_checked};
  ConsumerMember before;
  auto unknown = instance_id ? find_static(sender, before, outcome.records) : find_dynamic(sender, before);
  if (unknown) return unknown;
  const auto subscription = parse_subscription(request.protocols.front().metadata);
  if (!subscription) return refused(ErrorCode::kInconsistentGroupProtocol);
  const OwnedTopics owned = to_owned(subscription->owned_partitions, host_.image());

  Update update{before, changed_by(before, caller, request, *subscription), outcome.records};
  const bool names_changed = write_member(update);
  RegexChange regex = RegexChange::none;
  if (auto bad = update_regex(update, regex)) return bad;
  update.subscription_changed = names_changed || regex != RegexChange::none;
  update_epoch(update, update.subscription_changed);
  const ConsumerMember* replaced = instance_id ? static_member(*instance_id) : nullptr;
  if (downgrades_replacing(replaced)) return downgrade_with(update, owned, response, outcome);
  update_target(update);
  if (auto fenced = reconcile_member(update, owned)) return fenced;

  join_timers_.erase(member_id);
  host_.cancel_timer(timer(GroupTimerKind::join, member_id));
  start_timer(GroupTimerKind::session, member_id, request.session_timeout_ms);
  start_timer(GroupTimerKind::sync, member_id, request.rebalance_timeout_ms);
  fill_joined(update.after, response);
  return std::nullopt;
}

// The last member of the consumer protocol gives way to a static one of the classic protocol.
MaybeRefused ConsumerGroup::downgrade_with(Update& update, const OwnedTopics& owned,
                                           JoinGroupResponse& response, Outcome& outcome) {
  const bool rebalance = assignment_epoch_ < update.group_epoch;
  if (!rebalance) {
    update.target_epoch = assignment_epoch_;
    update.target = target(static_member(*update.after.instance_id)->member_id);
    if (auto fenced = reconcile_member(update, owned)) return fenced;
  }
  // What was written of the new member would be removed at once.
  outcome.records.clear();
  downgrade({}, &update.after, rebalance, outcome);
  fill_joined(update.after, response);
  return std::nullopt;
}

MaybeRefused ConsumerGroup::find_classic(const std::string& member_id,
                                         const std::optional<std::string>& instance_id,
                                         std::int32_t generation, const ConsumerMember*& found) const {
  const auto known = members_.find(member_id);
  found = known == members_.end() ? nullptr : &known->second;
  if (instance_id) {
    found = static_member(*instance_id);
    if (found != nullptr && found->member_id != member_id) return refused(ErrorCode::kFencedInstanceId);
  }
  if (found == nullptr || !found->uses_classic_protocol()) return refused(ErrorCode::kUnknownMemberId);
  if (found->epoch != generation) return refused(ErrorCode::kIllegalGeneration);
  return std::nullopt;
}

void ConsumerGroup::sync(Ticket ticket, const SyncGroupRequest& request, Outcome& outcome) {
  SyncGroupResponse response;
  const ConsumerMember* member = nullptr;
  if (const auto refusal =
          find_classic(request.member_id, request.group_instance_id, request.generation_id, member)) {
    response.error_code = refusal->code;
    outcome.answer(ticket, std::move(response));
    return;
  }
  const auto& protocol = member->classic->supported_protocols.front();
  const bool wrong_type = request.protocol_type && *request.protocol_type != kProtocolType;
  const bool wrong_name = request.protocol_name && *request.protocol_name != protocol.name;
  const bool must_rejoin =
      assignment_epoch_ > member->epoch && member->state != MemberState::unrevoked_partitions;
  if (wrong_type || wrong_name) {
    response.error_code = ErrorCode::kInconsistentGroupProtocol;
  } else if (must_rejoin) {
    start_join_timer(*member);
    response.error_code = ErrorCode::kRebalanceInProgress;
  } else {
    host_.cancel_timer(timer(GroupTimerKind::sync, member->member_id));
    start_timer(GroupTimerKind::session, member->member_id, member->classic->session_timeout_ms);
    response.protocol_type = request.protocol_type;
    response.protocol_name = request.protocol_name;
    const auto bytes = assignment_bytes(without_epochs(member->assigned), host_.image(), protocol.metadata);
    if (bytes) response.assignment = *bytes;
  }
  outcome.answer(ticket, std::move(response));
}

// Whether a partition of its target is still held.
bool ConsumerGroup::waits_for_others(const ConsumerMember& member) const {
  for (const auto& [topic_id, numbers] : target(member.member_id)) {
    const auto own = member.assigned.find(topic_id);
    for (const std::int32_t number : numbers) {
      const bool has_it = own != member.assigned.end() && own->second.count(number) > 0;
      if (!has_it && is_held(topic_id, number)) return true;
    }
  }
  return false;
}

void ConsumerGroup::classic_heartbeat(Ticket ticket, const HeartbeatRequest& request, Outcome& outcome) {
  HeartbeatResponse response;
  const ConsumerMember* member = nullptr;
  if (const auto refusal =
          find_classic(request.member_id, request.group_instance_id, request.generation_id, member)) {
    response.error_code = refusal->code;
    outcome.answer(ticket, std::move(response));
    return;
  }
  start_timer(GroupTimerKind::session, member->member_id, member->classic->session_timeout_ms);
  const bool gets_more = member->state == MemberState::unreleased_partitions && !waits_for_others(*member);
  if (member->epoch < assignment_epoch_ || member->state == MemberState::unrevoked_partitions || gets_more) {
    start_join_timer(*member);
    response.error_code = ErrorCode::kRebalanceInProgress;
  }
  outcome.answer(ticket, std::move(response));
}

void ConsumerGroup::leave(Ticket ticket, const LeaveGroupRequest& request, Outcome& outcome) {
  LeaveGroupResponse response;
  MemberList leaving;
  for (const auto& identity : request.members) {
    auto& answer = response.members.emplace_back();
    answer.member_id = identity.member_id;
    answer.group_instance_id = identity.group_instance_id;
    const auto known = members_.find(identity.member_id);
    const ConsumerMember* member = known == members_.end() ? nullptr : &known->second;
    // An administrator names a static member by its instance id only.
    if (identity.group_instance_id) member = static_member(*identity.group_instance_id);
    if (member == nullptr) {
      answer.error_code = ErrorCode::kUnknownMemberId;
    } else if (identity.group_instance_id && !identity.member_id.empty() &&
               member->member_id != identity.member_id) {
      answer.error_code = ErrorCode::kFencedInstanceId;
    } else if (std::find(leaving.begin(), leaving.end(), member) == leaving.end()) {
      leaving.push_back(member);
    }
  }
  fence(leaving, outcome);
  outcome.answer(ticket, std::move(response));
}

}  // namespace wt::kafka

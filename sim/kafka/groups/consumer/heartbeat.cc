// ConsumerGroup: the heartbeats of its members.
#include <algorithm>

#include "sim/kafka/groups/consumer/consumer_group.h"

namespace wt::kafka {
namespace {

Refused refused(ErrorCode code, std::string message) {
  return Refused{code, std::move(message)};
}

bool is_blank(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char character) { return character >= 0 && character <= ' '; });
}

// Whether all that a member says it owns is assigned to it.
bool owns_only(const OwnedTopics& owned, const EpochPartitions& assigned) {
  if (!owned) return false;
  for (const auto& topic : *owned) {
    const auto known = assigned.find(topic.topic_id);
    if (known == assigned.end()) return false;
    for (const std::int32_t number : topic.partitions) {
      if (known->second.count(number) == 0) return false;
    }
  }
  return true;
}

Refused wrong_epoch(std::string_view comparison, std::int32_t received, std::int32_t known) {
  return refused(ErrorCode::kFencedMemberEpoch,
                 "The consumer group member has a " + std::string(comparison) + " member epoch (" +
                     std::to_string(received) + ") than the one known by the group coordinator (" +
                     std::to_string(known) + "). The member must abandon all its partitions and rejoin.");
}

// A member may be one epoch behind when the answer that would have told it was lost.
MaybeRefused check_epoch(const ConsumerMember& member, std::int32_t received, const OwnedTopics& owned,
                         const GroupSettings& settings) {
  const bool joins_freely = received == kJoinEpoch && settings.rejoin_with_epoch_zero;
  if (joins_freely || received == member.epoch) return std::nullopt;
  if (received > member.epoch) return wrong_epoch("greater", received, member.epoch);
  if (received == member.previous_epoch && owns_only(owned, member.assigned)) return std::nullopt;
  return wrong_epoch("smaller", received, member.epoch);
}

// A request that says everything, as members send it when they join or have lost an answer.
bool says_everything(const ConsumerGroupHeartbeatRequest& request) {
  return request.rebalance_timeout_ms != -1 &&
         (request.subscribed_topic_names || request.subscribed_topic_regex) && request.topic_partitions;
}

ConsumerGroupAssignment to_assignment(const EpochPartitions& partitions) {
  ConsumerGroupAssignment assignment;
  for (const auto& [topic_id, epochs] : partitions) {
    auto& topic = assignment.topic_partitions.emplace_back();
    topic.topic_id = topic_id;
    for (const auto& [number, epoch] : epochs) topic.partitions.push_back(number);
  }
  return assignment;
}

ConsumerMember changed_by(const ConsumerMember& before, const Caller& caller,
                          const ConsumerGroupHeartbeatRequest& request) {
  ConsumerMember after = before;
  if (request.instance_id) after.instance_id = request.instance_id;
  if (request.rack_id) after.rack_id = request.rack_id;
  if (request.rebalance_timeout_ms != -1) after.rebalance_timeout_ms = request.rebalance_timeout_ms;
  if (request.server_assignor) after.server_assignor = request.server_assignor;
  if (const auto& names = request.subscribed_topic_names) after.topic_names = {names->begin(), names->end()};
  if (request.subscribed_topic_regex) after.topic_regex = request.subscribed_topic_regex;
  after.client_id = caller.client_id;
  after.client_host = caller.client_host;
  after.classic.reset();
  return after;
}

}  // namespace

MaybeRefused check_heartbeat_request(const ConsumerGroupHeartbeatRequest& request, std::int16_t api_version,
                                     const GroupSettings& settings) {
  const auto invalid = [](const char* message) { return refused(ErrorCode::kInvalidRequest, message); };
  const std::int32_t epoch = request.member_epoch;
  const bool needs_id = api_version >= 1 || epoch > 0 || epoch == kLeaveEpoch;
  if (needs_id && is_blank(request.member_id)) return invalid("MemberId can't be empty.");
  if (is_blank(request.group_id)) return invalid("GroupId can't be empty.");
  if (request.instance_id && is_blank(*request.instance_id)) return invalid("InstanceId can't be empty.");
  if (request.rack_id && is_blank(*request.rack_id)) return invalid("RackId can't be empty.");
  if (epoch == kJoinEpoch) {
    if (request.rebalance_timeout_ms == -1) {
      return invalid("RebalanceTimeoutMs must be provided in first request.");
    }
    if (!request.topic_partitions || !request.topic_partitions->empty()) {
      return invalid("TopicPartitions must be empty when (re-)joining.");
    }
    if (!request.subscribed_topic_names && !request.subscribed_topic_regex) {
      return invalid(
          "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.");
    }
  } else if (epoch == kStaticLeaveEpoch && !request.instance_id) {
    return invalid("InstanceId can't be null.");
  } else if (epoch < kStaticLeaveEpoch) {
    return invalid("MemberEpoch is invalid.");
  }
  const std::vector<std::string>& known = settings.consumer_assignors;
  if (!request.server_assignor || std::count(known.begin(), known.end(), *request.server_assignor) > 0) {
    return std::nullopt;
  }
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  return refused(ErrorCode::kUnsupportedAssignor, "ServerAssignor " + *request.server_assignor +
                                                      " is not supported. Supported assignors: " + names +
                                                      ".");
}

void ConsumerGroup::heartbeat(Ticket ticket, const Caller& caller,
                              const ConsumerGroupHeartbeatRequest& request, Outcome& outcome) {
  ConsumerGroupHeartbeatResponse response;
  std::vector<GroupRecord> records;
  const bool leaves = request.member_epoch == kLeaveEpoch || request.member_epoch == kStaticLeaveEpoch;
  const MaybeRefused refusal = leaves ? leaving_heartbeat(request, response, outcome)
                                      : regular_heartbeat(caller, request, response, records);
  if (refusal) {
    response = {};
    response.error_code = refusal->code;
    response.error_message = refusal->message;
    records.clear();
  }
  for (GroupRecord& record : records) outcome.records.push_back(std::move(record));
  outcome.answer(ticket, std::move(response));
}

MaybeRefused ConsumerGroup::regular_heartbeat(const Caller& caller,
                                              const ConsumerGroupHeartbeatRequest& request,
                                              ConsumerGroupHeartbeatResponse& response,
                                              std::vector<GroupRecord>& records) {
  const bool joins = request.member_epoch == kJoinEpoch;
  if (auto full = check_size(request.member_id, request.instance_id)) return full;
  const std::string member_id = request.member_id.empty() ? host_.new_uuid() : request.member_id;
  const Sender sender{member_id, request.instance_id,     request.member_epoch, joins,
                      false,     request.topic_partitions};
  ConsumerMember before;
  auto unknown = request.instance_id ? find_static(sender, before, records) : find_dynamic(sender, before);
  if (unknown) return unknown;

  Update update{before, changed_by(before, caller, request), records};
  const bool names_changed = write_member(update);
  RegexChange regex = RegexChange::none;
  if (auto bad = update_regex(update, regex)) return bad;
  update.subscription_changed = names_changed || regex != RegexChange::none;
  const bool bump =
      names_changed || regex == RegexChange::updated_and_resolved || preferred_assignor_changes(update);
  update_epoch(update, bump);
  update_target(update);
  if (auto fenced = reconcile_member(update, request.topic_partitions)) return fenced;

  const ConsumerMember& member = update.after;
  start_timer(GroupTimerKind::session, member_id, host_.settings(id_).consumer_session_timeout_ms);
  response.member_id = member.member_id;
  response.member_epoch = member.epoch;
  response.heartbeat_interval_ms = host_.settings(id_).consumer_heartbeat_interval_ms;
  if (joins || says_everything(request) || member.assigned != before.assigned) {
    response.assignment = to_assignment(member.assigned);
  }
  return std::nullopt;
}

MaybeRefused ConsumerGroup::check_size(const std::string& member_id,
                                       const std::optional<std::string>& instance_id) const {
  const std::int32_t limit = host_.settings(id_).consumer_max_size;
  if (instance_id && static_members_.count(*instance_id) > 0) return std::nullopt;
  if (static_cast<std::int64_t>(members_.size()) < limit || members_.count(member_id) > 0) {
    return std::nullopt;
  }
  return refused(ErrorCode::kGroupMaxSizeReached, "The consumer group has reached its maximum capacity of " +
                                                      std::to_string(limit) + " members.");
}

const ConsumerMember* ConsumerGroup::static_member(const std::string& instance_id) const {
  const auto found = static_members_.find(instance_id);
  return found == static_members_.end() ? nullptr : &members_.at(found->second);
}

MaybeRefused ConsumerGroup::find_dynamic(const Sender& sender, ConsumerMember& found) const {
  if (!sender.joins && members_.count(sender.member_id) == 0) {
    return refused(ErrorCode::kUnknownMemberId,
                   "Member " + sender.member_id + " is not a member of group " + id_ + ".");
  }
  found = known_or_new(sender.member_id);
  return sender.classic ? std::nullopt : check_epoch(found, sender.epoch, sender.owned, host_.settings(id_));
}

MaybeRefused ConsumerGroup::find_static(const Sender& sender, ConsumerMember& found,
                                        std::vector<GroupRecord>& records) const {
  const std::string& instance_id = *sender.instance_id;
  const ConsumerMember* known = static_member(instance_id);
  if (sender.joins) {
    if (known == nullptr) {
      found = known_or_new(sender.member_id);
      return std::nullopt;
    }
    if (!sender.classic && !known->uses_classic_protocol() && known->epoch != kStaticLeaveEpoch) {
      return refused(ErrorCode::kUnreleasedInstanceId,
                     "Static member " + sender.member_id + " with instance id " + instance_id +
                         " cannot join the group because the instance id is owned by " + known->member_id +
                         " member.");
    }
    found = replace_static(*known, sender.member_id, records);
    return std::nullopt;
  }
  if (known == nullptr) {
    return refused(ErrorCode::kUnknownMemberId, "Instance id " + instance_id + " is unknown.");
  }
  if (known->member_id != sender.member_id) {
    return refused(ErrorCode::kFencedInstanceId, "Static member " + sender.member_id + " with instance id " +
                                                     instance_id + " was fenced by member " +
                                                     known->member_id + ".");
  }
  found = *known;
  return sender.classic ? std::nullopt : check_epoch(found, sender.epoch, sender.owned, host_.settings(id_));
}

ConsumerMember ConsumerGroup::replace_static(const ConsumerMember& old, const std::string& member_id,
                                             std::vector<GroupRecord>& records) const {
  ConsumerMember next = old;
  next.member_id = member_id;
  next.epoch = 0;
  next.previous_epoch = 0;
  remove_member_records(id_, old.member_id, records);
  records.push_back(member_record(id_, next));
  records.push_back(target_assignment_record(id_, member_id, target(old.member_id)));
  records.push_back(current_assignment_record(id_, next));
  return next;
}

MaybeRefused ConsumerGroup::leaving_heartbeat(const ConsumerGroupHeartbeatRequest& request,
                                              ConsumerGroupHeartbeatResponse& response, Outcome& outcome) {
  ConsumerMember found;
  // With an epoch that is right in any case: only who it is matters.
  const Sender sender{request.member_id,       request.instance_id, kJoinEpoch, false, true,
                      request.topic_partitions};
  std::vector<GroupRecord> nothing;
  auto unknown = request.instance_id ? find_static(sender, found, nothing) : find_dynamic(sender, found);
  if (unknown) return unknown;
  response.member_id = request.member_id;
  response.member_epoch = request.member_epoch;
  if (!request.instance_id || request.member_epoch == kLeaveEpoch) {
    fence_member(found.member_id, outcome);
    return std::nullopt;
  }
  // It comes back: what it has stays assigned for the session, to whoever comes with its instance id.
  found.epoch = kStaticLeaveEpoch;
  found.pending_revocation.clear();
  found.assigned = with_epoch(without_epochs(found.assigned), 0);
  outcome.records.push_back(current_assignment_record(id_, found));
  return std::nullopt;
}

}  // namespace wt::kafka

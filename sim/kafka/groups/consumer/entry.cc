// How a heartbeat finds its group.
#include "sim/kafka/groups/consumer/conversion.h"

namespace wt::kafka {
namespace {

void refuse(Ticket ticket, ErrorCode code, std::string message, Outcome& outcome) {
  ConsumerGroupHeartbeatResponse response;
  response.error_code = code;
  if (!message.empty()) response.error_message = std::move(message);
  outcome.answer(ticket, std::move(response));
}

void add_to(Outcome& outcome, Outcome& more) {
  for (GroupRecord& record : more.records) outcome.records.push_back(std::move(record));
  for (Outcome::Answer& answer : more.answers) outcome.answers.push_back(std::move(answer));
}

// Timers that were set for the group go with the one whose place it takes.
void resolve_regexes_later(const ConsumerGroup& created, Outcome& outcome) {
  if (!created.resolves_regexes()) return;
  outcome.after = [](Group& group, Outcome&) {
    if (auto* consumers = dynamic_cast<ConsumerGroup*>(&group)) consumers->resolve_regexes();
  };
}

// The first member of the consumer protocol joins a classic group in use. What is written of it is replayed
// as that of any group. Members that wait to join or for their assignment must join again, also when the
// group can be converted but then this member cannot join, or nothing can be written.
void upgrade_and_join(GroupHost& host, ClassicGroup& classic, Ticket ticket, const Caller& caller,
                      const ConsumerGroupHeartbeatRequest& request, Outcome& outcome) {
  if (auto refusal = check_upgrade(classic, host.settings(classic.id()))) {
    return refuse(ticket, refusal->code, std::move(refusal->message), outcome);
  }
  classic.send_away(ErrorCode::kRebalanceInProgress, outcome);
  outcome.let_answers_stand();
  std::unique_ptr<ConsumerGroup> upgraded;
  std::vector<GroupRecord> records;
  if (auto refusal = upgrade(classic, host, upgraded, records)) {
    return refuse(ticket, refusal->code, std::move(refusal->message), outcome);
  }
  Outcome joined;
  upgraded->heartbeat(ticket, caller, request, joined);
  if (!joined.records.empty()) {
    for (GroupRecord& record : records) outcome.records.push_back(std::move(record));
    resolve_regexes_later(*upgraded, outcome);
  }
  add_to(outcome, joined);
}

}  // namespace

void consumer_group_heartbeat(GroupHost& host, Group* group, Ticket ticket, const Caller& caller,
                              const ConsumerGroupHeartbeatRequest& request, Outcome& outcome) {
  const std::string& id = request.group_id;
  if (auto* known = dynamic_cast<ConsumerGroup*>(group)) {
    known->heartbeat(ticket, caller, request, outcome);
    return;
  }
  const bool joins = request.member_epoch == kJoinEpoch;
  if (group == nullptr && !joins) {
    const std::string missing = request.member_epoch < 0 ? "Group " : "Consumer group ";
    refuse(ticket, ErrorCode::kGroupIdNotFound, missing + id + " not found.", outcome);
    return;
  }
  auto* classic = dynamic_cast<ClassicGroup*>(group);
  if (classic != nullptr && joins && !classic->is_empty()) {
    upgrade_and_join(host, *classic, ticket, caller, request, outcome);
    return;
  }
  if (group != nullptr && (!joins || !group->is_empty())) {
    refuse(ticket, ErrorCode::kGroupIdNotFound, "Group " + id + " is not a consumer group.", outcome);
    return;
  }
  // The group comes into being when its records are replayed; an empty one of another kind goes first.
  ConsumerGroup created(id, host);
  Outcome rest;
  created.heartbeat(ticket, caller, request, rest);
  if (group != nullptr && !rest.records.empty()) {
    group->delete_records(outcome.records);
    resolve_regexes_later(created, outcome);
  }
  add_to(outcome, rest);
}

}  // namespace wt::kafka

// A shard as a classic group sees it: a clock with timers, a log that can refuse, answers by ticket.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/kafka/groups/classic/answers.h"
#include "sim/kafka/groups/classic/classic_group.h"
#include "sim/kafka/wire/codec.h"

namespace wt::kafka {

inline std::string subscription(const std::vector<std::string>& topics) {
  std::string bytes("\0\1\0\0\0", 5);
  bytes += static_cast<char>(topics.size());
  for (const std::string& topic : topics) {
    bytes += '\0';
    bytes += static_cast<char>(topic.size());
    bytes += topic;
  }
  return bytes + std::string("\xff\xff\xff\xff\0\0\0\0", 8);
}

inline JoinProtocol protocol(const std::string& name, const std::string& metadata = subscription({"t"})) {
  JoinProtocol protocol;
  protocol.name = name;
  protocol.metadata = Slice::copy_of(metadata);
  return protocol;
}

inline JoinGroupRequest join_request(const std::string& member_id = "", const std::string& instance_id = "") {
  JoinGroupRequest request;
  request.group_id = "g";
  request.session_timeout_ms = 45'000;
  request.rebalance_timeout_ms = 60'000;
  request.member_id = member_id;
  if (!instance_id.empty()) request.group_instance_id = instance_id;
  request.protocol_type = "consumer";
  request.protocols = {protocol("range"), protocol("roundrobin")};
  return request;
}

class World : public GroupHost {
 public:
  explicit World(std::int32_t initial_delay_ms = 0) {
    settings_now.initial_rebalance_delay_ms = initial_delay_ms;
    group = std::make_unique<ClassicGroup>(*this, "g", ClassicGroup::Origin::join);
  }

  // GroupHost
  TimeNs now() const override { return now_ns; }
  const controller::MetadataImage& image() const override { return image_; }
  GroupSettings settings(std::string_view) const override { return settings_now; }
  std::string new_uuid() override { return Uuid::from_halves(++uuids_, 0).text(); }
  void set_timer(const GroupTimer& timer, DurationNs after_ns, TimerKind kind, std::uint64_t tag) override {
    timers[timer] = Timer{now_ns + after_ns, ++timers_set_, kind, tag};
  }
  void cancel_timer(const GroupTimer& timer) override { timers.erase(timer); }
  void trace(Label, std::string_view, std::string_view, std::int64_t) override {}

  // Requests. The ticket is the key of the answer.
  Ticket join(const JoinGroupRequest& request, std::int16_t version = 9) {
    caller.api_version = version;
    Outcome outcome;
    group->join(++tickets_, caller, request, outcome);
    finish(outcome);
    return tickets_;
  }
  Ticket sync(const std::string& member_id, std::int32_t generation,
              const std::map<std::string, std::string>& assignments = {},
              const std::string& instance_id = "") {
    SyncGroupRequest request;
    request.group_id = "g";
    request.member_id = member_id;
    request.generation_id = generation;
    if (!instance_id.empty()) request.group_instance_id = instance_id;
    for (const auto& [id, bytes] : assignments) {
      SyncGroupRequest::SyncGroupRequestAssignment assignment;
      assignment.member_id = id;
      assignment.assignment = Slice::copy_of(bytes);
      request.assignments.push_back(std::move(assignment));
    }
    return sync(request);
  }
  Ticket sync(const SyncGroupRequest& request) {
    Outcome outcome;
    group->sync(++tickets_, request, outcome);
    finish(outcome);
    return tickets_;
  }
  ErrorCode heartbeat(const std::string& member_id, std::int32_t generation,
                      const std::string& instance_id = "") {
    HeartbeatRequest request;
    request.member_id = member_id;
    request.generation_id = generation;
    if (!instance_id.empty()) request.group_instance_id = instance_id;
    Outcome outcome;
    group->heartbeat(++tickets_, request, outcome);
    finish(outcome);
    return answer<HeartbeatResponse>(tickets_).error_code;
  }
  LeaveGroupResponse leave(const std::vector<std::pair<std::string, std::string>>& ids) {
    LeaveGroupRequest request;
    for (const auto& [member_id, instance_id] : ids) {
      LeaveGroupRequest::MemberIdentity who;
      who.member_id = member_id;
      if (!instance_id.empty()) who.group_instance_id = instance_id;
      request.members.push_back(std::move(who));
    }
    Outcome outcome;
    const Ticket ticket = ++tickets_;
    group->leave(ticket, request, outcome);
    finish(outcome);
    return answer<LeaveGroupResponse>(ticket);
  }
  ErrorCode commit(const std::string& member_id, std::int32_t generation, bool transactional = false) {
    Committer committer;
    committer.member_id = member_id;
    committer.generation = generation;
    committer.transactional = transactional;
    return group->check_commit(committer);
  }

  // Lets time pass; timers that are due expire one by one.
  void advance(std::int64_t ms) {
    const TimeNs end_ns = now_ns + from_ms(ms);
    for (;;) {
      auto next = timers.end();
      for (auto it = timers.begin(); it != timers.end(); ++it) {
        if (it->second.due_ns <= end_ns && (next == timers.end() || it->second < next->second)) next = it;
      }
      if (next == timers.end()) break;
      now_ns = std::max(now_ns, next->second.due_ns);
      expire(next->first);
    }
    now_ns = end_ns;
  }
  void expire(GroupTimer timer) {
    timers.erase(timer);
    Outcome outcome;
    group->on_timer(timer, outcome);
    finish(outcome);
  }
  bool has_timer(GroupTimerKind kind, const std::string& member_id = "") const {
    return timers.contains(GroupTimer{"g", kind, member_id});
  }

  // The coordinator goes to another broker, which reads the log.
  void reload() {
    Outcome closing;
    group->close(ErrorCode::kNotCoordinator, closing);
    finish(closing);
    group = std::make_unique<ClassicGroup>(*this, "g", ClassicGroup::Origin::log);
    for (const GroupRecord& record : log) group->replay(*record.value.get<GroupMetadataValue>());
    Outcome outcome;
    group->on_loaded(outcome);
    finish(outcome);
  }

  bool answered(Ticket ticket) const { return answers.contains(ticket); }
  template <class Response>
  const Response& answer(Ticket ticket) const {
    const Response* response = answers.at(ticket).get<Response>();
    if (response == nullptr) throw std::logic_error("an answer of another type");
    return *response;
  }
  const JoinGroupResponse& joined(Ticket ticket) const { return answer<JoinGroupResponse>(ticket); }
  const SyncGroupResponse& synced(Ticket ticket) const { return answer<SyncGroupResponse>(ticket); }
  const GroupMetadataValue& last_record() const { return *log.back().value.get<GroupMetadataValue>(); }

  // A member with an id of its own, as a client of version 4 and later gets it.
  std::string new_id() { return joined(join(join_request())).member_id; }
  // `count` dynamic members, all of them waiting for their generation, leader first.
  std::vector<std::string> make_stable(std::size_t count) {
    std::vector<std::string> ids;
    std::map<std::string, std::string> assignments;
    for (std::size_t i = 0; i < count; ++i) ids.push_back(new_id());
    for (const std::string& id : ids) join(join_request(id));
    advance(0);
    const std::string leader = *group->leader();
    std::erase(ids, leader);
    ids.insert(ids.begin(), leader);
    for (const std::string& id : ids) assignments[id] = "of " + id;
    for (std::size_t i = ids.size(); i-- > 0;) {
      sync(ids[i], group->generation(), i == 0 ? assignments : std::map<std::string, std::string>{});
    }
    return ids;
  }

  struct Timer {
    TimeNs due_ns;
    std::uint64_t order;
    TimerKind kind;
    std::uint64_t tag;
    friend bool operator<(const Timer& a, const Timer& b) {
      return std::tie(a.due_ns, a.order) < std::tie(b.due_ns, b.order);
    }
  };

  TimeNs now_ns = kDefaultEpoch_ns;
  GroupSettings settings_now;
  Caller caller{.client_id = "client", .connection = 7};
  std::unique_ptr<ClassicGroup> group;
  std::map<GroupTimer, Timer> timers;
  std::map<Ticket, schema::AnyMessage> answers;
  std::vector<GroupRecord> log;
  ErrorCode append_error = ErrorCode::kNone;  // of all appends until it is cleared

 private:
  void finish(Outcome& outcome) {
    if (!outcome.records.empty()) {
      if (append_error != ErrorCode::kNone) {
        const auto failed = static_cast<std::ptrdiff_t>(outcome.records.size());
        group->on_append_failed(append_error, outcome);
        outcome.records.erase(outcome.records.begin(), outcome.records.begin() + failed);
        append_error = ErrorCode::kNone;
        return finish(outcome);
      }
      for (GroupRecord& record : outcome.records) {
        group->replay(*record.value.get<GroupMetadataValue>());
        log.push_back(std::move(record));
      }
    }
    for (Outcome::Answer& answer : outcome.answers) {
      const bool is_first = answers.emplace(answer.ticket, std::move(answer.response)).second;
      if (!is_first) throw std::logic_error("a second answer");
    }
  }

  controller::MetadataImage image_;
  std::uint64_t uuids_ = 0;
  std::uint64_t timers_set_ = 0;
  Ticket tickets_ = 0;
};

}  // namespace wt::kafka

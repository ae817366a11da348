// What all kinds of groups have in common, as the shard that keeps them sees it.
//
// A group is a state machine without tasks and without input or output. The shard gives it one request or
// one expired timer at a time and takes an Outcome: records to be written, and answers. The answers go out
// when the records are durable; only then are the records replayed into the groups. What a group keeps
// beside its records (waiting requests, timers) it may change at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/image.h"
#include "sim/kafka/groups/model/record.h"
#include "sim/kafka/wire/error_code.h"
#include "sim/kernel/event_queue.h"
#include "sim/kernel/label.h"
#include "sim/kernel/time.h"

namespace wt::kafka {

// Names a request that waits for its answer; unique in a shard.
using Ticket = std::uint64_t;

class Group;

struct Outcome {
  struct Answer {
    Ticket ticket;
    schema::AnyMessage response;
    bool stands;  // it goes out as it is, whatever becomes of the records
  };
  std::vector<GroupRecord> records;
  std::vector<Answer> answers;  // in the order in which they go out
  // The group whose place another one took at once. It is back when the records cannot be written.
  std::unique_ptr<Group> replaced;
  // What the group of this name does when the records have made another one of it.
  std::function<void(Group& group, Outcome& next)> after;

  template <class Response>
  void answer(Ticket ticket, Response response) {
    schema::AnyMessage message(Response::kTable);
    *message.get<Response>() = std::move(response);
    answers.push_back(Answer{ticket, std::move(message), false});
  }
  // The answers so far do not depend on the records.
  void let_answers_stand() {
    for (Answer& answer : answers) answer.stands = true;
  }
};

// Who asks.
struct Caller {
  std::string client_id;
  std::string client_host = "/127.0.0.1";  // as a broker writes it
  std::uint64_t connection = 0;            // park tag of timers that this request waits for
  std::int16_t api_version = 0;
};

// A member as an offset commit names it. `generation` is the member epoch of a consumer group.
struct Committer {
  std::string member_id;
  std::optional<std::string> instance_id;
  std::int32_t generation = -1;
  std::int16_t api_version = 0;
  bool transactional = false;
};

// Which groups change their protocol while members use them (group.consumer.migration.policy).
enum class MigrationPolicy : std::uint8_t { disabled, upgrade, downgrade, bidirectional };

// Settings of the broker, overridden by the configs of the group. Milliseconds where the name says so.
struct GroupSettings {
  std::int32_t min_session_timeout_ms = 6'000;
  std::int32_t max_session_timeout_ms = 1'800'000;
  std::int32_t max_size = 2'147'483'647;
  std::int32_t initial_rebalance_delay_ms = 3'000;
  std::int32_t new_member_join_timeout_ms = 300'000;
  std::int32_t consumer_session_timeout_ms = 45'000;
  std::int32_t consumer_heartbeat_interval_ms = 5'000;
  std::int32_t consumer_max_size = 2'147'483'647;
  std::vector<std::string> consumer_assignors = {"uniform", "range"};
  std::int32_t consumer_assignment_interval_ms = 1'000;
  std::int32_t consumer_regex_refresh_interval_ms = 600'000;
  MigrationPolicy consumer_migration = MigrationPolicy::bidirectional;
  // As the release does it: see Switches in sim/kafka/profiles.
  bool rejoin_with_epoch_zero = true;
  bool commit_with_older_epoch = true;
  std::int32_t offset_metadata_max_bytes = 4'096;
};

// When offsets of a group grow too old: after the retention time, counted from here.
struct OffsetExpiry {
  std::optional<std::int64_t> since_ms;  // absent: from when each offset was committed
};

enum class GroupKind : std::uint8_t { classic, consumer };

// A member, for whoever looks from outside.
struct MemberView {
  std::string member_id;
  std::optional<std::string> instance_id;
  std::string client_id;
};

enum class GroupTimerKind : std::uint8_t {
  session,        // of a member
  join,           // all members must have joined again
  initial_delay,  // of a new group's first rebalance
  sync,           // a member must have asked for its assignment
  pending,        // a member id was handed out and must be used
  rebalance,      // of a member of a consumer group: it must have given up partitions
  regex,          // regular expressions are resolved again
};

// One timer: setting it again moves it.
struct GroupTimer {
  std::string group;
  GroupTimerKind kind = GroupTimerKind::session;
  std::string member;  // empty: of the group
  auto operator<=>(const GroupTimer&) const = default;
};

// What a group may ask of the shard that keeps it. Tests give a plain one.
class GroupHost {
 public:
  virtual ~GroupHost() = default;
  virtual TimeNs now() const = 0;
  virtual const controller::MetadataImage& image() const = 0;
  virtual GroupSettings settings(std::string_view group) const = 0;
  // A random UUID in Kafka's base64 form; drawn from the group coordinator's stream.
  virtual std::string new_uuid() = 0;
  // Expires as Group::on_timer. Sessions and joins are the silence of clients (TimerKind::silence), the
  // initial delay is somebody's wait (TimerKind::park, with the park tag of the connection that waits).
  virtual void set_timer(const GroupTimer& timer, DurationNs after_ns, TimerKind kind,
                         std::uint64_t park_tag = 0) = 0;
  virtual void cancel_timer(const GroupTimer& timer) = 0;
  virtual void trace(Label label, std::string_view group, std::string_view member, std::int64_t number) = 0;
};

class Group {
 public:
  virtual ~Group() = default;

  virtual const std::string& id() const = 0;
  virtual GroupKind kind() const = 0;
  // As ListGroups and DescribeGroups say it: "Empty", "Stable", "PreparingRebalance", …
  virtual std::string_view state_name() const = 0;
  virtual std::string_view protocol_type() const = 0;
  virtual bool is_empty() const = 0;
  virtual std::vector<MemberView> member_views() const { return {}; }

  // kNone, or why this commit (or fetch, with a member) is refused. A live member shows with it that it
  // lives.
  virtual ErrorCode check_commit(const Committer& committer) = 0;
  // … this commit, which check_commit let pass, is refused for one of its partitions.
  virtual ErrorCode check_commit_partition(const Committer& /*committer*/, const Uuid& /*topic_id*/,
                                           std::int32_t /*partition*/) const {
    return ErrorCode::kNone;
  }
  virtual ErrorCode check_fetch(std::string_view member_id, std::int32_t member_epoch) const = 0;
  // OffsetDelete and expiry ask whether offsets of this topic are still wanted.
  virtual bool subscribes_to(std::string_view topic) const = 0;
  // kNone, or why OffsetDelete is refused as a whole.
  virtual ErrorCode check_offset_delete() const { return ErrorCode::kNone; }
  // Nothing: offsets of this group do not expire now. A topic that it subscribes to is safe in any case.
  virtual std::optional<OffsetExpiry> offset_expiry() const { return OffsetExpiry{}; }
  // Its first record could not be written: the shard forgets it.
  virtual bool is_gone() const { return false; }
  // It is back in its place, which another group had for a while. Its timers are gone.
  virtual void on_restored() {}
  // kNone, or why DeleteGroups is refused.
  virtual ErrorCode check_delete() const = 0;
  // Tombstones of all records of this group, other than offsets.
  virtual void delete_records(std::vector<GroupRecord>& records) const = 0;

  virtual void on_timer(const GroupTimer& timer, Outcome& outcome) = 0;
  // The records of `failed` could not be written; `code` is what clients are told. Answers of `failed` that
  // stay are sent; records added behind the failed ones go to the log. Not called for records of requests
  // about offsets.
  virtual void on_append_failed(ErrorCode code, Outcome& failed) = 0;
  // The shard goes elsewhere: whoever waits gets `code`.
  virtual void close(ErrorCode code, Outcome& outcome) = 0;
};

}  // namespace wt::kafka

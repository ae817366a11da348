// A consumer group of KIP-848: the broker assigns, members follow by heartbeats.
//
// Three epochs: the group's grows with every change of members, subscriptions or topics; the assignment's
// follows it when a new target is computed; a member's follows that when the member has given up what is no
// longer its own. All of it is rebuilt from records. Members that speak the classic protocol take part too:
// for them a rebalance is a rejoin.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/kafka/groups/consumer/assignor.h"
#include "sim/kafka/groups/consumer/member.h"
#include "sim/kafka/groups/consumer/reconcile.h"
#include "sim/kafka/groups/consumer/subscriptions.h"
#include "sim/kafka/groups/hash_order.h"
#include "sim/kafka/groups/model/group.h"
#include "sim/kafka/wire/messages/classic_groups.h"
#include "sim/kafka/wire/messages/consumer_groups.h"

namespace wt::kafka {

// Why a request is refused, in the broker's words.
struct Refused {
  ErrorCode code = ErrorCode::kNone;
  std::string message;
};
using MaybeRefused = std::optional<Refused>;

class ConsumerGroup final : public Group {
 public:
  ConsumerGroup(std::string id, GroupHost& host) : id_(std::move(id)), host_(host) {}

  // --- Group ---
  const std::string& id() const override { return id_; }
  GroupKind kind() const override { return GroupKind::consumer; }
  std::string_view state_name() const override;
  std::string_view protocol_type() const override { return "consumer"; }
  bool is_empty() const override { return members_.empty(); }
  std::vector<MemberView> member_views() const override;
  ErrorCode check_commit(const Committer& committer) override;
  // A commit with an older member epoch holds for partitions that the member has had since that epoch.
  ErrorCode check_commit_partition(const Committer& committer, const Uuid& topic_id,
                                   std::int32_t partition) const override;
  ErrorCode check_fetch(std::string_view member_id, std::int32_t member_epoch) const override;
  bool subscribes_to(std::string_view topic) const override {
    return subscriptions_.has_topic(std::string(topic));
  }
  ErrorCode check_delete() const override;
  void delete_records(std::vector<GroupRecord>& records) const override;
  void on_timer(const GroupTimer& timer, Outcome& outcome) override;
  void on_append_failed(ErrorCode code, Outcome& failed) override;
  void close(ErrorCode, Outcome&) override {}
  void on_restored() override { resolving_ = false; }

  // --- the log; a group whose last record is a tombstone of its epoch is over ---
  void replay(const GroupRecord& record);
  bool is_over() const noexcept { return over_; }
  // The log has been read: timers start.
  void on_loaded();

  // --- requests ---
  void heartbeat(Ticket ticket, const Caller& caller, const ConsumerGroupHeartbeatRequest& request,
                 Outcome& outcome);
  ConsumerGroupDescribeResponse::DescribedGroup describe() const;
  // Of members that speak the classic protocol; defined in classic_members.cc.
  void join(Ticket ticket, const Caller& caller, const JoinGroupRequest& request, Outcome& outcome);
  void sync(Ticket ticket, const SyncGroupRequest& request, Outcome& outcome);
  void classic_heartbeat(Ticket ticket, const HeartbeatRequest& request, Outcome& outcome);
  // As of version 3: a list of members.
  void leave(Ticket ticket, const LeaveGroupRequest& request, Outcome& outcome);

  // Regular expressions are resolved beside requests, all of the group at once.
  void resolve_regexes();
  bool resolves_regexes() const noexcept { return resolving_; }

  // --- state, for conversions, tests and tools ---
  std::int32_t epoch() const noexcept { return epoch_; }
  std::int32_t assignment_epoch() const noexcept { return assignment_epoch_; }
  std::int64_t metadata_hash() const noexcept { return metadata_hash_; }
  const std::map<std::string, ConsumerMember>& members() const noexcept { return members_; }
  const TopicPartitions& target(const std::string& member_id) const;
  const Subscriptions& subscriptions() const noexcept { return subscriptions_; }
  // Everything that records hold is the same.
  bool same_state(const ConsumerGroup& other) const;

 private:
  enum class RegexChange : std::uint8_t { none, updated, updated_and_resolved };

  // Who a heartbeat or a join says it is.
  struct Sender {
    const std::string& member_id;
    const std::optional<std::string>& instance_id;
    std::int32_t epoch = 0;
    bool joins = false;
    bool classic = false;
    const OwnedTopics& owned;
  };

  // A request that changes a member, on its way.
  struct Update {
    const ConsumerMember before;
    ConsumerMember after;
    std::vector<GroupRecord>& records;
    bool subscription_changed = false;
    std::int32_t group_epoch = 0;
    bool homogeneous = true;
    std::int32_t target_epoch = 0;
    TopicPartitions target = {};
  };

  // --- heartbeat; defined in heartbeat.cc ---
  MaybeRefused regular_heartbeat(const Caller& caller, const ConsumerGroupHeartbeatRequest& request,
                                 ConsumerGroupHeartbeatResponse& response, std::vector<GroupRecord>& records);
  MaybeRefused leaving_heartbeat(const ConsumerGroupHeartbeatRequest& request,
                                 ConsumerGroupHeartbeatResponse& response, Outcome& outcome);
  MaybeRefused check_size(const std::string& member_id, const std::optional<std::string>& instance_id) const;
  // Finds the member that the heartbeat comes from, or makes one. Checks epochs unless the member speaks the
  // classic protocol.
  MaybeRefused find_dynamic(const Sender& sender, ConsumerMember& found) const;
  MaybeRefused find_static(const Sender& sender, ConsumerMember& found,
                           std::vector<GroupRecord>& records) const;
  const ConsumerMember* static_member(const std::string& instance_id) const;
  // A static member that comes back under another id.
  ConsumerMember replace_static(const ConsumerMember& old, const std::string& member_id,
                                std::vector<GroupRecord>& records) const;

  // --- steps of an update; defined in update.cc ---
  bool write_member(Update& update) const;
  MaybeRefused update_regex(Update& update, RegexChange& change);
  bool preferred_assignor_changes(const Update& update) const;
  void update_epoch(Update& update, bool bump);
  void update_target(Update& update);
  MaybeRefused reconcile_member(Update& update, const OwnedTopics& owned);
  std::string preferred_assignor(const Update* update) const;
  AssignorInput assignor_input(const Update& update) const;
  bool needs_refresh(const Update& update, bool new_regex);
  bool metadata_expired() const;
  void write_epoch(std::int32_t epoch, std::int64_t hash, std::vector<GroupRecord>& records);
  void write_regex(const std::string& regex, const ResolvedRegex* resolved,
                   std::vector<GroupRecord>& records) const;

  // --- leaving; defined in fencing.cc ---
  using MemberList = std::vector<const ConsumerMember*>;
  void fence(const MemberList& members, Outcome& outcome);
  // Defined in conversion.cc.
  bool downgrades_without(const MemberList& leaving) const;
  bool downgrades_replacing(const ConsumerMember* replaced) const;
  void downgrade(const MemberList& leaving, const ConsumerMember* joining, bool rebalance,
                 Outcome& outcome) const;
  void fence_member(const std::string& member_id, Outcome& outcome);
  void on_regexes_due(Outcome& outcome);
  void see_topics();

  // --- state from records; defined in replay.cc ---
  void replay_epoch(const ConsumerGroupMetadataValue* value);
  void replay_regex(const std::string& regex, const ConsumerGroupRegularExpressionValue* value);
  void replay_member(const std::string& member_id, const ConsumerGroupMemberMetadataValue* value);
  void replay_current(const std::string& member_id, const ConsumerGroupCurrentMemberAssignmentValue* value);
  ConsumerMember known_or_new(const std::string& member_id) const;
  void set_member(ConsumerMember member);
  void erase_member(const std::string& member_id);
  void count(const ConsumerMember& member, std::int32_t step);
  void hold(const ConsumerMember& member);
  void release(const ConsumerMember& member);
  bool is_held(const Uuid& topic_id, std::int32_t number) const;

  // --- timers ---
  std::int32_t session_timeout_ms(const ConsumerMember& member) const;
  GroupTimer timer(GroupTimerKind kind, const std::string& member_id = {}) const;
  void start_timer(GroupTimerKind kind, const std::string& member_id, std::int32_t after_ms);
  void start_join_timer(const ConsumerMember& member);
  void cancel_timers(const std::string& member_id);

  // --- of members that speak the classic protocol; defined in classic_members.cc ---
  MaybeRefused join_member(const Caller& caller, const JoinGroupRequest& request, JoinGroupResponse& response,
                           Outcome& outcome);
  MaybeRefused downgrade_with(Update& update, const OwnedTopics& owned, JoinGroupResponse& response,
                              Outcome& outcome);
  MaybeRefused find_classic(const std::string& member_id, const std::optional<std::string>& instance_id,
                            std::int32_t generation, const ConsumerMember*& found) const;
  bool supports_protocols(const JoinGroupRequest& request) const;
  bool waits_for_others(const ConsumerMember& member) const;

  const std::string id_;
  GroupHost& host_;

  // --- from records ---
  std::int32_t epoch_ = 1;
  std::int64_t metadata_hash_ = 0;
  std::int32_t assignment_epoch_ = 1;
  std::int64_t assignment_timestamp_ms_ = 0;
  std::map<std::string, ConsumerMember> members_;
  HashOrder listed_{HashOrder::Table::timeline};  // their ids, as a broker lists them
  std::map<std::string, TopicPartitions> targets_;
  bool has_old_metadata_ = false;  // a record of a broker before 4.1
  bool over_ = false;

  // --- derived from members ---
  Subscriptions subscriptions_;
  std::map<std::string, std::string> static_members_;  // by instance id
  std::map<std::string, std::int32_t> assignors_;      // how many members prefer it
  std::map<std::string, std::int32_t> classic_protocols_;
  std::size_t classic_members_ = 0;
  std::map<Uuid, std::map<std::int32_t, std::string>> holders_;

  // --- beside the records ---
  std::int64_t refreshed_at_ = -1;    // end of the metadata that the hash was last compared with
  std::int32_t refreshed_epoch_ = 0;  // the group's epoch then
  bool resolving_ = false;
  std::int64_t topics_seen_at_ = -1;
  std::int64_t new_topics_at_ = -1;
  std::set<Uuid> topics_seen_;
  std::map<std::string, std::int32_t> revocation_epochs_;  // of running rebalance timers
  std::set<std::string> join_timers_;
};

// The heartbeat of a member of `group`: null when there is none of that name, perhaps of another kind.
void consumer_group_heartbeat(GroupHost& host, Group* group, Ticket ticket, const Caller& caller,
                              const ConsumerGroupHeartbeatRequest& request, Outcome& outcome);

// What a broker checks before it looks at the group.
MaybeRefused check_heartbeat_request(const ConsumerGroupHeartbeatRequest& request, std::int16_t api_version,
                                     const GroupSettings& settings);

}  // namespace wt::kafka

// A group of the classic protocol: its members join, their leader assigns, they heartbeat.
//
//   Empty ──join──▶ PreparingRebalance ──all joined, or time is up──▶ CompletingRebalance
//     ▲                 ▲        │                                        │ leader's assignment is durable
//     └──nobody left────┼────────┘                                        ▼
//                       └──join, leave, expiry──────────────────────── Stable          (Dead: unloaded)
//
// The shard calls one function at a time and finishes it before the next: it writes the records, then
// either replays them here or calls on_append_failed, and then sends the answers. So what a record decides
// (an assignment, a static member's new id) is kept in `write_` in between and takes effect in replay.
// For a group in use replay does nothing else: what it remembers is newer than the log. Timers that have
// lost their point are cancelled. A group that says Dead can be forgotten.
//
// Source of the behaviour: Apache Kafka 4.4, group-coordinator, GroupMetadataManager and ClassicGroup.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kafka/groups/classic/group_metadata.h"
#include "sim/kafka/groups/classic/member.h"
#include "sim/kafka/groups/hash_order.h"
#include "sim/kafka/groups/model/group.h"
#include "sim/kafka/wire/messages/classic_groups.h"
#include "sim/kafka/wire/messages/group_admin.h"

namespace wt::kafka {

enum class ClassicState : std::uint8_t { empty, preparing_rebalance, completing_rebalance, stable, dead };
std::string_view classic_state_name(ClassicState state);

// Of groups whose members are consumers; others may use the protocol for what they like.
inline constexpr std::string_view kConsumerProtocolType = "consumer";

class ClassicGroup final : public Group {
 public:
  // Who brings the group into being: a JoinGroup (then the first answer waits for a record that says so), or
  // something in the log (its own record, or an offset of a "simple" group).
  enum class Origin : std::uint8_t { join, log };
  ClassicGroup(GroupHost& host, std::string id, Origin origin);

  const std::string& id() const override { return id_; }
  GroupKind kind() const override { return GroupKind::classic; }
  std::string_view state_name() const override { return classic_state_name(state_); }
  std::string_view protocol_type() const override;
  bool is_empty() const override { return state_ == ClassicState::empty; }
  ErrorCode check_commit(const Committer& committer) override;
  ErrorCode check_fetch(std::string_view member_id, std::int32_t member_epoch) const override;
  bool subscribes_to(std::string_view topic) const override;
  std::vector<MemberView> member_views() const override;
  ErrorCode check_offset_delete() const override;
  std::optional<OffsetExpiry> offset_expiry() const override;
  bool is_gone() const override { return state_ == ClassicState::dead; }
  ErrorCode check_delete() const override;
  void delete_records(std::vector<GroupRecord>& records) const override;
  void on_timer(const GroupTimer& timer, Outcome& outcome) override;
  void on_append_failed(ErrorCode code, Outcome& failed) override;
  void close(ErrorCode code, Outcome& outcome) override;

  void join(Ticket ticket, const Caller& caller, const JoinGroupRequest& request, Outcome& outcome);
  void sync(Ticket ticket, const SyncGroupRequest& request, Outcome& outcome);
  void heartbeat(Ticket ticket, const HeartbeatRequest& request, Outcome& outcome);
  // As of version 3: a list of members.
  void leave(Ticket ticket, const LeaveGroupRequest& request, Outcome& outcome);
  DescribeGroupsResponse::DescribedGroup describe() const;

  void replay(const GroupMetadataValue& value);
  // The log has been read to its end: members have their sessions again, from the start.
  void on_loaded(Outcome& outcome);

  // Whoever waits for a JoinGroup or a SyncGroup gets `code` and stays a member.
  void send_away(ErrorCode code, Outcome& outcome);
  // A consumer group has become this group, as loaded from its record: its members live, with these
  // protocols.
  void take_over(const ClassicMembers& members, bool rebalance, Outcome& outcome);

  ClassicState state() const { return state_; }
  std::int32_t generation() const { return generation_; }
  const std::optional<std::string>& leader() const { return leader_; }
  const std::optional<std::string>& protocol_name() const { return protocol_name_; }
  const ClassicMembers& members() const { return members_; }
  // Their ids as a broker lists them.
  std::vector<std::string> listed() const { return listed_.listed(); }
  const std::set<std::string, std::less<>>& pending_members() const { return pending_; }
  // When the group came into its state; nothing in records of old brokers.
  std::optional<TimeNs> state_since() const { return state_since_; }

 private:
  // What the record that is being written will have decided.
  struct Write {
    enum class Kind : std::uint8_t { creation, emptied, assignment, replacement };
    Kind kind;
    std::map<std::string, Slice, std::less<>> assignment;  // by member
    // Of a static member whose id is replaced: how to take it back.
    std::string new_id;
    ClassicMember old_member;
    std::optional<std::string> old_leader;
  };

  // join.cc
  bool accepts(std::string_view member_id) const;
  bool supports(const JoinGroupRequest& request) const;
  void join_new(Ticket ticket, const Caller& caller, const JoinGroupRequest& request, Outcome& outcome);
  void join_known(Ticket ticket, const Caller& caller, const JoinGroupRequest& request, Outcome& outcome);
  void rejoin(Ticket ticket, ClassicMember& member, const JoinGroupRequest& request, Outcome& outcome);
  void hand_out_id(Ticket ticket, const JoinGroupRequest& request, std::string id, Outcome& outcome);
  void add_member(Ticket ticket, const Caller& caller, const JoinGroupRequest& request, const std::string& id,
                  Outcome& outcome);
  void update_member(ClassicMember& member, const JoinGroupRequest& request, std::optional<Ticket> ticket,
                     Outcome& outcome);
  void join_as_static(Ticket ticket, const Caller& caller, const JoinGroupRequest& request,
                      const std::string& old_id, const std::string& new_id, Outcome& outcome);
  ClassicMember& replace_static(const std::string& old_id, std::string new_id, Outcome& outcome);
  void write_replacement(Ticket ticket, const Caller& caller, const std::string& new_id,
                         ClassicMember old_member, std::optional<std::string> old_leader, Outcome& outcome);
  void take_back_replacement(ErrorCode code, Write& write, Outcome& failed);
  JoinGroupResponse join_answer(const ClassicMember& member) const;
  void answer_join(ClassicMember& member, JoinGroupResponse response, Outcome& outcome);

  // rebalance.cc
  void rebalance_or_complete(Outcome& outcome);
  void prepare_rebalance(Outcome& outcome);
  void maybe_complete_join(Outcome& outcome);
  void complete_join(Outcome& outcome);
  void next_generation(Outcome& outcome);
  bool elect_joined_leader();
  void extend_initial_delay(Outcome& outcome);
  void expire_session(const std::string& member_id, Outcome& outcome);
  void expire_sync(Outcome& outcome);
  bool all_joined() const;
  std::int32_t rebalance_timeout_ms() const;

  // sync.cc
  ErrorCode check_sync(const SyncGroupRequest& request) const;
  void assign(const SyncGroupRequest& request, Outcome& outcome);
  void fail_syncs(ErrorCode code, Outcome& outcome);
  void synced(const std::string& member_id);
  ErrorCode leave_one(const LeaveGroupRequest::MemberIdentity& who, Outcome& outcome);

  // durable.cc
  GroupRecord record(const std::map<std::string, Slice, std::less<>>& assignment) const;
  void write_empty(Write::Kind kind, Outcome& outcome);
  void load(const GroupMetadataValue& value);
  void load_member(const GroupMetadataValue::MemberMetadata& saved,
                   const std::optional<std::string>& protocol_name);
  void apply(Write& write);
  void compute_topics();

  // classic_group.cc
  ErrorCode check_member(std::string_view member_id, const std::optional<std::string>& instance_id) const;
  ClassicMember* find_member(std::string_view id);
  void remove_member(const std::string& member_id);
  void enter(ClassicState state);
  void set_session(const ClassicMember& member, std::int32_t timeout_ms);
  void set_session(const ClassicMember& member) { set_session(member, member.session_timeout_ms); }
  void cancel(GroupTimerKind kind, const std::string& member_id = {});
  void cancel_all();
  GroupTimer timer(GroupTimerKind kind, const std::string& member_id = {}) const;
  void trace(Label label, std::string_view member_id = {}) const;

  GroupHost& host_;
  std::string id_;
  ClassicState state_ = ClassicState::empty;
  ClassicState previous_state_ = ClassicState::dead;
  std::optional<TimeNs> state_since_;
  std::int32_t generation_ = 0;
  std::optional<std::string> protocol_type_;
  std::optional<std::string> protocol_name_;
  std::optional<std::string> leader_;  // a member id
  ClassicMembers members_;
  HashOrder listed_{HashOrder::Table::hash_map};                    // their ids, as a broker lists them
  std::map<std::string, std::string, std::less<>> static_members_;  // instance id to member id
  std::set<std::string, std::less<>> pending_;       // ids that were handed out and not used yet
  std::set<std::string, std::less<>> pending_sync_;  // members that have not asked for their assignment
  std::optional<std::set<std::string, std::less<>>> topics_;  // that consumers subscribe; nothing: not known
  // Of a new group's first rebalance.
  bool new_member_added_ = false;
  std::int32_t initial_delay_ms_ = 0;
  std::int32_t initial_remaining_ms_ = 0;
  std::uint64_t initial_connection_ = 0;

  bool is_unwritten_ = false;  // made by a JoinGroup, nothing in the log yet
  bool is_in_use_ = false;     // no longer being loaded
  std::optional<Write> write_;
};

}  // namespace wt::kafka

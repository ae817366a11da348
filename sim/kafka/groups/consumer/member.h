// One member of a consumer group: a value, replaced as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/formats/uuid.h"
#include "sim/kafka/groups/consumer/records.h"

namespace wt::kafka {

// Partitions of topics; no topic without partitions.
using TopicPartitions = std::map<Uuid, std::set<std::int32_t>>;
// … with the epoch at which each was assigned to its member.
using EpochPartitions = std::map<Uuid, std::map<std::int32_t, std::int32_t>>;

EpochPartitions with_epoch(const TopicPartitions& partitions, std::int32_t epoch);
TopicPartitions without_epochs(const EpochPartitions& partitions);

inline constexpr std::int32_t kJoinEpoch = 0;
inline constexpr std::int32_t kLeaveEpoch = -1;
inline constexpr std::int32_t kStaticLeaveEpoch = -2;

enum class MemberState : std::int8_t {
  stable = 0,
  unrevoked_partitions = 1,   // must give up partitions before it goes to the next epoch
  unreleased_partitions = 2,  // in the newest epoch, waits for partitions of others
  unknown = 127,
};

struct ConsumerMember {
  std::string member_id;
  std::int32_t epoch = 0;
  std::int32_t previous_epoch = -1;
  MemberState state = MemberState::stable;
  std::optional<std::string> instance_id;
  std::optional<std::string> rack_id;
  std::int32_t rebalance_timeout_ms = -1;
  std::string client_id;
  std::string client_host;
  std::set<std::string> topic_names;
  std::optional<std::string> topic_regex = "";
  std::optional<std::string> server_assignor;
  EpochPartitions assigned;
  EpochPartitions pending_revocation;
  std::optional<ConsumerGroupClassicMemberMetadata> classic;

  bool operator==(const ConsumerMember&) const = default;

  bool uses_classic_protocol() const noexcept { return classic.has_value(); }
  bool reconciled_to(std::int32_t assignment_epoch) const noexcept {
    return state == MemberState::stable && epoch == assignment_epoch;
  }
  // Null when it subscribes by names only.
  const std::string* regex() const noexcept {
    return topic_regex && !topic_regex->empty() ? &*topic_regex : nullptr;
  }
  void move_to_epoch(std::int32_t next) noexcept {
    previous_epoch = epoch;
    epoch = next;
  }

  void update(const ConsumerGroupMemberMetadataValue& value);
  void update(const ConsumerGroupCurrentMemberAssignmentValue& value);
};

// --- records that say all of it ---
GroupRecord member_record(const std::string& group, const ConsumerMember& member);
GroupRecord current_assignment_record(const std::string& group, const ConsumerMember& member);
GroupRecord target_assignment_record(const std::string& group, const std::string& member,
                                     const TopicPartitions& partitions);
GroupRecord group_epoch_record(const std::string& group, std::int32_t epoch, std::int64_t metadata_hash);
// A timestamp of 0: the next assignment need not wait.
GroupRecord assignment_epoch_record(const std::string& group, std::int32_t epoch, std::int64_t timestamp_ms);
TopicPartitions target_of(const ConsumerGroupTargetAssignmentMemberValue& value);
// Tombstones of everything that is kept of a member.
void remove_member_records(const std::string& group, const std::string& member,
                           std::vector<GroupRecord>& records);

}  // namespace wt::kafka

// One partition on one broker: leadership, admission of records, LEO, HW and LSO.
//
// The three boundaries are distinct: LEO is the end of what the log has committed; HW follows once
// the derived state (producer states, epochs, times) has taken it in; LSO is HW unless a transaction
// is open. log start <= LSO <= HW <= LEO holds at every change.
//
// Not specific to a protocol: front ends ask in terms of offsets and get refusals to translate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/broker/epoch_cache.h"
#include "sim/broker/partition_log.h"
#include "sim/broker/producer_state.h"
#include "sim/broker/segments.h"
#include "sim/broker/time_index.h"
#include "sim/faults/rules.h"
#include "sim/formats/batch_validation.h"
#include "sim/kernel/sync.h"

namespace wt::broker {

// Where the partition stands on this broker.
enum class Role : std::uint8_t { follower, opening, leader, fenced, closed };

// Why a request is refused; in the order in which the checks are made.
enum class Refusal : std::uint8_t {
  none,
  fenced_leader_epoch,   // the request knows an older leader epoch
  unknown_leader_epoch,  // … a newer one
  not_leader,
  opening,              // leader, but its log is not writable yet
  not_enough_replicas,  // fewer in sync than the topic demands, and the request wants all of them
  offset_out_of_range,
  offset_not_available,
  bad_batch,  // see the verdict
  stale_producer_epoch,
  out_of_order_sequence,
  open_transaction,
  not_enough_replicas_after_append,  // appended, but meanwhile too few are in sync
  storage_unknown,                   // may have been appended
  storage_refused,                   // was not appended
};
std::string_view refusal_name(Refusal refusal);

// What topic configuration means for one partition.
struct PartitionSettings {
  formats::TimestampType timestamp_type = formats::TimestampType::kCreateTime;
  std::int64_t timestamp_before_max_ms = std::numeric_limits<std::int64_t>::max();
  std::int64_t timestamp_after_max_ms = 3'600'000;
  bool compacted = false;
  SegmentLimits segments;
  std::int64_t max_message_bytes = 1'048'588;
  std::int64_t producer_id_expiration_ms = 86'400'000;
  std::int64_t min_in_sync = 1;         // min.insync.replicas
  std::optional<formats::Codec> codec;  // compression.type; nothing: the client's
  formats::EntryFormat entry_format = formats::EntryFormat::kPulsar;
};

struct AdmissionOptions {
  std::string_view client_id;  // for fault rules
  bool all_in_sync = false;    // acks=all: refused while too few replicas are in sync
};

struct ProduceResult {
  Refusal refusal = Refusal::none;
  formats::BatchVerdict verdict;  // of a bad batch
  std::int64_t base_offset = -1;
  std::int64_t log_append_time_ms = -1;  // with LogAppendTime; of a duplicate: its largest timestamp
  std::int64_t log_start_offset = -1;
  bool duplicate = false;
};

// Told when something changed that a waiting reader may care about: HW, LSO, log start, role.
class PartitionListener {
 public:
  virtual ~PartitionListener() = default;
  virtual void on_partition_changed() = 0;
};

struct PartitionIdentity {
  std::string topic;
  std::int32_t index = 0;
  std::int32_t broker = -1;
  std::string name() const { return topic + "-" + std::to_string(index); }
};

// In a broker it is owned by shared pointers: its own tasks keep it until they end.
class Partition : public std::enable_shared_from_this<Partition> {
 public:
  Partition(Process& process, FaultRules& rules, PartitionIdentity identity,
            std::unique_ptr<PartitionLog> log);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;
  ~Partition();

  const PartitionIdentity& identity() const noexcept { return identity_; }
  void set_settings(const PartitionSettings& settings);
  const PartitionSettings& settings() const noexcept { return settings_; }

  // --- leadership, as this broker's metadata says ---
  // Opens the log under `epoch` in a task of its own; see role(). An epoch that is not newer is ignored.
  void become_leader(std::int32_t epoch);
  // Stops admission at once and wakes every waiting reader.
  void become_follower(std::int32_t epoch, std::int32_t leader);
  void shut();
  // How many of how many replicas are in sync. With fewer than the topic demands the log grows, but HW stays.
  void set_in_sync(std::size_t in_sync, std::size_t replicas);

  Role role() const noexcept { return role_; }
  std::int32_t leader() const noexcept { return leader_; }
  std::int32_t leader_epoch() const noexcept { return leader_epoch_; }
  // The first two checks of every request; `current_leader_epoch` -1 skips the epoch.
  Refusal check_leader(std::int32_t current_leader_epoch) const;

  // --- data ---
  // Admits the records of one produce request: checks, appends, updates derived state. `records` must
  // have passed check_produce_records().
  Task<ProduceResult> produce(const Slice& records, const AdmissionOptions& options);
  // Entries from `offset` on, below `upper_offset`.
  Task<StatusOr<LogRead>> read(std::int64_t offset, const LogReadLimits& limits) {
    return log_->read(offset, limits);
  }
  bool read_cached(std::int64_t offset, const LogReadLimits& limits, LogRead& out) const {
    return log_->read_cached(offset, limits, out);
  }
  Task<Refusal> delete_before(std::int64_t offset);
  // Whether retention would let go of something now, where this broker leads.
  bool has_expired(std::int64_t now_ms) const;
  // Moves the log start behind what retention lets go. What fails is done at the next check.
  Task<void> retain(std::shared_ptr<Partition> self);
  // Returns when no append is under way: also one whose outcome was unknown has been proven, or this broker
  // does not lead any more.
  Task<void> settled();

  std::int64_t log_start_offset() const noexcept { return log_start_; }
  std::int64_t log_end_offset() const noexcept { return log_end_; }
  std::int64_t high_watermark() const noexcept { return high_watermark_; }
  std::int64_t last_stable_offset() const noexcept { return last_stable_; }
  // Of the segments that are there, as the clients wrote them; known to the leader.
  std::int64_t size_bytes() const { return segments_.size_bytes(); }
  const EpochCache& epochs() const noexcept { return epochs_; }
  const TimeIndex& times() const noexcept { return times_; }
  const ProducerStates& producers() const noexcept { return producers_; }
  void expire_producers(std::int64_t now_ms) {
    producers_.expire(now_ms, settings_.producer_id_expiration_ms);
  }

  void listen(PartitionListener& listener) { listeners_.insert_back(listener); }
  void unlisten(PartitionListener& listener) { listeners_.erase(listener); }

 private:
  // Registered listeners in order of registration.
  class Listeners {
   public:
    void insert_back(PartitionListener& listener) { all_.push_back(&listener); }
    void erase(PartitionListener& listener);
    void notify();

   private:
    std::vector<PartitionListener*> all_;  // null: left while others were told
    int telling_ = 0;
  };

  Task<void> open(std::int32_t epoch, std::shared_ptr<Partition> self);
  Task<ProduceResult> complete(const formats::Entry& entry, std::int32_t epoch,
                               const AdmissionOptions& options);
  Task<ProduceResult> admit(const Slice& records, const AdmissionOptions& options);
  formats::BatchVerdict validate_and_rebuild(const Slice& records) const;
  bool enough_in_sync() const noexcept;
  void reconsider_boundaries();
  Task<void> settle_append(Lane::Guard lane, std::shared_ptr<formats::Entry> entry, std::int32_t epoch,
                           std::shared_ptr<Partition> self);
  formats::BatchVerdict validate(const Slice& records) const;
  ProduceResult refuse(Refusal refusal) const;
  ProduceResult duplicate_of(const ProducerBatch& batch) const;
  Task<Refusal> trim_to(std::int64_t target);
  void take_in(const formats::Entry& entry);
  void update_boundaries();
  void reset_derived_state();
  FaultSite site(Label point, std::string_view client_id) const;
  bool leads(std::int32_t epoch) const noexcept { return role_ == Role::leader && leader_epoch_ == epoch; }

  Process& process_;
  FaultRules& rules_;
  PartitionIdentity identity_;
  std::unique_ptr<PartitionLog> log_;
  PartitionSettings settings_;

  Role role_ = Role::follower;
  std::int32_t leader_ = -1;
  std::int32_t leader_epoch_ = -1;
  std::int64_t in_sync_ = 1;
  std::int64_t replicas_ = 1;

  Lane admission_;  // one produce at a time: sequences are judged against what is in the log
  std::int64_t log_start_ = 0;
  std::int64_t log_end_ = 0;
  std::int64_t high_watermark_ = 0;
  std::int64_t last_stable_ = 0;
  std::int64_t taken_in_ = 0;  // end of what the derived state below knows
  ProducerStates producers_;
  EpochCache epochs_;
  TimeIndex times_;
  Segments segments_;
  Listeners listeners_;
};

}  // namespace wt::broker

#include "sim/broker/partition.h"

#include <algorithm>
#include <utility>

#include "sim/kernel/kernel.h"

namespace wt::broker {
namespace {

constexpr std::size_t kContentLimit_bytes = std::size_t{64} << 20;
constexpr DurationNs kOpenRetry_ns = 50 * kMillisecond_ns;
constexpr DurationNs kSettleRetry_ns = 50 * kMillisecond_ns;

constexpr std::string_view kRefusalNames[] = {
    "none",
    "fenced_leader_epoch",
    "unknown_leader_epoch",
    "not_leader",
    "opening",
    "not_enough_replicas",
    "offset_out_of_range",
    "offset_not_available",
    "bad_batch",
    "stale_producer_epoch",
    "out_of_order_sequence",
    "open_transaction",
    "not_enough_replicas_after_append",
    "storage_unknown",
    "storage_refused",
};

Refusal refusal_of(SequenceFault fault) {
  switch (fault) {
    case SequenceFault::none:
      return Refusal::none;
    case SequenceFault::stale_epoch:
      return Refusal::stale_producer_epoch;
    case SequenceFault::gap:
    case SequenceFault::new_epoch_not_at_zero:
      return Refusal::out_of_order_sequence;
    case SequenceFault::open_transaction:
      return Refusal::open_transaction;
  }
  return Refusal::none;
}

}  // namespace

std::string_view refusal_name(Refusal refusal) {
  return kRefusalNames[static_cast<std::size_t>(refusal)];
}

Partition::Partition(Process& process, FaultRules& rules, PartitionIdentity identity,
                     std::unique_ptr<PartitionLog> log)
    : process_(process),
      rules_(rules),
      identity_(std::move(identity)),
      log_(std::move(log)),
      admission_(process) {}

Partition::~Partition() = default;

void Partition::Listeners::erase(PartitionListener& listener) {
  if (telling_ == 0) {
    std::erase(all_, &listener);
  } else {
    std::replace(all_.begin(), all_.end(), &listener, static_cast<PartitionListener*>(nullptr));
  }
}

// A listener may leave while it is told; one that comes is not told of this change.
void Partition::Listeners::notify() {
  ++telling_;
  const std::size_t count = all_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (all_[i] != nullptr) all_[i]->on_partition_changed();
  }
  if (--telling_ == 0) std::erase(all_, nullptr);
}

FaultSite Partition::site(Label point, std::string_view client_id) const {
  FaultSite here(point);
  here.broker = identity_.broker;
  here.topic = identity_.topic;
  here.partition = identity_.index;
  here.client_id = client_id;
  return here;
}

// --- leadership ---

void Partition::become_leader(std::int32_t epoch) {
  if (epoch <= leader_epoch_) return;
  leader_epoch_ = epoch;
  leader_ = identity_.broker;
  role_ = Role::opening;
  process_.trace("partition.opening"_label, static_cast<std::uint64_t>(identity_.index),
                 static_cast<std::uint64_t>(epoch), hash_text(identity_.topic));
  listeners_.notify();
  process_.spawn(open(epoch, weak_from_this().lock()));
}

void Partition::become_follower(std::int32_t epoch, std::int32_t leader) {
  if (epoch < leader_epoch_ || (epoch == leader_epoch_ && leader == leader_)) return;
  const bool led = role_ == Role::leader || role_ == Role::opening;
  leader_epoch_ = epoch;
  leader_ = leader;
  role_ = Role::follower;
  if (led) log_->close();
  process_.trace("partition.follower"_label, static_cast<std::uint64_t>(identity_.index),
                 static_cast<std::uint64_t>(epoch), hash_text(identity_.topic));
  listeners_.notify();
}

void Partition::shut() {
  if (role_ == Role::closed) return;
  role_ = Role::closed;
  log_->close();
  listeners_.notify();
}

void Partition::set_settings(const PartitionSettings& settings) {
  settings_ = settings;
  reconsider_boundaries();
}

void Partition::set_in_sync(std::size_t in_sync, std::size_t replicas) {
  in_sync_ = static_cast<std::int64_t>(in_sync);
  replicas_ = static_cast<std::int64_t>(replicas);
  reconsider_boundaries();
}

// A topic cannot demand more replicas than it has.
bool Partition::enough_in_sync() const noexcept {
  return in_sync_ >= std::min(settings_.min_in_sync, replicas_);
}

// HW may be free to move on.
void Partition::reconsider_boundaries() {
  if (role_ != Role::leader || high_watermark_ >= taken_in_ || !enough_in_sync()) return;
  update_boundaries();
  listeners_.notify();
}

Refusal Partition::check_leader(std::int32_t current_leader_epoch) const {
  if (current_leader_epoch >= 0 && current_leader_epoch < leader_epoch_) return Refusal::fenced_leader_epoch;
  if (current_leader_epoch > leader_epoch_) return Refusal::unknown_leader_epoch;
  if (role_ == Role::opening) return Refusal::opening;
  return role_ == Role::leader ? Refusal::none : Refusal::not_leader;
}

Task<void> Partition::open(std::int32_t epoch, [[maybe_unused]] std::shared_ptr<Partition> self) {
  // A predecessor of this open, or an append in flight, must be out of the way first.
  Lane::Guard lane = co_await admission_.acquire();
  for (;;) {
    if (role_ != Role::opening || leader_epoch_ != epoch) co_return;
    reset_derived_state();
    const std::function<void(const formats::Entry&)> replay = [this](const formats::Entry& entry) {
      epochs_.assign(entry.header.leader_epoch, entry.header.base_offset);
      take_in(entry);
    };
    const Status opened = co_await log_->open(epoch, replay);
    if (role_ != Role::opening || leader_epoch_ != epoch) {
      log_->close();
      co_return;
    }
    if (opened.ok()) break;
    if (opened.code() == StatusCode::kFailedPrecondition) {
      role_ = Role::fenced;
      process_.trace("partition.fenced"_label, static_cast<std::uint64_t>(identity_.index),
                     static_cast<std::uint64_t>(epoch), hash_text(identity_.topic));
      co_return;
    }
    co_await process_.sleep(kOpenRetry_ns);
  }
  const FaultSite writable = site("open.writable"_label, {});
  co_await rules_.at(process_, writable);
  if (role_ != Role::opening || leader_epoch_ != epoch) co_return;
  epochs_.assign(epoch, log_->end_offset());
  role_ = Role::leader;
  // One copy holds everything that was ever acknowledged, so a new leader shows it all, even with too few
  // replicas in sync. Only what comes now has to wait for them.
  taken_in_ = log_->end_offset();
  high_watermark_ = std::max(high_watermark_, taken_in_);
  update_boundaries();
  process_.trace("partition.leader"_label, static_cast<std::uint64_t>(identity_.index),
                 static_cast<std::uint64_t>(epoch), static_cast<std::uint64_t>(log_end_));
  listeners_.notify();
}

void Partition::reset_derived_state() {
  producers_.clear();
  epochs_.clear();
  times_.clear();
  segments_.clear();
  taken_in_ = 0;
}

// --- admission ---

Task<ProduceResult> Partition::produce(const Slice& records, const AdmissionOptions& options) {
  const Refusal early = check_leader(-1);
  if (early != Refusal::none) co_return refuse(early);
  if (options.all_in_sync && !enough_in_sync()) co_return refuse(Refusal::not_enough_replicas);
  ProduceResult result = co_await admit(records, options);
  co_return result;
}

formats::BatchVerdict Partition::validate(const Slice& records) const {
  const std::string name = identity_.name();
  formats::ValidationOptions options;
  options.topic_partition = name;
  options.timestamp_type = settings_.timestamp_type;
  options.now_ms = to_ms(process_.now());
  options.timestamp_before_max_ms = settings_.timestamp_before_max_ms;
  options.timestamp_after_max_ms = settings_.timestamp_after_max_ms;
  options.compacted = settings_.compacted;
  options.max_message_bytes = settings_.max_message_bytes;
  return formats::validate_append(records, options);
}

// The batch as it will be stored: a broker compresses anew what its topic wants otherwise.
formats::BatchVerdict Partition::validate_and_rebuild(const Slice& records) const {
  formats::BatchVerdict verdict = validate(records);
  if (!verdict.ok()) return verdict;
  const auto codec = static_cast<formats::Codec>(verdict.header.codec_id());
  const formats::Codec wanted = settings_.codec.value_or(codec);
  if (wanted == codec && !verdict.needs_rebuild) return verdict;
  const auto rebuilt = formats::rebuild_batch(verdict.batch, kContentLimit_bytes, wanted);
  return rebuilt.ok() ? validate(*rebuilt) : verdict;
}

Task<ProduceResult> Partition::admit(const Slice& records, const AdmissionOptions& options) {
  ProduceResult result;
  result.verdict = validate_and_rebuild(records);
  if (!result.verdict.ok()) {
    result.refusal = Refusal::bad_batch;
    result.log_start_offset = log_start_;
    co_return result;
  }
  Lane::Guard lane = co_await admission_.acquire();
  const Refusal refusal = check_leader(-1);
  if (refusal != Refusal::none) co_return refuse(refusal);
  const std::int32_t epoch = leader_epoch_;

  auto entry = std::make_shared<formats::Entry>(
      formats::make_kafka_entry(result.verdict, log_end_, epoch, settings_.entry_format));
  const SequenceVerdict sequence = producers_.check(entry->header);
  if (sequence.duplicate) co_return duplicate_of(*sequence.duplicate);
  if (sequence.fault != SequenceFault::none) {
    process_.trace("partition.sequence_refused"_label, static_cast<std::uint64_t>(identity_.index),
                   static_cast<std::uint64_t>(entry->header.producer_id),
                   static_cast<std::uint64_t>(entry->header.base_sequence));
    co_return refuse(refusal_of(sequence.fault));
  }

  const AppendResult appended = co_await log_->append(*entry);
  if (appended.outcome == AppendOutcome::unknown) {
    process_.spawn(settle_append(std::move(lane), entry, epoch, weak_from_this().lock()));
    co_return refuse(Refusal::storage_unknown);
  }
  if (appended.outcome == AppendOutcome::fenced) {
    if (leads(epoch)) role_ = Role::fenced;
    listeners_.notify();
    co_return refuse(Refusal::not_leader);
  }
  if (appended.outcome == AppendOutcome::not_committed) co_return refuse(Refusal::storage_refused);
  entry->header.base_offset = appended.base_offset;
  result = co_await complete(*entry, epoch, options);
  co_return result;
}

// The entry is in the log: derived state takes it in, and the boundaries follow.
Task<ProduceResult> Partition::complete(const formats::Entry& entry, std::int32_t epoch,
                                        const AdmissionOptions& options) {
  // Committed, but this broker may no longer answer for the partition.
  if (leader_epoch_ != epoch) co_return refuse(Refusal::not_leader);
  log_end_ = log_->end_offset();
  const FaultSite derived = site("broker.derived.before"_label, options.client_id);
  co_await rules_.at(process_, derived);
  if (!leads(epoch)) co_return refuse(Refusal::not_leader);
  take_in(entry);
  update_boundaries();
  listeners_.notify();
  if (options.all_in_sync && high_watermark_ < entry.header.next_offset()) {
    co_return refuse(Refusal::not_enough_replicas_after_append);
  }
  ProduceResult result;
  result.log_start_offset = log_start_;
  result.base_offset = entry.header.base_offset;
  if (settings_.timestamp_type == formats::TimestampType::kLogAppendTime) {
    result.log_append_time_ms = entry.header.append_time_ms;
  }
  co_return result;
}

// The outcome of an append is unknown: nothing else is admitted until it is proven.
Task<void> Partition::settle_append([[maybe_unused]] Lane::Guard lane, std::shared_ptr<formats::Entry> entry,
                                    std::int32_t epoch, [[maybe_unused]] std::shared_ptr<Partition> self) {
  for (;;) {
    const AppendResult settled = co_await log_->settle();
    if (settled.outcome == AppendOutcome::unknown) {
      co_await process_.sleep(kSettleRetry_ns);
      if (!leads(epoch)) co_return;
      continue;
    }
    if (!leads(epoch)) co_return;
    if (settled.outcome == AppendOutcome::fenced) role_ = Role::fenced;
    if (settled.outcome == AppendOutcome::committed) {
      entry->header.base_offset = settled.base_offset;
      log_end_ = log_->end_offset();
      take_in(*entry);
      update_boundaries();
    }
    listeners_.notify();
    co_return;
  }
}

ProduceResult Partition::refuse(Refusal refusal) const {
  ProduceResult result;
  result.refusal = refusal;
  const bool in_log = refusal == Refusal::stale_producer_epoch || refusal == Refusal::out_of_order_sequence ||
                      refusal == Refusal::open_transaction || refusal == Refusal::not_enough_replicas;
  if (in_log) result.log_start_offset = log_start_;
  return result;
}

ProduceResult Partition::duplicate_of(const ProducerBatch& batch) const {
  ProduceResult result;
  result.duplicate = true;
  result.base_offset = batch.base_offset;
  result.log_append_time_ms = batch.timestamp_ms;
  result.log_start_offset = log_start_;
  return result;
}

void Partition::take_in(const formats::Entry& entry) {
  const formats::EntryHeader& header = entry.header;
  producers_.apply(header);
  times_.add(header.base_offset, header.max_timestamp);
  segments_.add(header, static_cast<std::int64_t>(entry.payload.size()), to_ms(process_.now()),
                settings_.segments);
  taken_in_ = header.next_offset();
}

void Partition::update_boundaries() {
  const std::int64_t old_watermark = high_watermark_;
  log_start_ = log_->start_offset();
  log_end_ = log_->end_offset();
  if (enough_in_sync()) high_watermark_ = std::max(high_watermark_, taken_in_);
  const std::optional<std::int64_t> unstable = producers_.first_unstable_offset();
  last_stable_ = unstable && *unstable < high_watermark_ ? std::max(*unstable, log_start_) : high_watermark_;
  WT_INVARIANT(high_watermark_ >= old_watermark, "partition.hw.monotonic",
               identity_.name() + ": HW went back from " + std::to_string(old_watermark) + " to " +
                   std::to_string(high_watermark_));
  WT_INVARIANT(log_start_ <= last_stable_ && last_stable_ <= high_watermark_ && high_watermark_ <= log_end_,
               "partition.boundaries",
               identity_.name() + ": start " + std::to_string(log_start_) + ", LSO " +
                   std::to_string(last_stable_) + ", HW " + std::to_string(high_watermark_) + ", LEO " +
                   std::to_string(log_end_));
}

Task<Refusal> Partition::delete_before(std::int64_t offset) {
  Lane::Guard lane = co_await admission_.acquire();
  const Refusal refusal = check_leader(-1);
  if (refusal != Refusal::none) co_return refusal;
  const std::int64_t target = offset == -1 ? high_watermark_ : offset;
  if (target < 0 || target > high_watermark_) co_return Refusal::offset_out_of_range;
  if (target <= log_start_) co_return Refusal::none;
  const Refusal outcome = co_await trim_to(target);
  co_return outcome;
}

// Under the admission lane.
Task<Refusal> Partition::trim_to(std::int64_t target) {
  const Status trimmed = co_await log_->trim(target);
  if (!trimmed.ok()) co_return Refusal::storage_unknown;
  epochs_.trim(target);
  times_.trim(target);
  update_boundaries();
  listeners_.notify();
  co_return Refusal::none;
}

bool Partition::has_expired(std::int64_t now_ms) const {
  if (role_ != Role::leader || segments_.empty()) return false;
  return segments_.kept_from(settings_.segments, now_ms, log_start_, high_watermark_) >
         segments_.first_offset();
}

Task<void> Partition::retain([[maybe_unused]] std::shared_ptr<Partition> self) {
  Lane::Guard lane = co_await admission_.acquire();
  const std::int64_t now_ms = to_ms(process_.now());
  if (!has_expired(now_ms)) co_return;
  const std::int64_t target = segments_.kept_from(settings_.segments, now_ms, log_start_, high_watermark_);
  if (target > log_start_) {
    process_.trace("partition.retention"_label, static_cast<std::uint64_t>(identity_.index),
                   static_cast<std::uint64_t>(target), hash_text(identity_.topic));
    const Refusal outcome = co_await trim_to(target);
    if (outcome != Refusal::none) co_return;
  }
  segments_.trim(target);
}

Task<void> Partition::settled() {
  const Lane::Guard lane = co_await admission_.acquire();
}

}  // namespace wt::broker

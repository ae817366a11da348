// What a partition leader remembers of idempotent producers: epochs and the last five batches.
//
// Rebuilt from the log when a partition is opened, so that a retry after a failover still finds its
// first copy. Rules and their order: rows D1–D16 of Kafka's behaviour (tests/conformance).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "sim/formats/entry.h"
#include "sim/kernel/time.h"

namespace wt::broker {

// Batches kept of each producer: a producer may have that many requests in flight.
inline constexpr std::size_t kKeptBatches = 5;

struct ProducerBatch {
  std::int32_t first_sequence = -1;
  std::int32_t last_sequence = -1;
  std::int64_t base_offset = -1;
  std::int64_t last_offset = -1;
  std::int64_t timestamp_ms = -1;  // the batch's largest
};

struct ProducerEntry {
  std::int16_t epoch = -1;
  std::deque<ProducerBatch> batches;  // oldest first
  std::int64_t last_seen_ms = -1;     // timestamp of the newest batch, for expiry
  std::optional<std::int64_t> open_transaction_first_offset;
  std::int32_t coordinator_epoch = -1;
};

// Why a batch is refused; the check that failed, for the trace.
enum class SequenceFault : std::uint8_t {
  none,
  stale_epoch,            // INVALID_PRODUCER_EPOCH
  gap,                    // OUT_OF_ORDER_SEQUENCE_NUMBER: not the next sequence
  new_epoch_not_at_zero,  // OUT_OF_ORDER_SEQUENCE_NUMBER: a higher epoch starts at sequence 0
  open_transaction,       // INVALID_TXN_STATE: a plain batch inside the producer's transaction
};

struct SequenceVerdict {
  SequenceFault fault = SequenceFault::none;
  std::optional<ProducerBatch> duplicate;  // set: answer with this batch, append nothing
};

class ProducerStates {
 public:
  // Judges a client's batch against what is in the log. Batches without a producer id always pass.
  SequenceVerdict check(const formats::EntryHeader& batch) const;
  // Takes in an appended or replayed batch.
  void apply(const formats::EntryHeader& batch);
  // Drops producers that wrote nothing for `expiration_ms`, unless a transaction is open.
  std::size_t expire(std::int64_t now_ms, std::int64_t expiration_ms);
  void clear() {
    producers_.clear();
    open_transactions_.clear();
  }

  // First offset of the oldest open transaction.
  std::optional<std::int64_t> first_unstable_offset() const;
  const ProducerEntry* find(std::int64_t producer_id) const;
  // Calls `visit(producer_id, const ProducerEntry&)` in order of the ids.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [producer_id, entry] : producers_) visit(producer_id, entry);
  }
  std::size_t size() const noexcept { return producers_.size(); }
  std::uint64_t digest() const;

 private:
  std::map<std::int64_t, ProducerEntry> producers_;
  std::set<std::int64_t> open_transactions_;  // their first offsets
};

// The sequence after `sequence`: 0 follows 2^31 - 1. `count` steps at once.
std::int32_t add_sequence(std::int32_t sequence, std::int32_t count);

}  // namespace wt::broker

#include "sim/broker/producer_state.h"

#include <algorithm>
#include <limits>

#include "sim/kernel/hash.h"

namespace wt::broker {

std::int32_t add_sequence(std::int32_t sequence, std::int32_t count) {
  const std::int64_t sum = std::int64_t{sequence} + count;
  constexpr std::int64_t kModulus = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
  return static_cast<std::int32_t>(sum % kModulus);
}

SequenceVerdict ProducerStates::check(const formats::EntryHeader& batch) const {
  SequenceVerdict verdict;
  if (batch.producer_id < 0 || batch.control) return verdict;
  const ProducerEntry* entry = find(batch.producer_id);
  if (entry == nullptr || batch.base_sequence < 0) return verdict;

  const std::int32_t last_sequence = add_sequence(batch.base_sequence, batch.record_count - 1);
  if (batch.producer_epoch == entry->epoch) {
    for (const ProducerBatch& kept : entry->batches) {
      if (kept.first_sequence == batch.base_sequence && kept.last_sequence == last_sequence) {
        verdict.duplicate = kept;
        return verdict;
      }
    }
  }
  if (batch.producer_epoch < entry->epoch) {
    verdict.fault = SequenceFault::stale_epoch;
  } else if (batch.producer_epoch > entry->epoch) {
    const bool fresh = entry->epoch == formats::kNoProducerEpoch;
    if (batch.base_sequence != 0 && !fresh) verdict.fault = SequenceFault::new_epoch_not_at_zero;
  } else {
    const std::int32_t expected =
        entry->batches.empty() ? 0 : add_sequence(entry->batches.back().last_sequence, 1);
    if (batch.base_sequence != expected) verdict.fault = SequenceFault::gap;
  }
  if (verdict.fault == SequenceFault::none && !batch.transactional && entry->open_transaction_first_offset) {
    verdict.fault = SequenceFault::open_transaction;
  }
  return verdict;
}

void ProducerStates::apply(const formats::EntryHeader& batch) {
  if (batch.producer_id < 0) return;
  // An idempotent batch says so with a sequence; only control batches have none.
  if (batch.base_sequence < 0 && !batch.control) return;
  ProducerEntry& entry = producers_[batch.producer_id];
  if (batch.producer_epoch > entry.epoch) {
    entry.epoch = batch.producer_epoch;
    entry.batches.clear();
  }
  entry.last_seen_ms = batch.max_timestamp;
  if (batch.control) {
    if (entry.open_transaction_first_offset) open_transactions_.erase(*entry.open_transaction_first_offset);
    entry.open_transaction_first_offset.reset();
    return;
  }
  entry.batches.push_back({batch.base_sequence, add_sequence(batch.base_sequence, batch.record_count - 1),
                           batch.base_offset, batch.last_offset(), batch.max_timestamp});
  if (entry.batches.size() > kKeptBatches) entry.batches.pop_front();
  if (batch.transactional && !entry.open_transaction_first_offset) {
    entry.open_transaction_first_offset = batch.base_offset;
    open_transactions_.insert(batch.base_offset);
  }
}

std::size_t ProducerStates::expire(std::int64_t now_ms, std::int64_t expiration_ms) {
  return std::erase_if(producers_, [now_ms, expiration_ms](const auto& item) {
    const ProducerEntry& entry = item.second;
    return !entry.open_transaction_first_offset && now_ms - entry.last_seen_ms >= expiration_ms;
  });
}

std::optional<std::int64_t> ProducerStates::first_unstable_offset() const {
  if (open_transactions_.empty()) return std::nullopt;
  return *open_transactions_.begin();
}

const ProducerEntry* ProducerStates::find(std::int64_t producer_id) const {
  const auto found = producers_.find(producer_id);
  return found == producers_.end() ? nullptr : &found->second;
}

std::uint64_t ProducerStates::digest() const {
  std::uint64_t hash = producers_.size();
  for (const auto& [id, entry] : producers_) {
    hash = fold64(fold64(hash, static_cast<std::uint64_t>(id)), static_cast<std::uint64_t>(entry.epoch));
    for (const ProducerBatch& batch : entry.batches) {
      hash = fold64(hash, static_cast<std::uint64_t>(batch.first_sequence));
      hash = fold64(hash, static_cast<std::uint64_t>(batch.base_offset));
    }
  }
  return hash;
}

}  // namespace wt::broker

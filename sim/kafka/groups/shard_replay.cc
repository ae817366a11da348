// GroupShard: from the log to groups.
#include "sim/formats/record.h"
#include "sim/kafka/groups/shard.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr std::size_t kReadChunk_bytes = std::size_t{1} << 20;
constexpr std::size_t kContentLimit_bytes = std::size_t{64} << 20;
constexpr DurationNs kReadRetry_ns = 50 * kMillisecond_ns;

}  // namespace

Task<bool> GroupShard::catch_up() {
  while (!stopped() && applied_ < partition_->log_end_offset()) {
    broker::LogReadLimits limits;
    limits.upper_offset = partition_->log_end_offset();
    limits.max_bytes = kReadChunk_bytes;
    limits.first_may_overflow = true;
    const StatusOr<broker::LogRead> read = co_await partition_->read(applied_, limits);
    if (stopped()) break;
    if (!read.ok() && read.status().code() == StatusCode::kOutOfRange) {
      applied_ = std::max(applied_, partition_->log_start_offset());  // trimmed meanwhile
    }
    if (!read.ok() || read->entries.empty()) {
      co_await process_.sleep(kReadRetry_ns);
      continue;
    }
    for (const formats::Entry& entry : read->entries) replay_entry(entry);
  }
  co_return !stopped();
}

void GroupShard::replay_entry(const formats::Entry& entry) {
  if (entry.header.next_offset() <= applied_) return;
  const auto header = formats::parse_batch_header(entry.payload.bytes());
  if (entry.header.kind == formats::PayloadKind::kKafkaBatch && header.ok()) {
    const auto records = formats::BatchRecords::open(entry.payload, *header, kContentLimit_bytes);
    if (records.ok()) replay_batch(*header, records->bytes(), entry.header.base_offset);
  }
  applied_ = entry.header.next_offset();
}

void GroupShard::replay_batch(const formats::BatchHeader& header, std::span<const std::uint8_t> records,
                              std::int64_t base_offset) {
  RecordPlace place;
  if (header.transactional()) {
    place.producer_id = header.producer_id;
    place.producer_epoch = header.producer_epoch;
  }
  formats::RecordReader reader(header, records);
  formats::RecordView view;
  while (reader.next(view)) {
    place.offset = base_offset + view.offset_delta;
    place.timestamp_ms = view.timestamp;
    if (place.offset < applied_ || !view.key) continue;
    if (header.control()) {
      replay_marker(view, header.producer_id);
      continue;
    }
    const StatusOr<GroupRecord> record = codec_.decode(*view.key, view.value);
    if (record.ok()) {
      replay(*record, place);
    } else {
      process_.trace("group.record.skipped"_label, static_cast<std::uint64_t>(index()),
                     static_cast<std::uint64_t>(place.offset),
                     static_cast<std::uint64_t>(record.status().code()));
    }
  }
}

void GroupShard::replay_marker(const formats::RecordView& view, std::int64_t producer_id) {
  const auto marker = formats::parse_control_record(view);
  if (!marker.ok()) return;
  const bool commit = marker->type == formats::kControlCommit;
  if (commit || marker->type == formats::kControlAbort) offsets_.end_transaction(producer_id, commit);
}

void GroupShard::replay(const GroupRecord& record, const RecordPlace& place) {
  place_ = place;
  for (const GroupModule* module : options_.modules) {
    for (const RecordType& type : module->types) {
      if (type.key == &record.key.table()) {
        module->replay(*this, record);
        return;
      }
    }
  }
}

}  // namespace wt::kafka

// What a stream stores: a header of its own and the bytes that a client wrote, untouched.
//
// Offsets, leader epoch and append time live in the header; the payload is never patched. The bytes
// that a Kafka consumer gets are a projection: a rewritten 61-byte batch header followed by the
// rest of the payload.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "sim/formats/batch_validation.h"
#include "sim/formats/slice.h"

namespace wt::formats {

enum class PayloadKind : std::uint8_t { kKafkaBatch = 0, kPulsarEntry = 1 };
// The topic's kafkaEntryFormat at the time of the append: how a Kafka batch looks to Pulsar.
enum class EntryFormat : std::uint8_t { kKafka = 0, kPulsar = 1, kPulsarNonBatched = 2 };

struct EntryHeader {
  std::int64_t base_offset = 0;
  std::int32_t leader_epoch = kNoLeaderEpoch;
  // The broker's clock on a LogAppendTime topic, else kNoTimestamp: record times are the client's.
  std::int64_t append_time_ms = kNoTimestamp;
  PayloadKind kind = PayloadKind::kKafkaBatch;
  EntryFormat format = EntryFormat::kKafka;
  // Kafka offsets that the entry covers, and Pulsar entries that it projects to.
  std::int32_t record_count = 1;
  std::int32_t pulsar_ordinal_count = 1;
  std::int64_t max_timestamp = kNoTimestamp;
  // For a Kafka batch the checksum of its projection, for a Pulsar entry that of the payload.
  std::uint32_t crc = 0;
  std::int64_t producer_id = kNoProducerId;
  std::int16_t producer_epoch = kNoProducerEpoch;
  std::int32_t base_sequence = kNoSequence;
  bool transactional = false;
  bool control = false;

  std::int64_t next_offset() const noexcept { return base_offset + record_count; }
  std::int64_t last_offset() const noexcept { return next_offset() - 1; }

  friend bool operator==(const EntryHeader&, const EntryHeader&) = default;
};

struct Entry {
  EntryHeader header;
  Slice payload;
};

// An entry of a batch that validate_append() accepted (or of one built here, validated with
// AppendOrigin::kCoordinator). The checksum of the projection is computed now if it differs from
// the client's: with LogAppendTime, or when the client's max_timestamp was wrong.
Entry make_kafka_entry(const BatchVerdict& verdict, std::int64_t base_offset, std::int32_t leader_epoch,
                       EntryFormat format);

// Appends what a Kafka consumer gets: one slice for a payload below kCopyBelow_bytes, else the header
// and a slice that shares the payload. Appends nothing for an entry that is not a Kafka batch.
void project_kafka(const Entry& entry, SliceList& out);
SliceList project_kafka(const Entry& entry);
// The size of that.
std::size_t kafka_size_bytes(const Entry& entry) noexcept;

// Storage form: a header of fixed size with its own checksum, then the payload.
inline constexpr std::size_t kEntryHeader_bytes = 74;

struct StoredEntryHeader {
  EntryHeader header;
  std::uint32_t payload_bytes = 0;
  std::uint32_t payload_crc = 0;
};

// The header as one small slice and the payload, shared.
void encode_entry(const Entry& entry, SliceList& out);
// kDataLoss when the bytes are not a header or its checksum does not match.
absl::StatusOr<StoredEntryHeader> decode_entry_header(std::span<const std::uint8_t> bytes);
// Decodes the entry at the start of `bytes`; its payload shares them. kOutOfRange when bytes are
// missing, kDataLoss when they are damaged. The entry took kEntryHeader_bytes + payload.size().
absl::StatusOr<Entry> decode_entry(const Slice& bytes);

}  // namespace wt::formats

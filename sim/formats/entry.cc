#include "sim/formats/entry.h"

#include <limits>

#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"
#include "sim/formats/crc32c.h"

namespace wt::formats {

namespace {

constexpr std::uint32_t kEntryMagic = 0x57544531;  // "WTE1"
constexpr std::uint16_t kTransactionalFlag = 1;
constexpr std::uint16_t kControlFlag = 2;
constexpr std::uint16_t kKnownFlags = kTransactionalFlag | kControlFlag;
// What a broker keeps of the attributes when it rewrites them: the bits that have a meaning.
constexpr std::int16_t kMeaningfulBits = kCodecMask | kTransactionalBit | kControlBit | kDeleteHorizonBit;

// Applies the topic's timestamp type and the true maximum; returns whether anything changed.
bool patch_time(BatchHeader& header, TimestampType type, std::int64_t max_timestamp) {
  if (header.timestamp_type() == type && header.max_timestamp == max_timestamp) return false;
  header.attributes = static_cast<std::int16_t>(header.attributes & kMeaningfulBits);
  if (type == TimestampType::kLogAppendTime)
    header.attributes = static_cast<std::int16_t>(header.attributes | kLogAppendTimeBit);
  header.max_timestamp = max_timestamp;
  return true;
}

std::uint32_t crc_with_header(const BatchHeader& header, const Slice& payload) {
  const auto bytes = batch_header_bytes(header);
  const std::uint32_t crc = crc32c(std::span(bytes).subspan(kBatchAttributesAt));
  return crc32c_extend(crc, payload.bytes().subspan(kBatchHeader_bytes));
}

}  // namespace

Entry make_kafka_entry(const BatchVerdict& verdict, std::int64_t base_offset, std::int32_t leader_epoch,
                       EntryFormat format) {
  Entry entry;
  entry.payload = verdict.batch.compact();
  BatchHeader served = verdict.header;
  EntryHeader& header = entry.header;
  header.base_offset = base_offset;
  header.leader_epoch = leader_epoch;
  if (verdict.timestamp_type == TimestampType::kLogAppendTime) header.append_time_ms = verdict.max_timestamp;
  header.kind = PayloadKind::kKafkaBatch;
  header.format = format;
  header.record_count = served.last_offset_delta + 1;
  header.pulsar_ordinal_count = format == EntryFormat::kPulsarNonBatched ? served.record_count : 1;
  header.max_timestamp = verdict.max_timestamp;
  header.crc = served.crc;
  if (patch_time(served, verdict.timestamp_type, verdict.max_timestamp))
    header.crc = crc_with_header(served, entry.payload);
  header.producer_id = served.producer_id;
  header.producer_epoch = served.producer_epoch;
  header.base_sequence = served.base_sequence;
  header.transactional = served.transactional();
  header.control = served.control();
  return entry;
}

void project_kafka(const Entry& entry, SliceList& out) {
  if (entry.header.kind != PayloadKind::kKafkaBatch) return;
  absl::StatusOr<BatchHeader> header = parse_batch_header(entry.payload.bytes());
  if (!header.ok()) return;
  header->base_offset = entry.header.base_offset;
  header->partition_leader_epoch = entry.header.leader_epoch;
  const bool append_time = entry.header.append_time_ms != kNoTimestamp;
  patch_time(*header, append_time ? TimestampType::kLogAppendTime : TimestampType::kCreateTime,
             entry.header.max_timestamp);
  header->crc = entry.header.crc;
  const auto bytes = batch_header_bytes(*header);
  if (entry.payload.size() >= kCopyBelow_bytes) {
    out.push_back(Slice::copy_of(bytes));
    out.push_back(entry.payload.from(kBatchHeader_bytes));
    return;
  }
  // Below this size one more piece to send costs more than the copy.
  std::uint8_t whole[kCopyBelow_bytes];
  std::memcpy(whole, bytes.data(), bytes.size());
  const std::span<const std::uint8_t> rest = entry.payload.bytes().subspan(kBatchHeader_bytes);
  if (!rest.empty()) std::memcpy(whole + bytes.size(), rest.data(), rest.size());
  out.push_back(Slice::copy_of(std::span<const std::uint8_t>(whole, bytes.size() + rest.size())));
}

SliceList project_kafka(const Entry& entry) {
  SliceList out;
  project_kafka(entry, out);
  return out;
}

std::size_t kafka_size_bytes(const Entry& entry) noexcept {
  return entry.header.kind == PayloadKind::kKafkaBatch ? entry.payload.size() : 0;
}

void encode_entry(const Entry& entry, SliceList& out) {
  const EntryHeader& header = entry.header;
  ByteWriter bytes(kEntryHeader_bytes);
  bytes.u32(kEntryMagic);
  bytes.u8(static_cast<std::uint8_t>(header.kind));
  bytes.u8(static_cast<std::uint8_t>(header.format));
  bytes.u16(static_cast<std::uint16_t>((header.transactional ? kTransactionalFlag : 0) |
                                       (header.control ? kControlFlag : 0)));
  bytes.i64(header.base_offset);
  bytes.i32(header.leader_epoch);
  bytes.i64(header.append_time_ms);
  bytes.i32(header.record_count);
  bytes.i32(header.pulsar_ordinal_count);
  bytes.i64(header.max_timestamp);
  bytes.u32(header.crc);
  bytes.i64(header.producer_id);
  bytes.i16(header.producer_epoch);
  bytes.i32(header.base_sequence);
  bytes.u32(static_cast<std::uint32_t>(entry.payload.size()));
  bytes.u32(crc32c(entry.payload.bytes()));
  bytes.u32(crc32c(bytes.view()));
  out.push_back(bytes.to_slice());
  if (!entry.payload.empty()) out.push_back(entry.payload);
}

absl::StatusOr<StoredEntryHeader> decode_entry_header(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kEntryHeader_bytes) return absl::DataLossError("entry header truncated");
  bytes = bytes.first(kEntryHeader_bytes);
  ByteReader in(bytes);
  if (in.u32() != kEntryMagic) return absl::DataLossError("not an entry");
  StoredEntryHeader stored;
  EntryHeader& header = stored.header;
  const std::uint8_t kind = in.u8();
  const std::uint8_t format = in.u8();
  const std::uint16_t flags = in.u16();
  header.kind = static_cast<PayloadKind>(kind);
  header.format = static_cast<EntryFormat>(format);
  header.transactional = (flags & kTransactionalFlag) != 0;
  header.control = (flags & kControlFlag) != 0;
  header.base_offset = in.i64();
  header.leader_epoch = in.i32();
  header.append_time_ms = in.i64();
  header.record_count = in.i32();
  header.pulsar_ordinal_count = in.i32();
  header.max_timestamp = in.i64();
  header.crc = in.u32();
  header.producer_id = in.i64();
  header.producer_epoch = in.i16();
  header.base_sequence = in.i32();
  stored.payload_bytes = in.u32();
  stored.payload_crc = in.u32();
  if (in.u32() != crc32c(bytes.first(kEntryHeader_bytes - 4)))
    return absl::DataLossError("entry header checksum");
  if (kind > 1 || format > 2 || (flags & ~kKnownFlags) != 0)
    return absl::DataLossError("entry of an unknown kind");
  const bool offsets_fit =
      header.base_offset >= 0 && header.record_count > 0 &&
      header.base_offset <= std::numeric_limits<std::int64_t>::max() - header.record_count;
  if (!offsets_fit || header.pulsar_ordinal_count < 0)
    return absl::DataLossError("entry with impossible counts");
  if (header.kind == PayloadKind::kKafkaBatch && stored.payload_bytes < kBatchHeader_bytes)
    return absl::DataLossError("entry too small for its batch");
  return stored;
}

absl::StatusOr<Entry> decode_entry(const Slice& bytes) {
  if (bytes.size() < kEntryHeader_bytes) return absl::OutOfRangeError("entry header incomplete");
  absl::StatusOr<StoredEntryHeader> stored = decode_entry_header(bytes.bytes());
  if (!stored.ok()) return stored.status();
  if (bytes.size() - kEntryHeader_bytes < stored->payload_bytes)
    return absl::OutOfRangeError("entry incomplete");
  Entry entry{stored->header, bytes.sub(kEntryHeader_bytes, stored->payload_bytes)};
  if (crc32c(entry.payload.bytes()) != stored->payload_crc)
    return absl::DataLossError("entry payload checksum");
  return entry;
}

}  // namespace wt::formats

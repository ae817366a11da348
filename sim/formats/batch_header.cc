#include "sim/formats/batch_header.h"

#include <limits>

#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"
#include "sim/formats/crc32c.h"

namespace wt::formats {

namespace {
// Checksum, magic, attributes, key length and value length of the oldest format.
constexpr std::int32_t kSmallestRecord_bytes = 14;
constexpr std::size_t kUpToMagic_bytes = kBatchMagicAt + 1;
}  // namespace

std::int64_t BatchHeader::last_offset() const noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(base_offset) +
                                   static_cast<std::uint64_t>(std::int64_t{last_offset_delta}));
}

std::int32_t BatchHeader::last_sequence() const noexcept {
  if (base_sequence < 0 || last_offset_delta < 0) return kNoSequence;
  return increment_sequence(base_sequence, last_offset_delta);
}

std::int32_t increment_sequence(std::int32_t sequence, std::int32_t increment) noexcept {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  return sequence > kMax - increment ? increment - (kMax - sequence) - 1 : sequence + increment;
}

absl::StatusOr<BatchHeader> parse_batch_header(std::span<const std::uint8_t> batch) {
  if (batch.size() < kBatchHeader_bytes) return absl::InvalidArgumentError("batch shorter than its header");
  ByteReader in(batch);
  BatchHeader header;
  header.base_offset = in.i64();
  header.batch_length = in.i32();
  header.partition_leader_epoch = in.i32();
  header.magic = in.i8();
  header.crc = in.u32();
  header.attributes = in.i16();
  header.last_offset_delta = in.i32();
  header.base_timestamp = in.i64();
  header.max_timestamp = in.i64();
  header.producer_id = in.i64();
  header.producer_epoch = in.i16();
  header.base_sequence = in.i32();
  header.record_count = in.i32();
  if (header.magic != 2) return absl::InvalidArgumentError("batch of magic " + std::to_string(header.magic));
  return header;
}

std::array<std::uint8_t, kBatchHeader_bytes> batch_header_bytes(const BatchHeader& header) {
  ByteWriter out(kBatchHeader_bytes);
  out.i64(header.base_offset);
  out.i32(header.batch_length);
  out.i32(header.partition_leader_epoch);
  out.i8(header.magic);
  out.u32(header.crc);
  out.i16(header.attributes);
  out.i32(header.last_offset_delta);
  out.i64(header.base_timestamp);
  out.i64(header.max_timestamp);
  out.i64(header.producer_id);
  out.i16(header.producer_epoch);
  out.i32(header.base_sequence);
  out.i32(header.record_count);
  std::array<std::uint8_t, kBatchHeader_bytes> bytes;
  std::memcpy(bytes.data(), out.view().data(), bytes.size());
  return bytes;
}

std::uint32_t compute_batch_crc(std::span<const std::uint8_t> batch) noexcept {
  return crc32c(batch.subspan(kBatchAttributesAt));
}

BatchSplit split_batches(const Slice& records) {
  BatchSplit split;
  std::size_t at = 0;
  while (at < records.size()) {
    split.rest_bytes = records.size() - at;
    split.end = SplitEnd::kPartial;
    if (split.rest_bytes < kBatchPrefix_bytes) return split;
    ByteReader in(records.bytes().subspan(at));
    in.take(8);
    const std::int32_t length = in.i32();
    if (length < kSmallestRecord_bytes) {
      split.end = SplitEnd::kLengthTooSmall;
      split.bad_value = length;
      return split;
    }
    if (split.rest_bytes < kUpToMagic_bytes) return split;
    in.take(4);
    const std::int8_t magic = in.i8();
    if (magic < 0 || magic > 2) {
      split.end = SplitEnd::kBadMagic;
      split.bad_value = magic;
      return split;
    }
    const std::size_t size_bytes = kBatchPrefix_bytes + static_cast<std::size_t>(length);
    if (split.rest_bytes < size_bytes) return split;
    split.batches.push_back(records.sub(at, size_bytes));
    at += size_bytes;
  }
  split.rest_bytes = 0;
  split.end = SplitEnd::kClean;
  return split;
}

}  // namespace wt::formats

// The 61-byte header of a Kafka record batch (magic 2), and cutting a records field into batches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/formats/compression.h"
#include "sim/formats/slice.h"

namespace wt::formats {

inline constexpr std::size_t kBatchHeader_bytes = 61;
// Base offset and length: what precedes the part that the length field counts.
inline constexpr std::size_t kBatchPrefix_bytes = 12;
// The checksum covers everything from the attributes to the end of the batch.
inline constexpr std::size_t kBatchCrcAt = 17;
inline constexpr std::size_t kBatchAttributesAt = 21;
inline constexpr std::size_t kBatchMagicAt = 16;

inline constexpr std::int64_t kNoTimestamp = -1;
inline constexpr std::int64_t kNoProducerId = -1;
inline constexpr std::int16_t kNoProducerEpoch = -1;
inline constexpr std::int32_t kNoSequence = -1;
inline constexpr std::int32_t kNoLeaderEpoch = -1;

enum class TimestampType : std::uint8_t { kCreateTime = 0, kLogAppendTime = 1 };

// Bits of `attributes`; the lowest three are the codec.
inline constexpr std::int16_t kCodecMask = 0x07;
inline constexpr std::int16_t kLogAppendTimeBit = 0x08;
inline constexpr std::int16_t kTransactionalBit = 0x10;
inline constexpr std::int16_t kControlBit = 0x20;
inline constexpr std::int16_t kDeleteHorizonBit = 0x40;

// A parsed copy of the fields, in the order and with the names of the protocol.
struct BatchHeader {
  std::int64_t base_offset = 0;
  std::int32_t batch_length = static_cast<std::int32_t>(kBatchHeader_bytes - kBatchPrefix_bytes);
  std::int32_t partition_leader_epoch = kNoLeaderEpoch;
  std::int8_t magic = 2;
  std::uint32_t crc = 0;
  std::int16_t attributes = 0;
  std::int32_t last_offset_delta = 0;
  std::int64_t base_timestamp = 0;
  std::int64_t max_timestamp = kNoTimestamp;
  std::int64_t producer_id = kNoProducerId;
  std::int16_t producer_epoch = kNoProducerEpoch;
  std::int32_t base_sequence = kNoSequence;
  std::int32_t record_count = 0;

  // 0 to 7; is_known_codec() says whether it may be used as a Codec.
  int codec_id() const noexcept { return attributes & kCodecMask; }
  TimestampType timestamp_type() const noexcept {
    return (attributes & kLogAppendTimeBit) != 0 ? TimestampType::kLogAppendTime : TimestampType::kCreateTime;
  }
  bool transactional() const noexcept { return (attributes & kTransactionalBit) != 0; }
  bool control() const noexcept { return (attributes & kControlBit) != 0; }
  // Set by log cleaning; base_timestamp then holds the horizon.
  bool has_delete_horizon() const noexcept { return (attributes & kDeleteHorizonBit) != 0; }
  bool has_producer_id() const noexcept { return producer_id > kNoProducerId; }
  std::int64_t last_offset() const noexcept;
  // The sequence of the last record, wrapping behind the largest int32 to 0; kNoSequence without one.
  std::int32_t last_sequence() const noexcept;
  // Of the whole batch, header included.
  std::int64_t size_bytes() const noexcept { return std::int64_t{batch_length} + 12; }

  friend bool operator==(const BatchHeader&, const BatchHeader&) = default;
};

// sequence + increment, wrapping behind the largest int32 to 0. Both must be at least 0.
std::int32_t increment_sequence(std::int32_t sequence, std::int32_t increment) noexcept;

// Reads the header at the start of `batch`. Fails when there are fewer than 61 bytes or the magic is
// not 2; nothing else is checked.
absl::StatusOr<BatchHeader> parse_batch_header(std::span<const std::uint8_t> batch);
// The bytes of `header`, its crc field as it stands.
std::array<std::uint8_t, kBatchHeader_bytes> batch_header_bytes(const BatchHeader& header);
// The checksum that `batch` (at least 61 bytes) should carry.
std::uint32_t compute_batch_crc(std::span<const std::uint8_t> batch) noexcept;

// Why a records field could not be cut further.
enum class SplitEnd : std::uint8_t {
  kClean,           // the last batch ends where the field ends
  kPartial,         // fewer bytes follow than a batch needs: a broker drops them silently
  kLengthTooSmall,  // a length below the smallest possible record: corrupt
  kBadMagic,        // a magic below 0 or above 2: corrupt
};

struct BatchSplit {
  // Whole batches, sharing the field's block. May be of magic 0 or 1: look at batch_magic().
  std::vector<Slice> batches;
  SplitEnd end = SplitEnd::kClean;
  // Bytes behind the last whole batch.
  std::size_t rest_bytes = 0;
  // The length or magic that ended the split, for messages.
  std::int32_t bad_value = 0;
};

// Cuts a records field (of a Produce request, or as fetched) into batches. Looks only at lengths and
// magic, as a broker's reader does; checksums are the validator's part.
BatchSplit split_batches(const Slice& records);
// Of a batch from split_batches.
inline std::int8_t batch_magic(const Slice& batch) noexcept {
  return static_cast<std::int8_t>(batch.data()[kBatchMagicAt]);
}

}  // namespace wt::formats

// The checks that a Kafka broker runs on the records of a Produce request, in its order.
//
// With several things wrong the order decides the error, so the checks come in the two steps in
// which a broker runs them: check_produce_records() when the request is taken apart, before the
// partition is looked at; validate_append() when the leader appends. BatchVerdict::fault names the
// check that failed.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/batch_header.h"

namespace wt::formats {

// Kafka error codes that batches can earn.
inline constexpr std::int16_t kErrorNone = 0;
inline constexpr std::int16_t kErrorUnknownServer = -1;
inline constexpr std::int16_t kErrorCorruptMessage = 2;
inline constexpr std::int16_t kErrorMessageTooLarge = 10;
inline constexpr std::int16_t kErrorInvalidTimestamp = 32;
inline constexpr std::int16_t kErrorUnsupportedCompressionType = 76;
inline constexpr std::int16_t kErrorInvalidRecord = 87;

// The checks, in their order.
enum class BatchFault : std::uint8_t {
  kNone,
  // Taking the records field apart.
  kLengthTooSmall,
  kBadMagic,
  kNoBatch,
  kOldMagic,
  kZstdNotAllowed,
  kSeveralBatches,
  // Looking at the batch as a whole.
  kBaseOffset,
  kTooLarge,
  kChecksum,
  kUnknownCodec,
  kOffsetRange,
  kRecordCount,
  kCountMismatch,
  kControlBatch,
  kSequence,
  // Looking at the records.
  kUndecodable,    // the codec refuses the bytes
  kContentLimit,   // the content exceeds content_limit_bytes; the only check that a broker lacks
  kRecordShape,    // a record or the set of them is malformed
  kRecordOffsets,  // only with require_contiguous_offsets
  kRecordErrors,   // see record_errors
};
std::string_view fault_name(BatchFault fault) noexcept;

enum class AppendOrigin : std::uint8_t { kClient, kCoordinator };
// kHeader trusts the content: header, size, checksum and counts only, nothing is decompressed.
enum class ValidationDepth : std::uint8_t { kDeep, kHeader };

struct ValidationOptions {
  // Appears in messages, as in "orders-0".
  std::string_view topic_partition;
  AppendOrigin origin = AppendOrigin::kClient;
  ValidationDepth depth = ValidationDepth::kDeep;
  // message.timestamp.type of the topic, and the broker's clock.
  TimestampType timestamp_type = TimestampType::kCreateTime;
  std::int64_t now_ms = 0;
  // message.timestamp.before.max.ms and message.timestamp.after.max.ms.
  std::int64_t timestamp_before_max_ms = std::numeric_limits<std::int64_t>::max();
  std::int64_t timestamp_after_max_ms = 3'600'000;
  // cleanup.policy contains compact: every record needs a key.
  bool compacted = false;
  // max.message.bytes.
  std::int64_t max_message_bytes = 1'048'588;
  // A broker stores an uncompressed batch whose offset deltas are not 0, 1, 2, … as it came, and
  // rewrites a compressed one (see BatchVerdict::needs_rebuild). Set to refuse both.
  bool require_contiguous_offsets = false;
  std::size_t content_limit_bytes = std::size_t{64} << 20;
  // Record errors beyond this many are counted but not listed.
  std::size_t max_listed_errors = 10'000;
};

struct RecordError {
  std::int32_t batch_index = 0;
  std::string message;
};

struct BatchVerdict {
  BatchFault fault = BatchFault::kNone;
  std::int16_t error_code = kErrorNone;
  // In the broker's words; for the log and the trace.
  std::string message;
  // Whether a broker puts `message` into the response (v8+); it does so only with record errors.
  bool message_in_response = false;
  std::vector<RecordError> record_errors;
  std::size_t record_error_count = 0;

  // The rest is set when ok(), as far as the depth allows.
  BatchHeader header;
  Slice batch;
  // Incomplete bytes behind the batch, which a broker drops.
  std::size_t dropped_bytes = 0;
  std::int32_t record_count = 0;
  // What the stored batch's max_timestamp has to be: the broker's clock with LogAppendTime, else the
  // largest timestamp of the records, whatever the client wrote into the header.
  std::int64_t max_timestamp = kNoTimestamp;
  // The first record with that timestamp.
  std::int32_t max_timestamp_offset_delta = 0;
  // The topic's, carried along for make_kafka_entry.
  TimestampType timestamp_type = TimestampType::kCreateTime;
  bool contiguous_offsets = true;
  // A broker would rewrite this compressed batch with contiguous offsets: call rebuild_batch.
  bool needs_rebuild = false;
  // Of the records, uncompressed; only with kDeep.
  std::size_t content_bytes = 0;

  bool ok() const noexcept { return fault == BatchFault::kNone; }
};

// First step. `produce_version` is the version of the request, 3 or later. Sets header and batch
// only as far as a valid header can be read.
BatchVerdict check_produce_records(const Slice& records, int produce_version);

// Second step: everything else that can be judged without the partition's state.
BatchVerdict validate_append(const Slice& records, const ValidationOptions& options);

// `batch` again with offset deltas 0, 1, 2, …, compressed with `codec`, or with its own.
absl::StatusOr<Slice> rebuild_batch(const Slice& batch, std::size_t content_limit_bytes,
                                    std::optional<Codec> codec = std::nullopt);

}  // namespace wt::formats

#include "sim/formats/batch_validation.h"

#include "sim/formats/batch_builder.h"
#include "sim/formats/byte_reader.h"
#include "sim/formats/record.h"

namespace wt::formats {

namespace {

std::string text(std::int64_t value) {
  return std::to_string(value);
}

// Java arithmetic on longs wraps; so do the windows computed from extreme settings.
std::int64_t wrapping_sub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// One validation under way. Each check returns false after having set the verdict's fault.
class Validator {
 public:
  explicit Validator(const ValidationOptions& options) : options_(options) {}

  BatchVerdict run(const Slice& records);

 private:
  bool fail(BatchFault fault, std::int16_t error_code, std::string message);
  std::string in_partition() const { return " in topic partition " + std::string(options_.topic_partition); }
  bool check_whole(const Slice& batch);
  bool check_counts();
  bool check_producer();
  bool check_content();
  bool check_records(RecordReader& reader);
  void check_record(const RecordView& record, std::int32_t index);
  bool timestamp_outside_window(std::int64_t timestamp) const;
  std::string describe(const RecordView& record) const;
  void add_record_error(std::int32_t index, std::string message);
  bool report_record_errors();

  const ValidationOptions& options_;
  BatchVerdict verdict_;
  bool timestamp_error_ = false;
};

bool Validator::fail(BatchFault fault, std::int16_t error_code, std::string message) {
  verdict_.fault = fault;
  verdict_.error_code = error_code;
  verdict_.message = std::move(message);
  return false;
}

void report_split(const BatchSplit& split, BatchVerdict& verdict) {
  verdict.error_code = kErrorCorruptMessage;
  if (split.end == SplitEnd::kLengthTooSmall) {
    verdict.fault = BatchFault::kLengthTooSmall;
    verdict.message =
        "Record size " + text(split.bad_value) + " is less than the minimum record overhead (14)";
  } else {
    verdict.fault = BatchFault::kBadMagic;
    verdict.message = "Invalid magic found in record: " + text(split.bad_value);
  }
}

bool is_corrupt(SplitEnd end) {
  return end == SplitEnd::kLengthTooSmall || end == SplitEnd::kBadMagic;
}

// Fields of a batch that may be shorter than a whole header.
std::int64_t base_offset_of(const Slice& batch) {
  return ByteReader(batch.bytes()).i64();
}
std::uint32_t stored_crc_of(const Slice& batch) {
  return ByteReader(batch.bytes().subspan(kBatchCrcAt)).u32();
}

bool Validator::check_whole(const Slice& batch) {
  if (batch_magic(batch) != 2)
    return fail(BatchFault::kOldMagic, kErrorInvalidRecord,
                "Batch magic " + text(batch_magic(batch)) + " is not 2");
  if (options_.origin == AppendOrigin::kClient && base_offset_of(batch) != 0)
    return fail(BatchFault::kBaseOffset, kErrorInvalidRecord,
                "The baseOffset of the record batch in the append to " +
                    std::string(options_.topic_partition) + " should be 0, but it is " +
                    text(base_offset_of(batch)));
  if (static_cast<std::int64_t>(batch.size()) > options_.max_message_bytes)
    return fail(BatchFault::kTooLarge, kErrorMessageTooLarge,
                "The record batch size in the append to " + std::string(options_.topic_partition) + " is " +
                    text(static_cast<std::int64_t>(batch.size())) +
                    " bytes which exceeds the maximum configured value of " +
                    text(options_.max_message_bytes) + ".");
  const absl::StatusOr<BatchHeader> header = parse_batch_header(batch.bytes());
  if (!header.ok() || compute_batch_crc(batch.bytes()) != header->crc)
    return fail(BatchFault::kChecksum, kErrorCorruptMessage,
                "Record is corrupt (stored crc = " + text(stored_crc_of(batch)) + ")" + in_partition() + ".");
  if (!is_known_codec(header->codec_id()))
    return fail(BatchFault::kUnknownCodec, kErrorUnknownServer,
                "Unknown compression type id: " + text(header->codec_id()));
  verdict_.header = *header;
  verdict_.batch = batch;
  return true;
}

bool Validator::check_counts() {
  const BatchHeader& header = verdict_.header;
  const std::string range = "[" + text(header.base_offset) + ", " + text(header.last_offset()) + "]";
  const std::int64_t count_from_offsets = std::int64_t{header.last_offset_delta} + 1;
  if (count_from_offsets <= 0)
    return fail(BatchFault::kOffsetRange, kErrorInvalidRecord,
                "Batch has an invalid offset range: " + range + in_partition());
  if (header.record_count <= 0)
    return fail(BatchFault::kRecordCount, kErrorInvalidRecord,
                "Invalid reported count for record batch: " + text(header.record_count) + in_partition());
  if (count_from_offsets != header.record_count)
    return fail(BatchFault::kCountMismatch, kErrorInvalidRecord,
                "Inconsistent batch offset range " + range + " and count of records " +
                    text(header.record_count) + in_partition());
  return true;
}

bool Validator::check_producer() {
  const BatchHeader& header = verdict_.header;
  if (header.control())
    return fail(BatchFault::kControlBatch, kErrorInvalidRecord,
                "Clients are not allowed to write control records" + in_partition());
  if (header.has_producer_id() && header.base_sequence < 0)
    return fail(BatchFault::kSequence, kErrorInvalidRecord,
                "Invalid sequence number " + text(header.base_sequence) +
                    " in record batch with producerId " + text(header.producer_id) + in_partition());
  return true;
}

bool Validator::timestamp_outside_window(std::int64_t timestamp) const {
  const std::int64_t age_ms = wrapping_sub(options_.now_ms, timestamp);
  return age_ms > options_.timestamp_before_max_ms ||
         wrapping_sub(0, age_ms) > options_.timestamp_after_max_ms;
}

std::string Validator::describe(const RecordView& record) const {
  const std::string_view kind = verdict_.header.codec_id() == 0 ? "DefaultRecord" : "PartialDefaultRecord";
  return std::string(kind) + "(offset=" + text(verdict_.header.base_offset + record.offset_delta) +
         ", timestamp=" + text(record.timestamp) +
         ", key=" + text(record.key ? static_cast<std::int64_t>(record.key->size()) : 0) +
         " bytes, value=" + text(record.value ? static_cast<std::int64_t>(record.value->size()) : 0) +
         " bytes)";
}

void Validator::add_record_error(std::int32_t index, std::string message) {
  ++verdict_.record_error_count;
  if (verdict_.record_errors.size() < options_.max_listed_errors)
    verdict_.record_errors.push_back({index, std::move(message)});
}

void Validator::check_record(const RecordView& record, std::int32_t index) {
  if (options_.compacted && !record.key) {
    add_record_error(index, "Compacted topic cannot accept message without key" + in_partition());
    return;
  }
  // A batch that already claims LogAppendTime is refused only where its record times are not judged.
  if (options_.timestamp_type == TimestampType::kCreateTime && record.timestamp != kNoTimestamp) {
    if (!timestamp_outside_window(record.timestamp)) return;
    timestamp_error_ = true;
    add_record_error(index, "Timestamp " + text(record.timestamp) + " of message with offset " +
                                text(verdict_.header.base_offset + record.offset_delta) +
                                " is out of range. The timestamp should be within [" +
                                text(wrapping_sub(options_.now_ms, options_.timestamp_before_max_ms)) + ", " +
                                text(wrapping_add(options_.now_ms, options_.timestamp_after_max_ms)) + "]");
  } else if (verdict_.header.timestamp_type() == TimestampType::kLogAppendTime) {
    timestamp_error_ = true;
    add_record_error(index, "Invalid timestamp type in message " + describe(record) +
                                ". Producer should not set timestamp type to LogAppendTime.");
  }
}

bool Validator::report_record_errors() {
  verdict_.message_in_response = true;
  if (timestamp_error_)
    return fail(BatchFault::kRecordErrors, kErrorInvalidTimestamp,
                "One or more records have been rejected due to invalid timestamp");
  std::string shown;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, verdict_.record_errors.size()); ++i) {
    const RecordError& error = verdict_.record_errors[i];
    shown += (i == 0 ? "" : ", ");
    shown += "RecordError(batchIndex=" + text(error.batch_index) + ", message='" + error.message + "')";
  }
  return fail(BatchFault::kRecordErrors, kErrorInvalidRecord,
              "One or more records have been rejected due to " +
                  text(static_cast<std::int64_t>(verdict_.record_error_count)) +
                  " record errors in total, and only showing the first three errors at most: [" + shown +
                  "]");
}

bool Validator::check_records(RecordReader& reader) {
  RecordView record;
  std::int32_t index = 0;
  std::int64_t max_timestamp = kNoTimestamp;
  std::int32_t max_timestamp_offset_delta = 0;
  for (; reader.next(record); ++index) {
    check_record(record, index);
    if (record.timestamp > max_timestamp) {
      max_timestamp = record.timestamp;
      max_timestamp_offset_delta = record.offset_delta;
    }
    if (record.offset_delta != index) verdict_.contiguous_offsets = false;
  }
  if (!reader.ok()) return fail(BatchFault::kRecordShape, kErrorInvalidRecord, reader.error());
  if (verdict_.record_error_count > 0) return report_record_errors();
  if (!verdict_.contiguous_offsets && options_.require_contiguous_offsets)
    return fail(BatchFault::kRecordOffsets, kErrorInvalidRecord,
                "Record offset deltas are not contiguous" + in_partition());
  verdict_.needs_rebuild = !verdict_.contiguous_offsets && verdict_.header.codec_id() != 0;
  if (options_.timestamp_type == TimestampType::kCreateTime) {
    verdict_.max_timestamp = max_timestamp;
    verdict_.max_timestamp_offset_delta = max_timestamp_offset_delta;
  }
  return true;
}

bool Validator::check_content() {
  absl::StatusOr<BatchRecords> content =
      BatchRecords::open(verdict_.batch, verdict_.header, options_.content_limit_bytes);
  if (absl::IsResourceExhausted(content.status()))
    return fail(BatchFault::kContentLimit, kErrorMessageTooLarge, std::string(content.status().message()));
  if (!content.ok())
    return fail(BatchFault::kUndecodable, kErrorUnknownServer,
                "Failed to decompress record stream: " + std::string(content.status().message()));
  verdict_.content_bytes = content->bytes().size();
  RecordReader reader(verdict_.header, content->bytes());
  return check_records(reader);
}

BatchVerdict Validator::run(const Slice& records) {
  const BatchSplit split = split_batches(records);
  verdict_.dropped_bytes = split.rest_bytes;
  verdict_.timestamp_type = options_.timestamp_type;
  for (const Slice& batch : split.batches)
    if (!check_whole(batch)) return std::move(verdict_);
  if (is_corrupt(split.end)) {
    report_split(split, verdict_);
    return std::move(verdict_);
  }
  if (split.batches.empty()) {
    fail(BatchFault::kNoBatch, kErrorInvalidRecord, "Record batch has no batches at all");
    return std::move(verdict_);
  }
  if (split.batches.size() > 1) {
    fail(BatchFault::kSeveralBatches, kErrorInvalidRecord, "Compressed outer record has more than one batch");
    return std::move(verdict_);
  }
  if (options_.origin == AppendOrigin::kClient && (!check_counts() || !check_producer()))
    return std::move(verdict_);
  verdict_.record_count = verdict_.header.record_count;
  verdict_.max_timestamp = options_.timestamp_type == TimestampType::kLogAppendTime
                               ? options_.now_ms
                               : verdict_.header.max_timestamp;
  if (options_.depth == ValidationDepth::kDeep) check_content();
  return std::move(verdict_);
}

}  // namespace

std::string_view fault_name(BatchFault fault) noexcept {
  static constexpr std::string_view kNames[] = {
      "none",         "length_too_small", "bad_magic",       "no_batch",
      "old_magic",    "zstd_not_allowed", "several_batches", "base_offset",
      "too_large",    "checksum",         "unknown_codec",   "offset_range",
      "record_count", "count_mismatch",   "control_batch",   "sequence",
      "undecodable",  "content_limit",    "record_shape",    "record_offsets",
      "record_errors"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(BatchFault::kRecordErrors) + 1);
  return kNames[static_cast<std::size_t>(fault)];
}

BatchVerdict check_produce_records(const Slice& records, int produce_version) {
  BatchVerdict verdict;
  const BatchSplit split = split_batches(records);
  const std::string prefix = "Produce requests with version " + std::to_string(produce_version) + " ";
  const auto refuse = [&verdict, &prefix](BatchFault fault, std::int16_t code, const char* message) {
    verdict.fault = fault;
    verdict.error_code = code;
    verdict.message = prefix + message;
  };
  verdict.dropped_bytes = split.rest_bytes;
  if (split.batches.empty()) {
    if (is_corrupt(split.end))
      report_split(split, verdict);
    else
      refuse(BatchFault::kNoBatch, kErrorInvalidRecord, "must have at least one record batch per partition");
    return verdict;
  }
  const Slice& batch = split.batches.front();
  if (batch_magic(batch) != 2) {
    refuse(BatchFault::kOldMagic, kErrorInvalidRecord,
           "are only allowed to contain record batches with magic version 2");
    return verdict;
  }
  verdict.batch = batch;
  if (const absl::StatusOr<BatchHeader> header = parse_batch_header(batch.bytes()); header.ok()) {
    verdict.header = *header;
    verdict.record_count = header->record_count;
  }
  if (produce_version < 7 && verdict.header.codec_id() == static_cast<int>(Codec::kZstd))
    refuse(BatchFault::kZstdNotAllowed, kErrorUnsupportedCompressionType,
           "are not allowed to use ZStandard compression");
  else if (split.batches.size() > 1)
    refuse(BatchFault::kSeveralBatches, kErrorInvalidRecord,
           "are only allowed to contain exactly one record batch per partition");
  else if (is_corrupt(split.end))
    report_split(split, verdict);
  return verdict;
}

BatchVerdict validate_append(const Slice& records, const ValidationOptions& options) {
  return Validator(options).run(records);
}

absl::StatusOr<Slice> rebuild_batch(const Slice& batch, std::size_t content_limit_bytes,
                                    std::optional<Codec> codec) {
  const absl::StatusOr<BatchHeader> header = parse_batch_header(batch.bytes());
  if (!header.ok()) return header.status();
  const absl::StatusOr<BatchRecords> content = BatchRecords::open(batch, *header, content_limit_bytes);
  if (!content.ok()) return content.status();
  BatchOptions options;
  options.codec = codec.value_or(static_cast<Codec>(header->codec_id()));
  options.timestamp_type = header->timestamp_type();
  options.append_time_ms = header->max_timestamp;
  options.base_offset = header->base_offset;
  options.leader_epoch = header->partition_leader_epoch;
  options.producer_id = header->producer_id;
  options.producer_epoch = header->producer_epoch;
  options.base_sequence = header->base_sequence;
  options.transactional = header->transactional();
  options.control = header->control();
  BatchBuilder builder(options);
  RecordReader reader(*header, content->bytes());
  RecordView record;
  while (reader.next(record)) builder.add(record);
  if (!reader.ok()) return absl::InvalidArgumentError(reader.error());
  return builder.build();
}

}  // namespace wt::formats

#include "sim/formats/record.h"

#include "sim/formats/byte_reader.h"

namespace wt::formats {

namespace {

using MaybeBytes = std::optional<std::span<const std::uint8_t>>;

// Any negative length means null.
MaybeBytes take_nullable(ByteReader& in) {
  const std::int32_t size_bytes = in.varint();
  if (size_bytes < 0 || !in.ok()) return std::nullopt;
  return in.take(static_cast<std::size_t>(size_bytes));
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

std::vector<HeaderView> RecordView::headers() const {
  std::vector<HeaderView> out;
  out.reserve(static_cast<std::size_t>(header_count));
  ByteReader in(header_bytes);
  for (std::int32_t i = 0; i < header_count; ++i) {
    HeaderView header;
    const std::int32_t key_bytes = in.varint();
    header.key = in.take_text(static_cast<std::size_t>(key_bytes));
    header.value = take_nullable(in);
    out.push_back(header);
  }
  return out;
}

RecordReader::RecordReader(const BatchHeader& header, std::span<const std::uint8_t> records)
    : rest_(records), base_timestamp_(header.base_timestamp), left_(header.record_count) {
  if (header.timestamp_type() == TimestampType::kLogAppendTime) append_time_ = header.max_timestamp;
  if (left_ < 0) fail("Found invalid record count " + std::to_string(left_) + " in magic v2 batch");
}

bool RecordReader::fail(std::string error) {
  error_ = std::move(error);
  left_ = 0;
  return false;
}

bool RecordReader::next(RecordView& record) {
  if (left_ <= 0) return false;
  ByteReader in(rest_);
  const std::int32_t body_bytes = in.varint();
  if (!in.ok()) return fail("Incorrect declared batch size, premature EOF reached");
  const std::size_t length_bytes = in.position();
  if (!read_body(rest_.subspan(length_bytes), body_bytes, record)) return false;
  record.size_bytes = length_bytes + static_cast<std::size_t>(body_bytes);
  rest_ = rest_.subspan(record.size_bytes);
  if (--left_ == 0 && !rest_.empty())
    return fail("Incorrect declared batch size, records still remaining in file");
  return true;
}

bool RecordReader::read_body(std::span<const std::uint8_t> rest, std::int32_t body_bytes,
                             RecordView& record) {
  if (body_bytes > 0 && static_cast<std::size_t>(body_bytes) > rest.size())
    return fail("Invalid record size: expected " + std::to_string(body_bytes) +
                " bytes in record payload, but instead the buffer has only " + std::to_string(rest.size()) +
                " remaining bytes.");
  if (body_bytes <= 0) return fail("Found invalid record structure");
  ByteReader in(rest.first(static_cast<std::size_t>(body_bytes)));
  in.i8();  // record attributes: no bit is in use
  const std::int64_t timestamp_delta = in.varlong();
  record.timestamp = append_time_.value_or(wrapping_add(base_timestamp_, timestamp_delta));
  record.offset_delta = in.varint();
  record.key = take_nullable(in);
  record.value = take_nullable(in);
  record.header_count = in.varint();
  if (!in.ok()) return fail("Found invalid record structure");
  if (record.header_count < 0)
    return fail("Found invalid number of record headers " + std::to_string(record.header_count));
  // Each header takes at least two bytes, so this also bounds what headers() allocates.
  if (static_cast<std::size_t>(record.header_count) > in.remaining())
    return fail("Found invalid number of record headers. " + std::to_string(record.header_count) +
                " is larger than the remaining size of the buffer");
  record.header_bytes = rest.subspan(in.position(), in.remaining());
  for (std::int32_t i = 0; i < record.header_count; ++i) {
    const std::int32_t key_bytes = in.varint();
    if (in.ok() && key_bytes < 0)
      return fail("Invalid negative header key size " + std::to_string(key_bytes));
    in.take(static_cast<std::size_t>(key_bytes));
    take_nullable(in);
    if (!in.ok()) return fail("Found invalid record structure");
  }
  if (in.remaining() != 0)
    return fail("Invalid record size: expected to read " + std::to_string(body_bytes) +
                " bytes in record payload, but instead read " + std::to_string(in.position()));
  return true;
}

absl::StatusOr<BatchRecords> BatchRecords::open(const Slice& batch, const BatchHeader& header,
                                                std::size_t limit_bytes) {
  if (batch.size() < kBatchHeader_bytes) return absl::InvalidArgumentError("batch shorter than its header");
  BatchRecords records;
  if (header.codec_id() == 0) {
    records.shared_ = batch.from(kBatchHeader_bytes);
    return records;
  }
  if (!is_known_codec(header.codec_id()))
    return absl::InvalidArgumentError("Unknown compression type id: " + std::to_string(header.codec_id()));
  absl::StatusOr<std::vector<std::uint8_t>> content = decompress(
      static_cast<Codec>(header.codec_id()), batch.bytes().subspan(kBatchHeader_bytes), limit_bytes);
  if (!content.ok()) return content.status();
  records.owned_ = std::move(*content);
  return records;
}

absl::StatusOr<ControlMarker> parse_control_record(const RecordView& record) {
  if (!record.key || record.key->size() < 4)
    return absl::InvalidArgumentError("control record without a type");
  ByteReader key(*record.key);
  if (key.i16() < 0) return absl::InvalidArgumentError("control record key of a negative version");
  ControlMarker marker;
  marker.type = key.i16();
  if (marker.type != kControlAbort && marker.type != kControlCommit) return marker;
  if (!record.value || record.value->size() < 6)
    return absl::InvalidArgumentError("end transaction marker without a coordinator epoch");
  ByteReader value(*record.value);
  if (value.i16() < 0) return absl::InvalidArgumentError("end transaction marker of a negative version");
  marker.coordinator_epoch = value.i32();
  return marker;
}

}  // namespace wt::formats

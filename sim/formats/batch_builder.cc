#include "sim/formats/batch_builder.h"

#include "sim/formats/crc32c.h"

namespace wt::formats {

namespace {

void put_nullable(ByteWriter& out, const std::optional<std::string_view>& value) {
  out.varint(value ? static_cast<std::int32_t>(value->size()) : -1);
  if (value) out.text(*value);
}

std::optional<std::string_view> as_text(const std::optional<std::span<const std::uint8_t>>& bytes) {
  if (!bytes) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::int16_t attributes_of(const BatchOptions& options) {
  int bits = static_cast<int>(options.codec);
  if (options.timestamp_type == TimestampType::kLogAppendTime) bits |= kLogAppendTimeBit;
  if (options.transactional) bits |= kTransactionalBit;
  if (options.control) bits |= kControlBit;
  return static_cast<std::int16_t>(bits);
}

Slice join(const BatchHeader& header, std::span<const std::uint8_t> body) {
  ByteWriter out(kBatchHeader_bytes + body.size());
  out.bytes(batch_header_bytes(header));
  out.bytes(body);
  out.patch_i32(kBatchCrcAt, static_cast<std::int32_t>(compute_batch_crc(out.view())));
  return out.to_slice();
}

}  // namespace

void BatchBuilder::begin_record(std::int32_t offset_delta, std::int64_t timestamp_ms) {
  if (count_ == 0) base_timestamp_ = timestamp_ms;
  max_timestamp_ = count_ == 0 ? timestamp_ms : std::max(max_timestamp_, timestamp_ms);
  ++count_;
  last_offset_delta_ = offset_delta;
  scratch_.clear();
  scratch_.u8(0);
  scratch_.varlong(static_cast<std::int64_t>(static_cast<std::uint64_t>(timestamp_ms) -
                                             static_cast<std::uint64_t>(base_timestamp_)));
  scratch_.varint(offset_delta);
}

BatchBuilder& BatchBuilder::add(const NewRecord& record) {
  return add_at(last_offset_delta_ + 1, record);
}

BatchBuilder& BatchBuilder::add_at(std::int32_t offset_delta, const NewRecord& record) {
  begin_record(offset_delta, record.timestamp_ms);
  put_nullable(scratch_, record.key);
  put_nullable(scratch_, record.value);
  scratch_.varint(static_cast<std::int32_t>(record.headers.size()));
  for (const auto& [key, value] : record.headers) {
    scratch_.varint(static_cast<std::int32_t>(key.size()));
    scratch_.text(key);
    put_nullable(scratch_, value);
  }
  body_.varint(static_cast<std::int32_t>(scratch_.size()));
  body_.bytes(scratch_.view());
  return *this;
}

BatchBuilder& BatchBuilder::add(const RecordView& record) {
  begin_record(last_offset_delta_ + 1, record.timestamp);
  put_nullable(scratch_, as_text(record.key));
  put_nullable(scratch_, as_text(record.value));
  scratch_.varint(record.header_count);
  scratch_.bytes(record.header_bytes);
  body_.varint(static_cast<std::int32_t>(scratch_.size()));
  body_.bytes(scratch_.view());
  return *this;
}

Slice BatchBuilder::build() {
  BatchHeader header;
  header.base_offset = options_.base_offset;
  header.partition_leader_epoch = options_.leader_epoch;
  header.attributes = attributes_of(options_);
  header.last_offset_delta = last_offset_delta_;
  header.base_timestamp = base_timestamp_;
  header.max_timestamp =
      options_.timestamp_type == TimestampType::kLogAppendTime ? options_.append_time_ms : max_timestamp_;
  header.producer_id = options_.producer_id;
  header.producer_epoch = options_.producer_epoch;
  header.base_sequence = options_.base_sequence;
  header.record_count = count_;
  std::vector<std::uint8_t> packed;
  std::span<const std::uint8_t> body = body_.view();
  if (options_.codec != Codec::kNone) body = packed = compress(options_.codec, body);
  header.batch_length = static_cast<std::int32_t>(kBatchHeader_bytes - kBatchPrefix_bytes + body.size());
  Slice batch = join(header, body);
  body_.clear();
  count_ = 0;
  last_offset_delta_ = -1;
  base_timestamp_ = 0;
  max_timestamp_ = kNoTimestamp;
  return batch;
}

Slice with_header(const Slice& batch, const std::function<void(BatchHeader&)>& edit) {
  absl::StatusOr<BatchHeader> header = parse_batch_header(batch.bytes());
  if (!header.ok()) return batch;
  edit(*header);
  return join(*header, batch.bytes().subspan(kBatchHeader_bytes));
}

Slice build_end_marker(const EndMarker& marker) {
  BatchOptions options;
  options.producer_id = marker.producer_id;
  options.producer_epoch = marker.producer_epoch;
  options.transactional = true;
  options.control = true;
  ByteWriter key;
  key.i16(0);
  key.i16(marker.commit ? kControlCommit : kControlAbort);
  ByteWriter value;
  value.i16(0);
  value.i32(marker.coordinator_epoch);
  NewRecord record;
  record.timestamp_ms = marker.timestamp_ms;
  record.key = as_text(key.view());
  record.value = as_text(value.view());
  return BatchBuilder(options).add(record).build();
}

}  // namespace wt::formats

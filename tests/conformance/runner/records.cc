#include "tests/conformance/runner/records.h"

#include <deque>

#include <zlib.h>

#include "absl/strings/str_cat.h"
#include "sim/formats/byte_writer.h"
#include "sim/formats/record_batch.h"

namespace wt::conformance {

namespace {

namespace f = wt::formats;

std::int64_t number(const json::object& object, std::string_view name, std::int64_t otherwise) {
  const json::value* value = object.if_contains(json::string_view(name.data(), name.size()));
  return value != nullptr && value->is_int64() ? value->get_int64() : otherwise;
}
bool flag(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(json::string_view(name.data(), name.size()));
  return value != nullptr && value->is_bool() && value->get_bool();
}
std::optional<std::string_view> text(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(json::string_view(name.data(), name.size()));
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return view(value->get_string());
}

// Records of a description; `kept` holds what the views point to.
std::vector<f::NewRecord> read_records(const json::object& batch, std::int64_t row_time_ms,
                                       std::deque<std::string>& kept) {
  std::vector<f::NewRecord> out;
  const json::value* list = batch.if_contains("records");
  if (list == nullptr || !list->is_array()) return out;
  for (const json::value& value : list->get_array()) {
    if (!value.is_object()) continue;
    const json::object& source = value.get_object();
    f::NewRecord record;
    record.timestamp_ms = number(source, "timestamp", row_time_ms + static_cast<std::int64_t>(out.size()));
    record.key = text(source, "key");
    record.value = text(source, "value");
    if (const std::int64_t size = number(source, "valueSize", -1); size >= 0 && size < (1 << 24)) {
      record.value = kept.emplace_back(static_cast<std::size_t>(size), '\0');
    }
    if (const json::value* headers = source.if_contains("headers");
        headers != nullptr && headers->is_array()) {
      for (const json::value& header : headers->get_array()) {
        const json::value* key = find(header, "[0]");
        const json::value* content = find(header, "[1]");
        if (key == nullptr || !key->is_string()) continue;
        std::optional<std::string_view> header_value;
        if (content != nullptr && content->is_string()) header_value = view(content->get_string());
        record.headers.emplace_back(view(key->get_string()), header_value);
      }
    }
    out.push_back(std::move(record));
  }
  return out;
}

absl::StatusOr<f::Codec> codec_of(const json::object& batch) {
  const std::optional<std::string_view> name = text(batch, "codec");
  if (!name) return f::Codec::kNone;
  for (const f::Codec codec : f::kAllCodecs) {
    if (f::codec_name(codec) == *name) return codec;
  }
  return absl::InvalidArgumentError("unknown codec");
}

// Messages of the formats before batches: magic 0 without, 1 with a time.
Slice build_message_set(int magic, const std::vector<f::NewRecord>& records) {
  ByteWriter out;
  std::int64_t offset = 0;
  const auto bytes_field = [](ByteWriter& to, std::optional<std::string_view> value) {
    to.i32(value ? static_cast<std::int32_t>(value->size()) : -1);
    if (value) to.text(*value);
  };
  for (const f::NewRecord& record : records) {
    ByteWriter body;
    body.i8(static_cast<std::int8_t>(magic));
    body.i8(0);
    if (magic == 1) body.i64(record.timestamp_ms);
    bytes_field(body, record.key);
    bytes_field(body, record.value);
    const auto crc = crc32(0, body.view().data(), static_cast<uInt>(body.view().size()));
    out.i64(offset++);
    out.i32(static_cast<std::int32_t>(body.view().size() + 4));
    out.u32(static_cast<std::uint32_t>(crc));
    out.bytes(body.view());
  }
  return Slice::copy_of(out.view());
}

Slice with_byte(const Slice& batch, std::size_t at, std::uint8_t change) {
  std::vector<std::uint8_t> bytes(batch.bytes().begin(), batch.bytes().end());
  bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ change);
  return Slice::copy_of(bytes);
}

absl::StatusOr<Slice> corrupt(const Slice& batch, std::string_view how) {
  if (how == "crc") return with_byte(batch, batch.size() - 1, 1);
  if (how == "magic") return with_byte(batch, f::kBatchMagicAt, 1);
  if (how == "length") return with_byte(batch, 11, 0x40);
  if (how == "truncate") return batch.sub(0, batch.size() - 3);
  if (how == "count") return f::with_header(batch, [](f::BatchHeader& header) { ++header.record_count; });
  if (how == "codec") return f::with_header(batch, [](f::BatchHeader& header) { header.attributes |= 7; });
  if (how == "lastOffsetDelta") {
    return f::with_header(batch, [](f::BatchHeader& header) { header.last_offset_delta += 3; });
  }
  return absl::InvalidArgumentError("unknown way to corrupt a batch");
}

absl::StatusOr<Slice> build_batch(const json::object& batch, std::int64_t row_time_ms) {
  std::deque<std::string> kept;
  const std::vector<f::NewRecord> records = read_records(batch, row_time_ms, kept);
  const auto magic = static_cast<int>(number(batch, "magic", 2));
  if (magic < 2) return build_message_set(magic, records);
  const absl::StatusOr<f::Codec> codec = codec_of(batch);
  if (!codec.ok()) return codec.status();
  f::BatchOptions options;
  options.codec = *codec;
  options.base_offset = number(batch, "baseOffset", 0);
  options.leader_epoch = static_cast<std::int32_t>(number(batch, "partitionLeaderEpoch", -1));
  options.producer_id = number(batch, "producerId", -1);
  options.producer_epoch = static_cast<std::int16_t>(number(batch, "producerEpoch", -1));
  options.base_sequence = static_cast<std::int32_t>(number(batch, "baseSequence", -1));
  options.transactional = flag(batch, "transactional");
  options.control = flag(batch, "control");
  f::BatchBuilder builder(options);
  for (const f::NewRecord& record : records) builder.add(record);
  const Slice built = builder.build();
  const std::optional<std::string_view> how = text(batch, "corrupt");
  if (!how) return built;
  return corrupt(built, *how);
}

json::value bytes_value(std::optional<std::span<const std::uint8_t>> bytes) {
  if (!bytes) return nullptr;
  bool is_zero = bytes->size() > 32;
  for (const std::uint8_t byte : *bytes) is_zero = is_zero && byte == 0;
  if (is_zero) return json::value(absl::StrCat("(", bytes->size(), " zero bytes)"));
  return json::value(json::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
}

json::value describe_record(const f::RecordView& record, std::int64_t base_offset) {
  json::object out;
  out["offset"] = base_offset + record.offset_delta;
  out["timestamp"] = record.timestamp;
  out["key"] = bytes_value(record.key);
  out["value"] = bytes_value(record.value);
  if (record.header_count > 0) {
    json::array headers;
    for (const f::HeaderView& header : record.headers()) {
      headers.push_back(
          {json::value(json::string_view(header.key.data(), header.key.size())), bytes_value(header.value)});
    }
    out["headers"] = std::move(headers);
  }
  return json::value(std::move(out));
}

json::array describe_batch_records(const Slice& batch, const f::BatchHeader& header) {
  json::array out;
  const auto opened = f::BatchRecords::open(batch, header, std::size_t{64} << 20);
  if (!opened.ok()) {
    out.emplace_back("unreadable");
    return out;
  }
  f::RecordReader reader(header, opened->bytes());
  f::RecordView record;
  while (reader.next(record)) out.push_back(describe_record(record, header.base_offset));
  if (!reader.ok()) out.push_back(json::value(reader.error()));
  return out;
}

json::value describe_batch(const Slice& batch) {
  json::object out;
  const absl::StatusOr<f::BatchHeader> header = f::parse_batch_header(batch.bytes());
  if (!header.ok()) {
    out["magic"] = f::batch_magic(batch);
    out["sizeBytes"] = batch.size();
    return json::value(std::move(out));
  }
  out["baseOffset"] = header->base_offset;
  out["lastOffset"] = header->last_offset();
  out["partitionLeaderEpoch"] = header->partition_leader_epoch;
  out["count"] = header->record_count;
  const int codec = header->codec_id();
  if (f::is_known_codec(codec)) {
    const std::string_view name = f::codec_name(static_cast<f::Codec>(codec));
    out["codec"] = json::string_view(name.data(), name.size());
  } else {
    out["codec"] = codec;
  }
  out["timestampType"] =
      header->timestamp_type() == f::TimestampType::kLogAppendTime ? "LogAppendTime" : "CreateTime";
  out["maxTimestamp"] = header->max_timestamp;
  out["producerId"] = header->producer_id;
  out["producerEpoch"] = header->producer_epoch;
  out["baseSequence"] = header->base_sequence;
  if (header->transactional()) out["transactional"] = true;
  if (header->control()) out["control"] = true;
  out["records"] = describe_batch_records(batch, *header);
  return json::value(std::move(out));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

absl::StatusOr<Slice> build_records(const json::value& description, std::int64_t row_time_ms) {
  if (!description.is_object()) return absl::InvalidArgumentError("records: an object is wanted");
  const json::object& object = description.get_object();
  if (const auto hex = text(object, "hex")) {
    const auto bytes = from_hex(*hex);
    if (!bytes.ok()) return bytes.status();
    return Slice::copy_of(*bytes);
  }
  json::array batches;
  if (const json::value* one = object.if_contains("batch")) batches.push_back(*one);
  if (const json::value* many = object.if_contains("batches"); many != nullptr && many->is_array()) {
    batches = many->get_array();
  }
  SliceList built;
  for (const json::value& batch : batches) {
    if (!batch.is_object()) return absl::InvalidArgumentError("records: a batch is no object");
    absl::StatusOr<Slice> bytes = build_batch(batch.get_object(), row_time_ms);
    if (!bytes.ok()) return bytes.status();
    built.push_back(*std::move(bytes));
  }
  return flatten(built);
}

json::value describe_records(const Slice& records) {
  json::array out;
  const f::BatchSplit split = f::split_batches(records);
  for (const Slice& batch : split.batches) out.push_back(describe_batch(batch));
  if (split.rest_bytes > 0) {
    json::object rest;
    rest["restBytes"] = split.rest_bytes;
    out.push_back(json::value(std::move(rest)));
  }
  return json::value(std::move(out));
}

absl::StatusOr<std::vector<std::uint8_t>> from_hex(std::string_view text) {
  std::vector<std::uint8_t> out;
  int high = -1;
  for (const char c : text) {
    if (c == ' ') continue;
    const int digit = hex_digit(c);
    if (digit < 0) return absl::InvalidArgumentError("no hexadecimal digit");
    if (high < 0) {
      high = digit;
    } else {
      out.push_back(static_cast<std::uint8_t>(high * 16 + digit));
      high = -1;
    }
  }
  if (high >= 0) return absl::InvalidArgumentError("an odd number of hexadecimal digits");
  return out;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace wt::conformance

// Batches against a model: a plain list of records.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"
#include "sim/formats/crc32c.h"
#include "sim/formats/entry.h"
#include "sim/formats/record_batch.h"

using namespace wt;
using namespace wt::formats;

namespace {

using MaybeText = std::optional<std::string>;

struct ModelRecord {
  std::int64_t timestamp_ms = 0;
  MaybeText key, value;
  std::vector<std::pair<std::string, MaybeText>> headers;
  friend bool operator==(const ModelRecord&, const ModelRecord&) = default;
};

MaybeText text_of(const std::optional<std::span<const std::uint8_t>>& bytes) {
  if (!bytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::optional<std::string_view> view_of(const MaybeText& text) {
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

rc::Gen<MaybeText> any_text() {
  return rc::gen::oneOf(
      rc::gen::just(MaybeText()),
      rc::gen::map(rc::gen::arbitrary<std::string>(), [](std::string s) { return MaybeText(std::move(s)); }));
}

rc::Gen<ModelRecord> any_record() {
  return rc::gen::build<ModelRecord>(
      rc::gen::set(&ModelRecord::timestamp_ms, rc::gen::inRange<std::int64_t>(-1, 2'000'000)),
      rc::gen::set(&ModelRecord::key, any_text()), rc::gen::set(&ModelRecord::value, any_text()),
      rc::gen::set(&ModelRecord::headers, rc::gen::container<std::vector<std::pair<std::string, MaybeText>>>(
                                              rc::gen::pair(rc::gen::arbitrary<std::string>(), any_text()))));
}

rc::Gen<std::vector<ModelRecord>> any_records() {
  return rc::gen::nonEmpty(rc::gen::container<std::vector<ModelRecord>>(any_record()));
}

Slice build(const std::vector<ModelRecord>& records, const BatchOptions& options) {
  BatchBuilder builder(options);
  for (const ModelRecord& model : records) {
    NewRecord record;
    record.timestamp_ms = model.timestamp_ms;
    record.key = view_of(model.key);
    record.value = view_of(model.value);
    for (const auto& [key, value] : model.headers) record.headers.emplace_back(key, view_of(value));
    builder.add(record);
  }
  return builder.build();
}

std::vector<ModelRecord> read_all(const Slice& batch) {
  const auto header = parse_batch_header(batch.bytes());
  RC_ASSERT(header.ok());
  const auto content = BatchRecords::open(batch, *header, 1 << 24);
  RC_ASSERT(content.ok());
  std::vector<ModelRecord> out;
  RecordReader reader(*header, content->bytes());
  RecordView view;
  while (reader.next(view)) {
    RC_ASSERT(view.offset_delta == static_cast<std::int32_t>(out.size()));
    ModelRecord model{view.timestamp, text_of(view.key), text_of(view.value), {}};
    for (const HeaderView& field : view.headers())
      model.headers.emplace_back(std::string(field.key), text_of(field.value));
    out.push_back(std::move(model));
  }
  RC_ASSERT(reader.ok());
  return out;
}

ValidationOptions options() {
  ValidationOptions made;
  made.now_ms = 1'000'000;
  return made;
}

Codec any_codec() {
  return *rc::gen::elementOf(std::vector<Codec>(std::begin(kAllCodecs), std::end(kAllCodecs)));
}

}  // namespace

TEST_CASE("build, validate and read equal the model") {
  CHECK(rc::check([] {
    const auto records = *any_records();
    BatchOptions made;
    made.codec = any_codec();
    made.producer_id = *rc::gen::inRange<std::int64_t>(0, 1000);
    made.base_sequence = *rc::gen::inRange(0, 1000);
    made.transactional = *rc::gen::arbitrary<bool>();
    const Slice batch = build(records, made);
    RC_ASSERT(check_produce_records(batch, 12).ok());
    const BatchVerdict verdict = validate_append(batch, options());
    RC_ASSERT(verdict.ok());
    RC_ASSERT(verdict.record_count == static_cast<std::int32_t>(records.size()));
    const auto latest = std::max_element(records.begin(), records.end(), [](const auto& a, const auto& b) {
      return a.timestamp_ms < b.timestamp_ms;
    });
    RC_ASSERT(verdict.max_timestamp == latest->timestamp_ms);
    if (latest->timestamp_ms >= 0)
      RC_ASSERT(verdict.max_timestamp_offset_delta == static_cast<std::int32_t>(latest - records.begin()));
    RC_ASSERT(verdict.header.transactional() == made.transactional);
    RC_ASSERT(read_all(batch) == records);
    const auto rebuilt = rebuild_batch(batch, 1 << 24);
    RC_ASSERT(rebuilt.ok());
    RC_ASSERT(*rebuilt == batch);
  }));
}

TEST_CASE("what a Kafka consumer gets holds the same records and a right checksum") {
  CHECK(rc::check([] {
    const auto records = *any_records();
    BatchOptions made;
    made.codec = any_codec();
    const Slice batch = build(records, made);
    ValidationOptions how = options();
    if (*rc::gen::arbitrary<bool>()) how.timestamp_type = TimestampType::kLogAppendTime;
    const auto base_offset = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 60);
    const auto epoch = *rc::gen::inRange(0, 1000);
    const Entry entry =
        make_kafka_entry(validate_append(batch, how), base_offset, epoch, EntryFormat::kKafka);

    const SliceList pieces = project_kafka(entry);
    const Slice served = flatten(pieces);
    RC_ASSERT(served.size() == kafka_size_bytes(entry));
    const auto header = parse_batch_header(served.bytes());
    RC_ASSERT(header.ok());
    RC_ASSERT(header->crc == compute_batch_crc(served.bytes()));
    RC_ASSERT(header->base_offset == base_offset);
    RC_ASSERT(header->partition_leader_epoch == epoch);
    RC_ASSERT(header->timestamp_type() == how.timestamp_type);
    std::vector<ModelRecord> expected = records;
    if (how.timestamp_type == TimestampType::kLogAppendTime)
      for (ModelRecord& record : expected) record.timestamp_ms = how.now_ms;
    RC_ASSERT(read_all(served) == expected);

    SliceList stored;
    encode_entry(entry, stored);
    const auto decoded = decode_entry(flatten(stored));
    RC_ASSERT(decoded.ok());
    RC_ASSERT(decoded->header == entry.header);
    RC_ASSERT(flatten(project_kafka(*decoded)) == served);
  }));
}

TEST_CASE("a batch cut anywhere is no batch, and its content cut anywhere fails cleanly") {
  CHECK(rc::check([] {
    BatchOptions made;
    made.codec = any_codec();
    const Slice batch = build(*any_records(), made);
    const std::size_t step = 1 + batch.size() / 200;
    for (std::size_t size_bytes = 0; size_bytes < batch.size(); size_bytes += step) {
      const Slice cut = batch.sub(0, size_bytes);
      RC_ASSERT(split_batches(cut).batches.empty());
      RC_ASSERT(check_produce_records(cut, 12).fault == BatchFault::kNoBatch);
      RC_ASSERT(!validate_append(cut, options()).ok());
    }
    // The same with a header that fits the cut, so that only the records are wrong.
    for (std::size_t size_bytes = kBatchHeader_bytes; size_bytes < batch.size(); size_bytes += step) {
      std::vector<std::uint8_t> bytes(batch.data(), batch.data() + size_bytes);
      bytes[8] = static_cast<std::uint8_t>((size_bytes - 12) >> 24);
      bytes[9] = static_cast<std::uint8_t>((size_bytes - 12) >> 16);
      bytes[10] = static_cast<std::uint8_t>((size_bytes - 12) >> 8);
      bytes[11] = static_cast<std::uint8_t>(size_bytes - 12);
      const BatchVerdict damaged = validate_append(Slice::copy_of(bytes), options());
      RC_ASSERT(damaged.fault == BatchFault::kChecksum);
      const Slice sealed = with_header(Slice::copy_of(bytes), [](BatchHeader&) {});
      RC_ASSERT(!validate_append(sealed, options()).ok());
    }
  }));
}

TEST_CASE("any flipped bit behind the checksum is noticed") {
  CHECK(rc::check([] {
    BatchOptions made;
    made.codec = any_codec();
    const Slice batch = build(*any_records(), made);
    std::vector<std::uint8_t> bytes(batch.data(), batch.data() + batch.size());
    const auto at = *rc::gen::inRange<std::size_t>(kBatchCrcAt, bytes.size());
    bytes[at] ^= static_cast<std::uint8_t>(1 << *rc::gen::inRange(0, 8));
    RC_ASSERT(validate_append(Slice::copy_of(bytes), options()).fault == BatchFault::kChecksum);
  }));
}

TEST_CASE("any bytes under a right checksum are judged without harm") {
  CHECK(rc::check([] {
    BatchOptions made;
    made.codec = any_codec();
    const Slice batch = build(*any_records(), made);
    std::vector<std::uint8_t> bytes(batch.data(), batch.data() + batch.size());
    for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
      bytes[*rc::gen::inRange<std::size_t>(kBatchAttributesAt, bytes.size())] =
          *rc::gen::arbitrary<std::uint8_t>();
    const Slice sealed = with_header(Slice::copy_of(bytes), [](BatchHeader&) {});
    ValidationOptions strict = options();
    strict.require_contiguous_offsets = true;
    strict.content_limit_bytes = 1 << 24;
    const BatchVerdict verdict = validate_append(sealed, strict);
    // What passes can be read again to the last record.
    if (verdict.ok()) RC_ASSERT(static_cast<std::int32_t>(read_all(sealed).size()) == verdict.record_count);
  }));
}

TEST_CASE("splitting gives back what was joined") {
  CHECK(rc::check([] {
    const int count = *rc::gen::inRange(0, 5);
    SliceList batches;
    for (int i = 0; i < count; ++i) batches.push_back(build(*any_records(), {}));
    const BatchSplit split = split_batches(flatten(batches));
    RC_ASSERT(split.batches == batches);
    RC_ASSERT(split.end == SplitEnd::kClean);
  }));
}

TEST_CASE("codecs give back any bytes, and never more than the limit") {
  CHECK(rc::check([] {
    const auto part = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
    std::vector<std::uint8_t> content;
    for (int i = *rc::gen::inRange(0, 100); i > 0; --i)
      content.insert(content.end(), part.begin(), part.end());
    const Codec codec = any_codec();
    const auto packed = compress(codec, content);
    const auto limit = *rc::gen::inRange<std::size_t>(0, 2 * content.size() + 1);
    const auto back = decompress(codec, packed, limit);
    RC_ASSERT(back.ok() == (limit >= content.size()));
    if (back.ok()) RC_ASSERT(*back == content);
    if (!back.ok()) RC_ASSERT(absl::IsResourceExhausted(back.status()));
  }));
}

TEST_CASE("writers and readers agree on every field kind") {
  CHECK(rc::check([](std::int32_t a, std::int64_t b, std::uint32_t c, std::int16_t d, const std::string& e) {
    // Arbitrary integers are small: shift them so that every length of varint occurs.
    const int shift = *rc::gen::inRange(0, 31);
    a = static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << shift);
    b = static_cast<std::int64_t>(static_cast<std::uint64_t>(b) << (2 * shift));
    c <<= shift;
    ByteWriter out;
    out.varint(a);
    out.varlong(b);
    out.unsigned_varint(c);
    out.i32(a);
    out.i64(b);
    out.u32(c);
    out.i16(d);
    out.text(e);
    ByteReader in(out.view());
    RC_ASSERT(in.varint() == a);
    RC_ASSERT(in.varlong() == b);
    RC_ASSERT(in.unsigned_varint() == c);
    RC_ASSERT(in.i32() == a);
    RC_ASSERT(in.i64() == b);
    RC_ASSERT(in.u32() == c);
    RC_ASSERT(in.i16() == d);
    RC_ASSERT(in.take_text(e.size()) == e);
    RC_ASSERT(in.ok());
    RC_ASSERT(in.remaining() == 0U);
    for (std::size_t size_bytes = 0; size_bytes < out.size() - e.size(); ++size_bytes) {
      ByteReader cut(out.view().first(size_bytes));
      cut.varint();
      cut.varlong();
      cut.unsigned_varint();
      cut.i32();
      cut.i64();
      cut.u32();
      cut.i16();
      RC_ASSERT(!cut.ok());
    }
  }));
}

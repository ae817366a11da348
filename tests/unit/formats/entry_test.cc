#include "sim/formats/entry.h"

#include <catch2/catch.hpp>

#include "sim/formats/crc32c.h"
#include "sim/formats/record_batch.h"

using namespace wt;
using namespace wt::formats;

namespace {

NewRecord record(std::int64_t timestamp_ms, std::string_view value) {
  NewRecord made;
  made.timestamp_ms = timestamp_ms;
  made.value = value;
  return made;
}

Entry entry_of(const Slice& batch, TimestampType type = TimestampType::kCreateTime) {
  ValidationOptions how;
  how.timestamp_type = type;
  how.now_ms = 5000;
  const BatchVerdict verdict = validate_append(batch, how);
  REQUIRE(verdict.ok());
  return make_kafka_entry(verdict, 100, 7, EntryFormat::kPulsarNonBatched);
}

}  // namespace

TEST_CASE("a Kafka consumer gets the batch with assigned offset and epoch, nothing else changed") {
  const Slice batch = BatchBuilder().add(record(10, "a")).add(record(20, "b")).build();
  const Entry entry = entry_of(batch);
  CHECK(entry.header.record_count == 2);
  CHECK(entry.header.pulsar_ordinal_count == 2);
  CHECK(entry.header.next_offset() == 102);
  CHECK(entry.header.max_timestamp == 20);
  CHECK(entry.payload == batch);
  const Slice served = flatten(project_kafka(entry));
  REQUIRE(served.size() == batch.size());
  CHECK(kafka_size_bytes(entry) == batch.size());
  const auto header = parse_batch_header(served.bytes());
  CHECK(header->base_offset == 100);
  CHECK(header->partition_leader_epoch == 7);
  CHECK(header->crc == compute_batch_crc(served.bytes()));
  CHECK(served.from(17) == batch.from(17));
}

TEST_CASE("a large payload is shared, a small one makes a single slice") {
  const Slice large = BatchBuilder().add(record(10, std::string(4000, 'x'))).build();
  const Entry entry = entry_of(large);
  const SliceList pieces = project_kafka(entry);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].size() == kBatchHeader_bytes);
  CHECK(pieces[1].data() == entry.payload.data() + kBatchHeader_bytes);
  CHECK(entry.payload.data() == large.data());
  CHECK(project_kafka(entry_of(BatchBuilder().add(record(1, "s")).build())).size() == 1);
}

TEST_CASE("LogAppendTime is projected with a right checksum") {
  for (const std::size_t value_bytes : {std::size_t{1}, std::size_t{5000}}) {
    const Slice batch = BatchBuilder().add(record(10, std::string(value_bytes, 'v'))).build();
    const Entry entry = entry_of(batch, TimestampType::kLogAppendTime);
    CHECK(entry.header.append_time_ms == 5000);
    const Slice served = flatten(project_kafka(entry));
    const auto header = parse_batch_header(served.bytes());
    CHECK(header->timestamp_type() == TimestampType::kLogAppendTime);
    CHECK(header->max_timestamp == 5000);
    CHECK(header->base_timestamp == 10);
    CHECK(header->crc == compute_batch_crc(served.bytes()));
    CHECK(served.from(kBatchHeader_bytes) == batch.from(kBatchHeader_bytes));
    RecordReader reader(*header, served.bytes().subspan(kBatchHeader_bytes));
    RecordView view;
    REQUIRE(reader.next(view));
    CHECK(view.timestamp == 5000);
  }
}

TEST_CASE("a max timestamp that the client got wrong is put right") {
  Slice batch = BatchBuilder().add(record(10, "a")).build();
  batch = with_header(batch, [](BatchHeader& h) { h.max_timestamp = 999; });
  const Entry entry = entry_of(batch);
  CHECK(entry.header.max_timestamp == 10);
  const Slice served = flatten(project_kafka(entry));
  const auto header = parse_batch_header(served.bytes());
  CHECK(header->max_timestamp == 10);
  CHECK(header->crc == compute_batch_crc(served.bytes()));
}

TEST_CASE("an entry survives storage, damage does not pass") {
  BatchOptions options;
  options.producer_id = 77;
  options.producer_epoch = 2;
  options.base_sequence = 40;
  options.transactional = true;
  const Entry entry = entry_of(BatchBuilder(options).add(record(10, "a")).build());
  SliceList pieces;
  encode_entry(entry, pieces);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].size() == kEntryHeader_bytes);
  const Slice stored = flatten({pieces[0], pieces[1], Slice::copy_of("next entry")});
  const auto decoded = decode_entry(stored);
  REQUIRE(decoded.ok());
  CHECK(decoded->header == entry.header);
  CHECK(decoded->payload == entry.payload);
  CHECK(decoded->payload.data() == stored.data() + kEntryHeader_bytes);

  const std::size_t size_bytes = kEntryHeader_bytes + entry.payload.size();
  for (std::size_t i = 0; i < size_bytes; ++i) {
    CHECK(absl::IsOutOfRange(decode_entry(stored.sub(0, i)).status()));
    std::vector<std::uint8_t> damaged(stored.data(), stored.data() + size_bytes);
    damaged[i] ^= 0x20;
    CHECK(absl::IsDataLoss(decode_entry(Slice::copy_of(damaged)).status()));
  }
}

TEST_CASE("a Pulsar entry has no Kafka bytes here and may be stored empty") {
  Entry entry;
  entry.header.kind = PayloadKind::kPulsarEntry;
  CHECK(project_kafka(entry).empty());
  CHECK(kafka_size_bytes(entry) == 0);
  SliceList pieces;
  encode_entry(entry, pieces);
  const auto decoded = decode_entry(flatten(pieces));
  REQUIRE(decoded.ok());
  CHECK(decoded->header == entry.header);
  CHECK(decoded->payload.empty());
}

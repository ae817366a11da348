#include "sim/formats/record_batch.h"

#include <catch2/catch.hpp>

#include "sim/formats/byte_writer.h"

using namespace wt;
using namespace wt::formats;

namespace {

NewRecord record(std::int64_t timestamp_ms, std::string_view key, std::string_view value) {
  NewRecord made;
  made.timestamp_ms = timestamp_ms;
  made.key = key;
  made.value = value;
  return made;
}

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("a batch has the layout of the protocol") {
  BatchOptions options;
  options.producer_id = 0x0102;
  options.producer_epoch = 3;
  options.base_sequence = 7;
  options.transactional = true;
  const Slice batch = BatchBuilder(options).add(record(1000, "k", "v")).add(record(1005, "", "w")).build();
  const std::vector<std::uint8_t> tail = {
      0,  0, 0,  1,                                        // last offset delta
      0,  0, 0,  0, 0, 0,   0x03, 0xE8,                    // base timestamp
      0,  0, 0,  0, 0, 0,   0x03, 0xED,                    // max timestamp
      0,  0, 0,  0, 0, 0,   1,    2,    0, 3, 0, 0, 0, 7,  // producer id, epoch, sequence
      0,  0, 0,  2,                                        // count
      16, 0, 0,  0, 2, 'k', 2,    'v',  0,                 // first record
      14, 0, 10, 2, 0, 2,   'w',  0,                       // second: empty key
  };
  REQUIRE(batch.size() == 23 + tail.size());
  CHECK(std::equal(tail.begin(), tail.end(), batch.data() + 23));
  CHECK(batch.data()[16] == 2);
  CHECK(batch.data()[22] == 0x10);
  const auto header = parse_batch_header(batch.bytes());
  REQUIRE(header.ok());
  CHECK(header->size_bytes() == static_cast<std::int64_t>(batch.size()));
  CHECK(header->crc == compute_batch_crc(batch.bytes()));
  CHECK(header->last_sequence() == 8);
  const auto bytes = batch_header_bytes(*header);
  CHECK(std::equal(bytes.begin(), bytes.end(), batch.data()));
}

TEST_CASE("a batch laid out by hand from the protocol is read") {
  ByteWriter out;
  out.i64(5);
  out.i32(49 + 15);
  out.i32(2);
  out.i8(2);
  out.u32(0);
  out.i16(0);
  out.i32(0);
  out.i64(50);
  out.i64(50);
  out.i64(-1);
  out.i16(-1);
  out.i32(-1);
  out.i32(1);
  // One record "hello" without a key, with one header a=null.
  out.bytes(std::vector<std::uint8_t>{28, 0, 0, 0, 1, 10, 'h', 'e', 'l', 'l', 'o', 2, 2, 'a', 1});
  const Slice batch = out.to_slice();
  const auto header = parse_batch_header(batch.bytes());
  REQUIRE(header.ok());
  CHECK(header->base_offset == 5);
  CHECK(header->last_offset() == 5);
  RecordReader reader(*header, batch.bytes().subspan(kBatchHeader_bytes));
  RecordView view;
  REQUIRE(reader.next(view));
  CHECK_FALSE(view.key.has_value());
  CHECK(text_of(*view.value) == "hello");
  CHECK(view.timestamp == 50);
  REQUIRE(view.headers().size() == 1);
  CHECK(view.headers()[0].key == "a");
  CHECK_FALSE(view.headers()[0].value.has_value());
  CHECK_FALSE(reader.next(view));
  CHECK(reader.error() == "");
}

TEST_CASE("LogAppendTime of the batch overrides record times") {
  BatchOptions options;
  options.timestamp_type = TimestampType::kLogAppendTime;
  options.append_time_ms = 777;
  const Slice batch = BatchBuilder(options).add(record(5, "k", "v")).build();
  const auto header = parse_batch_header(batch.bytes());
  RecordReader reader(*header, batch.bytes().subspan(kBatchHeader_bytes));
  RecordView view;
  REQUIRE(reader.next(view));
  CHECK(view.timestamp == 777);
}

TEST_CASE("splitting a records field") {
  const Slice one = BatchBuilder().add(record(1, "a", "b")).build();
  const Slice two = BatchBuilder().add(record(2, "c", "dd")).build();
  const auto split_of = [](const SliceList& pieces) { return split_batches(flatten(pieces)); };

  SECTION("whole batches") {
    const BatchSplit split = split_of({one, two});
    REQUIRE(split.batches.size() == 2);
    CHECK(split.batches[0] == one);
    CHECK(split.batches[1] == two);
    CHECK(split.end == SplitEnd::kClean);
    CHECK(split.rest_bytes == 0);
  }
  SECTION("nothing") {
    CHECK(split_batches(Slice()).batches.empty());
    CHECK(split_batches(Slice()).end == SplitEnd::kClean);
  }
  SECTION("a cut second batch, at each byte") {
    for (std::size_t size_bytes = 1; size_bytes < two.size(); ++size_bytes) {
      const BatchSplit split = split_of({one, two.sub(0, size_bytes)});
      CHECK(split.batches.size() == 1);
      CHECK(split.end == SplitEnd::kPartial);
      CHECK(split.rest_bytes == size_bytes);
    }
  }
  SECTION("a length that cannot be") {
    ByteWriter out;
    out.i64(0);
    out.i32(13);
    const BatchSplit split = split_of({one, out.to_slice()});
    CHECK(split.end == SplitEnd::kLengthTooSmall);
    CHECK(split.bad_value == 13);
  }
  SECTION("a magic that does not exist") {
    std::vector<std::uint8_t> bytes(one.data(), one.data() + one.size());
    bytes[16] = 3;
    CHECK(split_batches(Slice::copy_of(bytes)).end == SplitEnd::kBadMagic);
    bytes[16] = 1;
    CHECK(split_batches(Slice::copy_of(bytes)).batches.size() == 1);
  }
}

TEST_CASE("transaction markers") {
  EndMarker marker;
  marker.commit = false;
  marker.producer_id = 9;
  marker.producer_epoch = 4;
  marker.coordinator_epoch = 12;
  marker.timestamp_ms = 33;
  const Slice batch = build_end_marker(marker);
  const auto header = parse_batch_header(batch.bytes());
  REQUIRE(header.ok());
  CHECK(header->control());
  CHECK(header->transactional());
  CHECK(header->producer_id == 9);
  CHECK(header->base_sequence == kNoSequence);
  CHECK(header->last_sequence() == kNoSequence);
  RecordReader reader(*header, batch.bytes().subspan(kBatchHeader_bytes));
  RecordView view;
  REQUIRE(reader.next(view));
  const std::vector<std::uint8_t> key = {0, 0, 0, 0}, value = {0, 0, 0, 0, 0, 12};
  CHECK(std::equal(key.begin(), key.end(), view.key->begin(), view.key->end()));
  CHECK(std::equal(value.begin(), value.end(), view.value->begin(), view.value->end()));
  const auto parsed = parse_control_record(view);
  REQUIRE(parsed.ok());
  CHECK(parsed->type == kControlAbort);
  CHECK(parsed->coordinator_epoch == 12);
  view.value.reset();
  CHECK_FALSE(parse_control_record(view).ok());
  view.key.reset();
  CHECK_FALSE(parse_control_record(view).ok());
}

TEST_CASE("sequences wrap to 0") {
  CHECK(increment_sequence(5, 3) == 8);
  CHECK(increment_sequence(2147483647, 1) == 0);
  CHECK(increment_sequence(2147483646, 3) == 1);
}

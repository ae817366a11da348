#include "sim/formats/batch_validation.h"

#include <catch2/catch.hpp>

#include "sim/formats/record_batch.h"

using namespace wt;
using namespace wt::formats;

namespace {

constexpr std::int64_t kNow_ms = 1'000'000;

NewRecord record(std::int64_t timestamp_ms, std::optional<std::string_view> key = "k") {
  NewRecord made;
  made.timestamp_ms = timestamp_ms;
  made.key = key;
  made.value = "value";
  return made;
}

ValidationOptions options() {
  ValidationOptions made;
  made.topic_partition = "t-0";
  made.now_ms = kNow_ms;
  return made;
}

Slice good(Codec codec = Codec::kNone) {
  BatchOptions made;
  made.codec = codec;
  return BatchBuilder(made).add(record(kNow_ms)).add(record(kNow_ms + 5)).add(record(kNow_ms + 1)).build();
}

// A batch of `count` records whose encoded body is given.
Slice with_body(std::span<const std::uint8_t> body, std::int32_t count, Codec codec = Codec::kNone) {
  const std::vector<std::uint8_t> packed = compress(codec, body);
  BatchHeader header;
  header.batch_length = static_cast<std::int32_t>(49 + packed.size());
  header.attributes = static_cast<std::int16_t>(codec);
  header.last_offset_delta = count - 1;
  header.record_count = count;
  const auto bytes = batch_header_bytes(header);
  const Slice batch = flatten({Slice::copy_of(bytes), Slice::copy_of(packed)});
  return with_header(batch, [](BatchHeader&) {});
}

std::vector<std::uint8_t> body_of(const Slice& batch) {
  return {batch.data() + kBatchHeader_bytes, batch.data() + batch.size()};
}

void check(const BatchVerdict& verdict, BatchFault fault, int code, std::string_view message) {
  INFO(verdict.message);
  CHECK(fault_name(verdict.fault) == fault_name(fault));
  CHECK(verdict.error_code == code);
  CHECK(verdict.message == message);
}

}  // namespace

TEST_CASE("a good batch passes with every codec and depth") {
  for (const Codec codec : kAllCodecs) {
    for (const ValidationDepth depth : {ValidationDepth::kDeep, ValidationDepth::kHeader}) {
      ValidationOptions how = options();
      how.depth = depth;
      const Slice batch = good(codec);
      CHECK(check_produce_records(batch, 12).ok());
      const BatchVerdict verdict = validate_append(batch, how);
      INFO(verdict.message);
      REQUIRE(verdict.ok());
      CHECK(verdict.error_code == 0);
      CHECK(verdict.record_count == 3);
      CHECK(verdict.max_timestamp == kNow_ms + 5);
      CHECK(verdict.batch == batch);
      CHECK(verdict.contiguous_offsets);
      if (depth == ValidationDepth::kDeep) CHECK(verdict.max_timestamp_offset_delta == 1);
    }
  }
}

TEST_CASE("first step: what a records field may hold") {
  const Slice batch = good();
  check(check_produce_records(Slice(), 9), BatchFault::kNoBatch, 87,
        "Produce requests with version 9 must have at least one record batch per partition");
  check(check_produce_records(batch.sub(0, batch.size() - 1), 9), BatchFault::kNoBatch, 87,
        "Produce requests with version 9 must have at least one record batch per partition");
  check(check_produce_records(flatten({batch, batch}), 9), BatchFault::kSeveralBatches, 87,
        "Produce requests with version 9 are only allowed to contain exactly one record batch per partition");

  std::vector<std::uint8_t> bytes(batch.data(), batch.data() + batch.size());
  bytes[kBatchMagicAt] = 1;
  check(check_produce_records(Slice::copy_of(bytes), 3), BatchFault::kOldMagic, 87,
        "Produce requests with version 3 are only allowed to contain record batches with magic version 2");
  bytes[kBatchMagicAt] = 0xFF;
  check(check_produce_records(Slice::copy_of(bytes), 3), BatchFault::kBadMagic, 2,
        "Invalid magic found in record: -1");
  bytes[11] = 5;
  check(check_produce_records(Slice::copy_of(bytes), 3), BatchFault::kLengthTooSmall, 2,
        "Record size 5 is less than the minimum record overhead (14)");
}

TEST_CASE("zstd needs version 7 of the request") {
  check(check_produce_records(good(Codec::kZstd), 6), BatchFault::kZstdNotAllowed, 76,
        "Produce requests with version 6 are not allowed to use ZStandard compression");
  CHECK(check_produce_records(good(Codec::kZstd), 7).ok());
  CHECK(check_produce_records(good(Codec::kLz4), 3).ok());
}

TEST_CASE("an incomplete tail is dropped, as a broker drops it") {
  const Slice batch = good();
  const Slice field = flatten({batch, batch.sub(0, 20)});
  CHECK(check_produce_records(field, 9).ok());
  const BatchVerdict verdict = validate_append(field, options());
  REQUIRE(verdict.ok());
  CHECK(verdict.batch == batch);
  CHECK(verdict.dropped_bytes == 20);
}

TEST_CASE("the append takes exactly one batch of magic 2") {
  const Slice batch = good();
  check(validate_append(flatten({batch, batch}), options()), BatchFault::kSeveralBatches, 87,
        "Compressed outer record has more than one batch");
  check(validate_append(Slice(), options()), BatchFault::kNoBatch, 87, "Record batch has no batches at all");
  std::vector<std::uint8_t> bytes(batch.data(), batch.data() + batch.size());
  bytes[kBatchMagicAt] = 0;
  check(validate_append(Slice::copy_of(bytes), options()), BatchFault::kOldMagic, 87,
        "Batch magic 0 is not 2");
  bytes[kBatchMagicAt] = 7;
  check(validate_append(Slice::copy_of(bytes), options()), BatchFault::kBadMagic, 2,
        "Invalid magic found in record: 7");
}

TEST_CASE("the batch as a whole, each thing wrong alone") {
  const auto verdict_of = [](const std::function<void(BatchHeader&)>& edit) {
    return validate_append(with_header(good(), edit), options());
  };
  check(verdict_of([](BatchHeader& h) { h.base_offset = 4; }), BatchFault::kBaseOffset, 87,
        "The baseOffset of the record batch in the append to t-0 should be 0, but it is 4");
  check(verdict_of([](BatchHeader& h) { h.attributes = 5; }), BatchFault::kUnknownCodec, -1,
        "Unknown compression type id: 5");
  check(verdict_of([](BatchHeader& h) { h.last_offset_delta = -1; }), BatchFault::kOffsetRange, 87,
        "Batch has an invalid offset range: [0, -1] in topic partition t-0");
  check(verdict_of([](BatchHeader& h) { h.record_count = 0; }), BatchFault::kRecordCount, 87,
        "Invalid reported count for record batch: 0 in topic partition t-0");
  check(verdict_of([](BatchHeader& h) { h.record_count = 4; }), BatchFault::kCountMismatch, 87,
        "Inconsistent batch offset range [0, 2] and count of records 4 in topic partition t-0");
  check(verdict_of([](BatchHeader& h) { h.attributes |= kControlBit; }), BatchFault::kControlBatch, 87,
        "Clients are not allowed to write control records in topic partition t-0");
  check(verdict_of([](BatchHeader& h) { h.producer_id = 8; }), BatchFault::kSequence, 87,
        "Invalid sequence number -1 in record batch with producerId 8 in topic partition t-0");
  CHECK(verdict_of([](BatchHeader& h) { h.base_sequence = 8; }).ok());
}

TEST_CASE("a wrong checksum, and what is judged before it") {
  const Slice batch = with_header(good(), [](BatchHeader& h) { h.base_offset = 1; });
  std::vector<std::uint8_t> bytes(batch.data(), batch.data() + batch.size());
  bytes.back() ^= 1;
  ValidationOptions small = options();
  small.max_message_bytes = static_cast<std::int64_t>(bytes.size()) - 1;
  CHECK(validate_append(Slice::copy_of(bytes), small).fault == BatchFault::kBaseOffset);
  bytes[7] = 0;
  check(validate_append(Slice::copy_of(bytes), small), BatchFault::kTooLarge, 10,
        "The record batch size in the append to t-0 is " + std::to_string(bytes.size()) +
            " bytes which exceeds the maximum configured value of " + std::to_string(bytes.size() - 1) + ".");
  const std::uint32_t stored = parse_batch_header(bytes)->crc;
  check(validate_append(Slice::copy_of(bytes), options()), BatchFault::kChecksum, 2,
        "Record is corrupt (stored crc = " + std::to_string(stored) + ") in topic partition t-0.");
}

TEST_CASE("a batch shorter than a header is corrupt") {
  std::vector<std::uint8_t> bytes(26, 0);
  bytes[11] = 14;
  bytes[kBatchMagicAt] = 2;
  CHECK(check_produce_records(Slice::copy_of(bytes), 9).ok());
  CHECK(validate_append(Slice::copy_of(bytes), options()).fault == BatchFault::kChecksum);
}

TEST_CASE("records that do not add up") {
  for (const Codec codec : {Codec::kNone, Codec::kZstd}) {
    const std::vector<std::uint8_t> body = body_of(good());
    const auto fault_of = [codec](std::vector<std::uint8_t> changed, std::int32_t count) {
      const BatchVerdict verdict = validate_append(with_body(changed, count, codec), options());
      CHECK(verdict.error_code == kErrorInvalidRecord);
      CHECK_FALSE(verdict.message_in_response);
      return verdict.message;
    };
    CHECK(fault_of(body, 2) == "Incorrect declared batch size, records still remaining in file");
    CHECK(fault_of(body, 4) == "Incorrect declared batch size, premature EOF reached");
    std::vector<std::uint8_t> changed = body;
    changed.push_back(0);
    CHECK(fault_of(changed, 3) == "Incorrect declared batch size, records still remaining in file");
    changed = body;
    changed[0] += 2;  // the first record claims a byte of the second
    CHECK(fault_of(changed, 3).substr(0, 20) == "Invalid record size:");
    changed = body;
    changed[4] = 100;  // key longer than the record
    CHECK(fault_of(changed, 3) == "Found invalid record structure");
    changed = {12, 0, 0, 0, 1, 1, 1};
    CHECK(fault_of(changed, 1) == "Found invalid number of record headers -1");
    changed = {12, 0, 0, 0, 1, 1, 20};
    CHECK(fault_of(changed, 1) ==
          "Found invalid number of record headers. 10 is larger than the remaining size of the buffer");
    changed = {16, 0, 0, 0, 1, 1, 2, 1, 1};
    CHECK(fault_of(changed, 1) == "Invalid negative header key size -1");
    changed = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    CHECK(fault_of(changed, 1) == "Incorrect declared batch size, premature EOF reached");
  }
}

TEST_CASE("bytes that the codec refuses, and content that is too large") {
  const Slice lie = with_header(good(), [](BatchHeader& h) { h.attributes = 4; });
  const BatchVerdict verdict = validate_append(lie, options());
  CHECK(verdict.fault == BatchFault::kUndecodable);
  CHECK(verdict.error_code == kErrorUnknownServer);
  ValidationOptions shallow = options();
  shallow.depth = ValidationDepth::kHeader;
  CHECK(validate_append(lie, shallow).ok());

  ValidationOptions tight = options();
  tight.content_limit_bytes = 10;
  for (const Codec codec : {Codec::kGzip, Codec::kSnappy, Codec::kLz4, Codec::kZstd}) {
    const BatchVerdict large = validate_append(good(codec), tight);
    CHECK(large.fault == BatchFault::kContentLimit);
    CHECK(large.error_code == kErrorMessageTooLarge);
  }
  CHECK(validate_append(good(), tight).ok());
}

TEST_CASE("offset gaps: stored as they are uncompressed, rewritten when compressed") {
  for (const Codec codec : {Codec::kNone, Codec::kGzip}) {
    BatchOptions made;
    made.codec = codec;
    Slice batch = BatchBuilder(made).add(record(kNow_ms)).add_at(5, record(kNow_ms)).build();
    batch = with_header(batch, [](BatchHeader& h) { h.last_offset_delta = 1; });
    const BatchVerdict verdict = validate_append(batch, options());
    REQUIRE(verdict.ok());
    CHECK_FALSE(verdict.contiguous_offsets);
    CHECK(verdict.needs_rebuild == (codec != Codec::kNone));
    const auto rebuilt = rebuild_batch(batch, 1 << 20);
    REQUIRE(rebuilt.ok());
    const BatchVerdict again = validate_append(*rebuilt, options());
    CHECK(again.ok());
    CHECK(again.contiguous_offsets);
    CHECK(again.header.codec_id() == static_cast<int>(codec));
    ValidationOptions strict = options();
    strict.require_contiguous_offsets = true;
    CHECK(validate_append(batch, strict).fault == BatchFault::kRecordOffsets);
  }
}

TEST_CASE("timestamps outside the window") {
  ValidationOptions how = options();
  how.timestamp_before_max_ms = 100;
  how.timestamp_after_max_ms = 10;
  for (const Codec codec : {Codec::kNone, Codec::kLz4}) {
    BatchOptions made;
    made.codec = codec;
    const auto verdict_of = [&](const std::vector<std::int64_t>& times) {
      BatchBuilder builder(made);
      for (const std::int64_t time_ms : times) builder.add(record(time_ms));
      return validate_append(builder.build(), how);
    };
    CHECK(verdict_of({kNow_ms - 100, kNow_ms + 10}).ok());
    CHECK(verdict_of({kNoTimestamp}).ok());
    const BatchVerdict verdict = verdict_of({kNow_ms, kNow_ms - 101, kNow_ms + 11});
    check(verdict, BatchFault::kRecordErrors, 32,
          "One or more records have been rejected due to invalid timestamp");
    CHECK(verdict.message_in_response);
    REQUIRE(verdict.record_errors.size() == 2);
    CHECK(verdict.record_errors[0].batch_index == 1);
    CHECK(
        verdict.record_errors[0].message ==
        "Timestamp 999899 of message with offset 1 is out of range. The timestamp should be within [999900, "
        "1000010]");
    CHECK(verdict.record_errors[1].batch_index == 2);
  }
}

TEST_CASE("compacted topics need keys") {
  ValidationOptions how = options();
  how.compacted = true;
  const Slice batch = BatchBuilder().add(record(kNow_ms)).add(record(kNow_ms, std::nullopt)).build();
  CHECK(validate_append(batch, options()).ok());
  const BatchVerdict verdict = validate_append(batch, how);
  check(verdict, BatchFault::kRecordErrors, 87,
        "One or more records have been rejected due to 1 record errors in total, and only showing the first "
        "three "
        "errors at most: [RecordError(batchIndex=1, message='Compacted topic cannot accept message without "
        "key in "
        "topic partition t-0')]");
  CHECK(validate_append(BatchBuilder().add(record(kNow_ms, "")).build(), how).ok());
  how.max_listed_errors = 0;
  CHECK(validate_append(batch, how).record_error_count == 1);
}

TEST_CASE("LogAppendTime topics take any record time and set the broker's") {
  ValidationOptions how = options();
  how.timestamp_type = TimestampType::kLogAppendTime;
  const BatchVerdict verdict = validate_append(BatchBuilder().add(record(1)).add(record(5)).build(), how);
  REQUIRE(verdict.ok());
  CHECK(verdict.max_timestamp == kNow_ms);
  CHECK(verdict.max_timestamp_offset_delta == 0);
  BatchOptions made;
  made.timestamp_type = TimestampType::kLogAppendTime;
  made.append_time_ms = kNow_ms;
  const BatchVerdict claimed = validate_append(BatchBuilder(made).add(record(1)).build(), how);
  CHECK(claimed.error_code == 32);
  REQUIRE(claimed.record_errors.size() == 1);
  CHECK(claimed.record_errors[0].message ==
        "Invalid timestamp type in message DefaultRecord(offset=0, timestamp=1000000, key=1 bytes, value=5 "
        "bytes). "
        "Producer should not set timestamp type to LogAppendTime.");
  // On a CreateTime topic the claimed time is judged like a record's own.
  CHECK(validate_append(BatchBuilder(made).add(record(1)).build(), options()).ok());
}

TEST_CASE("the coordinator may write control batches and any base offset") {
  EndMarker marker;
  marker.producer_id = 3;
  const Slice batch = build_end_marker(marker);
  CHECK_FALSE(validate_append(batch, options()).ok());
  ValidationOptions how = options();
  how.origin = AppendOrigin::kCoordinator;
  CHECK(validate_append(batch, how).ok());
}

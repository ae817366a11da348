// Records as bytes: those of Kafka, so that tools that read `__consumer_offsets` understand them.
#include <catch2/catch.hpp>

#include "sim/kafka/groups/offset_records.h"

using namespace wt;
using namespace wt::kafka;

namespace {

RecordCodec offsets_codec() {
  RecordCodec codec;
  for (const RecordType& type : offset_record_types()) codec.add(type);
  return codec;
}

GroupRecord commit_record(std::int64_t expire_ms = -1, const Uuid& topic_id = {}) {
  OffsetCommitKey key;
  key.group = "g";
  key.topic = "to";
  key.partition = 3;
  OffsetCommitValue value;
  value.offset = 5;
  value.leader_epoch = 7;
  value.metadata = "m";
  value.commit_timestamp = 1;
  value.expire_timestamp = expire_ms;
  value.topic_id = topic_id;
  return group_record(key, value);
}

std::string hex(const Slice& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes.bytes()) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

TEST_CASE("a commit has Kafka's bytes") {
  const auto bytes = offsets_codec().encode(commit_record());
  REQUIRE(bytes.ok());
  CHECK(hex(bytes->key) ==
        "0001000167"
        "0002746f"
        "00000003");
  CHECK(hex(*bytes->value) ==
        "0003"
        "0000000000000005"
        "00000007"
        "00016d"
        "0000000000000001");
  const auto expiring = offsets_codec().encode(commit_record(9));
  REQUIRE(expiring.ok());
  CHECK(hex(*expiring->value) ==
        "0001"
        "0000000000000005"
        "00016d"
        "0000000000000001"
        "0000000000000009");
}

TEST_CASE("a record is read as it was written, in every version of its value") {
  const RecordCodec codec = offsets_codec();
  const Uuid id = Uuid::from_halves(1, 2);
  for (const auto& record : {commit_record(), commit_record(9), commit_record(-1, id)}) {
    const auto bytes = codec.encode(record);
    REQUIRE(bytes.ok());
    const auto read = codec.decode(bytes->key.bytes(), bytes->value->bytes());
    REQUIRE(read.ok());
    const auto& key = *read->key.get<OffsetCommitKey>();
    CHECK(key.group == "g");
    CHECK(key.topic == "to");
    CHECK(key.partition == 3);
    const auto& value = *read->value.get<OffsetCommitValue>();
    CHECK(value.offset == 5);
    CHECK(value.metadata == "m");
    CHECK(value.expire_timestamp == record.value.get<OffsetCommitValue>()->expire_timestamp);
    CHECK(value.topic_id == record.value.get<OffsetCommitValue>()->topic_id);
  }
  const auto tombstone = codec.encode(group_tombstone(OffsetCommitKey()));
  REQUIRE(tombstone.ok());
  CHECK_FALSE(tombstone->value);
  const auto read = codec.decode(tombstone->key.bytes(), std::nullopt);
  REQUIRE(read.ok());
  CHECK_FALSE(read->value);
}

TEST_CASE("unknown kinds and versions are told from damage") {
  const RecordCodec codec = offsets_codec();
  const auto bytes = codec.encode(commit_record());
  REQUIRE(bytes.ok());
  const std::vector<std::uint8_t> key(bytes->key.bytes().begin(), bytes->key.bytes().end());
  std::vector<std::uint8_t> strange = key;
  strange[1] = 99;
  CHECK(codec.decode(strange, bytes->value->bytes()).status().code() == StatusCode::kNotFound);
  std::vector<std::uint8_t> newer(bytes->value->bytes().begin(), bytes->value->bytes().end());
  newer[1] = 9;
  CHECK(codec.decode(key, newer).status().code() == StatusCode::kNotFound);
  for (std::size_t size = 0; size < key.size(); ++size) {
    CAPTURE(size);
    const auto cut = codec.decode(std::span(key).first(size), bytes->value->bytes());
    CHECK_FALSE(cut.ok());
  }
  CHECK_FALSE(codec.decode(key, std::span(newer).first(1)).ok());
}

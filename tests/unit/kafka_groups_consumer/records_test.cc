// Records and hashes, byte for byte as a 4.4.0 broker wrote them.
#include <catch2/catch.hpp>

#include "sim/kafka/groups/consumer/metadata_hash.h"
#include "tests/unit/kafka_groups_consumer/consumer_host.h"

namespace wt::kafka {
namespace {

std::string hex(const Slice& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes.bytes()) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

class Written {
 public:
  Written() {
    for (const RecordType& type : consumer_group_module().types) codec_.add(type);
  }
  std::string value(const GroupRecord& record) const { return hex(*codec_.encode(record)->value); }
  std::string key(const GroupRecord& record) const { return hex(codec_.encode(record)->key); }

 private:
  RecordCodec codec_;
};

ConsumerMember member_m() {
  ConsumerMember member;
  member.member_id = "m";
  member.client_id = "test";
  member.client_host = "/127.0.0.1";
  member.topic_names = {"hash-a"};
  member.rebalance_timeout_ms = 60'000;
  member.epoch = 2;
  member.previous_epoch = 0;
  member.assigned = with_epoch({{*Uuid::from_text("D4IT3R_OQv2PppI2g0z2tQ"), {0, 1, 2}}}, 2);
  return member;
}

TEST_CASE("records are those of a broker") {
  const Written written;
  const ConsumerMember member = member_m();
  const GroupRecord metadata = member_record("hash-g1", member);
  CHECK(written.key(metadata) ==
        "00050007686173682d67310001"
        "6d");
  // Ends with a tagged field that says that there is no classic member.
  CHECK(written.value(metadata) ==
        "0000000005746573740b2f3132372e302e302e310207686173682d61010000ea600001000100");
  CHECK(written.value(group_epoch_record("hash-g1", 2, static_cast<std::int64_t>(0xc1701c75dd1e5cda))) ==
        "000000000002010008c1701c75dd1e5cda");
  CHECK(written.value(target_assignment_record("hash-g1", "m", without_epochs(member.assigned))) ==
        "0000020f8213dd1fce42fd8fa69236834cf6b5040000000000000001000000020000");
  CHECK(written.value(assignment_epoch_record("hash-g1", 2, 0x1a22d7f4f35)) ==
        "000000000002010008000001a22d7f4f35");
  CHECK(written.value(current_assignment_record("hash-g1", member)) ==
        "0000000000020000000000020f8213dd1fce42fd8fa69236834cf6b50400000000000000010000000201000d040000000200"
        "0000"
        "02000000020100");
}

TEST_CASE("a classic member is in the record, and its absence too") {
  RecordCodec codec;
  for (const RecordType& type : consumer_group_module().types) codec.add(type);
  ConsumerMember member = member_m();
  const auto read = [&] {
    const RecordBytes bytes = *codec.encode(member_record("g", member));
    const Slice value = bytes.value.value_or(Slice());
    ConsumerMember again;
    again.update(
        *codec.decode(bytes.key.bytes(), value.bytes())->value.get<ConsumerGroupMemberMetadataValue>());
    return again.classic;
  };
  CHECK_FALSE(read());
  member.classic.emplace();
  CHECK(read() == member.classic);
  member.classic->session_timeout_ms = 6'000;
  CHECK(read() == member.classic);
}

TEST_CASE("the hash of topics is that of a broker") {
  controller::MetadataImage image;
  const auto add = [&](const std::string& name, const std::string& id, std::int32_t partitions) {
    controller::TopicRecord topic;
    topic.name = name;
    topic.topic_id = *Uuid::from_text(id);
    image.apply(controller::Record(topic));
    for (std::int32_t number = 0; number < partitions; ++number) {
      controller::PartitionRecord partition;
      partition.topic_id = topic.topic_id;
      partition.partition = number;
      image.apply(controller::Record(partition));
    }
  };
  add("hash-a", "D4IT3R_OQv2PppI2g0z2tQ", 3);
  add("hash-b", "E2oPsh6OS1igpmCIxqihkA", 2);
  std::vector<std::uint64_t> hashes = {topic_hash(*image.topic("hash-a"), image)};
  CHECK(group_hash(hashes) == 0xc1701c75dd1e5cda);
  hashes.push_back(topic_hash(*image.topic("hash-b"), image));
  CHECK(group_hash(hashes) == 0x630177aaf9ebd7c0);
  CHECK(group_hash({}) == 0);
}

}  // namespace
}  // namespace wt::kafka

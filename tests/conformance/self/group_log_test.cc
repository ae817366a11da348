#include "tests/conformance/runner/group_log.h"

#include <catch2/catch.hpp>

#include "tests/conformance/runner/records.h"

using namespace wt::conformance;

namespace {

json::value js(std::string_view text) {
  return *parse_json(text);
}

// Group "g", topic "t", partition 7.
constexpr const char* kKey = "0001 0001 67 0001 74 00000007";
// Version 3: offset 5, leader epoch 2, metadata "x", written at 1000.
constexpr const char* kValue = "0003 0000000000000005 00000002 0001 78 00000000000003e8";

}  // namespace

TEST_CASE("records of a group's log are read by field name", "[conformance]") {
  const auto key = *from_hex(kKey);
  const auto value = *from_hex(kValue);
  CHECK(describe_group_record("g", key, value) == js(R"({
    "key": {"version": 1, "group": "g", "topic": "t", "partition": 7},
    "value": {"version": 3, "offset": 5, "leaderEpoch": 2, "metadata": "x", "commitTimestamp": 1000}})"));
  CHECK(*find(describe_group_record("g", key, std::nullopt), "value") == nullptr);
  CHECK(describe_group_record("h", key, value).is_null());
  CHECK(describe_group_record("gt", key, value).is_null());
  CHECK(describe_group_record("g", *from_hex("7fff 0001 67 99"), value) ==
        js(R"({"key": {"hex": "7fff00016799"}, "value": {"hex": ")" + to_hex(value) + R"("}})"));
  CHECK(describe_group_record("g", *from_hex("0001 00"), value).is_null());
}

TEST_CASE("a member of a consumer group is read as a real broker wrote it", "[conformance]") {
  // Its tagged field is there, and null.
  const auto key = *from_hex("0005 0001 67 0001 6d");
  const auto value = *from_hex("0000 00 00 02 63 02 68 02 02 74 01 0000ea60 00 01 00 01 00");
  const json::value described = describe_group_record("g", key, value);
  REQUIRE(find(described, "value.subscribedTopicNames[0]") != nullptr);
  CHECK(*find(described, "value.subscribedTopicNames[0]") == "t");
  CHECK(*find(described, "value.rebalanceTimeoutMs") == 60000);
  REQUIRE(find(described, "value.classicMemberMetadata") != nullptr);
  CHECK(find(described, "value.classicMemberMetadata")->is_null());
}

TEST_CASE("groups are spread over partitions as the absolute value of Java's hash of their names says",
          "[conformance]") {
  CHECK(partition_of_group("", 50) == 0);
  CHECK(partition_of_group("group", 50) == 98629247 % 50);
  CHECK(partition_of_group("consumers", 50) == 421004483 % 50);
}

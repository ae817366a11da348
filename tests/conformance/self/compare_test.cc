#include "tests/conformance/runner/compare.h"

#include <catch2/catch.hpp>

#include "tests/conformance/runner/differences.h"
#include "tests/conformance/runner/records.h"
#include "tests/conformance/runner/variables.h"

using namespace wt::conformance;

namespace {

json::value js(std::string_view text) {
  return *parse_json(text);
}

}  // namespace

TEST_CASE("open values stand for their kind only", "[conformance]") {
  CHECK(compare(js(R"(["$uuid", "$broker", "$port", "$any", "$time"])"),
                js(R"(["snnC1pGFSW227fWGJXi2oQ", 3, 9092, null, 1600000000000])"), 3)
            .empty());
  CHECK(compare(js(R"(["$broker"])"), js("[4]"), 3).size() == 1);
  CHECK(compare(js(R"(["$nonnegative"])"), js("[-1]"), 3).size() == 1);
  CHECK(compare(js(R"(["$string"])"), js(R"([""])"), 3).size() == 1);
}

TEST_CASE("every difference is told, with its path", "[conformance]") {
  const auto found = compare(js(R"({"a": [{"x": 1, "y": null}, {"x": 2}], "b": 1})"),
                             js(R"({"a": [{"x": 1, "y": ""}], "b": 1, "c": 5})"), 3);
  REQUIRE(found.size() == 3);
  CHECK(found[0].path == "a[0].y");
  CHECK(found[1].path == "a[1]");
  CHECK(found[2].path == "c");
  CHECK(compare(js(R"({"$partial": true, "b": 1})"), js(R"({"a": 2, "b": 1})"), 3).empty());
}

TEST_CASE("numbers of messages that differ between runs are no difference", "[conformance]") {
  const auto expected = js(R"({"errorMessage": "Timestamp # of message with offset 1 is out of range"})");
  CHECK(compare(expected,
                js(R"({"errorMessage": "Timestamp 1796051652509 of message with offset 1 is out of range"})"),
                3)
            .empty());
  CHECK(compare(expected,
                js(R"({"errorMessage": "Timestamp 1796051652509 of message with offset 2 is out of range"})"),
                3)
            .size() == 1);
}

TEST_CASE("lists without a meaningful order are sorted, those of Fetch are not", "[conformance]") {
  const auto answer = js(R"({"responses": [{"name": "b"}, {"name": "a"}], "isrNodes": [2, 1]})");
  CHECK(in_row_order(answer, "Produce") ==
        js(R"({"responses": [{"name": "a"}, {"name": "b"}], "isrNodes": [1, 2]})"));
  CHECK(in_row_order(answer, "Fetch").at("responses").at(0).at("name") == "b");
}

TEST_CASE("an answer becomes an expectation that holds in the next run", "[conformance]") {
  Variables variables("rabcdef", 1'600'000'060'000);
  variables.set("pid", 9, "producerId");
  const auto answer =
      js(R"({"host": "10.0.0.1", "port": 9092, "topicId": "snnC1pGFSW227fWGJXi2oQ", "name": "t-rabcdef",
                             "producerId": 9, "baseOffset": 9, "timestamp": 1600000000005,
                             "logAppendTimeMs": 1600000060007, "sessionId": 0})");
  CHECK(
      variables.generalise(answer) ==
      js(R"({"host": "$host", "port": "$port", "topicId": "$uuid", "name": "t-${run}", "producerId": "${pid}",
               "baseOffset": 9, "timestamp": "T+5", "logAppendTimeMs": "$time", "sessionId": 0})"));
}

TEST_CASE("records are read as they were described", "[conformance]") {
  const auto records = build_records(js(R"({"batch": {"codec": "gzip", "producerId": 5, "producerEpoch": 1,
      "baseSequence": 3, "records": [{"key": "k", "value": null, "headers": [["h", "x"]]}, {"valueSize": 40}]}})"),
                                     1000);
  REQUIRE(records.ok());
  const auto seen = describe_records(*records);
  CHECK(*find(seen, "[0].codec") == "gzip");
  CHECK(*find(seen, "[0].baseSequence") == 3);
  CHECK(find(seen, "[0].records[0].value")->is_null());
  CHECK(*find(seen, "[0].records[0].headers[0][1]") == "x");
  CHECK(*find(seen, "[0].records[1].value") == "(40 zero bytes)");
  CHECK(*find(seen, "[0].records[1].timestamp") == 1001);
}

TEST_CASE("patterns of meant differences", "[conformance]") {
  CHECK(matches_pattern("fetch-*", "fetch-v4"));
  CHECK(matches_pattern("*.errorMessage", "[0].topics[0].errorMessage"));
  CHECK_FALSE(matches_pattern("*.errorMessage", "[0].topics[0].errorCode"));
  CHECK(matches_pattern("*", ""));
  const MeantDifferences meant({{"a-*", "[0].x", "because"}});
  REQUIRE(meant.explain("a-row", "[0].x") != nullptr);
  CHECK(meant.explain("a-row", "[0].x")->reason == "because");
  CHECK(meant.explain("b-row", "[0].x") == nullptr);
}

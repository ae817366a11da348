// What rows of groups need: bytes by field name, members in any order, names of members, lists of others.
#include <catch2/catch.hpp>
#include <deque>

#include "sim/kafka/wire/frame.h"
#include "sim/kafka/wire/messages/classic_groups.h"
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/kafka/wire/messages/group_admin.h"
#include "sim/kafka/wire/messages/offsets.h"
#include "tests/conformance/runner/compare.h"
#include "tests/conformance/runner/embedded.h"
#include "tests/conformance/runner/run_row.h"
#include "tests/conformance/runner/variables.h"

using namespace wt;
using namespace wt::conformance;

namespace {

json::value js(std::string_view text) {
  return *parse_json(text);
}

constexpr const char* kMember = "conformance-8d1f6a52-0c4e-4f6b-9a53-2f3e0c6f1b77";

// Three brokers of which the third coordinates every group, once it has been asked often enough.
class GroupTarget : public Target {
 public:
  int broker_count() const override { return 3; }
  std::int64_t now_ms() override { return now_ms_; }
  absl::Status send(const ConnectionId& connection, const SliceList& bytes) override {
    const auto request = kafka::decode_request(flatten(bytes).from(4));
    if (!request.ok()) return request.status();
    asked_.push_back(std::string(request->api->name) + "@" + std::to_string(connection.broker));
    if (const auto* join = request->body.get<kafka::JoinGroupRequest>()) {
      kafka::JoinGroupResponse answer;
      answer.member_id = answer.leader = kMember;
      answer.members.resize(1);
      answer.members[0].member_id = kMember;
      answer.members[0].metadata = join->protocols[0].metadata;
      reply(*request, answer);
    } else if (request->body.get<kafka::FindCoordinatorRequest>() != nullptr) {
      kafka::FindCoordinatorResponse answer;
      answer.coordinators.resize(1);
      answer.coordinators[0].node_id = 3;
      reply(*request, answer);
    } else if (request->body.get<kafka::OffsetFetchRequest>() != nullptr) {
      kafka::OffsetFetchResponse answer;
      answer.groups.resize(1);
      const bool is_loading = loading_-- > 0;
      answer.groups[0].error_code =
          is_loading ? kafka::ErrorCode::kCoordinatorLoadInProgress : kafka::ErrorCode::kNone;
      reply(*request, answer);
    } else {
      kafka::ListGroupsResponse answer;
      answer.groups.resize(2);
      answer.groups[0].group_id = "somebody else's";
      answer.groups[1].group_id = "g-r000000";
      reply(*request, answer);
    }
    return absl::OkStatus();
  }
  Reply receive(const ConnectionId&, std::int64_t) override {
    Reply reply = std::move(replies_.front());
    replies_.pop_front();
    return reply;
  }
  void close_all() override {}
  void sleep_ms(std::int64_t duration_ms) override { now_ms_ += duration_ms; }
  absl::Status crash_broker(int) override { return absl::OkStatus(); }
  absl::Status restart_broker(int) override { return absl::OkStatus(); }
  absl::Status move_leader(std::string_view, std::int32_t, int) override { return absl::OkStatus(); }

  std::vector<std::string> asked_;
  int loading_ = 0;

 private:
  template <class Response>
  void reply(const kafka::Request& request, const Response& answer) {
    const auto encoded =
        kafka::encode_response(*request.api, request.version(), request.header.correlation_id, &answer, {});
    replies_.push_back({Reply::Kind::kFrame, flatten(*encoded)});
  }
  std::int64_t now_ms_ = 1'600'000'000'000;
  std::deque<Reply> replies_;
};

Row row_of(std::string_view steps) {
  Row row;
  row.name = "test";
  row.source["steps"] = js(steps);
  return row;
}

constexpr std::string_view kJoin =
    R"([{"api": "JoinGroup", "version": 5, "save": {"m": "memberId"}, "request": {"groupId": "g", "protocols": [
      {"name": "range", "metadata": {"subscription": {"version": 1, "topics": ["t-${run}"], "userData": null,
        "ownedPartitions": [{"topic": "t", "partitions": [4, 2]}]}}}]}}])";

}  // namespace

TEST_CASE("bytes of members are written and read by field name", "[conformance]") {
  for (
      const char* text : {
          R"({"metadata":{"subscription":{"version":3,"topics":["a","b"],"userData":"AQI=","ownedPartitions":[{"topic":"a","partitions":[1]}],"generationId":7,"rackId":"r"}}})",
          R"({"metadata":{"subscription":{"version":0,"topics":[],"userData":null}}})",
          R"({"memberId":"m","assignment":{"assignment":{"version":1,"assignedPartitions":[{"topic":"a","partitions":[0,1]}],"userData":null}}})",
          R"({"memberMetadata":{"text":"plain"},"memberAssignment":{"hex":"0001ff"}})",
      }) {
    const json::value described = js(text);
    auto built = with_embedded_built(described);
    REQUIRE(built.ok());
    CHECK(*built != described);
    describe_embedded(*built);
    CHECK(*built == described);
  }
  CHECK_FALSE(with_embedded_built(js(R"({"metadata": {"subscription": {"topics": []}}})")).ok());
  CHECK_FALSE(with_embedded_built(js(R"({"metadata": {"assignment": {"version": 0, "x": 1}}})")).ok());
  json::value empty = js(R"({"assignment": ""})");
  describe_embedded(empty);
  CHECK(empty == js(R"({"assignment": ""})"));
}

TEST_CASE("members are compared in any order, and the one that differs is named", "[conformance]") {
  const auto wanted = js(R"({"members": [{"memberId": "a", "x": 1}, {"memberId": "b", "x": 2}]})");
  CHECK(compare(wanted, js(R"({"members": [{"memberId": "b", "x": 2}, {"memberId": "a", "x": 1}]})"), 1)
            .empty());
  const auto found =
      compare(wanted, js(R"({"members": [{"memberId": "b", "x": 3}, {"memberId": "a", "x": 1}]})"), 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].expected == "2");
  CHECK(compare(wanted, js(R"({"members": [{"memberId": "a", "x": 1}]})"), 1).size() == 1);
  const auto ids = js(R"({"topicPartitions": [{"topicId": "$uuid", "partitions": [0]}, {"topicId": "b"}]})");
  CHECK(compare(ids, js(R"({"topicPartitions": [{"topicId": "b"}, {"topicId": "AAAAAAAAAAAAAAAAAAAAAQ",
                         "partitions": [0]}]})"),
                1)
            .empty());
  CHECK(compare(js(R"({"responses": [{"topicId": "a"}, {"topicId": "b"}]})"),
                js(R"({"responses": [{"topicId": "b"}, {"topicId": "a"}]})"), 1)
            .size() == 2);
}

TEST_CASE("a named id keeps its name open for its random part only", "[conformance]") {
  const auto member = json::array{json::value(kMember)};
  CHECK(compare(js(R"(["conformance-$uuid"])"), member, 1).empty());
  CHECK(compare(js(R"(["other-$uuid"])"), member, 1).size() == 1);
  CHECK(compare(js(R"(["conformance-$uuid"])"), js(R"(["conformance-8d1f"])"), 1).size() == 1);
}

TEST_CASE("a recorded answer says what a saved name looks like once, and that it is the same elsewhere",
          "[conformance]") {
  GroupTarget target;
  Row row = row_of(kJoin);
  run_row(row, target, {.record = true});
  const json::value& expected = row.steps()[0].get_object()["expect"];
  CHECK(*find(expected, "memberId") == "conformance-$uuid");
  CHECK(*find(expected, "leader") == "${m}");
  CHECK(*find(expected, "members[0].memberId") == "${m}");
  CHECK(*find(expected, "members[0].metadata.subscription.topics[0]") == "t-${run}");
  CHECK(*find(expected, "members[0].metadata.subscription.ownedPartitions[0].partitions[0]") == 2);
  CHECK(run_row(row, target, {}).outcome == Outcome::kEqual);
}

TEST_CASE("steps after a coordinator step go to it, once it has read its log", "[conformance]") {
  GroupTarget target;
  target.loading_ = 2;
  Row row = row_of(R"([{"do": "coordinator", "group": "g"},
    {"api": "ListGroups", "version": 0, "request": {}, "only": {"groups": "${run}"}},
    {"api": "ListGroups", "version": 0, "broker": "${other}", "request": {}, "expect": {"$partial": true}}])");
  REQUIRE(check_row(row).ok());
  run_row(row, target, {.record = true});
  CHECK(std::count(target.asked_.begin(), target.asked_.end(), "OffsetFetch@3") == 3);
  CHECK(target.asked_.at(target.asked_.size() - 2) == "ListGroups@3");
  CHECK(target.asked_.back() == "ListGroups@1");
  const json::value& groups = *find(row.steps()[1], "expect.groups");
  REQUIRE(groups.get_array().size() == 1);
  CHECK(*find(groups, "[0].groupId") == "g-${run}");
}

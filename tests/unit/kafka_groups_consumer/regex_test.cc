// Subscriptions by regular expression.
#include <catch2/catch.hpp>

#include "sim/kafka/groups/consumer/regex.h"
#include "tests/unit/kafka_groups_consumer/consumer_host.h"

namespace wt::kafka {
namespace {

TestMember regex_member(const std::string& id, const std::string& regex) {
  TestMember member(id, {});
  member.regex = regex;
  return member;
}

void settle(ConsumerHost& host, const std::vector<TestMember*>& members) {
  for (int round = 0; round < 8; ++round) {
    host.advance_ms(1'000);
    for (TestMember* member : members) member->heartbeat(host);
  }
}

TEST_CASE("a regular expression is resolved beside the heartbeat that brings it") {
  ConsumerHost host;
  host.create_topic("orders-1", 1);
  host.create_topic("orders-2", 2);
  host.create_topic("my-orders-3", 4);
  TestMember a = regex_member("a", "orders-.*");
  CHECK(a.heartbeat(host).member_epoch == 1);
  CHECK(a.count() == 0);
  settle(host, {&a});
  CHECK(a.count() == 3);
  CHECK(host.group->subscribes_to("orders-1"));
  CHECK(host.group->describe().members.front().subscribed_topic_regex == "orders-.*");
  CHECK(host.replayed()->same_state(*host.group));
}

TEST_CASE("new topics match after ten seconds at the latest") {
  ConsumerHost host;
  host.create_topic("orders-1", 1);
  TestMember a = regex_member("a", "orders-.*");
  a.heartbeat(host);
  host.advance_ms(1'000);
  a.heartbeat(host);
  host.create_topic("orders-2", 1);
  host.advance_ms(1'000);
  a.heartbeat(host);
  CHECK(a.count() == 1);
  settle(host, {&a});
  host.advance_ms(2'000);
  settle(host, {&a});
  CHECK(a.count() == 2);
}

TEST_CASE("a broken regular expression is refused in the broker's words") {
  ConsumerHost host;
  TestMember a = regex_member("a", "[");
  const auto response = a.heartbeat(host);
  CHECK(response.error_code == ErrorCode::kInvalidRegularExpression);
  CHECK(response.error_message ==
        "SubscribedTopicRegex `[` is not a valid regular expression: missing closing ].");
  CHECK(host.group == nullptr);
  const std::map<std::string, std::optional<std::string>> words = {
      {"", std::nullopt},
      {"^(a|b)+\\d{2}$", std::nullopt},
      {"x{1,2,3}", std::nullopt},
      {"(", "missing closing )"},
      {"a)", "regexp/syntax: internal error"},
      {"*", "missing argument to repetition operator"},
      {"a{1001}", "invalid repeat count"},
      {"\\", "trailing backslash at end of expression"},
      {"(?=x)", "invalid or unsupported Perl syntax"},
      {"a**", "invalid nested repetition operator"},
      {"[b-a]", "invalid character class range"},
      {"[[:foo:]]", "invalid character class range"},
      {"\\8", "invalid escape sequence"},
      {"(?P<n", "invalid named capture"},
      {"(?P<n>a)|(?<m>b)", std::nullopt},
      {"(?P<n>a)(?<n>b)", "duplicate capture group name"},
      {"(?P<n>a)[](?P<n>]\\Q(?P<n>\\E[[:alpha:](?P<n>]", std::nullopt},
      {"(?<=a)", "invalid or unsupported Perl syntax"},
  };
  for (const auto& [regex, problem] : words) {
    CAPTURE(regex);
    CHECK(regex_problem(regex) == problem);
  }
}

TEST_CASE("who turns from a regular expression to names loses what it no longer wants") {
  ConsumerHost host;
  const Uuid t = host.create_topic("t", 1);
  host.create_topic("u", 1);
  TestMember a = regex_member("a", "t|u");
  a.heartbeat(host);
  settle(host, {&a});
  REQUIRE(a.count() == 2);
  a.regex = "";
  a.topics = {"t"};
  settle(host, {&a});
  CHECK(a.count() == 1);
  CHECK(a.owned.count(t) == 1);
  CHECK(host.group->subscriptions().resolved().empty());
  CHECK_FALSE(host.group->subscribes_to("u"));
}

TEST_CASE("members share a resolved regular expression until the last one goes") {
  ConsumerHost host;
  host.create_topic("t", 4);
  TestMember a = regex_member("a", "t");
  TestMember b = regex_member("b", "t");
  a.heartbeat(host);
  settle(host, {&a});
  b.heartbeat(host);
  settle(host, {&a, &b});
  CHECK(a.count() == 2);
  CHECK(b.count() == 2);
  a.leave(host);
  CHECK(host.group->subscriptions().resolved().size() == 1);
  settle(host, {&b});
  CHECK(b.count() == 4);
  b.leave(host);
  CHECK(host.group->subscriptions().resolved().empty());
}

}  // namespace
}  // namespace wt::kafka

#include <catch2/catch.hpp>

#include "tests/unit/network/net.h"

using namespace wt;
using namespace wt::test;

namespace {

struct Adder final : DurableService {
  StatusOr<BodyPtr> execute(NodeId, MessageBody& request) override {
    total += message_cast<int>(&request)->value;
    return BodyPtr(std::make_unique<Message<int>>(total));
  }
  int total = 0;
};

// Keeps the ids of the calls that reach it; replies when told, and once more when it is destroyed.
struct Slow final : ProcessPart, CallTarget {
  Slow(Calls& network, NodeId at) : calls(network), node(at) {}
  ~Slow() override {
    for (const CallId id : ids) answer(id, -1);
  }
  void on_call(NodeId, CallId id, BodyPtr) override { ids.push_back(id); }
  void answer(CallId id, int value) {
    BodyPtr body = std::make_unique<Message<int>>(value);
    calls.reply(node, id, std::move(body));
  }
  Calls& calls;
  NodeId node;
  std::vector<CallId> ids;
};

Task<void> call_once(Net& net, NodeId from, NodeId to, Lines& lines) {
  CallOptions options;
  options.from = from;
  options.to = to;
  options.timeout_ns = 100;
  options.point = "metadata.cas"_label.info();
  BodyPtr request = std::make_unique<Message<int>>(1);
  Process& process = net.process(from);
  StatusOr<BodyPtr> answer = co_await net.calls.call(process, options, std::move(request));
  if (answer.ok()) {
    lines.push_back(std::to_string(message_cast<int>(answer->get())->value));
  } else {
    lines.push_back(answer.status().code() == StatusCode::kUnavailable ? "unavailable" : "deadline");
  }
}

// Dies first, keeps a reference to its process.
Task<void> call_dead(Net& net, Process& process, NodeId to) {
  net.kernel.kill(process.id());
  CallOptions options;
  options.from = 1;
  options.to = to;
  options.timeout_ns = 100;
  BodyPtr request = std::make_unique<Message<int>>(1);
  StatusOr<BodyPtr> answer = co_await net.calls.call(process, options, std::move(request));
  FAIL("a dead process got an answer");
}

FaultRule rule_of(FaultAction action) {
  FaultRule rule;
  rule.point = "metadata.cas";
  rule.action = action;
  rule.count = 1;
  return rule;
}

}  // namespace

TEST_CASE("a call to a durable service over a clear link takes no event") {
  Net net;
  Adder adder;
  Lines lines;
  net.calls.serve(3, adder);
  net.process(1).spawn(call_once(net, 1, 3, lines));
  net.run(0);
  CHECK(lines == Lines{"1"});
  CHECK(net.kernel.steps() == 1);
}

TEST_CASE("a call over a slow link gives the same answer later") {
  Net net(fixed_latency(10));
  Adder adder;
  Lines lines;
  net.calls.serve(3, adder);
  net.process(1).spawn(call_once(net, 1, 3, lines));
  net.run(19);
  CHECK(lines.empty());
  CHECK(adder.total == 1);
  net.run(1);
  CHECK(lines == Lines{"1"});
  CHECK(net.calls.pending() == 0);
  net.run(1000);
  CHECK(net.kernel.pending_events() == 0);
}

TEST_CASE("refused has no effect; a lost answer has it; a lost request does not tell") {
  for (const DurationNs latency_ns : {0, 10}) {
    Net net(fixed_latency(latency_ns));
    Adder adder;
    net.calls.serve(3, adder);
    struct Expected {
      FaultAction action;
      const char* line;
      int total;
    };
    for (const Expected& expected :
         {Expected{FaultAction::refuse, "unavailable", 0}, Expected{FaultAction::lose_request, "deadline", 0},
          Expected{FaultAction::lose_answer, "deadline", 1}}) {
      Lines lines;
      REQUIRE(net.rules.add(rule_of(expected.action)).ok());
      net.process(1).spawn(call_once(net, 1, 3, lines));
      net.run(1000);
      CHECK(lines == Lines{expected.line});
      CHECK(adder.total == expected.total);
      CHECK(net.calls.pending() == 0);
    }
  }
}

TEST_CASE("nobody there: refused at once; partitioned: the time-out") {
  Net net;
  Lines lines;
  net.process(1).spawn(call_once(net, 1, 2, lines));
  net.run(0);
  CHECK(lines == Lines{"unavailable"});
  net.links.block(1, 2);
  net.process(1).spawn(call_once(net, 1, 2, lines));
  net.run(99);
  CHECK(lines.size() == 1);
  net.run(1);
  CHECK(lines == Lines{"unavailable", "deadline"});
}

TEST_CASE("a process answers when it likes, and only the first answer counts") {
  Net net;
  Lines lines;
  Slow& slow = net.process(2).emplace<Slow>(net.calls, 2);
  net.calls.serve(2, net.process(2), slow);
  net.process(1).spawn(call_once(net, 1, 2, lines));
  net.run(50);
  REQUIRE(slow.ids.size() == 1);
  net.links.hold(2, 1);
  slow.answer(slow.ids[0], 5);
  slow.answer(slow.ids[0], 6);
  CHECK(net.links.held().size() == 1);
  net.links.stop_holding(2, 1);
  net.run(1);
  CHECK(lines == Lines{"5"});
  slow.answer(slow.ids[0], 7);
  net.run(1000);
  CHECK(lines.size() == 1);
}

TEST_CASE("a process that dies answers nothing more, not even from its destructors") {
  Net net;
  Lines lines;
  Slow& slow = net.process(2).emplace<Slow>(net.calls, 2);
  net.calls.serve(2, net.process(2), slow);
  net.process(1).spawn(call_once(net, 1, 2, lines));
  net.run(50);
  net.kernel.kill(net.process(2).id());
  net.run(1000);
  CHECK(lines == Lines{"deadline"});
  CHECK(net.kernel.pending_events() == 0);
}

TEST_CASE("a call that has arrived at a paused process waits with it and dies with it") {
  Net net;
  Lines lines;
  Slow& slow = net.process(2).emplace<Slow>(net.calls, 2);
  net.calls.serve(2, net.process(2), slow);
  net.kernel.pause(net.process(2).id());
  net.process(1).spawn(call_once(net, 1, 2, lines));
  net.run(50);
  CHECK(slow.ids.empty());
  net.kernel.kill(net.process(2).id());
  net.run(1000);
  CHECK(lines == Lines{"deadline"});
  CHECK(net.kernel.pending_events() == 0);
}

TEST_CASE("a process that has died in this event reaches no service") {
  Net net;
  Adder adder;
  net.calls.serve(3, adder);
  net.process(1).spawn(call_dead(net, net.process(1), 3));
  net.run(1000);
  CHECK(adder.total == 0);
  CHECK(net.calls.pending() == 0);
  CHECK(net.kernel.pending_events() == 0);
}

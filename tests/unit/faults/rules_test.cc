#include <catch2/catch.hpp>

#include "sim/faults/rules.h"
#include "sim/kernel/kernel.h"

using namespace wt;

namespace {

using Lines = std::vector<std::string>;

FaultRule rule_of(std::string point, FaultAction action) {
  FaultRule rule;
  rule.point = std::move(point);
  rule.action = action;
  return rule;
}

Task<void> pass_point(FaultRules& rules, Process& process, Lines& lines, std::string name) {
  FaultSite site("append.wal.before"_label);
  site.broker = 1;
  site.topic = "orders";
  const FaultDecision decision = co_await rules.at(process, site);
  lines.push_back(name + (decision ? " " + std::string(fault_action_name(decision.action)) : ""));
}

Task<void> pass_dead(FaultRules& rules, Process& process, Lines& lines) {
  process.kernel().kill(process.id());
  FaultSite site("append.wal.before"_label);
  co_await rules.at(process, site);
  co_await process.yield();
  lines.push_back("never");
}

struct Rig {
  Kernel kernel{KernelOptions{}};
  FaultRules rules{kernel};
  Process& process = kernel.create_process("p");
  Lines lines;

  RuleId add(const FaultRule& rule) {
    const absl::StatusOr<RuleId> id = rules.add(rule);
    REQUIRE(id.ok());
    return *id;
  }
  void pass(std::string name) { process.spawn(pass_point(rules, process, lines, std::move(name))); }
  void run(DurationNs duration_ns = 0) { kernel.run_until(kernel.now() + duration_ns); }
};

FaultSite site_of(std::string_view topic, std::int32_t partition) {
  FaultSite site("kafka.produce.received"_label);
  site.topic = topic;
  site.partition = partition;
  site.broker = 2;
  site.client_id = "tx-1";
  site.group = "g";
  site.api_key = 0;
  site.connection = 9;
  return site;
}

}  // namespace

TEST_CASE("every action has a name of its own") {
  for (int i = 0; i <= static_cast<int>(FaultAction::lose_request); ++i) {
    const auto action = static_cast<FaultAction>(i);
    CHECK(fault_action_from_name(fault_action_name(action)) == action);
  }
  CHECK_FALSE(fault_action_from_name("explode"));
}

TEST_CASE("a rule that can never act is refused") {
  Rig rig;
  const FaultRule good = rule_of("append.*", FaultAction::crash);
  CHECK(rig.rules.add(good).ok());
  FaultRule bad = good;
  for (const char* point : {"", "append", "append.wal.befor", "no.such.*"}) {
    bad.point = point;
    CHECK_FALSE(rig.rules.add(bad).ok());
  }
  bad = good;
  bad.count = 0;
  CHECK_FALSE(rig.rules.add(bad).ok());
  bad.count = -2;
  CHECK_FALSE(rig.rules.add(bad).ok());
  bad = good;
  bad.probability_ppm = kPpmAlways + 1;
  CHECK_FALSE(rig.rules.add(bad).ok());
  bad = good;
  bad.delay_ns = -1;
  CHECK_FALSE(rig.rules.add(bad).ok());
  CHECK(rig.rules.all().size() == 1);
}

TEST_CASE("every filter must match, and an absent one matches everything") {
  Rig rig;
  const FaultRule any = rule_of("kafka.produce.*", FaultAction::answer);
  std::vector<FaultRule> matching(9, any);
  matching[1].topic = "orders";
  matching[2].client_id = "tx-1";
  matching[3].group = "g";
  matching[4].partition = 3;
  matching[5].broker = 2;
  matching[6].api_key = 0;
  matching[7].connection = 9;
  matching[8].point = "kafka.produce.received";
  std::vector<FaultRule> other(8, any);
  other[0].topic = "payments";
  other[1].client_id = "tx-2";
  other[2].group = "h";
  other[3].partition = 4;
  other[4].broker = 1;
  other[5].api_key = 1;
  other[6].connection = 8;
  other[7].point = "kafka.produce.appended";
  for (const FaultRule& rule : matching) {
    const RuleId id = rig.add(rule);
    CHECK(rig.rules.decide(site_of("orders", 3)).is(FaultAction::answer));
    CHECK(rig.rules.remove(id));
  }
  for (const FaultRule& rule : other) {
    const RuleId id = rig.add(rule);
    CHECK_FALSE(rig.rules.decide(site_of("orders", 3)));
    CHECK(rig.rules.state(id)->passes == 0);
    CHECK(rig.rules.remove(id));
  }
}

TEST_CASE("skip, then count; the answer carries the rule's values") {
  Rig rig;
  FaultRule rule = rule_of("kafka.produce.received", FaultAction::answer);
  rule.skip = 2;
  rule.count = 2;
  rule.error_code = 6;
  const RuleId id = rig.add(rule);
  std::string acted;
  for (int i = 0; i < 6; ++i) {
    const FaultDecision decision = rig.rules.decide(site_of("orders", 0));
    acted += decision ? 'x' : '.';
    if (decision) CHECK(decision.error_code == 6);
  }
  CHECK(acted == "..xx..");
  CHECK(rig.rules.state(id)->hits == 2);
}

TEST_CASE("a rule that observes counts and never hides a later one") {
  Rig rig;
  const RuleId watching = rig.add(rule_of("kafka.*", FaultAction::observe));
  const RuleId acting = rig.add(rule_of("kafka.*", FaultAction::close));
  CHECK(rig.rules.decide(site_of("orders", 0)).is(FaultAction::close));
  CHECK(rig.rules.state(watching)->hits == 1);
  CHECK(rig.rules.state(acting)->hits == 1);
  rig.rules.remove(acting);
  const FaultDecision decision = rig.rules.decide(site_of("orders", 0));
  CHECK_FALSE(decision);
  CHECK(decision.rule == watching);
}

TEST_CASE("a probability decides the same for the same seed and occurrence") {
  std::string runs[2];
  for (std::string& run : runs) {
    Rig rig;
    FaultRule rule = rule_of("kafka.*", FaultAction::close);
    rule.probability_ppm = 300'000;
    rig.add(rule);
    for (int i = 0; i < 1000; ++i) run += rig.rules.decide(site_of("orders", 0)) ? 'x' : '.';
  }
  CHECK(runs[0] == runs[1]);
  const auto hits = std::count(runs[0].begin(), runs[0].end(), 'x');
  CHECK(hits > 230);
  CHECK(hits < 370);
}

TEST_CASE("a point without a rule that matches suspends nothing and numbers nothing") {
  Rig rig;
  FaultRule rule = rule_of("append.*", FaultAction::hold);
  rule.topic = "payments";
  rig.add(rule);
  rig.pass("a");
  rig.run();
  CHECK(rig.lines == Lines{"a"});
  CHECK(rig.kernel.steps() == 1);
}

TEST_CASE("a held task goes on when its rule is released, and holds again") {
  Rig rig;
  const RuleId id = rig.add(rule_of("append.wal.before", FaultAction::hold));
  rig.pass("a");
  rig.pass("b");
  rig.run(kHour_ns);
  CHECK(rig.lines.empty());
  CHECK(rig.rules.state(id)->holding == 2);
  CHECK(rig.rules.release(id));
  rig.run();
  CHECK(rig.lines == Lines{"a", "b"});
  rig.pass("c");
  rig.run(kHour_ns);
  CHECK(rig.lines.size() == 2);
  CHECK(rig.rules.remove(id));
  rig.run();
  CHECK(rig.lines == Lines{"a", "b", "c"});
  CHECK_FALSE(rig.rules.remove(id));
  CHECK_FALSE(rig.rules.release(id));
  CHECK(rig.kernel.pending_events() == 0);
}

TEST_CASE("a held task that dies leaves the rule, before and after its release") {
  Rig rig;
  const RuleId id = rig.add(rule_of("append.wal.before", FaultAction::hold));
  Process& other = rig.kernel.create_process("other");
  other.spawn(pass_point(rig.rules, other, rig.lines, "other"));
  rig.pass("a");
  rig.run();
  CHECK(rig.rules.state(id)->holding == 2);
  rig.kernel.kill(other.id());
  CHECK(rig.rules.state(id)->holding == 1);
  rig.rules.remove_all();
  rig.kernel.kill(rig.process.id());
  rig.run(kHour_ns);
  CHECK(rig.lines.empty());
  CHECK(rig.kernel.pending_events() == 0);
}

TEST_CASE("a delay goes on by itself, also when its rule has gone") {
  Rig rig;
  FaultRule rule = rule_of("append.wal.before", FaultAction::delay);
  rule.delay_ns = 50;
  const RuleId id = rig.add(rule);
  rig.pass("a");
  rig.run(49);
  CHECK(rig.lines.empty());
  rig.rules.remove(id);
  rig.run(1);
  CHECK(rig.lines == Lines{"a"});
}

TEST_CASE("an executed action reaches the executor, which may remove the rule and kill the process") {
  Rig rig;
  const RuleId id = rig.add(rule_of("append.wal.before", FaultAction::crash));
  std::string seen;
  rig.rules.set_executor([&](FaultAction action, const FaultSite& site, const FaultRule& rule) {
    rig.rules.remove(id);
    rig.kernel.kill(rig.process.id());
    seen = std::string(fault_action_name(action)) + " " + std::string(site.topic) + " " + rule.point;
  });
  rig.pass("a");
  rig.run(kHour_ns);
  CHECK(seen == "crash orders append.wal.before");
  CHECK(rig.lines.empty());
  CHECK(rig.kernel.pending_events() == 0);
}

TEST_CASE("a paused process goes on from the point when it is resumed; the caller sees no decision") {
  Rig rig;
  FaultRule rule = rule_of("append.wal.before", FaultAction::pause);
  rule.count = 1;
  rig.add(rule);
  const ProcessId id = rig.process.id();
  rig.rules.set_executor([&](FaultAction, const FaultSite&, const FaultRule&) { rig.kernel.pause(id); });
  rig.pass("a");
  rig.run(kHour_ns);
  CHECK(rig.lines.empty());
  rig.kernel.resume(id);
  rig.run();
  CHECK(rig.lines == Lines{"a"});
}

TEST_CASE("actions for the caller are returned") {
  Rig rig;
  rig.add(rule_of("append.wal.before", FaultAction::lose_answer));
  rig.pass("a");
  rig.run();
  CHECK(rig.lines == Lines{"a lose_answer"});
}

TEST_CASE("the dead reach no point") {
  Rig rig;
  const RuleId id = rig.add(rule_of("append.wal.before", FaultAction::observe));
  rig.process.spawn(pass_dead(rig.rules, rig.process, rig.lines));
  rig.run();
  CHECK(rig.rules.state(id)->hits == 0);
  CHECK(rig.lines.empty());
}

TEST_CASE("rules that hold go before the kernel") {
  Lines lines;
  {
    Rig rig;
    rig.add(rule_of("append.wal.before", FaultAction::hold));
    rig.pass("a");
    rig.run();
  }
  CHECK(lines.empty());
}

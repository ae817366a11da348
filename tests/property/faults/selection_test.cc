// Which passes a set of rules acts on, against a model in the words of the header.
#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/faults/rules.h"
#include "sim/kernel/kernel.h"

using namespace wt;

namespace {

struct RuleSpec {
  bool observe = false;
  std::int32_t partition = -1;  // -1: any
  std::uint64_t skip = 0;
  std::uint64_t every = 1;
  std::int64_t count = -1;
  std::size_t steps = 0;  // answers 100, 101, … in turn
  bool in_group = false;  // of group "g" only
};

void showValue(const RuleSpec& spec, std::ostream& out) {
  out << "{observe " << spec.observe << " partition " << spec.partition << " skip " << spec.skip << " count "
      << spec.count << " every " << spec.every << " steps " << spec.steps << " in group " << spec.in_group
      << "}";
}

rc::Gen<RuleSpec> spec_generator() {
  return rc::gen::build<RuleSpec>(
      rc::gen::set(&RuleSpec::observe), rc::gen::set(&RuleSpec::partition, rc::gen::inRange(-1, 3)),
      rc::gen::set(&RuleSpec::skip, rc::gen::inRange<std::uint64_t>(0, 4)),
      rc::gen::set(&RuleSpec::every, rc::gen::inRange<std::uint64_t>(1, 4)),
      rc::gen::set(&RuleSpec::steps, rc::gen::inRange<std::size_t>(0, 3)), rc::gen::set(&RuleSpec::in_group),
      rc::gen::set(&RuleSpec::count, rc::gen::element<std::int64_t>(-1, 1, 2, 3)));
}

struct ModelRule {
  RuleSpec spec;
  std::uint64_t passes = 0;
  std::uint64_t hits = 0;
  // Whether this rule takes the pass.
  bool pass(const std::vector<int>& partitions, bool in_group) {
    const bool named = std::find(partitions.begin(), partitions.end(), spec.partition) != partitions.end();
    if ((spec.partition >= 0 && !named) || (spec.in_group && !in_group)) return false;
    const auto count = spec.steps > 0 ? static_cast<std::int64_t>(spec.steps) : spec.count;
    if (count >= 0 && hits == static_cast<std::uint64_t>(count)) return false;
    const std::uint64_t pass = passes++;
    if (pass < spec.skip || (pass - spec.skip) % spec.every != spec.every - 1) return false;
    ++hits;
    return true;
  }
};

}  // namespace

TEST_CASE("the first rule in order acts, after its skip and as often as its count") {
  CHECK(rc::check([] {
    Kernel kernel{KernelOptions{}};
    FaultRules rules(kernel);
    std::map<RuleId, ModelRule> model;
    for (const RuleSpec& spec : *rc::gen::container<std::vector<RuleSpec>>(spec_generator())) {
      FaultRule rule;
      rule.point = "append.*";
      rule.action = spec.observe ? FaultAction::observe : FaultAction::answer;
      if (spec.partition >= 0) rule.partition = spec.partition;
      rule.skip = spec.skip;
      rule.every = spec.every;
      rule.count = spec.count;
      if (spec.in_group) rule.group = "g";
      for (std::size_t i = 0; i < spec.steps; ++i) {
        rule.steps.push_back({rule.action, static_cast<std::int32_t>(100 + i), 0});
      }
      const RuleId id = *rules.add(rule);
      model[id].spec = spec;
    }
    // Each request names some partitions and perhaps the group.
    for (const auto& [partitions, in_group] :
         *rc::gen::container<std::vector<std::pair<std::vector<int>, bool>>>(rc::gen::pair(
             rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3)), rc::gen::arbitrary<bool>()))) {
      RuleId expected = 0;
      std::int32_t code = 0;
      for (auto& [id, rule] : model) {
        if (!rule.pass(partitions, in_group) || rule.spec.observe) continue;
        expected = id;
        if (rule.spec.steps > 0) code = static_cast<std::int32_t>(99 + rule.hits);
        break;
      }
      FaultNames names;
      for (const int partition : partitions) names.partitions.emplace_back().partition = partition;
      if (in_group) names.groups = {"f", "g"};
      FaultSite site("append.admitted"_label);
      site.names = &names;
      const FaultDecision decision = rules.decide(site);
      RC_ASSERT(static_cast<bool>(decision) == (expected != 0));
      if (decision) RC_ASSERT(decision.rule == expected);
      if (decision) RC_ASSERT(decision.error_code == code);
    }
    for (const auto& [id, rule] : model) {
      RC_ASSERT(rules.state(id)->passes == rule.passes);
      RC_ASSERT(rules.state(id)->hits == rule.hits);
    }
  }));
}

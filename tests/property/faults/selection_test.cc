// Which passes a set of rules acts on, against a model in the words of the header.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "sim/faults/rules.h"
#include "sim/kernel/kernel.h"

using namespace wt;

namespace {

struct RuleSpec {
  bool observe = false;
  std::int32_t partition = -1;  // -1: any
  std::uint64_t skip = 0;
  std::int64_t count = -1;
};

void showValue(const RuleSpec& spec, std::ostream& out) {
  out << "{observe " << spec.observe << " partition " << spec.partition << " skip " << spec.skip << " count "
      << spec.count << "}";
}

rc::Gen<RuleSpec> spec_generator() {
  return rc::gen::build<RuleSpec>(
      rc::gen::set(&RuleSpec::observe), rc::gen::set(&RuleSpec::partition, rc::gen::inRange(-1, 3)),
      rc::gen::set(&RuleSpec::skip, rc::gen::inRange<std::uint64_t>(0, 4)),
      rc::gen::set(&RuleSpec::count, rc::gen::element<std::int64_t>(-1, 1, 2, 3)));
}

struct ModelRule {
  RuleSpec spec;
  std::uint64_t passes = 0;
  std::uint64_t hits = 0;
  // Whether this rule takes the pass.
  bool pass(std::int32_t partition) {
    if (spec.partition >= 0 && spec.partition != partition) return false;
    if (spec.count >= 0 && hits == static_cast<std::uint64_t>(spec.count)) return false;
    if (passes++ < spec.skip) return false;
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
      rule.count = spec.count;
      const RuleId id = *rules.add(rule);
      model[id].spec = spec;
    }
    for (const int partition : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3))) {
      RuleId expected = 0;
      for (auto& [id, rule] : model) {
        if (!rule.pass(partition) || rule.spec.observe) continue;
        expected = id;
        break;
      }
      FaultSite site("append.admitted"_label);
      site.partition = partition;
      const FaultDecision decision = rules.decide(site);
      RC_ASSERT(static_cast<bool>(decision) == (expected != 0));
      if (decision) RC_ASSERT(decision.rule == expected);
    }
    for (const auto& [id, rule] : model) {
      RC_ASSERT(rules.state(id)->passes == rule.passes);
      RC_ASSERT(rules.state(id)->hits == rule.hits);
    }
  }));
}

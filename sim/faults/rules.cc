#include "sim/faults/rules.h"

#include <algorithm>
#include <utility>

#include "sim/kernel/status.h"

namespace wt {
namespace {

constexpr std::pair<FaultAction, std::string_view> kActionNames[] = {
    {FaultAction::observe, "observe"},
    {FaultAction::crash, "crash"},
    {FaultAction::crash_leader, "crash_leader"},
    {FaultAction::crash_broker, "crash_broker"},
    {FaultAction::pause, "pause"},
    {FaultAction::move_leader, "move_leader"},
    {FaultAction::delay, "delay"},
    {FaultAction::hold, "hold"},
    {FaultAction::answer, "answer"},
    {FaultAction::answer_after, "answer_after"},
    {FaultAction::drop_request, "drop_request"},
    {FaultAction::drop_answer, "drop_answer"},
    {FaultAction::close, "close"},
    {FaultAction::close_after, "close_after"},
    {FaultAction::refuse, "refuse"},
    {FaultAction::lose_answer, "lose_answer"},
    {FaultAction::lose_request, "lose_request"},
};

bool is_executed(FaultAction action) {
  return action == FaultAction::crash || action == FaultAction::crash_leader ||
         action == FaultAction::crash_broker || action == FaultAction::pause ||
         action == FaultAction::move_leader;
}

bool point_matches(std::string_view pattern, std::string_view point) {
  if (!pattern.empty() && pattern.back() == '*')
    return point.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == point;
}

constexpr std::size_t kMaxRules = 10'000;
constexpr std::size_t kMaxSteps = 10'000;

Status bad(std::string_view message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

Status check(const FaultRule& rule) {
  const auto& points = known_fault_points();
  const bool known = std::any_of(points.begin(), points.end(), [&rule](std::string_view point) {
    return point_matches(rule.point, point);
  });
  if (!known) return bad("there is no fault point '" + rule.point + "'");
  if (rule.count == 0 || rule.count < -1) return bad("count must be positive, or -1 for always");
  if (rule.every == 0) return bad("every must be positive");
  if (rule.probability_ppm > kPpmAlways) return bad("a probability is at most 1000000 parts per million");
  if (rule.steps.size() > kMaxSteps) return bad("a rule has at most 10000 steps");
  bool negative = rule.delay_ns < 0;
  for (const FaultStep& step : rule.steps) negative = negative || step.delay_ns < 0;
  return negative ? bad("a delay cannot be negative") : ok_status();
}

template <class Names>
bool has(const Names& names, std::string_view wanted) {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

bool partition_matches(const FaultRule& rule, const FaultSite& site) {
  if (!rule.names_partitions()) return true;
  if ((rule.topic.empty() || rule.topic == site.topic) &&
      (!rule.partition || *rule.partition == site.partition))
    return true;
  if (site.names == nullptr) return false;
  const auto& named = site.names->partitions;
  return std::any_of(named.begin(), named.end(), [&rule](const auto& one) { return rule.means(one); });
}

bool matches(const FaultRule& rule, const FaultSite& site) {
  if (!point_matches(rule.point, site.point.name())) return false;
  if (rule.broker && *rule.broker != site.broker) return false;
  if (rule.api_key && *rule.api_key != site.api_key) return false;
  if (rule.connection && *rule.connection != site.connection) return false;
  if (!rule.client_id.empty() && rule.client_id != site.client_id) return false;
  if (!rule.group.empty() && rule.group != site.group &&
      (site.names == nullptr || !has(site.names->groups, rule.group))) {
    return false;
  }
  if (!rule.transactional_id.empty() &&
      (site.names == nullptr || !has(site.names->transactional_ids, rule.transactional_id))) {
    return false;
  }
  return partition_matches(rule, site);
}

bool used_up(const FaultRule& rule, std::uint64_t hits) {
  return rule.count >= 0 && hits >= static_cast<std::uint64_t>(rule.count);
}

// What hit number `hit` (from 0) does.
FaultDecision decision_of(RuleId id, const FaultRule& rule, std::uint64_t hit) {
  FaultDecision decision;
  decision.action = rule.action;
  decision.rule = id;
  decision.error_code = rule.error_code;
  decision.delay_ns = rule.delay_ns;
  decision.topic = rule.topic;
  decision.partition = rule.partition;
  if (hit < rule.steps.size()) {
    const FaultStep& step = rule.steps[hit];
    decision.action = step.action;
    decision.error_code = step.error_code;
    decision.delay_ns = step.delay_ns;
  }
  return decision;
}

}  // namespace

std::string_view fault_action_name(FaultAction action) {
  for (const auto& [value, name] : kActionNames) {
    if (value == action) return name;
  }
  return "?";
}

std::optional<FaultAction> fault_action_from_name(std::string_view name) {
  for (const auto& [value, text] : kActionNames) {
    if (text == name) return value;
  }
  return std::nullopt;
}

absl::StatusOr<RuleId> FaultRules::add(FaultRule rule) {
  if (!rule.steps.empty()) rule.count = static_cast<std::int64_t>(rule.steps.size());
  if (Status checked = check(rule); !checked.ok()) return checked;
  if (rules_.size() >= kMaxRules) {
    return make_status(StatusCode::kResourceExhausted, "there are 10000 rules already; remove some");
  }
  const RuleId id = next_id_++;
  rules_[id].rule = std::move(rule);
  return id;
}

bool FaultRules::release(RuleId id, std::size_t count) {
  auto found = rules_.find(id);
  if (found == rules_.end()) return false;
  std::vector<PointAwaiter*>& held = found->second.held;
  const auto end = held.begin() + static_cast<std::ptrdiff_t>(std::min(count, held.size()));
  const std::vector<PointAwaiter*> freed(held.begin(), end);
  held.erase(held.begin(), end);
  for (PointAwaiter* one : freed) {
    one->linked_ = false;
    one->event_ = one->process_.resume_soon(one->frame_);
  }
  return true;
}

bool FaultRules::remove(RuleId id) {
  if (!release(id)) return false;
  rules_.erase(id);
  return true;
}

void FaultRules::remove_all() {
  while (!rules_.empty()) remove(rules_.begin()->first);
}

FaultRules::RuleState FaultRules::state_of(RuleId id, const Armed& armed) {
  RuleState state;
  state.id = id;
  state.rule = armed.rule;
  state.passes = armed.passes;
  state.hits = armed.hits;
  state.holding = armed.held.size();
  if (armed.rule.count >= 0) state.left = static_cast<std::uint64_t>(armed.rule.count) - armed.hits;
  return state;
}

std::optional<FaultRules::RuleState> FaultRules::state(RuleId id) const {
  auto found = rules_.find(id);
  if (found == rules_.end()) return std::nullopt;
  return state_of(id, found->second);
}

std::vector<FaultRules::RuleState> FaultRules::all() const {
  std::vector<RuleState> states;
  for (const auto& [id, armed] : rules_) states.push_back(state_of(id, armed));
  return states;
}

FaultDecision FaultRules::decide(const FaultSite& site) {
  FaultDecision observed;
  for (auto& [id, armed] : rules_) {
    const FaultRule& rule = armed.rule;
    if (used_up(rule, armed.hits) || !matches(rule, site)) continue;
    const std::uint64_t occurrence = armed.passes++;
    if (occurrence < rule.skip || (occurrence - rule.skip + 1) % rule.every != 0) continue;
    if (rule.probability_ppm < kPpmAlways &&
        !hash_chance(kernel_.seed(), site.point.hash(), id, occurrence, rule.probability_ppm)) {
      continue;
    }
    FaultDecision decision = decision_of(id, rule, armed.hits++);
    kernel_.record(0, "fault.hit"_label, id, site.point.hash(), static_cast<std::uint64_t>(decision.action));
    if (decision.action != FaultAction::observe) return decision;
    if (observed.rule == 0) observed = std::move(decision);
  }
  return observed;
}

// The executor may remove the rule.
void FaultRules::carry_out(const FaultDecision& decision, const FaultSite& site) {
  if (!executor_) return;
  const FaultRule rule = rules_.at(decision.rule).rule;
  FaultSite here = site;
  if (here.topic.empty() && here.names != nullptr) {
    for (const FaultNames::Partition& named : here.names->partitions) {
      if (!rule.means(named)) continue;
      here.topic = named.topic;
      here.partition = named.partition;
      break;
    }
  }
  executor_(decision.action, here, rule);
}

FaultRules::PointAwaiter FaultRules::at(Process& process, const FaultSite& site) {
  return PointAwaiter(*this, process, site);
}

FaultRules::PointAwaiter::PointAwaiter(FaultRules& rules, Process& process, const FaultSite& site)
    : rules_(rules), process_(process) {
  if (rules_.rules_.empty() || !process_.alive()) return;  // the dead reach no point
  decision_ = rules_.decide(site);
  if (!decision_) return;
  if (is_executed(decision_.action)) {
    done_ = true;
    rules_.carry_out(decision_, site);
    // A process that this kills goes on to its next suspension with no effect, so suspend at once.
    suspends_ = !process_.alive() || decision_.action == FaultAction::pause;
    return;
  }
  done_ = decision_.action == FaultAction::delay || decision_.action == FaultAction::hold;
  suspends_ = done_ || decision_.delay_ns > 0;
}

FaultRules::PointAwaiter::~PointAwaiter() {
  process_.cancel(event_);
  if (!linked_) return;
  auto found = rules_.rules_.find(decision_.rule);
  if (found != rules_.rules_.end()) std::erase(found->second.held, this);
}

void FaultRules::PointAwaiter::await_suspend(std::coroutine_handle<> frame) {
  frame_ = frame;
  if (decision_.action == FaultAction::hold) {
    linked_ = true;
    rules_.rules_.at(decision_.rule).held.push_back(this);
  } else if (!is_executed(decision_.action)) {
    event_ = process_.schedule_at(
        saturating_add(process_.now(), decision_.delay_ns), TimerKind::protocol,
        [](void* awaiter, std::uint64_t) {
          auto& self = *static_cast<PointAwaiter*>(awaiter);
          self.event_ = {};
          self.process_.kernel().resume(self.frame_);
        },
        this);
  } else if (process_.alive()) {
    event_ = process_.resume_soon(frame);
  }
}

}  // namespace wt

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
  const auto& points = known_fault_points();
  const bool known = std::any_of(points.begin(), points.end(), [&rule](std::string_view point) {
    return point_matches(rule.point, point);
  });
  if (!known) {
    return make_status(StatusCode::kInvalidArgument, "there is no fault point '" + rule.point + "'");
  }
  if (rule.count == 0 || rule.count < -1) {
    return make_status(StatusCode::kInvalidArgument, "count must be positive, or -1 for always");
  }
  if (rule.probability_ppm > kPpmAlways) {
    return make_status(StatusCode::kInvalidArgument, "a probability is at most 1000000 parts per million");
  }
  if (rule.delay_ns < 0) return make_status(StatusCode::kInvalidArgument, "a delay cannot be negative");
  const RuleId id = next_id_++;
  rules_[id].rule = std::move(rule);
  return id;
}

bool FaultRules::release(RuleId id) {
  auto found = rules_.find(id);
  if (found == rules_.end()) return false;
  for (PointAwaiter* held : std::exchange(found->second.held, {})) {
    held->linked_ = false;
    held->event_ = held->process_.resume_soon(held->frame_);
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

std::optional<FaultRules::RuleState> FaultRules::state(RuleId id) const {
  auto found = rules_.find(id);
  if (found == rules_.end()) return std::nullopt;
  const Armed& armed = found->second;
  return RuleState{id, armed.rule, armed.passes, armed.hits, armed.held.size()};
}

std::vector<FaultRules::RuleState> FaultRules::all() const {
  std::vector<RuleState> states;
  for (const auto& [id, armed] : rules_) {
    states.push_back({id, armed.rule, armed.passes, armed.hits, armed.held.size()});
  }
  return states;
}

bool FaultRules::matches(const FaultRule& rule, const FaultSite& site) const {
  if (!point_matches(rule.point, site.point.name())) return false;
  if (!rule.topic.empty() && rule.topic != site.topic) return false;
  if (!rule.client_id.empty() && rule.client_id != site.client_id) return false;
  if (!rule.group.empty() && rule.group != site.group) return false;
  if (rule.partition && *rule.partition != site.partition) return false;
  if (rule.broker && *rule.broker != site.broker) return false;
  if (rule.api_key && *rule.api_key != site.api_key) return false;
  return !rule.connection || *rule.connection == site.connection;
}

FaultDecision FaultRules::decide(const FaultSite& site) {
  FaultDecision observed;
  for (auto& [id, armed] : rules_) {
    const FaultRule& rule = armed.rule;
    if (rule.count >= 0 && armed.hits >= static_cast<std::uint64_t>(rule.count)) continue;
    if (!matches(rule, site)) continue;
    const std::uint64_t occurrence = armed.passes++;
    if (occurrence < rule.skip) continue;
    if (rule.probability_ppm < kPpmAlways &&
        !hash_chance(kernel_.seed(), site.point.hash(), id, occurrence, rule.probability_ppm)) {
      continue;
    }
    ++armed.hits;
    kernel_.record(0, "fault.hit"_label, id, site.point.hash(), static_cast<std::uint64_t>(rule.action));
    const FaultDecision decision{rule.action, id, rule.error_code, rule.delay_ns};
    if (rule.action != FaultAction::observe) return decision;
    if (observed.rule == 0) observed = decision;
  }
  return observed;
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
    // The executor may remove this very rule.
    const FaultRule rule = rules_.rules_.at(decision_.rule).rule;
    if (rules_.executor_) rules_.executor_(decision_.action, site, rule);
    // A process that this kills goes on to its next suspension with no effect, so suspend at once.
    suspends_ = !process_.alive() || decision_.action == FaultAction::pause;
    return;
  }
  done_ = suspends_ = decision_.action == FaultAction::delay || decision_.action == FaultAction::hold;
}

FaultRules::PointAwaiter::~PointAwaiter() {
  process_.cancel(event_);
  if (!linked_) return;
  auto found = rules_.rules_.find(decision_.rule);
  if (found != rules_.rules_.end()) std::erase(found->second.held, this);
}

void FaultRules::PointAwaiter::await_suspend(std::coroutine_handle<> frame) {
  frame_ = frame;
  if (decision_.action == FaultAction::delay) {
    event_ = process_.schedule_at(
        saturating_add(process_.now(), decision_.delay_ns), TimerKind::protocol,
        [](void* awaiter, std::uint64_t) {
          auto& self = *static_cast<PointAwaiter*>(awaiter);
          self.event_ = {};
          self.process_.kernel().resume(self.frame_);
        },
        this);
  } else if (decision_.action == FaultAction::hold) {
    linked_ = true;
    rules_.rules_.at(decision_.rule).held.push_back(this);
  } else if (process_.alive()) {
    event_ = process_.resume_soon(frame);
  }
}

}  // namespace wt

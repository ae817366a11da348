// Fault rules: what happens at which point of the product's own code, to whom, how often.
//
// Product code names its points: `co_await rules.at(process, site)`. Without an armed rule that
// matches, a point costs one comparison, suspends nothing, draws nothing and takes no sequence
// number, so arming a rule leaves the rest of a run alone. docs/faults.md lists the points.
#pragma once

#include <coroutine>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/kernel/kernel.h"
#include "sim/kernel/process.h"

namespace wt {

enum class FaultAction : std::uint8_t {
  observe,       // count the hit and do nothing
  crash,         // kill the process that reached the point
  crash_leader,  // kill the broker that leads the site's partition
  crash_broker,  // kill the broker named by `target_broker`
  pause,         // stop the process that reached the point until it is resumed
  move_leader,   // ask the controller for another leader of the site's partition
  delay,         // go on after `delay_ns`
  hold,          // go on when the rule is released
  answer,        // give `error_code` instead of doing the work
  answer_after,  // do the work, then give `error_code`
  drop_request,  // swallow the request: no work, no answer
  drop_answer,   // do the work, swallow the answer
  close,         // close the connection instead of doing the work
  close_after,   // do the work, close the connection instead of answering
  refuse,        // a service call fails before it has any effect
  lose_answer,   // a service call takes effect, its answer is lost
  lose_request,  // a service call has no effect, and its caller is not told
};

std::string_view fault_action_name(FaultAction action);
std::optional<FaultAction> fault_action_from_name(std::string_view name);

// What one request names. A rule's filter matches when any of the names does.
struct FaultNames {
  struct Partition {
    std::string topic;
    std::int32_t partition = -1;  // -1: the topic as a whole
  };
  std::vector<Partition> partitions;
  std::vector<std::string> groups;
  std::vector<std::string> transactional_ids;
};

// Where execution is: the point, and what is known there. Views and names must outlive the call.
struct FaultSite {
  explicit FaultSite(Label point_label) : point(point_label) {}
  Label point;
  std::int32_t broker = -1;
  std::string_view topic;
  std::int32_t partition = -1;
  std::string_view client_id;
  std::string_view group;
  std::int32_t api_key = -1;
  std::int32_t api_version = -1;
  std::uint64_t connection = 0;
  const FaultNames* names = nullptr;  // besides topic, partition and group above
};

// One of several things that a rule does, one after the other.
struct FaultStep {
  FaultAction action = FaultAction::answer;
  std::int32_t error_code = 0;
  DurationNs delay_ns = 0;
};

struct FaultRule {
  std::string point;  // exact, or a prefix followed by '*'
  FaultAction action = FaultAction::observe;
  // Filters: empty or absent matches everything.
  std::string topic;
  std::string client_id;
  std::string group;
  std::string transactional_id;
  std::optional<std::int32_t> partition;
  std::optional<std::int32_t> broker;
  std::optional<std::int32_t> api_key;
  std::optional<std::uint64_t> connection;
  // Which of the matching passes: skip the first `skip`, of the others take every `every`-th, then act
  // `count` times (-1: always), each with the probability `probability_ppm`, decided by a hash of seed,
  // rule and occurrence.
  std::uint64_t skip = 0;
  std::uint64_t every = 1;
  std::int64_t count = -1;
  std::uint32_t probability_ppm = kPpmAlways;
  DurationNs delay_ns = 0;  // of `delay`; before any other action that the point carries out itself
  std::int32_t error_code = 0;
  std::int32_t target_broker = -1;
  // Instead of `action`: the n-th hit does the n-th step, and after the last one the rule is used up.
  std::vector<FaultStep> steps;

  // Whether it means some of the partitions that a request names.
  bool names_partitions() const noexcept { return !topic.empty() || partition.has_value(); }
  bool means(const FaultNames::Partition& named) const {
    return (topic.empty() || topic == named.topic) && (!partition || *partition == named.partition);
  }
};

using RuleId = std::uint32_t;

// What a point has to do itself; actions on processes and time have happened when it sees this.
struct FaultDecision {
  FaultAction action = FaultAction::observe;
  RuleId rule = 0;  // 0: no rule matched
  std::int32_t error_code = 0;
  DurationNs delay_ns = 0;
  // The filters of the rule, for an action that concerns these partitions of a request only.
  std::string topic;
  std::optional<std::int32_t> partition;
  bool is(FaultAction a) const noexcept { return rule != 0 && action == a; }
  explicit operator bool() const noexcept { return rule != 0 && action != FaultAction::observe; }
};

class FaultRules {
 public:
  explicit FaultRules(Kernel& kernel) : kernel_(kernel) {}
  // Ends all processes, whose frames may be held here.
  ~FaultRules() { kernel_.shut_down(); }
  FaultRules(const FaultRules&) = delete;
  FaultRules& operator=(const FaultRules&) = delete;

  // InvalidArgument for a rule that can never act: empty point, unknown point, contradictory counts.
  // ResourceExhausted with too many rules.
  absl::StatusOr<RuleId> add(FaultRule rule);
  // Releases what the rule holds. False for an unknown id.
  bool remove(RuleId id);
  void remove_all();
  // Lets go what the rule holds now, or of it the `count` that wait longest; false for an unknown id.
  bool release(RuleId id, std::size_t count = std::numeric_limits<std::size_t>::max());
  // Without rules no point does anything, and nobody needs to find out what a site is.
  bool empty() const noexcept { return rules_.empty(); }

  struct RuleState {
    RuleId id = 0;
    FaultRule rule;
    std::uint64_t passes = 0;  // sites that matched the filters
    std::uint64_t hits = 0;    // times it acted
    std::size_t holding = 0;
    std::optional<std::uint64_t> left;  // hits until it is used up
  };
  std::optional<RuleState> state(RuleId id) const;
  std::vector<RuleState> all() const;

  // The first armed rule that matches, in order of their ids, counted as a hit. Rules that only observe
  // count their hits too, and never stand in the way of a later rule.
  FaultDecision decide(const FaultSite& site);

  // Actions on brokers are carried out by the cluster: (action, site, rule).
  using Executor = std::function<void(FaultAction, const FaultSite&, const FaultRule&)>;
  void set_executor(Executor executor) { executor_ = std::move(executor); }

  class PointAwaiter;
  // `co_await rules.at(process, site)`: crashes, pauses, moves, delays and holds happen here, and the
  // caller sees no decision; every other action is returned, after its delay, for the caller to carry out.
  PointAwaiter at(Process& process, const FaultSite& site);

 private:
  friend class PointAwaiter;
  struct Armed {
    FaultRule rule;
    std::uint64_t passes = 0;
    std::uint64_t hits = 0;
    std::vector<PointAwaiter*> held;
  };
  static RuleState state_of(RuleId id, const Armed& armed);
  void carry_out(const FaultDecision& decision, const FaultSite& site);

  Kernel& kernel_;
  std::map<RuleId, Armed> rules_;
  RuleId next_id_ = 1;
  Executor executor_;
};

class FaultRules::PointAwaiter {
 public:
  PointAwaiter(FaultRules& rules, Process& process, const FaultSite& site);
  PointAwaiter(const PointAwaiter&) = delete;
  PointAwaiter& operator=(const PointAwaiter&) = delete;
  ~PointAwaiter();

  bool await_ready() const noexcept { return !suspends_; }
  void await_suspend(std::coroutine_handle<> frame);
  FaultDecision await_resume() { return done_ ? FaultDecision{} : std::move(decision_); }

 private:
  friend class FaultRules;
  FaultRules& rules_;
  Process& process_;
  FaultDecision decision_;
  bool done_ = false;  // carried out here
  bool suspends_ = false;
  bool linked_ = false;
  EventId event_;
  std::coroutine_handle<> frame_;
};

// The names of all points: what a rule may refer to. A point used in code but
// missing here fails a test.
const std::vector<std::string_view>& known_fault_points();

}  // namespace wt

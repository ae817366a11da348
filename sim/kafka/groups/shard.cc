#include "sim/kafka/groups/shard.h"

#include <algorithm>

#include "sim/kafka/groups/offsets.h"
#include "sim/kafka/groups/offsets_only_group.h"
#include "sim/kafka/groups/settings.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {
constexpr std::size_t kCleanupBatch = 500;  // tombstones that are written at once
}  // namespace

// A request that waits for its answer; on its frame.
class GroupShard::Waiter {
 public:
  explicit Waiter(GroupShard& shard)
      : shard_(shard.shared_from_this()), ticket_(shard.next_ticket_++), answered_(shard.process_) {
    shard_->waiters_.emplace(ticket_, this);
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  ~Waiter() { shard_->waiters_.erase(ticket_); }

  Ticket ticket() const noexcept { return ticket_; }
  void finish(ErrorCode code, schema::AnyMessage response) {
    if (done_) return;
    done_ = true;
    answer_.code = code;
    answer_.response = std::move(response);
    answered_.notify_all();
  }
  Task<GroupAnswer> wait() {
    while (!done_) co_await answered_.wait();
    co_return std::move(answer_);
  }

 private:
  const std::shared_ptr<GroupShard> shard_;
  Ticket ticket_;
  WaitQueue answered_;
  bool done_ = false;
  GroupAnswer answer_;
};

GroupShard::GroupShard(Process& process, broker::Broker& broker, const GroupCoordinatorOptions& options,
                       const RecordCodec& codec, std::shared_ptr<broker::Partition> partition)
    : process_(process),
      broker_(broker),
      options_(options),
      codec_(codec),
      partition_(std::move(partition)),
      epoch_(partition_->leader_epoch()),
      lane_(process) {
  partition_->listen(*this);
}

GroupShard::~GroupShard() {
  for (auto& [timer, armed] : timers_) process_.cancel(armed.event);
  process_.cancel(cleanup_);
  if (!stopped()) partition_->unlisten(*this);
}

// --- life ---

void GroupShard::start() {
  on_partition_changed();
}

bool GroupShard::leads() const noexcept {
  return partition_->role() == broker::Role::leader && partition_->leader_epoch() == epoch_;
}

void GroupShard::on_partition_changed() {
  const bool opening = partition_->role() == broker::Role::opening && partition_->leader_epoch() == epoch_;
  if (leads()) {
    if (state_ == State::opening) begin_loading();
  } else if (!opening) {
    stop();
  }
}

void GroupShard::begin_loading() {
  state_ = State::loading;
  applied_ = partition_->log_start_offset();
  process_.spawn(load(shared_from_this()));
}

Task<void> GroupShard::load([[maybe_unused]] std::shared_ptr<GroupShard> self) {
  Lane::Guard lane = co_await lane_.acquire();
  const bool loaded = co_await catch_up();
  if (!loaded) co_return;
  state_ = State::ready;
  loaded_ns_ = process_.now();
  schedule_cleanup();
  process_.trace("group.shard.loaded"_label, static_cast<std::uint64_t>(index()),
                 static_cast<std::uint64_t>(applied_), groups_.size());
  for (const GroupModule* module : options_.modules) {
    if (module->loaded == nullptr) continue;
    const GroupCall call;
    Outcome outcome;
    module->loaded(*this, outcome);
    co_await commit(call, outcome);
    if (stopped()) co_return;
    if (outcome_unknown_) {
      begin_recovery(std::move(lane), {}, std::move(outcome));
      co_return;
    }
  }
}

// Nobody enters until it is known what the log holds.
void GroupShard::begin_recovery(Lane::Guard lane, std::string_view group, Outcome rest) {
  state_ = State::recovering;
  auto kept = std::make_shared<Outcome>(std::move(rest));
  process_.spawn(recover(std::move(lane), std::string(group), std::move(kept), shared_from_this()));
}

Task<void> GroupShard::recover([[maybe_unused]] Lane::Guard lane, std::string group,
                               std::shared_ptr<Outcome> rest,
                               [[maybe_unused]] std::shared_ptr<GroupShard> self) {
  GroupCall call;
  call.group = group;
  while (outcome_unknown_) {
    co_await partition_->settled();
    const bool known = co_await catch_up();
    if (!known) co_return;
    outcome_unknown_ = false;
    follow_up(call.group, *rest);
    co_await commit(call, *rest);
    if (stopped()) co_return;
  }
  state_ = State::ready;
  process_.trace("group.shard.recovered"_label, static_cast<std::uint64_t>(index()),
                 static_cast<std::uint64_t>(applied_));
}

void GroupShard::stop() {
  if (stopped()) return;
  state_ = State::stopped;
  partition_->unlisten(*this);
  process_.trace("group.shard.stopped"_label, static_cast<std::uint64_t>(index()),
                 static_cast<std::uint64_t>(epoch_));
  process_.cancel(cleanup_);
  for (auto timer = timers_.begin(); timer != timers_.end();) timer = end_timer(timer);
  Outcome outcome;
  for (const auto& [id, group] : groups_) group->close(ErrorCode::kNotCoordinator, outcome);
  deliver(outcome);
  for (const auto& [ticket, waiter] : waiters_) waiter->finish(ErrorCode::kNotCoordinator, {});
}

ErrorCode GroupShard::refusal() const noexcept {
  switch (state_) {
    case State::ready:
      return ErrorCode::kNone;
    case State::stopped:
      return ErrorCode::kNotCoordinator;
    case State::opening:
    case State::loading:
    case State::recovering:
      return ErrorCode::kCoordinatorLoadInProgress;
  }
  return ErrorCode::kNotCoordinator;
}

// --- requests ---

// A call with its own copies of what it names.
struct GroupShard::OwnCall {
  explicit OwnCall(const GroupCall& from) : group(from.group), client_id(from.client_id), call(from) {
    call.group = group;
    call.client_id = client_id;
  }
  OwnCall(const OwnCall&) = delete;
  OwnCall& operator=(const OwnCall&) = delete;

  const std::string group;
  const std::string client_id;
  GroupCall call;
};

Task<GroupAnswer> GroupShard::run(const GroupCall& call, const GroupOperation& operation) {
  GroupAnswer answer;
  answer.code = refusal();
  if (!answer.ok()) co_return answer;
  Waiter waiter(*this);
  // Apart from the wait, which may end while the operation hangs.
  process_.spawn(
      perform(shared_from_this(), std::make_shared<const OwnCall>(call), &operation, waiter.ticket()));
  answer = co_await waiter.wait();
  co_return answer;
}

// `operation` lives as long as somebody waits for the ticket.
Task<void> GroupShard::perform([[maybe_unused]] std::shared_ptr<GroupShard> self,
                               std::shared_ptr<const OwnCall> own, const GroupOperation* operation,
                               Ticket ticket) {
  Lane::Guard lane = co_await lane_.acquire();
  if (stopped()) co_return;
  const bool known = co_await catch_up();
  if (!known) co_return;
  Outcome outcome;
  (*operation)(*this, ticket, outcome);
  co_await commit(own->call, outcome);
  if (outcome_unknown_ && !stopped()) begin_recovery(std::move(lane), own->call.group, std::move(outcome));
}

void GroupShard::refuse(Ticket ticket, ErrorCode code) {
  const auto waiter = waiters_.find(ticket);
  if (waiter != waiters_.end()) waiter->second->finish(code, {});
}

void GroupShard::deliver(Outcome& outcome) {
  for (Outcome::Answer& answer : outcome.answers) {
    const auto waiter = waiters_.find(answer.ticket);
    if (waiter != waiters_.end()) waiter->second->finish(ErrorCode::kNone, std::move(answer.response));
  }
  outcome.answers.clear();
}

void GroupShard::refuse_all(Outcome& outcome, ErrorCode code) {
  std::erase_if(outcome.answers, [&](const Outcome::Answer& answer) {
    if (!answer.stands) refuse(answer.ticket, code);
    return !answer.stands;
  });
  deliver(outcome);
}

// --- groups ---

Group* GroupShard::find(std::string_view id) const {
  const auto found = groups_.find(id);
  return found == groups_.end() ? nullptr : found->second.get();
}

std::vector<const Group*> GroupShard::listed() const {
  std::vector<const Group*> groups;
  for (const std::string& id : listed_.listed()) groups.push_back(find(id));
  return groups;
}

Group& GroupShard::put(std::unique_ptr<Group> group) {
  const std::string id = group->id();
  // Without a group before, its timers are those that the operation has set which makes it.
  if (groups_.contains(id)) end_timers_of(id);
  std::unique_ptr<Group>& place = groups_[id];
  place = std::move(group);
  listed_.put(id);
  schedule_cleanup();
  return *place;
}

void GroupShard::remove(std::string_view id) {
  take(id);
}

std::unique_ptr<Group> GroupShard::take(std::string_view id) {
  const auto found = groups_.find(id);
  if (found == groups_.end()) return nullptr;
  end_timers_of(id);
  std::unique_ptr<Group> group = std::move(found->second);
  listed_.erase(id);
  groups_.erase(found);
  return group;
}

Group& GroupShard::find_or_make_empty(const std::string& id) {
  if (Group* known = find(id)) return *known;
  for (const GroupModule* module : options_.modules) {
    if (module->make_empty != nullptr) return put(module->make_empty(*this, id));
  }
  return put(std::make_unique<OffsetsOnlyGroup>(id));
}

// --- what groups ask for ---

GroupSettings GroupShard::settings(std::string_view group) const {
  return group_settings(image(), broker_.id(), options_.settings, group);
}

std::string GroupShard::new_uuid() {
  RandomStream& random = process_.random("kafka.groups"_label);
  for (;;) {
    const std::uint64_t high = random.next();
    const std::uint64_t low = random.next();
    std::string text = Uuid::from_halves(high, low).text();
    if (text.front() != '-') return text;  // such a member id would look like an option of a tool
  }
}

void GroupShard::trace(Label label, std::string_view group, std::string_view member, std::int64_t number) {
  process_.trace(label, hash_text(group), hash_text(member), static_cast<std::uint64_t>(number));
}

// --- work that nobody asks for ---

void GroupShard::schedule_cleanup() {
  // Loading ends with a call of this; a shard without groups has nothing that could grow old.
  if (cleanup_ || groups_.empty() || state_ != State::ready) return;
  const DurationNs interval_ns = from_ms(std::max<std::int64_t>(1, options_.retention_check_interval_ms));
  const DurationNs since_ns = (process_.now() - loaded_ns_) % interval_ns;
  cleanup_ = process_.schedule_at(saturating_add(process_.now(), interval_ns - since_ns), TimerKind::protocol,
                                  &GroupShard::on_cleanup_event, this);
}

void GroupShard::on_cleanup_event(void* shard, std::uint64_t) {
  auto& self = *static_cast<GroupShard*>(shard);
  self.cleanup_ = {};
  self.process_.spawn(self.clean_up({}, self.shared_from_this()));
}

void GroupShard::on_topic_deleted(const std::string& topic) {
  if (!stopped()) process_.spawn(clean_up(topic, shared_from_this()));
}

Task<void> GroupShard::clean_up(std::string topic, [[maybe_unused]] std::shared_ptr<GroupShard> self) {
  Lane::Guard lane = co_await lane_.acquire();
  if (stopped()) co_return;
  const bool known = co_await catch_up();
  if (!known) co_return;
  Outcome all;
  if (topic.empty()) {
    expire_offsets(*this, all.records);
  } else {
    forget_topic(*this, topic, all.records);
  }
  GroupCall call;
  call.records_of = RecordsOf::caller;
  for (std::size_t first = 0; first < all.records.size(); first += kCleanupBatch) {
    const std::size_t last = std::min(all.records.size(), first + kCleanupBatch);
    Outcome part;
    for (std::size_t i = first; i < last; ++i) part.records.push_back(std::move(all.records[i]));
    co_await commit(call, part);
    if (stopped()) co_return;
    if (outcome_unknown_) {
      begin_recovery(std::move(lane), {}, Outcome());
      break;
    }
  }
  schedule_cleanup();
}

// --- timers ---

void GroupShard::set_timer(const GroupTimer& timer, DurationNs after_ns, TimerKind kind,
                           std::uint64_t park_tag) {
  if (stopped()) return;
  cancel_timer(timer);
  const std::uint64_t number = next_timer_++;
  ArmedTimer& armed = timers_[timer];
  armed.number = number;
  armed.event = process_.schedule_at(saturating_add(process_.now(), after_ns), kind,
                                     &GroupShard::on_timer_event, this, number, park_tag);
  timer_numbers_.emplace(number, timer);
}

void GroupShard::cancel_timer(const GroupTimer& timer) {
  const auto found = timers_.find(timer);
  if (found != timers_.end()) end_timer(found);
}

GroupShard::Timers::iterator GroupShard::end_timer(Timers::iterator timer) {
  process_.cancel(timer->second.event);
  timer_numbers_.erase(timer->second.number);
  return timers_.erase(timer);
}

void GroupShard::end_timers_of(std::string_view group) {
  GroupTimer first;
  first.group = group;
  auto timer = timers_.lower_bound(first);
  while (timer != timers_.end() && timer->first.group == group) timer = end_timer(timer);
}

void GroupShard::on_timer_event(void* shard, std::uint64_t number) {
  auto& self = *static_cast<GroupShard*>(shard);
  const auto timer = self.timer_numbers_.find(number);
  if (timer == self.timer_numbers_.end()) return;
  self.timers_[timer->second].event = {};
  self.process_.spawn(self.expire(number, self.shared_from_this()));
}

Task<void> GroupShard::expire(std::uint64_t number, [[maybe_unused]] std::shared_ptr<GroupShard> self) {
  Lane::Guard lane = co_await lane_.acquire();
  if (stopped()) co_return;
  const bool known = co_await catch_up();
  if (!known) co_return;
  const auto found = timer_numbers_.find(number);
  // Set again, or cancelled, while this waited for the lane.
  if (found == timer_numbers_.end()) co_return;
  const GroupTimer timer = found->second;
  end_timer(timers_.find(timer));
  Group* group = find(timer.group);
  if (group == nullptr) co_return;
  GroupCall call;
  call.group = timer.group;
  Outcome outcome;
  group->on_timer(timer, outcome);
  co_await commit(call, outcome);
  if (outcome_unknown_ && !stopped()) begin_recovery(std::move(lane), call.group, std::move(outcome));
}

}  // namespace wt::kafka

// The kernel's events against a model made of ordered maps: schedule, cancel, silence, park, expire,
// advance and step, in any mix.
#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "sim/kernel/kernel.h"

using namespace wt;

namespace {

enum class Op : std::uint8_t { at, now, cancel, expire, advance, jump, step };

struct Command {
  Op op = Op::at;
  std::int64_t time = 0;  // delay or distance
  std::size_t which = 0;  // of the events so far, or of the park timers
  TimerKind kind = TimerKind::protocol;
};

void showValue(const Command& command, std::ostream& out) {
  out << "{op " << static_cast<int>(command.op) << " time " << command.time << " which " << command.which
      << " kind " << static_cast<int>(command.kind) << "}";
}

rc::Gen<Command> command_generator() {
  return rc::gen::build<Command>(
      rc::gen::set(&Command::op, rc::gen::element(Op::at, Op::at, Op::at, Op::now, Op::cancel, Op::expire,
                                                  Op::advance, Op::jump, Op::step)),
      rc::gen::set(&Command::time, rc::gen::inRange<std::int64_t>(0, 12)),
      rc::gen::set(&Command::which, rc::gen::inRange<std::size_t>(0, 64)),
      rc::gen::set(&Command::kind,
                   rc::gen::element(TimerKind::protocol, TimerKind::silence, TimerKind::park)));
}

using Ran = std::pair<TimeNs, std::size_t>;  // when, which event

// What the kernel promises, in the plainest way.
class Model {
 public:
  explicit Model(TimeNs now_ns) : now_ns_(now_ns) {}

  void schedule(std::size_t event, std::int64_t delay_ns, TimerKind kind) {
    const bool silent = kind == TimerKind::silence;
    const TimeNs base_ns = silent ? now_ns_ - shift_ns_ : now_ns_;
    (silent ? silent_ : timed_)[{base_ns + delay_ns, event}] = kind;
  }
  void schedule_now(std::size_t event) { ready_.push_back(event); }
  void cancel(std::size_t event) {
    std::erase_if(timed_, [event](const auto& entry) { return entry.first.second == event; });
    std::erase_if(silent_, [event](const auto& entry) { return entry.first.second == event; });
    std::erase(ready_, event);
  }
  std::vector<std::size_t> parked() const {
    std::vector<std::size_t> events;
    for (const auto& [key, kind] : timed_) {
      if (kind == TimerKind::park) events.push_back(key.second);
    }
    std::sort(events.begin(), events.end());
    return events;
  }
  void expire(std::size_t event) {
    cancel(event);
    ready_.push_back(event);
  }
  void advance(TimeNs limit_ns, bool silence_stands) {
    while (step(limit_ns, silence_stands)) {
    }
    move_clock(limit_ns, silence_stands);
  }
  bool step(TimeNs limit_ns, bool silence_stands) {
    const TimeNs bound_ns = ready_.empty() ? limit_ns : now_ns_;
    std::optional<std::pair<TimeNs, std::size_t>> first;  // effective due time, event
    if (!timed_.empty()) first = timed_.begin()->first;
    if (!silent_.empty()) {
      const auto [due_ns, event] = silent_.begin()->first;
      const bool due_already = due_ns + shift_ns_ <= now_ns_;
      const std::pair<TimeNs, std::size_t> candidate(std::max(now_ns_, due_ns + shift_ns_), event);
      if ((!silence_stands || due_already) && (!first || candidate < *first)) first = candidate;
    }
    if (first && first->first > bound_ns) first.reset();
    if (!ready_.empty() && (!first || ready_.front() < first->second)) {
      first = std::pair<TimeNs, std::size_t>(now_ns_, ready_.front());
    }
    if (!first) return false;
    move_clock(first->first, silence_stands);
    cancel(first->second);
    ran.emplace_back(now_ns_, first->second);
    return true;
  }
  std::size_t pending() const { return timed_.size() + silent_.size() + ready_.size(); }
  TimeNs now() const { return now_ns_; }

  std::vector<Ran> ran;

 private:
  void move_clock(TimeNs to_ns, bool silence_stands) {
    if (to_ns <= now_ns_) return;
    if (silence_stands) shift_ns_ += to_ns - now_ns_;
    now_ns_ = to_ns;
  }

  TimeNs now_ns_;
  DurationNs shift_ns_ = 0;
  std::map<std::pair<TimeNs, std::size_t>, TimerKind> timed_;
  std::map<std::pair<TimeNs, std::size_t>, TimerKind> silent_;
  std::deque<std::size_t> ready_;
};

struct System {
  Kernel kernel{KernelOptions{}};
  std::vector<EventId> ids;
  std::vector<Ran> ran;
  static void run(void* system, std::uint64_t event) {
    auto& self = *static_cast<System*>(system);
    self.ran.emplace_back(self.kernel.now(), event);
  }
};

void apply(const Command& command, System& system, Model& model) {
  Kernel& kernel = system.kernel;
  const std::size_t event = system.ids.size();
  switch (command.op) {
    case Op::at:
      system.ids.push_back(
          kernel.schedule_at(0, kernel.now() + command.time, command.kind, &System::run, &system, event));
      return model.schedule(event, command.time, command.kind);
    case Op::now:
      system.ids.push_back(kernel.schedule_now(0, &System::run, &system, event));
      return model.schedule_now(event);
    case Op::cancel:
      if (event == 0) return;
      kernel.cancel(system.ids[command.which % event]);
      return model.cancel(command.which % event);
    case Op::expire: {
      const std::vector<Kernel::Parked> parked = kernel.parked();
      const std::vector<std::size_t> expected = model.parked();
      RC_ASSERT(parked.size() == expected.size());
      if (parked.empty()) return;
      const std::size_t which = command.which % parked.size();
      RC_ASSERT(kernel.expire_park(parked[which].id));
      RC_ASSERT(!kernel.expire_park(parked[which].id));
      return model.expire(expected[which]);
    }
    case Op::advance:
      kernel.run_until(kernel.now() + command.time);
      return model.advance(model.now() + command.time, false);
    case Op::jump:
      kernel.run_until(kernel.now() + command.time, SilenceClock::stands);
      return model.advance(model.now() + command.time, true);
    case Op::step:
      RC_ASSERT(kernel.step(kernel.now() + command.time) == model.step(model.now() + command.time, false));
      return;
  }
}

void check_run(const std::vector<Command>& commands) {
  System system;
  Model model(system.kernel.now());
  for (const Command& command : commands) {
    apply(command, system, model);
    RC_ASSERT(system.kernel.now() == model.now());
    RC_ASSERT(system.kernel.pending_events() == model.pending());
    RC_ASSERT(system.ran == model.ran);
  }
  system.kernel.run_until(system.kernel.now() + 1000);
  model.advance(model.now() + 1000, false);
  RC_ASSERT(system.ran == model.ran);
  RC_ASSERT(system.kernel.pending_events() == 0u);
}

}  // namespace

TEST_CASE("events run in the order and at the time of the model") {
  CHECK(rc::check([] {
    const auto one_run = rc::gen::container<std::vector<Command>>(command_generator());
    for (const auto& commands : *rc::gen::container<std::vector<std::vector<Command>>>(10, one_run)) {
      check_run(commands);
    }
  }));
}

TEST_CASE("thousands of cancelled timers leave the others in order") {
  System system;
  Model model(system.kernel.now());
  RandomStream random(7);
  for (std::size_t event = 0; event < 6'000; ++event) {
    const std::int64_t delay_ns = random.between(0, 1'000'000);
    const TimerKind kind = random.chance_ppm(500'000) ? TimerKind::protocol : TimerKind::silence;
    system.ids.push_back(
        system.kernel.schedule_at(0, system.kernel.now() + delay_ns, kind, &System::run, &system, event));
    model.schedule(event, delay_ns, kind);
    if (!random.chance_ppm(900'000)) continue;
    const std::uint64_t gone = random.below(event + 1);
    if (!system.ids[gone]) continue;
    system.kernel.cancel(system.ids[gone]);
    model.cancel(gone);
  }
  system.kernel.run_until(system.kernel.now() + 2'000'000);
  model.advance(model.now() + 2'000'000, false);
  CHECK(system.ran == model.ran);
  CHECK(system.kernel.pending_events() == 0);
}

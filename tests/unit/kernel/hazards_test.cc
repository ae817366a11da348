// What is destroyed while something still refers to it. Meant for the sanitizer build: most of these
// would touch freed memory, the checks only say that nothing else happened.
#include <catch2/catch.hpp>
#include <optional>

#include "sim/kernel/kernel.h"
#include "sim/kernel/sync.h"

using namespace wt;

namespace {

using Lines = std::vector<std::string>;

Task<void> wait_forever(WaitQueue& queue, Lines& lines) {
  co_await queue.wait();
  lines.push_back("woken");
}

Task<void> wait_deadline(WaitQueue& queue, TimeNs deadline_ns, Lines& lines) {
  const bool notified = co_await queue.wait_until(deadline_ns);
  lines.push_back(notified ? "notified" : "deadline");
}

Task<void> hold_lane(Process& process, Lane& lane, DurationNs duration_ns, Lines& lines) {
  Lane::Guard guard = co_await lane.acquire();
  lines.push_back("held");
  co_await process.sleep(duration_ns);
}

Task<void> pop_one(Channel<int>& channel, Lines& lines) {
  std::optional<int> item = co_await channel.pop();
  lines.push_back(item ? std::to_string(*item) : "closed");
}

// A child that is destroyed while it waits: its parent lets it go.
Task<void> run_and_drop(Process& process, WaitQueue& queue, Lane& lane, Lines& lines) {
  {
    Task<void> child = wait_forever(queue, lines);
    Task<void> other = hold_lane(process, lane, kSecond_ns, lines);
  }
  co_await process.yield();
  lines.push_back("done");
}

Task<void> throw_standard(Process& process) {
  co_await process.yield();
  throw std::runtime_error("not expected");
}

Task<void> catch_from(Process& process, Lines& lines) {
  try {
    co_await throw_standard(process);
  } catch (const std::runtime_error& error) {
    lines.push_back(error.what());
  }
}

Task<void> sleep_once(Process& process, DurationNs duration_ns, Lines& lines, std::string name) {
  co_await process.sleep(duration_ns);
  lines.push_back(name);
}

Task<void> yield_until(Process& process, const bool& flag, Lines& lines) {
  while (!flag) co_await process.yield();
  lines.push_back("seen");
}

Task<void> set_flag(Process& process, bool& flag) {
  co_await process.sleep(0);
  flag = true;
}

struct SpawnsInDestructor : ProcessPart {
  SpawnsInDestructor(Process& owner, Lines& log) : process(owner), lines(log) {}
  ~SpawnsInDestructor() override {
    process.spawn(sleep_once(process, 0, lines, "from the grave"));
    process.schedule_now([](void*, std::uint64_t) { FAIL("ran"); }, nullptr);
    process.trace("test.grave"_label);
    process.kernel().kill(process.id());
    lines.push_back(process.alive() ? "alive" : "dead");
  }
  Process& process;
  Lines& lines;
};

}  // namespace

TEST_CASE("a wait queue that goes before its waiters lets them go") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  auto queue = std::make_unique<WaitQueue>(process);
  process.spawn(wait_forever(*queue, lines));
  process.spawn(wait_deadline(*queue, kernel.now() + kSecond_ns, lines));
  kernel.run_ready();
  queue.reset();
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(lines == Lines{"deadline"});
  kernel.kill(process.id());
  CHECK(kernel.pending_events() == 0);
}

TEST_CASE("a lane that goes before its holder and its waiters lets them go") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  auto lane = std::make_unique<Lane>(process);
  for (int i = 0; i < 3; ++i) process.spawn(hold_lane(process, *lane, kSecond_ns, lines));
  kernel.run_ready();
  lane.reset();
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(lines == Lines{"held"});
  kernel.kill(process.id());
  CHECK(kernel.pending_events() == 0);
}

TEST_CASE("a lane that goes between the grant and the waiter that was granted it") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  auto lane = std::make_unique<Lane>(process);
  process.spawn(hold_lane(process, *lane, kSecond_ns, lines));
  process.spawn(hold_lane(process, *lane, kSecond_ns, lines));
  kernel.run_ready();
  // The holder ends at one second; the next one is granted the lane and has not run yet.
  REQUIRE(kernel.step(kernel.now() + kSecond_ns));
  REQUIRE(lane->waiting() == 0);
  lane.reset();
  kernel.run_ready();
  CHECK(lines == Lines{"held", "held"});
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(process.task_count() == 0);
}

TEST_CASE("a lane is handed on when the task that was granted it dies first") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  Lane lane(process);
  {
    Lane::Guard outer;
    process.spawn(hold_lane(process, lane, kSecond_ns, lines));
    process.spawn(hold_lane(process, lane, kSecond_ns, lines));
    kernel.run_ready();
    CHECK(lane.waiting() == 1);
  }
  kernel.kill(process.id());
  CHECK(lane.waiting() == 0);
  CHECK_FALSE(lane.held());
}

TEST_CASE("a channel with readers goes; values and closing reach readers otherwise") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  auto gone = std::make_unique<Channel<int>>(process);
  process.spawn(pop_one(*gone, lines));
  kernel.run_ready();
  gone.reset();
  kernel.run_until(kernel.now() + kSecond_ns);
  CHECK(lines.empty());
  Channel<int> channel(process);
  for (int i = 0; i < 3; ++i) process.spawn(pop_one(channel, lines));
  kernel.run_ready();
  channel.push(7);
  channel.push(8);
  channel.close();
  kernel.run_ready();
  CHECK(lines == Lines{"7", "8", "closed"});
}

TEST_CASE("children that are dropped before or while they run unlink themselves") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  WaitQueue queue(process);
  Lane lane(process);
  process.spawn(run_and_drop(process, queue, lane, lines));
  kernel.run_ready();
  CHECK(lines == Lines{"done"});
  CHECK(queue.empty());
  CHECK_FALSE(lane.held());
}

TEST_CASE("an exception goes through tasks to the one that catches it, else it is a finding") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  process.spawn(catch_from(process, lines));
  kernel.run_ready();
  CHECK(lines == Lines{"not expected"});
  CHECK_FALSE(kernel.finding());
  process.spawn(throw_standard(process));
  kernel.run_ready();
  REQUIRE(kernel.finding());
  CHECK(kernel.finding()->check == "kernel.unexpected_exception");
  CHECK(kernel.finding()->process == "p");
}

TEST_CASE("a killed process that was paused leaves no event behind") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  kernel.pause(process.id());
  process.spawn(sleep_once(process, kSecond_ns, lines, "never"));
  process.schedule_now([](void*, std::uint64_t) { FAIL("ran"); }, nullptr);
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(kernel.pending_events() == 2);
  const ProcessId id = process.id();
  kernel.kill(id);
  CHECK(kernel.pending_events() == 0);
  kernel.resume(id);
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(lines.empty());
}

TEST_CASE("what came due while a process was paused runs in order when it is resumed") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Process& other = kernel.create_process("q");
  Lines lines;
  process.spawn(sleep_once(process, 2 * kSecond_ns, lines, "second"));
  process.spawn(sleep_once(process, kSecond_ns, lines, "first"));
  other.spawn(sleep_once(other, 3 * kSecond_ns, lines, "other"));
  kernel.run_ready();
  kernel.pause(process.id());
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(lines == Lines{"other"});
  kernel.resume(process.id());
  kernel.run_ready();
  CHECK(lines == Lines{"other", "first", "second"});
}

TEST_CASE("destructors of a dead process act on nothing") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  process.emplace<SpawnsInDestructor>(process, lines);
  const std::uint64_t records = kernel.trace().records();
  kernel.kill(process.id());
  CHECK(lines == Lines{"dead"});
  CHECK(kernel.trace().records() == records + 1);
  CHECK(kernel.pending_events() == 0);
}

TEST_CASE("a death is told to everybody before any frame goes, also when the callback kills another") {
  Kernel kernel({});
  Process& first = kernel.create_process("first");
  Process& second = kernel.create_process("second");
  Lines lines;
  first.emplace<SpawnsInDestructor>(first, lines);
  second.emplace<SpawnsInDestructor>(second, lines);
  const ProcessId second_id = second.id();
  std::uint64_t number = 0;
  number = kernel.on_death([&](ProcessId id) {
    lines.push_back("a" + std::to_string(id));
    kernel.forget_death(number);
    kernel.kill(second_id);
  });
  kernel.on_death([&](ProcessId id) { lines.push_back("b" + std::to_string(id)); });
  kernel.kill(first.id());
  CHECK(lines == Lines{"a1", "b2", "b1", "dead", "dead"});
}

TEST_CASE("a kernel is destroyed with work in every state") {
  Lines lines;
  {
    Kernel kernel({});
    Process& process = kernel.create_process("p");
    Process& paused = kernel.create_process("paused");
    process.emplace<SpawnsInDestructor>(process, lines);
    auto& queue = paused.emplace<SpawnsInDestructor>(paused, lines);
    (void)queue;
    process.spawn(sleep_once(process, kSecond_ns, lines, "never"));
    paused.spawn(sleep_once(paused, kSecond_ns, lines, "never"));
    kernel.run_ready();
    kernel.pause(paused.id());
    kernel.run_until(kernel.now() + kMillisecond_ns);
    process.spawn(sleep_once(process, kSecond_ns, lines, "never started"));
    kernel.schedule_now(
        0, [](void*, std::uint64_t) { FAIL("ran"); }, nullptr, 0);
    lines.clear();
  }
  CHECK(lines == Lines{"dead", "dead"});
}

TEST_CASE("a task that yields in a loop lets a timer of the same instant run") {
  Kernel kernel({.max_events_at_once = 1000});
  Process& process = kernel.create_process("p");
  Lines lines;
  bool flag = false;
  process.spawn(yield_until(process, flag, lines));
  process.spawn(set_flag(process, flag));
  kernel.run_ready();
  CHECK_FALSE(kernel.finding());
  CHECK(lines == Lines{"seen"});
}

TEST_CASE("a timer that is never due does not fire at the end of time") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Lines lines;
  process.spawn(sleep_once(process, kNever_ns, lines, "never"));
  kernel.run_ready();
  CHECK_FALSE(kernel.step(kNever_ns));
  CHECK(kernel.next_due() == kNever_ns);
  CHECK(kernel.now() == kernel.epoch());
  CHECK(lines.empty());
}

TEST_CASE("a cancelled event of now does not count as the next thing due") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  EventId id = process.schedule_now([](void*, std::uint64_t) { FAIL("ran"); }, nullptr);
  CHECK(kernel.next_due() == kernel.now());
  process.cancel(id);
  CHECK(kernel.next_due() == kNever_ns);
}

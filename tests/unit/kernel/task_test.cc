#include <catch2/catch.hpp>

#include "sim/kernel/kernel.h"
#include "sim/kernel/sync.h"

using namespace wt;

namespace {

struct Log {
  std::vector<std::string> lines;
  void add(std::string line) { lines.push_back(std::move(line)); }
};

struct Note {
  Note(Log& log, std::string text) : log_(log), text_(std::move(text)) {}
  ~Note() { log_.add("~" + text_); }
  Log& log_;
  std::string text_;
};

Task<int> child(Process& process, int value) {
  co_await process.sleep(5 * kMillisecond_ns);
  co_return value * 2;
}

Task<void> parent(Process& process, Log& log) {
  const int result = co_await child(process, 21);
  log.add("result " + std::to_string(result) + " at " +
          std::to_string(to_ms(process.now() - process.kernel().epoch())));
}

Task<void> sleeper(Process& process, Log& log, std::string name, DurationNs duration_ns) {
  Note note(log, name);
  co_await process.sleep(duration_ns);
  log.add(name);
}

Task<int> deep(Process& process, int depth) {
  if (depth == 0) {
    co_await process.yield();
    co_return 0;
  }
  const int below = co_await deep(process, depth - 1);
  co_return below + 1;
}

Task<void> run_deep(Process& process, int depth, int& out) {
  out = co_await deep(process, depth);
}

Task<void> thrower(Process& process) {
  co_await process.yield();
  WT_INVARIANT(process.now() < 0, "test.broken", "time is " + std::to_string(process.now()));
}

Task<void> outer_thrower(Process& process) {
  co_await thrower(process);
}

Task<void> suicide(Process& process, Log& log) {
  Note note(log, "suicide");
  process.kernel().kill(process.id());
  log.add("still running");
  process.trace("test.after_death"_label);
  co_await process.yield();
  log.add("never");
}

Task<void> hold(Process& process, Lane& lane, Log& log, std::string name) {
  Lane::Guard guard = co_await lane.acquire();
  log.add("in " + name);
  co_await process.sleep(kMillisecond_ns);
  log.add("out " + name);
}

Task<void> wait_deadline(WaitQueue& queue, Log& log, TimeNs deadline_ns) {
  const bool notified = co_await queue.wait_until(deadline_ns);
  log.add(notified ? "notified" : "deadline");
}

Task<void> wait_kind(Process& process, Log& log, std::string name, DurationNs duration_ns, TimerKind kind) {
  co_await process.sleep(duration_ns, kind);
  log.add(name);
}

struct Owned : ProcessPart {
  Owned(Log& log, std::string name) : note(log, std::move(name)) {}
  Note note;
};

}  // namespace

TEST_CASE("a parent gets its child's value at the child's virtual time") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Log log;
  process.spawn(parent(process, log));
  kernel.run_until(kernel.now() + kSecond_ns);
  CHECK(log.lines == std::vector<std::string>{"result 42 at 5"});
  CHECK(process.task_count() == 0);
  CHECK(kernel.now() == kernel.epoch() + kSecond_ns);
  CHECK(kernel.pending_events() == 0);
}

TEST_CASE("nesting does not use the stack") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  int depth = 0;
  process.spawn(run_deep(process, 100'000, depth));
  kernel.run_ready();
  CHECK(depth == 100'000);
}

TEST_CASE("killing destroys frames newest first, then parts, and their timers never fire") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Log log;
  process.emplace<Owned>(log, "part");
  process.spawn(sleeper(process, log, "old", kSecond_ns));
  process.spawn(sleeper(process, log, "new", 2 * kSecond_ns));
  kernel.run_ready();
  kernel.kill(process.id());
  CHECK(log.lines == std::vector<std::string>{"~new", "~old", "~part"});
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(log.lines.size() == 3);
  CHECK(kernel.pending_events() == 0);
}

TEST_CASE("a process that kills itself dies when its running frame suspends, silently") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Log log;
  process.spawn(suicide(process, log));
  const std::uint64_t before = kernel.trace().records();
  kernel.run_until(kernel.now() + kSecond_ns);
  CHECK(log.lines == std::vector<std::string>{"still running", "~suicide"});
  CHECK(kernel.trace().records() == before + 1);  // the kill itself and nothing after it
}

TEST_CASE("a violated invariant becomes a finding that sticks and stops the run") {
  Kernel kernel({});
  Process& process = kernel.create_process("broker-1");
  process.spawn(outer_thrower(process));
  kernel.run_until(kernel.now() + kSecond_ns);
  REQUIRE(kernel.finding());
  CHECK(kernel.finding()->check == "test.broken");
  CHECK(kernel.finding()->process == "broker-1");
  const std::uint64_t steps = kernel.steps();
  kernel.report("other", "later", 0);
  CHECK(kernel.finding()->check == "test.broken");
  kernel.run_until(kernel.now() + kSecond_ns);
  CHECK(kernel.steps() == steps);
}

TEST_CASE("a lane is served in order and survives waiters that vanish") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Log log;
  Lane lane(process);
  for (const char* name : {"a", "b", "c"}) process.spawn(hold(process, lane, log, name));
  kernel.run_until(kernel.now() + kSecond_ns);
  CHECK(log.lines == std::vector<std::string>{"in a", "out a", "in b", "out b", "in c", "out c"});
  CHECK_FALSE(lane.held());
}

TEST_CASE("a wait ends by notification or by deadline, whichever is first") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Log log;
  WaitQueue queue(process);
  process.spawn(wait_deadline(queue, log, kernel.now() + kSecond_ns));
  kernel.run_until(kernel.now() + 2 * kSecond_ns);
  process.spawn(wait_deadline(queue, log, kernel.now() + kSecond_ns));
  kernel.run_ready();
  queue.notify_all();
  kernel.run_until(kernel.now() + 2 * kSecond_ns);
  CHECK(log.lines == std::vector<std::string>{"deadline", "notified"});
  CHECK(kernel.pending_events() == 0);
}

TEST_CASE("timers of kind silence stand still while time is skipped") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Log log;
  process.spawn(wait_kind(process, log, "session", 45 * kSecond_ns, TimerKind::silence));
  process.spawn(wait_kind(process, log, "transaction", kMinute_ns, TimerKind::protocol));
  kernel.run_ready();
  kernel.run_until(kernel.now() + 15 * kMinute_ns, SilenceClock::stands);
  CHECK(log.lines == std::vector<std::string>{"transaction"});
  kernel.run_until(kernel.now() + 44 * kSecond_ns);
  CHECK(log.lines.size() == 1);
  kernel.run_until(kernel.now() + 2 * kSecond_ns);
  CHECK(log.lines == std::vector<std::string>{"transaction", "session"});
}

TEST_CASE("a park timer can be expired early and only once") {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  Log log;
  process.spawn(wait_kind(process, log, "fetch", kSecond_ns, TimerKind::park));
  kernel.run_ready();
  const auto parked = kernel.parked();
  REQUIRE(parked.size() == 1);
  CHECK(parked[0].due_ns == kernel.now() + kSecond_ns);
  CHECK(kernel.expire_park(parked[0].id));
  CHECK_FALSE(kernel.expire_park(parked[0].id));
  kernel.run_ready();
  CHECK(log.lines == std::vector<std::string>{"fetch"});
  CHECK(kernel.parked().empty());
  kernel.run_until(kernel.now() + kMinute_ns);
  CHECK(log.lines.size() == 1);
}

TEST_CASE("over a million events at one instant is a finding") {
  Kernel kernel({.max_events_at_once = 1000});
  Process& process = kernel.create_process("p");
  struct Loop {
    static void again(void* p, std::uint64_t) { static_cast<Process*>(p)->schedule_now(&Loop::again, p); }
  };
  process.schedule_now(&Loop::again, &process);
  kernel.run_ready();
  REQUIRE(kernel.finding());
  CHECK(kernel.finding()->check == "kernel.livelock");
}

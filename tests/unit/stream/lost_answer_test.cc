// Every call of an append is refused, slowed, loses its request or its answer: the append ends
// committed once, or provably not at all, and what waits behind it goes on.
#include <catch2/catch.hpp>

#include "tests/unit/stream/world.h"

namespace wt::stream {
namespace {

using Texts = std::vector<std::string>;

struct Call {
  const char* name;
  const char* point;
  std::uint64_t skip;  // calls of this kind before it in one append
};
const Call kAppendCalls[] = {{"wal", "objects.put", 0},
                             {"intent", "metadata.cas", 0},
                             {"head", "metadata.cas", 1},
                             {"index", "metadata.cas", 2}};

AppendResult append_and_resolve(World& world, const StreamPtr& stream, std::string_view text,
                                AppendOutcome* first_outcome) {
  auto result = world.append(0, stream, text);
  REQUIRE(result);
  *first_outcome = result->outcome;
  if (result->outcome == AppendOutcome::kMayHaveCommitted ||
      (result->outcome == AppendOutcome::kKnownCommitted && !result->status.ok())) {
    const AppendAttemptId attempt = result->attempt;
    auto final = world.run(0, stream->resolve(attempt));
    REQUIRE(final);
    return *final;
  }
  return *result;
}

std::uint64_t run_fault(const Call& call, FaultAction action, std::int64_t count) {
  World world;
  StreamPtr stream = world.lead(0, 1);
  REQUIRE(world.append(0, stream, "first")->ok());
  FaultRule rule;
  rule.point = call.point;
  rule.action = action;
  rule.skip = call.skip;
  rule.count = count;
  rule.delay_ns = 7 * kSecond_ns;
  REQUIRE(world.rules.add(rule).ok());
  AppendOutcome outcome{};
  AppendResult result = append_and_resolve(world, stream, "second", &outcome);
  INFO(outcome_name(outcome) << " then " << outcome_name(result.outcome) << ": " << result.status);

  Texts expected = {"first"};
  CHECK(result.outcome != AppendOutcome::kMayHaveCommitted);
  if (result.outcome == AppendOutcome::kKnownCommitted) {
    CHECK(result.status.ok());
    CHECK(result.start == 1);
    CHECK(result.end == 2);
    expected.push_back("second");
  }
  const bool before_head = std::string_view(call.name) == "wal" || std::string_view(call.name) == "intent";
  const bool is_head = std::string_view(call.name) == "head";
  if (action == FaultAction::refuse) {
    CHECK(outcome ==
          (before_head || is_head ? AppendOutcome::kKnownNotCommitted : AppendOutcome::kKnownCommitted));
  } else {
    CHECK(result.outcome == AppendOutcome::kKnownCommitted);
    if (is_head && action != FaultAction::delay) CHECK(outcome == AppendOutcome::kMayHaveCommitted);
  }
  CHECK(!stream->suspended());
  world.rules.remove_all();
  auto third = world.append(0, stream, "third");
  REQUIRE(third);
  CHECK(third->ok());
  expected.push_back("third");
  CHECK(world.contents(0, stream) == expected);
  CHECK(world.metadata.items("c1/p/").empty());
  // What another broker finds is the same.
  StreamPtr next = world.lead(1, 2);
  REQUIRE(next);
  CHECK(world.contents(1, next) == expected);
  CHECK(!world.kernel.finding());
  return world.kernel.trace().hash();
}

TEST_CASE("every call of an append can fail in every way") {
  for (const Call& call : kAppendCalls) {
    for (const FaultAction action :
         {FaultAction::refuse, FaultAction::lose_request, FaultAction::lose_answer, FaultAction::delay}) {
      for (const std::int64_t count : {1, 2}) {
        DYNAMIC_SECTION(call.name << " " << fault_action_name(action) << " " << count) {
          const std::uint64_t once = run_fault(call, action, count);
          CHECK(run_fault(call, action, count) == once);
        }
      }
    }
  }
}

TEST_CASE("appends wait while one is uncertain, then follow it") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  world.rule("metadata.cas", FaultAction::lose_answer, 1, 1);
  std::vector<AppendResult> results;
  for (const char* text : {"a", "b", "c"}) {
    world.process(0).spawn([](StreamPtr target, std::vector<formats::Entry> entries,
                              std::vector<AppendResult>* out) -> Task<void> {
      AppendResult result = co_await target->append(std::move(entries));
      out->push_back(result);
    }(stream, one(text), &results));
  }
  world.kernel.run_until(world.kernel.now() + 4 * kSecond_ns);
  CHECK(results.empty());
  world.kernel.run_until(world.kernel.now() + kMinute_ns);
  REQUIRE(results.size() == 3);
  CHECK(results[0].outcome == AppendOutcome::kMayHaveCommitted);
  CHECK(results[1].start == 1);
  CHECK(results[2].start == 2);
  CHECK(world.contents(0, stream) == Texts{"a", "b", "c"});
}

TEST_CASE("the listener hears of every commit in order of offsets, before its append returns") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  std::vector<std::int64_t> starts;
  stream->set_commit_listener(
      [&starts](const CommitRecord& commit, const std::vector<formats::Entry>& entries) {
        CHECK(entries.size() == 1);
        CHECK(entries[0].header.base_offset == commit.start);
        starts.push_back(commit.start);
      });
  world.rule("metadata.cas", FaultAction::lose_answer, 1, 1);
  for (const char* text : {"a", "b", "c"}) {
    world.process(0).spawn([](StreamPtr target, std::vector<formats::Entry> entries,
                              std::vector<std::int64_t>* heard) -> Task<void> {
      AppendResult result = co_await target->append(std::move(entries));
      if (result.ok()) CHECK(heard->back() == result.start);
    }(stream, one(text), &starts));
  }
  world.kernel.run_until(world.kernel.now() + kMinute_ns);
  CHECK(starts == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("an uncertain append that the new owner finds uncommitted is proven absent for the old one") {
  World world;
  StreamPtr old = world.lead(0, 1);
  world.rule("metadata.cas", FaultAction::lose_request, 1, 1);
  const RuleId held = world.rule("append.recovery.started", FaultAction::hold);
  auto uncertain = world.append(0, old, "lost");
  REQUIRE(uncertain);
  CHECK(uncertain->outcome == AppendOutcome::kMayHaveCommitted);
  StreamPtr next = world.lead(1, 2);
  REQUIRE(world.append(1, next, "new")->ok());
  world.rules.remove(held);
  const AppendAttemptId attempt = uncertain->attempt;
  auto final = world.run(0, old->resolve(attempt));
  REQUIRE(final);
  CHECK(final->outcome == AppendOutcome::kKnownNotCommitted);
  CHECK(world.contents(1, next) == Texts{"new"});
}

TEST_CASE("a recovery that publishes too late publishes nothing") {
  World world;
  StreamPtr old = world.lead(0, 1);
  world.rule("metadata.cas", FaultAction::lose_request, 1, 1);
  auto uncertain = world.append(0, old, "lost");
  REQUIRE(uncertain);
  // The recovery has read the head and is about to publish again when the stream changes hands.
  FaultRule rule;
  rule.point = "metadata.cas";
  rule.action = FaultAction::hold;
  rule.broker = 0;
  const RuleId held = *world.rules.add(rule);
  world.kernel.run_until(world.kernel.now() + kMillisecond_ns);
  REQUIRE(world.rules.state(held)->holding == 1);
  StreamPtr next = world.lead(1, 2);
  REQUIRE(world.append(1, next, "new")->ok());
  world.rules.remove(held);
  const AppendAttemptId attempt = uncertain->attempt;
  auto final = world.run(0, old->resolve(attempt));
  REQUIRE(final);
  CHECK(final->outcome == AppendOutcome::kKnownNotCommitted);
  CHECK(world.append(1, next, "newer")->start == 1);
  next->drop_cache();
  CHECK(world.contents(1, next) == Texts{"new", "newer"});
  CHECK(!world.kernel.finding());
}

TEST_CASE("an uncertain append of a stopped broker is not published by it") {
  World world;
  StreamPtr old = world.lead(0, 1);
  world.rule("metadata.cas", FaultAction::lose_request, 1, 1);
  auto uncertain = world.append(0, old, "lost");
  REQUIRE(uncertain);
  old->stop();
  world.kernel.run_until(world.kernel.now() + kSecond_ns);
  CHECK(old->suspended());
  StreamPtr next = world.lead(1, 2);
  REQUIRE(next);
  const AppendAttemptId attempt = uncertain->attempt;
  auto final = world.run(0, old->resolve(attempt));
  REQUIRE(final);
  CHECK(final->outcome == AppendOutcome::kKnownNotCommitted);
  CHECK(next->committed_end() == 0);
}

// Starts a task and goes on after a second of virtual time, whether the task has ended or not.
class RunForASecond {
 public:
  RunForASecond(Process& process, Task<AppendResult>& child) : process_(process), child_(child) {}
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> parent) {
    (child_.operator co_await()).await_suspend(parent);
    parent_ = parent;
    process_.schedule_at(
        process_.now() + kSecond_ns, TimerKind::protocol,
        [](void* self, std::uint64_t) {
          auto& awaiter = *static_cast<RunForASecond*>(self);
          awaiter.process_.kernel().resume(awaiter.parent_);
        },
        this);
  }
  void await_resume() noexcept {}

 private:
  Process& process_;
  Task<AppendResult>& child_;
  std::coroutine_handle<> parent_;
};

Task<void> append_and_cancel(Process& process, StreamPtr stream, std::vector<formats::Entry> entries) {
  Task<AppendResult> append = stream->append(std::move(entries));
  RunForASecond part(process, append);
  co_await part;
}

TEST_CASE("an append whose caller is gone goes to its end when the head may include it") {
  struct Case {
    const char* name;
    std::uint64_t skip;
    bool committed;
  };
  for (const Case& cut : {Case{"intent", 0, false}, Case{"head", 1, true}, Case{"index", 2, true}}) {
    DYNAMIC_SECTION(cut.name) {
      World world;
      StreamPtr stream = world.lead(0, 1);
      world.rule("metadata.cas", FaultAction::lose_answer, 1, cut.skip);
      world.process(0).spawn(append_and_cancel(world.process(0), stream, one("a")));
      world.kernel.run_until(world.kernel.now() + kMinute_ns);
      Texts expected;
      if (cut.committed) expected.push_back("a");
      CHECK(!stream->suspended());
      CHECK(world.contents(0, stream) == expected);
      CHECK(world.append(0, stream, "b")->ok());
      expected.push_back("b");
      StreamPtr next = world.lead(1, 2);
      CHECK(world.contents(1, next) == expected);
      CHECK(world.metadata.items("c1/p/").empty());
      CHECK(!world.kernel.finding());
    }
  }
}

TEST_CASE("opening survives the loss of any answer") {
  for (const char* point : {"metadata.get", "metadata.cas"}) {
    for (const FaultAction action : {FaultAction::lose_answer, FaultAction::lose_request}) {
      for (std::uint64_t skip = 0; skip < 4; ++skip) {
        DYNAMIC_SECTION(point << " " << fault_action_name(action) << " " << skip) {
          World world;
          world.rule(point, action, 1, skip);
          StreamPtr stream = world.lead(0, 1);
          REQUIRE(stream);
          world.rules.remove_all();
          CHECK(stream->id() == 1);
          CHECK(world.append(0, stream, "a")->ok());
          CHECK(world.metadata.items("c1/h/").size() == 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace wt::stream

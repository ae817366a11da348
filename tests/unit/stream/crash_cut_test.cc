// Every crash cut of an append: the process dies at each point of the path, another broker opens the
// stream, and the log holds the append exactly when its head had moved. The same with a process that
// was only held up: what it does afterwards must not publish.
#include <catch2/catch.hpp>

#include "tests/unit/stream/world.h"

namespace wt::stream {
namespace {

using Texts = std::vector<std::string>;

struct Cut {
  const char* point;
  bool committed;  // what the stream holds afterwards
};

const Cut kCuts[] = {
    {"append.admitted", false},    {"append.lane.entered", false},  {"append.wal.before", false},
    {"append.wal.durable", false}, {"append.protected", false},     {"append.intent.written", false},
    {"append.head.before", false}, {"append.head.committed", true}, {"append.index.written", true},
};

void start_append(World& world, const StreamPtr& stream, std::string_view text) {
  world.process(0).spawn([](StreamPtr target, std::vector<formats::Entry> entries) -> Task<void> {
    co_await target->append(std::move(entries));
  }(stream, one(text)));
}

std::size_t keys_under(World& world, const std::string& prefix) {
  return world.metadata.items(prefix).size();
}

std::uint64_t run_crash_cut(const Cut& cut) {
  World world;
  StreamPtr old = world.lead(0, 1);
  REQUIRE(world.append(0, old, "first")->ok());
  const RuleId rule = world.rule(cut.point, FaultAction::crash);
  start_append(world, old, "cut");
  world.kernel.run_ready();
  CHECK(world.rules.state(rule)->hits == 1);
  CHECK(!world.processes.contains(0));

  StreamPtr next = world.lead(1, 2);
  REQUIRE(next);
  Texts expected = {"first"};
  if (cut.committed) expected.push_back("cut");
  CHECK(world.contents(1, next) == expected);
  CHECK(next->committed_end() == static_cast<std::int64_t>(expected.size()));
  // Nothing is pending any more, every commit has its index, and no intent is left behind.
  CHECK(keys_under(world, "c1/p/") == 0);
  CHECK(keys_under(world, "c1/i/") == expected.size());
  CHECK(keys_under(world, "c1/c/") == expected.size());
  auto after = world.append(1, next, "after");
  REQUIRE(after);
  CHECK(after->ok());
  CHECK(after->start == static_cast<std::int64_t>(expected.size()));
  expected.push_back("after");
  next->drop_cache();
  CHECK(world.contents(1, next) == expected);
  CHECK(!world.kernel.finding());
  return world.kernel.trace().hash();
}

TEST_CASE("a crash at any point of an append leaves it committed or absent, and the log dense") {
  for (const Cut& cut : kCuts) {
    DYNAMIC_SECTION(cut.point) {
      const std::uint64_t once = run_crash_cut(cut);
      CHECK(run_crash_cut(cut) == once);
    }
  }
}

std::uint64_t run_zombie(const Cut& cut) {
  World world;
  StreamPtr old = world.lead(0, 1);
  REQUIRE(world.append(0, old, "first")->ok());
  const RuleId rule = world.rule(cut.point, FaultAction::hold);
  std::optional<AppendResult> late;
  world.process(0).spawn([](StreamPtr target, std::vector<formats::Entry> entries,
                            std::optional<AppendResult>* out) -> Task<void> {
    AppendResult result = co_await target->append(std::move(entries));
    *out = result;
  }(old, one("late"), &late));
  world.kernel.run_ready();
  REQUIRE(world.rules.state(rule)->holding == 1);

  StreamPtr next = world.lead(1, 2);
  REQUIRE(next);
  REQUIRE(world.append(1, next, "new owner")->ok());
  world.rules.remove(rule);
  world.kernel.run_until(world.kernel.now() + kMinute_ns);
  REQUIRE(late);
  CHECK(late->outcome ==
        (cut.committed ? AppendOutcome::kKnownCommitted : AppendOutcome::kKnownNotCommitted));
  if (!cut.committed) CHECK(late->status.code() == StatusCode::kFailedPrecondition);
  // The old owner is out for good.
  auto again = world.append(0, old, "again");
  REQUIRE(again);
  CHECK(again->outcome == AppendOutcome::kKnownNotCommitted);
  if (!cut.committed) CHECK(old->fenced());

  Texts expected = {"first"};
  if (cut.committed) expected.push_back("late");
  expected.push_back("new owner");
  auto refreshed = world.run(1, next->refresh());
  REQUIRE(refreshed);
  CHECK(refreshed->ok());
  next->drop_cache();
  CHECK(world.contents(1, next) == expected);
  CHECK(next->committed_end() == static_cast<std::int64_t>(expected.size()));
  CHECK(!world.kernel.finding());
  return world.kernel.trace().hash();
}

TEST_CASE("an append that was held up while the stream changed hands cannot publish") {
  for (const Cut& cut : kCuts) {
    DYNAMIC_SECTION(cut.point) {
      const std::uint64_t once = run_zombie(cut);
      CHECK(run_zombie(cut) == once);
    }
  }
}

// The head's answer is lost, and the process dies while it recovers.
TEST_CASE("a crash during the recovery of an uncertain append is settled by the next owner") {
  const Cut cuts[] = {{"append.recovery.started", true}, {"append.recovery.resolved", true}};
  for (const FaultAction loss : {FaultAction::lose_answer, FaultAction::lose_request}) {
    for (const Cut& cut : cuts) {
      DYNAMIC_SECTION(cut.point << " " << fault_action_name(loss)) {
        World world;
        StreamPtr old = world.lead(0, 1);
        REQUIRE(world.append(0, old, "first")->ok());
        world.rule("metadata.cas", loss, 1, 1);
        world.rule(cut.point, FaultAction::crash);
        start_append(world, old, "cut");
        world.kernel.run_until(world.kernel.now() + kMinute_ns);
        CHECK(!world.processes.contains(0));
        StreamPtr next = world.lead(1, 2);
        REQUIRE(next);
        // With the request lost, only a recovery that came to its end has published.
        const bool committed =
            loss == FaultAction::lose_answer || std::string_view(cut.point) == "append.recovery.resolved";
        Texts expected = {"first"};
        if (committed) expected.push_back("cut");
        CHECK(world.contents(1, next) == expected);
        CHECK(keys_under(world, "c1/p/") == 0);
        CHECK(keys_under(world, "c1/i/") == expected.size());
        CHECK(!world.kernel.finding());
      }
    }
  }
}

TEST_CASE("a crash while opening leaves a stream that opens again") {
  for (const char* point : {"open.binding.resolved", "open.session.acquired", "open.head.read"}) {
    DYNAMIC_SECTION(point) {
      World world;
      REQUIRE(world.append(0, world.lead(0, 1), "first")->ok());
      world.rule(point, FaultAction::crash);
      StreamStorage& dying = world.start(1);
      CHECK(!world.open(1, dying, 2).ok());
      StreamPtr next = world.lead(2, 2);
      // The session of the broker that died is bound to the same leader epoch: only a newer one, or
      // its expiry, lets another broker in.
      if (std::string_view(point) == "open.binding.resolved") {
        REQUIRE(next);
      } else {
        CHECK(!next);
        next = world.lead(2, 3);
        REQUIRE(next);
      }
      CHECK(world.contents(2, next) == Texts{"first"});
      CHECK(world.append(2, next, "second")->ok());
    }
  }
}

}  // namespace
}  // namespace wt::stream

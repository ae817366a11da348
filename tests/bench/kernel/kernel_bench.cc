// What one event, one sleep and one nested task cost, and how fast idle time passes.
//
// items_per_second is events (or tasks) of one core. Compare runs on the same machine only.
#include <benchmark/benchmark.h>

#include "sim/kernel/kernel.h"
#include "sim/kernel/sync.h"

using namespace wt;

namespace {

constexpr std::uint64_t kEventsPerRound = 100'000;

// A timer that schedules itself again after a pseudo-random time.
struct Ticker {
  Process* process = nullptr;
  std::uint64_t state = 0;
  static void tick(void* context, std::uint64_t) {
    auto& self = *static_cast<Ticker*>(context);
    self.state = self.state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto delay_ns = static_cast<DurationNs>(self.state >> 44);
    self.process->schedule_at(self.process->now() + delay_ns, TimerKind::protocol, &Ticker::tick, context);
  }
};

void run_steps(Kernel& kernel, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) kernel.step(kNever_ns - 1);
}

void finish(benchmark::State& state, std::uint64_t items_per_round) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * items_per_round));
}

// Arguments: pending timers, hash on.
void timers(benchmark::State& state) {
  Kernel kernel({});
  kernel.trace().set_hashing(state.range(1) != 0);
  Process& process = kernel.create_process("p");
  std::vector<Ticker> tickers(static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < tickers.size(); ++i) {
    tickers[i].process = &process;
    tickers[i].state = i * 977 + 1;
    Ticker::tick(&tickers[i], 0);
  }
  for (auto _ : state) run_steps(kernel, kEventsPerRound);
  finish(state, kEventsPerRound);
}
BENCHMARK(timers)->ArgsProduct({{16, 256, 4096}, {1, 0}});

// Events of now: messages and wake-ups, `pending` at a time.
struct Relay {
  Process* process = nullptr;
  static void pass(void* context, std::uint64_t argument) {
    auto& self = *static_cast<Relay*>(context);
    if (argument == 0) {
      self.process->schedule_at(self.process->now() + 1000, TimerKind::protocol, &Relay::pass, context, 15);
    } else {
      self.process->schedule_now(&Relay::pass, context, argument - 1);
    }
  }
};

// Fifteen of sixteen events are ready at once, as in a fault-free request's path.
void ready_events(benchmark::State& state) {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  std::vector<Relay> relays(static_cast<std::size_t>(state.range(0)));
  for (Relay& relay : relays) {
    relay.process = &process;
    Relay::pass(&relay, 15);
  }
  for (auto _ : state) run_steps(kernel, kEventsPerRound);
  finish(state, kEventsPerRound);
}
BENCHMARK(ready_events)->Arg(16)->Arg(256)->Arg(4096);

// A deadline that is set and cancelled by nearly every request.
void schedule_and_cancel(benchmark::State& state) {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  std::vector<Ticker> tickers(256);
  for (std::size_t i = 0; i < tickers.size(); ++i) {
    tickers[i].process = &process;
    tickers[i].state = i * 977 + 1;
    Ticker::tick(&tickers[i], 0);
  }
  const auto kind = state.range(0) == 0 ? TimerKind::protocol : TimerKind::park;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kEventsPerRound; ++i) {
      EventId id = process.schedule_at(kernel.now() + 30 * kSecond_ns, kind, &Ticker::tick, nullptr);
      kernel.step(kNever_ns - 1);
      process.cancel(id);
    }
  }
  finish(state, kEventsPerRound);
}
BENCHMARK(schedule_and_cancel)->Arg(0)->Arg(1);

Task<void> sleep_for_ever(Process& process, std::uint64_t seed) {
  for (;;) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    co_await process.sleep(static_cast<DurationNs>(seed >> 44));
  }
}

void sleepers(benchmark::State& state) {
  Kernel kernel({});
  Process& process = kernel.create_process("p");
  for (std::int64_t i = 0; i < state.range(0); ++i)
    process.spawn(sleep_for_ever(process, static_cast<std::uint64_t>(i) * 977 + 1));
  for (auto _ : state) run_steps(kernel, kEventsPerRound);
  finish(state, kEventsPerRound);
}
BENCHMARK(sleepers)->Arg(16)->Arg(256)->Arg(4096);

Task<std::uint64_t> nested(int depth) {
  if (depth == 0) co_return 1;
  const std::uint64_t below = co_await nested(depth - 1);
  co_return below + 1;
}

Task<void> call_nested(Process& process, int depth, std::uint64_t& total) {
  for (;;) {
    const std::uint64_t count = co_await nested(depth - 1);
    total += count;
    co_await process.yield();
  }
}

// Items are tasks: each is made, awaited and destroyed.
void nested_tasks(benchmark::State& state) {
  Kernel kernel({.max_events_at_once = ~0ULL});
  Process& process = kernel.create_process("p");
  std::uint64_t total = 0;
  const int depth = static_cast<int>(state.range(0));
  process.spawn(call_nested(process, depth, total));
  for (auto _ : state) run_steps(kernel, 10'000);
  benchmark::DoNotOptimize(total);
  finish(state, 10'000 * static_cast<std::uint64_t>(depth));
}
BENCHMARK(nested_tasks)->Arg(1)->Arg(8)->Arg(64);

Task<void> tick_every(Process& process, DurationNs period_ns) {
  for (;;) co_await process.sleep(period_ns);
}

// The timers of an idle cluster: heartbeats, leader fetches, session checks, clean-up.
void idle_cluster(benchmark::State& state) {
  Kernel kernel({});
  for (int broker = 0; broker < 3; ++broker) {
    Process& process = kernel.create_process("broker-" + std::to_string(broker));
    for (int i = 0; i < 4; ++i) process.spawn(tick_every(process, 500 * kMillisecond_ns));
    process.spawn(tick_every(process, 2 * kSecond_ns));
    process.spawn(tick_every(process, 9 * kSecond_ns));
    for (int i = 0; i < 16; ++i) process.spawn(tick_every(process, 30 * kSecond_ns));
  }
  std::int64_t virtual_seconds = 0;
  for (auto _ : state) {
    kernel.run_until(kernel.now() + kMinute_ns);
    virtual_seconds += 60;
  }
  state.counters["virtual_s_per_s"] =
      benchmark::Counter(static_cast<double>(virtual_seconds), benchmark::Counter::kIsRate);
}
BENCHMARK(idle_cluster);

}  // namespace

BENCHMARK_MAIN();

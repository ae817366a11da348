// The whole simulated cluster without sockets: produces, small runs, idling. docs/benchmarks.md says
// what each figure means. `--profile N` only produces N times, for a profiler.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <charconv>
#include <cstdio>
#include <cstring>

#include "tests/bench/cluster/world.h"

namespace wt::bench {
namespace {

// Runs of the world are short enough that the log stays small.
constexpr std::int64_t kProducesPerRun = 5000;

cluster::ClusterOptions options_of(std::int32_t brokers, std::uint64_t seed = 1) {
  cluster::ClusterOptions options;
  options.brokers = brokers;
  options.seed = seed;
  return options;
}

bool failed(benchmark::State& state, World& world) {
  std::string problem = world.problem();
  if (!world.ready()) problem = "the cluster did not settle";
  if (!problem.empty()) state.SkipWithError(problem.c_str());
  return !problem.empty();
}

// Full stack: client, network, broker, storage, trace. Arguments: trace hash on or off, record size.
void produce(benchmark::State& state) {
  const kafka::ProduceRequest request =
      produce_request(one_record_batch(static_cast<std::size_t>(state.range(1))));
  std::uint64_t steps = 0;
  std::int64_t produces = 0;
  for (auto step : state) {
    state.PauseTiming();
    auto world = std::make_unique<World>(options_of(3));
    world->kernel().trace().set_hashing(state.range(0) != 0);
    state.ResumeTiming();
    world->produce(request, kProducesPerRun);
    state.PauseTiming();
    if (failed(state, *world)) return;
    steps += world->produce_steps();
    produces += world->done();
    world.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(produces);
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["events/produce"] = static_cast<double>(steps) / static_cast<double>(produces);
}

// One seed of a campaign at its smallest: construct, create a topic, 100 produces, destroy.
void micro_seed(benchmark::State& state) {
  const kafka::ProduceRequest request = produce_request(one_record_batch(100));
  std::uint64_t seed = 1;
  std::uint64_t steps = 0;
  for (auto step : state) {
    World world(options_of(static_cast<std::int32_t>(state.range(0)), seed++));
    world.produce(request, state.range(1));
    steps += world.kernel().steps();
    if (failed(state, world)) return;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["events/seed"] = static_cast<double>(steps) / static_cast<double>(state.iterations());
}

// Nothing happens but heartbeats: how many times faster than the wall clock that goes.
void idle(benchmark::State& state) {
  World world(options_of(static_cast<std::int32_t>(state.range(0))));
  const std::uint64_t before = world.kernel().steps();
  double virtual_seconds = 0;
  for (auto step : state) {
    world.kernel().run_until(world.kernel().now() + kMinute_ns);
    virtual_seconds += 60;
  }
  if (failed(state, world)) return;
  const auto steps = static_cast<double>(world.kernel().steps() - before);
  state.counters["virtual_s/s"] = benchmark::Counter(virtual_seconds, benchmark::Counter::kIsRate);
  state.counters["events/virtual_s"] = steps / virtual_seconds;
}

std::size_t heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// What a settled cluster holds before anybody used it.
void construct(benchmark::State& state) {
  std::size_t heap_bytes = 0;
  for (auto step : state) {
    const std::size_t before = heap_in_use();
    World world(options_of(static_cast<std::int32_t>(state.range(0))));
    heap_bytes = heap_in_use() - before;
    if (failed(state, world)) return;
  }
  state.counters["heap_KiB"] = static_cast<double>(heap_bytes) / 1024;
}

BENCHMARK(produce)->ArgNames({"hash", "bytes"})->Args({1, 100})->Args({0, 100})->Args({1, 1000});
BENCHMARK(micro_seed)->ArgNames({"brokers", "produces"})->Args({3, 100})->Args({1, 100})->Args({3, 0});
BENCHMARK(idle)->ArgName("brokers")->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK(construct)->ArgName("brokers")->Arg(1)->Arg(3);

int profile(const char* count_text) {
  std::int64_t count = 0;
  std::from_chars(count_text, count_text + std::strlen(count_text), count);
  const kafka::ProduceRequest request = produce_request(one_record_batch(100));
  World world(options_of(3));
  world.produce(request, count);
  const std::string problem = world.problem();
  std::printf("%lld produces, %llu events %s\n", static_cast<long long>(world.done()),
              static_cast<unsigned long long>(world.produce_steps()), problem.c_str());
  return problem.empty() && world.done() == count ? 0 : 1;
}

}  // namespace
}  // namespace wt::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--profile") == 0) return wt::bench::profile(argv[2]);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

// Appends and reads of one stream with services that need no time.
#include <benchmark/benchmark.h>

#include "tests/unit/stream/world.h"

namespace wt::stream {
namespace {

Task<void> append_many(StreamPtr stream, const formats::Entry& entry, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<formats::Entry> entries;
    entries.push_back(entry);
    AppendResult result = co_await stream->append(std::move(entries));
    WT_INVARIANT(result.ok(), "bench.append", "an append failed");
  }
}

Task<void> read_many(StreamPtr stream, std::int64_t count, bool cold) {
  ReadRequest request;
  for (std::int64_t i = 0; i < count; ++i) {
    request.from = i % stream->committed_end();
    request.max_entries = 1;
    if (cold) stream->drop_cache();
    StatusOr<ReadResult> result = co_await stream->read(request);
    WT_INVARIANT(result.ok(), "bench.read", "a read failed");
  }
}

void append(benchmark::State& state) {
  constexpr std::int64_t kBatch = 20000;
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  const formats::Entry entry = make_entry(text);
  for (auto step : state) {
    state.PauseTiming();
    auto world = std::make_unique<World>();
    StreamPtr stream = world->lead(0, 1);
    state.ResumeTiming();
    world->process(0).spawn(append_many(stream, entry, kBatch));
    world->kernel.run_ready();
    state.PauseTiming();
    if (world->kernel.finding()) state.SkipWithError(world->kernel.finding()->message.c_str());
    stream.reset();
    world.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

void read(benchmark::State& state) {
  constexpr std::int64_t kEntries = 1000;
  World world;
  StreamPtr stream = world.lead(0, 1);
  const formats::Entry entry = make_entry(std::string(100, 'x'));
  world.process(0).spawn(append_many(stream, entry, kEntries));
  world.kernel.run_ready();
  for (auto step : state) {
    world.process(0).spawn(read_many(stream, kEntries, state.range(0) != 0));
    world.kernel.run_ready();
  }
  if (world.kernel.finding()) state.SkipWithError(world.kernel.finding()->message.c_str());
  state.SetItemsProcessed(state.iterations() * kEntries);
}

BENCHMARK(append)->ArgName("payload_bytes")->Arg(100)->Arg(16384);
BENCHMARK(read)->ArgName("cold")->Arg(0)->Arg(1);

}  // namespace
}  // namespace wt::stream

BENCHMARK_MAIN();

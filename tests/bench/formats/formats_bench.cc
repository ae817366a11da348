// Checksum, validation and projection rates.
#include <benchmark/benchmark.h>

#include "sim/formats/crc32c.h"
#include "sim/formats/entry.h"
#include "sim/formats/record_batch.h"

using namespace wt;
using namespace wt::formats;

namespace {

Slice batch_of(int records, std::size_t value_bytes, Codec codec) {
  BatchOptions options;
  options.codec = codec;
  BatchBuilder builder(options);
  const std::string value(value_bytes, 'v');
  for (int i = 0; i < records; ++i) {
    NewRecord record;
    record.timestamp_ms = 1000 + i;
    record.value = value;
    builder.add(record);
  }
  return builder.build();
}

void checksum(benchmark::State& state) {
  const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(state.range(0)), 3);
  for (auto _ : state) benchmark::DoNotOptimize(crc32c(bytes));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(checksum)->Arg(100)->Arg(1 << 14)->Arg(1 << 20);

void validate(benchmark::State& state) {
  const auto codec = static_cast<Codec>(state.range(1));
  const Slice batch = batch_of(static_cast<int>(state.range(0)), 100, codec);
  ValidationOptions options;
  options.topic_partition = "bench-0";
  options.depth = state.range(2) != 0 ? ValidationDepth::kDeep : ValidationDepth::kHeader;
  for (auto _ : state) {
    BatchVerdict verdict = validate_append(batch, options);
    if (!verdict.ok()) state.SkipWithError(verdict.message.c_str());
    benchmark::DoNotOptimize(verdict);
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(std::string(codec_name(codec)) + (state.range(2) != 0 ? " deep" : " header"));
}
BENCHMARK(validate)->ArgsProduct({{1, 100}, {0, 1, 2, 3, 4}, {0, 1}});

void project(benchmark::State& state) {
  const Slice batch = batch_of(static_cast<int>(state.range(0)), 100, Codec::kNone);
  const Entry entry = make_kafka_entry(validate_append(batch, {}), 5, 1, EntryFormat::kKafka);
  SliceList out;
  for (auto _ : state) {
    out.clear();
    project_kafka(entry, out);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(project)->Arg(1)->Arg(100);

}  // namespace

BENCHMARK_MAIN();

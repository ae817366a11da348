#include <catch2/catch.hpp>

#include "sim/kernel/kernel.h"

using namespace wt;

namespace {

void nothing(void*, std::uint64_t) {}

struct Counting final : TraceObserver {
  void on_record(const TraceRecord& record) override { sum += record.a; }
  std::uint64_t sum = 0;
};

}  // namespace

TEST_CASE("the ring keeps the last records, oldest first, and observers see all") {
  Trace trace(3);
  Counting counting;
  trace.observe(&counting);
  for (std::uint64_t i = 1; i <= 5; ++i) trace.record({0, "test.x"_label.info(), 0, 0, i, 0, 0});
  trace.unobserve(&counting);
  trace.record({0, "test.x"_label.info(), 0, 0, 6, 0, 0});
  const std::vector<TraceRecord> last = trace.last();
  REQUIRE(last.size() == 3);
  CHECK(last[0].a == 4);
  CHECK(last[2].a == 6);
  CHECK(counting.sum == 15);
  CHECK(trace.records() == 6);
}

TEST_CASE("every field of a record and every event reaches the hash") {
  const TraceRecord base{5, "test.x"_label.info(), 1, 0, 2, 3, 4};
  std::vector<TraceRecord> records(7, base);
  records[1].time_ns = 6;
  records[2].label = "test.y"_label.info();
  records[3].actor = 2;
  records[4].a = 9;
  records[5].b = 9;
  records[6].c = 9;
  std::vector<std::uint64_t> hashes;
  for (const TraceRecord& record : records) {
    Trace trace(4);
    trace.record(record);
    hashes.push_back(trace.hash());
  }
  Trace event(4);
  event.fold_event(5, 1);
  hashes.push_back(event.hash());
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

TEST_CASE("a record as text") {
  const TraceRecord record{
      kDefaultEpoch_ns + 12 * kSecond_ns + 5, "append.head.committed"_label.info(), 1, 42, 5, ~0ULL, 7};
  CHECK(to_text(record, kDefaultEpoch_ns, "broker-1") ==
        "+12.000000005s step 42 broker-1 append.head.committed 5 -1 7");
}

TEST_CASE("checkpoints come every so many steps and thin out when there are too many") {
  KernelOptions options;
  options.checkpoint_steps = 10;
  options.max_checkpoints = 8;
  Kernel kernel(options);
  std::uint64_t digest = 0;
  kernel.add_digest([&digest] { return ++digest; });
  for (int i = 0; i < 75; ++i) kernel.schedule_now(0, &nothing, nullptr, 0);
  kernel.run_ready();
  REQUIRE(kernel.checkpoints().size() == 7);
  CHECK(kernel.checkpoints()[0].step == 10);
  CHECK(kernel.checkpoints()[6].step == 70);
  CHECK(kernel.checkpoints()[0].hash != kernel.checkpoints()[1].hash);
  CHECK(kernel.checkpoints()[0].digest != kernel.checkpoints()[1].digest);
  for (int i = 0; i < 1000; ++i) kernel.schedule_now(0, &nothing, nullptr, 0);
  kernel.run_ready();
  CHECK(kernel.checkpoints().size() <= 8);
  for (std::size_t i = 1; i < kernel.checkpoints().size(); ++i) {
    CHECK(kernel.checkpoints()[i].step > kernel.checkpoints()[i - 1].step);
  }
}

TEST_CASE("a finding keeps the last events as text") {
  Kernel kernel{KernelOptions{}};
  kernel.record(0, "test.before"_label, 1, 2, 3);
  kernel.guarded([] { throw_violation("test.check", "broken"); });
  REQUIRE(kernel.finding());
  CHECK(kernel.finding()->message == "broken");
  CHECK(kernel.finding()->process.empty());
  CHECK(kernel.finding()->last_events.find("world test.before 1 2 3") != std::string::npos);
}

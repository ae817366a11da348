// Where a log is cut, and what its retention lets go.
#include <catch2/catch.hpp>

#include "sim/broker/segments.h"

using namespace wt;
using namespace wt::broker;

namespace {

constexpr std::int64_t kForever = -1;

struct Log {
  SegmentLimits limits;
  Segments segments;
  std::int64_t end = 0;
  std::int64_t start = 0;
  std::int64_t now_ms = 1'000'000;

  Log() {
    limits.segment_bytes = 100;
    limits.segment_ms = 1000;
    limits.retention_ms = kForever;
  }
  // One entry of ten records.
  void add(std::int64_t size_bytes, std::int64_t timestamp_ms) {
    formats::EntryHeader entry;
    entry.base_offset = end;
    entry.record_count = 10;
    entry.max_timestamp = timestamp_ms;
    segments.add(entry, size_bytes, now_ms, limits);
    end = entry.next_offset();
  }
  std::int64_t kept_from() const { return segments.kept_from(limits, now_ms, start, end); }
};

}  // namespace

TEST_CASE("a segment takes entries up to its size, and a larger one alone") {
  Log log;
  log.add(60, 0);
  log.add(40, 0);
  CHECK(log.segments.size() == 1);
  log.add(1, 0);
  CHECK(log.segments.size() == 2);
  log.add(500, 0);
  log.add(1, 0);
  CHECK(log.segments.size() == 4);
}

TEST_CASE("a segment ends when a timestamp is too far from its first one") {
  Log log;
  log.add(1, 5000);
  log.add(1, 6000);
  log.add(1, 4000);
  CHECK(log.segments.size() == 1);
  log.add(1, 6001);
  CHECK(log.segments.size() == 2);
}

TEST_CASE("without timestamps the clock of the broker counts") {
  Log log;
  log.add(1, formats::kNoTimestamp);
  log.now_ms += 1000;
  log.add(1, formats::kNoTimestamp);
  CHECK(log.segments.size() == 1);
  log.now_ms += 1;
  log.add(1, formats::kNoTimestamp);
  CHECK(log.segments.size() == 2);
  log.limits.retention_ms = 0;
  CHECK(log.kept_from() == 20);
  log.now_ms += 1;
  CHECK(log.kept_from() == 30);
}

TEST_CASE("segments go when their largest timestamp is older than the retention, the last one too") {
  Log log;
  log.limits.retention_ms = 500;
  log.add(100, log.now_ms - 501);
  log.add(100, log.now_ms - 500);
  log.add(100, log.now_ms - 400);
  CHECK(log.kept_from() == 10);
  log.now_ms += 1;
  CHECK(log.kept_from() == 20);
  log.now_ms += 100;
  CHECK(log.kept_from() == 30);
}

TEST_CASE("one young entry keeps its segment and all that come behind it") {
  Log log;
  log.limits.retention_ms = 500;
  log.limits.segment_ms = 1'000'000'000;
  log.add(50, log.now_ms);
  log.add(50, 0);
  log.add(50, 0);
  CHECK(log.segments.size() == 2);
  CHECK(log.kept_from() == 0);
  log.now_ms += 501;
  CHECK(log.kept_from() == 30);
}

TEST_CASE("the oldest segments go while the rest is no smaller than the retention's size") {
  Log log;
  for (int i = 0; i < 4; ++i) log.add(100, 0);
  log.limits.retention_bytes = 401;
  CHECK(log.kept_from() == 0);
  log.limits.retention_bytes = 301;
  CHECK(log.kept_from() == 0);
  log.limits.retention_bytes = 300;
  CHECK(log.kept_from() == 10);
  log.limits.retention_bytes = 150;
  CHECK(log.kept_from() == 20);
  log.limits.retention_bytes = 0;
  CHECK(log.kept_from() == 40);
}

TEST_CASE("nothing goes that is not replicated, or that is to be compacted only") {
  Log log;
  log.limits.retention_ms = 0;
  for (int i = 0; i < 3; ++i) log.add(100, 0);
  CHECK(log.segments.kept_from(log.limits, log.now_ms, 0, 25) == 20);
  log.limits.deletable = false;
  CHECK(log.kept_from() == 0);
  // What an administrator has deleted goes all the same, but for the last segment.
  log.start = 15;
  CHECK(log.kept_from() == 10);
  log.start = 30;
  CHECK(log.kept_from() == 20);
}

TEST_CASE("what is gone is gone, and the next entry begins a segment") {
  Log log;
  for (int i = 0; i < 3; ++i) log.add(60, 0);
  log.segments.trim(15);
  CHECK(log.segments.first_offset() == 10);
  log.segments.trim(30);
  CHECK(log.segments.empty());
  log.add(60, 0);
  CHECK(log.segments.first_offset() == 30);
}

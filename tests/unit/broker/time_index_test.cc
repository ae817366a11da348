#include <catch2/catch.hpp>

#include "sim/broker/time_index.h"

using wt::broker::TimeIndex;

namespace {
// Offsets 0, 10, 20, 30 with times that go up and down.
TimeIndex zigzag() {
  TimeIndex index;
  index.add(0, 100);
  index.add(10, 300);
  index.add(20, 200);
  index.add(30, 300);
  return index;
}
}  // namespace

TEST_CASE("the first entry at or after a time is found, however the times go") {
  const TimeIndex index = zigzag();
  CHECK(index.first_at_or_after(0) == 0);
  CHECK(index.first_at_or_after(100) == 0);
  CHECK(index.first_at_or_after(101) == 10);
  CHECK(index.first_at_or_after(200) == 10);
  CHECK(index.first_at_or_after(300) == 10);
  CHECK_FALSE(index.first_at_or_after(301));
  CHECK_FALSE(TimeIndex().first_at_or_after(0));
}

TEST_CASE("the largest time is that of its first entry, below a bound") {
  const TimeIndex index = zigzag();
  CHECK(index.largest(40) == 10);
  CHECK(index.largest(10) == 0);
  CHECK_FALSE(index.largest(0));
  CHECK(index.timestamp_of(20) == 200);
  CHECK(index.timestamp_of(21) == -1);
  CHECK(index.timestamp_of(99) == -1);
}

TEST_CASE("the search goes on behind an entry") {
  const TimeIndex index = zigzag();
  CHECK(index.next_at_or_after(10, 200) == 20);
  CHECK(index.next_at_or_after(10, 201) == 30);
  CHECK_FALSE(index.next_at_or_after(30, 0));
}

TEST_CASE("a trim keeps the entry that spans the log start and forgets the largest time with its entry") {
  TimeIndex index = zigzag();
  index.trim(15);
  CHECK(index.first_at_or_after(0) == 10);
  index.trim(20);
  CHECK(index.first_at_or_after(0) == 20);
  CHECK(index.first_at_or_after(201) == 30);
  CHECK(index.largest(40) == 30);
  CHECK(index.largest(30) == 20);
}

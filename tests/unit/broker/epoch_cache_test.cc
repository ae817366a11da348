// Rows A11–A13: where leader epochs end.
#include <catch2/catch.hpp>

#include "sim/broker/epoch_cache.h"
#include "sim/kernel/finding.h"

using wt::broker::EpochCache;
using End = EpochCache::End;

namespace {
constexpr std::int64_t kLogEnd = 100;

// Epochs 2 from 10, 5 from 20, 6 from 50.
EpochCache cache_of_three() {
  EpochCache cache;
  cache.assign(2, 10);
  cache.assign(5, 20);
  cache.assign(6, 50);
  return cache;
}
}  // namespace

TEST_CASE("A11: a known epoch ends where the next one starts, the current one at the log end") {
  const EpochCache cache = cache_of_three();
  CHECK(cache.end_of(2, kLogEnd) == End{2, 20});
  CHECK(cache.end_of(5, kLogEnd) == End{5, 50});
  CHECK(cache.end_of(6, kLogEnd) == End{6, kLogEnd});
}

TEST_CASE("A12: a skipped epoch answers with its predecessor, one below all with itself") {
  const EpochCache cache = cache_of_three();
  CHECK(cache.end_of(3, kLogEnd) == End{2, 20});
  CHECK(cache.end_of(4, kLogEnd) == End{2, 20});
  CHECK(cache.end_of(1, kLogEnd) == End{1, 10});
  CHECK(cache.end_of(0, kLogEnd) == End{0, 10});
}

TEST_CASE("A13: an epoch above all known ones, or none, is undefined") {
  const EpochCache cache = cache_of_three();
  CHECK(cache.end_of(7, kLogEnd) == End{-1, -1});
  CHECK(cache.end_of(-1, kLogEnd) == End{-1, -1});
  CHECK(EpochCache().end_of(0, 0) == End{-1, -1});
  // As measured: a negative epoch other than -1 is one below all.
  CHECK(cache.end_of(-2, kLogEnd) == End{-2, 10});
}

TEST_CASE("an epoch in which nothing was written leaves no trace") {
  EpochCache cache;
  cache.assign(0, 0);
  cache.assign(1, 0);
  cache.assign(2, 5);
  cache.assign(3, 5);
  CHECK(cache.end_of(0, 9) == End{0, 0});
  CHECK(cache.end_of(1, 9) == End{1, 5});
  CHECK(cache.end_of(2, 9) == End{1, 5});
  CHECK(cache.end_of(3, 9) == End{3, 9});
}

TEST_CASE("an epoch that is not newer changes nothing, and one before its predecessor is a finding") {
  EpochCache cache = cache_of_three();
  cache.assign(6, 70);
  cache.assign(4, 70);
  CHECK(cache.end_of(6, kLogEnd) == End{6, kLogEnd});
  CHECK(cache.epoch_at(60) == 6);
  CHECK_THROWS_AS(cache.assign(7, 49), wt::InvariantViolation);
}

TEST_CASE("each offset has the epoch that was current when it was written") {
  const EpochCache cache = cache_of_three();
  CHECK(cache.epoch_at(9) == -1);
  CHECK(cache.epoch_at(10) == 2);
  CHECK(cache.epoch_at(19) == 2);
  CHECK(cache.epoch_at(20) == 5);
  CHECK(cache.epoch_at(1000) == 6);
  CHECK(EpochCache().epoch_at(0) == -1);
}

TEST_CASE("a trim forgets epochs that end before the log start and moves the one that spans it") {
  EpochCache cache = cache_of_three();
  cache.trim(30);
  CHECK(cache.end_of(2, kLogEnd) == End{2, 30});  // below all now
  CHECK(cache.epoch_at(29) == -1);
  CHECK(cache.epoch_at(30) == 5);
  CHECK(cache.end_of(5, kLogEnd) == End{5, 50});
  cache.trim(50);
  CHECK(cache.end_of(5, kLogEnd) == End{5, 50});
  CHECK(cache.epoch_at(49) == -1);
  cache.trim(kLogEnd);
  CHECK(cache.latest() == 6);
  CHECK(cache.end_of(6, kLogEnd) == End{6, kLogEnd});
}

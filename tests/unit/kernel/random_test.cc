#include <catch2/catch.hpp>

#include "sim/kernel/finding.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/random.h"

using namespace wt;

TEST_CASE("a stream is xoshiro256++ seeded by splitmix64, in every build") {
  RandomStream random(1);
  // From the algorithms' definitions: state = first four outputs of splitmix64(1).
  std::uint64_t state[4] = {0x910A2DEC89025CC1ULL, 0xBEEB8DA1658EEC67ULL, 0xF893A2EEFB32555EULL,
                            0x71C18690EE42C90BULL};
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t sum = state[0] + state[3];
    const std::uint64_t expected = ((sum << 23) | (sum >> 41)) + state[0];
    const std::uint64_t t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = (state[3] << 45) | (state[3] >> 19);
    REQUIRE(random.next() == expected);
  }
  CHECK(random.draws() == 100);
}

TEST_CASE("bounded draws reach both ends and no further") {
  RandomStream random(2);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t value = random.between(-3, 4);
    REQUIRE(value >= -3);
    REQUIRE(value <= 4);
    low = low || value == -3;
    high = high || value == 4;
  }
  CHECK(low);
  CHECK(high);
  CHECK(random.below(1) == 0);
  CHECK(random.between(7, 7) == 7);
  (void)random.between(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS(random.below(0), InvariantViolation);
  CHECK_THROWS_AS(random.between(1, 0), InvariantViolation);
}

TEST_CASE("chances in parts per million") {
  RandomStream random(3);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) {
    if (random.chance_ppm(250'000)) ++hits;
    REQUIRE_FALSE(random.chance_ppm(0));
    REQUIRE(random.chance_ppm(kPpmAlways));
  }
  CHECK(hits > 24'000);
  CHECK(hits < 26'000);
}

TEST_CASE("an exponential draw has its mean, its cap and no overflow") {
  RandomStream random(4);
  std::int64_t sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t value = random.exponential(1'000'000);
    REQUIRE(value >= 0);
    REQUIRE(value <= 20'000'000);
    sum += value;
  }
  CHECK(sum / 100'000 > 950'000);
  CHECK(sum / 100'000 < 1'050'000);
  CHECK(random.exponential(0) == 0);
  for (int i = 0; i < 1000; ++i) REQUIRE(random.exponential(std::numeric_limits<std::int64_t>::max()) >= 0);
}

TEST_CASE("one more draw from one stream moves no other stream") {
  Kernel plain{KernelOptions{}};
  Kernel disturbed{KernelOptions{}};
  (void)disturbed.random("test.other"_label).next();
  CHECK(plain.random("test.mine"_label).next() == disturbed.random("test.mine"_label).next());
  CHECK(plain.random("test.mine"_label).next() != plain.random("test.yours"_label).next());
}

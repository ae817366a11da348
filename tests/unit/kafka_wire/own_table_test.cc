// A message declared here: the tables work for any struct, with every type and every form of a field.
#include <catch2/catch.hpp>

#include "sim/kafka/wire/codec.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/schema_random.h"
#include "sim/kafka/wire/schema_text.h"

namespace wt::kafka {
namespace {

using Bytes = std::vector<std::uint8_t>;
using schema::between;
using schema::since;

struct Inner {
  std::int8_t small = 0;
  std::string label;
  WT_HAS_TABLE;
};

// A default that is not empty.
std::vector<Inner> one_inner() {
  std::vector<Inner> list(1);
  list[0].label = "default";
  return list;
}

struct Sample {
  double ratio = 0.5;
  std::uint16_t port = 9092;
  std::uint32_t mask = 0;
  std::optional<Inner> inner;
  std::vector<Inner> list = one_inner();
  std::optional<Slice> blob;
  std::optional<Uuid> id;
  std::string name;
  WT_HAS_TABLE;
};

// clang-format off
WT_STRUCT(Inner,
    WT_FIELD(small),
    WT_FIELD(label).in(since(1)).tagged_as(2));
WT_MESSAGE(Sample, 0, 2, 1,
    WT_FIELD(ratio),
    WT_FIELD(port),
    WT_FIELD(mask).in(between(0, 1)),
    WT_FIELD(inner).or_null(since(1)),
    WT_FIELD(list),
    WT_FIELD(blob).or_null(),
    WT_FIELD(name).in(since(1)).tagged_as(5));
// clang-format on

Bytes bytes_of(const Sample& sample, Version version) {
  const auto slices = encode(sample, version);
  REQUIRE(slices.ok());
  const Slice whole = flatten(*slices);
  return {whole.bytes().begin(), whole.bytes().end()};
}

Sample sample() {
  Sample value;
  value.ratio = 1.0;
  value.port = 65535;
  value.inner.emplace(Inner{.small = -1});
  value.list.clear();
  return value;
}

TEST_CASE("every type has its bytes, classic and flexible") {
  Sample value = sample();
  value.mask = 0x80000001;
  CHECK(bytes_of(value, 0) == Bytes{0x3F, 0xF0, 0,    0, 0,    0,    0,    0,
                                    0xFF, 0xFF, 0x80, 0, 0,    1,    0xFF,  // ratio … inner
                                    0,    0,    0,    0, 0xFF, 0xFF, 0xFF, 0xFF});
  value.blob = Slice::copy_of("x");
  CHECK(bytes_of(value, 1) == Bytes{0x3F, 0xF0, 0,   0, 0, 0, 0, 0, 0xFF, 0xFF, 0x80, 0, 0, 1,  //
                                    1,    0xFF, 0,  // inner, not null
                                    1,    2,    'x', 0});
  value.inner.reset();
  value.mask = 0;
  CHECK(bytes_of(value, 2) == Bytes{0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 1, 2, 'x', 0});
  CHECK_FALSE(encode(value, 0).ok());  // null only from version 1 on
}

TEST_CASE("unknown tags keep their place among the known ones") {
  Sample value = sample();
  value.inner.reset();
  value.name = "n";
  value.unknown_tags = {{3, Slice::copy_of("a")}, {9, Slice::copy_of("b")}};
  const Bytes bytes = bytes_of(value, 2);
  const Bytes tail(bytes.end() - 11, bytes.end());
  CHECK(tail == Bytes{3, 3, 1, 'a', 5, 2, 2, 'n', 9, 1, 'b'});
  const auto again = decode<Sample>(Slice::copy_of(bytes), 2);
  REQUIRE(again.ok());
  CHECK(again->name == "n");
  CHECK(again->unknown_tags == value.unknown_tags);
  value.unknown_tags = {{5, Slice::copy_of("clash")}};
  CHECK_FALSE(encode(value, 2).ok());
  value.unknown_tags = {{9, {}}, {8, {}}};
  CHECK_FALSE(encode(value, 2).ok());
}

TEST_CASE("an array replaces the default's elements") {
  Sample value = sample();
  value.inner.reset();
  value.list = {Inner{.small = 1}};
  const auto again = decode<Sample>(Slice::copy_of(bytes_of(value, 2)), 2);
  REQUIRE(again.ok());
  REQUIRE(again->list.size() == 1);
  CHECK(again->list[0].label.empty());
}

TEST_CASE("equality looks at the version's fields, at unknown tags, and at records as bytes") {
  const auto same = [](const Sample& a, const Sample& b, Version version) {
    return schema::equal(Sample::kTable, &a, &b, version);
  };
  Sample a = sample();
  Sample b = sample();
  CHECK(same(a, b, 2));
  b.mask = 1;
  CHECK(same(a, b, 2));
  CHECK_FALSE(same(a, b, 1));
  CHECK_FALSE(same(a, b, schema::kEveryVersion));
  b = sample();
  b.inner->unknown_tags.push_back({4, {}});
  CHECK_FALSE(same(a, b, 2));
  b = sample();
  b.inner.reset();
  CHECK_FALSE(same(a, b, 2));
}

TEST_CASE("every type survives text, and the seed alone decides the random message") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Sample a;
    Sample b;
    schema::randomize(Sample::kTable, &a, 2, true, seed);
    schema::randomize(Sample::kTable, &b, 2, true, seed);
    CHECK(schema::equal(Sample::kTable, &a, &b, schema::kEveryVersion));
    const auto read = from_json<Sample>(schema::to_text(Sample::kTable, &a, 2));
    REQUIRE(read.ok());
    CHECK(bytes_of(*read, 2) == bytes_of(a, 2));
  }
  Sample fixed;
  schema::randomize(Sample::kTable, &fixed, 2, true, 1);
  // The same on every platform and in every build.
  CHECK(schema::to_text(Sample::kTable, &fixed, 2) ==
        R"({"ratio":425966361.75,"port":35,"inner":{"small":-91,"label":"aé\u000aé\\é_€"},)"
        R"("list":[{"small":8,"label":"a"}],"blob":null,"name":"\"Z€\"0"})");
}

}  // namespace
}  // namespace wt::kafka

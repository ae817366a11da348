// For every message, every version and any value: what is written reads back, what cannot be said in an
// older version is refused, and no cut frame is accepted.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "sim/kafka/wire/api.h"
#include "sim/kafka/wire/codec.h"
#include "sim/kafka/wire/codec_measure.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/messages/headers.h"
#include "sim/kafka/wire/schema_random.h"
#include "sim/kafka/wire/schema_text.h"

namespace wt::kafka {
namespace {

std::vector<const Table*> all_tables() {
  std::vector<const Table*> tables = {&RequestHeader::kTable, &ResponseHeader::kTable};
  for (const ApiSpec& api : all_apis()) {
    tables.push_back(api.request);
    tables.push_back(api.response);
  }
  return tables;
}

AnyMessage random_message(const Table& table, Version version, std::uint64_t seed,
                          const schema::RandomOptions& options = {}) {
  AnyMessage message(table);
  schema::randomize(table, message.object(), version, table.flexible.contains(version), seed, options);
  return message;
}

template <class Check>
void for_each_version(Check check) {
  for (const Table* table : all_tables()) {
    for (int version = table->versions.first; version <= table->versions.last; ++version) {
      check(*table, static_cast<Version>(version));
    }
  }
}

// One type for all properties: RapidCheck is instantiated once.
using Property = std::function<void(std::uint64_t seed)>;

bool holds(const Property& property) {
  return rc::check(property);
}

TEST_CASE("every message reads back as it was written, and prints the same") {
  CHECK(holds([](std::uint64_t seed) {
    for_each_version([&](const Table& table, Version version) {
      const AnyMessage message = random_message(table, version, seed);
      const auto bytes = encode_any(table, message.object(), version);
      RC_ASSERT(bytes.ok());
      const Slice frame = flatten(*bytes);
      const Part part{&table, message.object(), version, table.flexible.contains(version)};
      RC_ASSERT(*encoded_size({&part, 1}) == frame.size());
      const auto again = decode_any(table, frame, version);
      RC_ASSERT(again.ok());
      RC_ASSERT(schema::equal(table, message.object(), again->object(), version));
      RC_ASSERT(flatten(*encode_any(table, again->object(), version)) == frame);
      RC_ASSERT(schema::to_text(table, message.object(), version) ==
                schema::to_text(table, again->object(), version));
    });
  }));
}

TEST_CASE("every message survives its JSON text") {
  CHECK(holds([](std::uint64_t seed) {
    for_each_version([&](const Table& table, Version version) {
      const AnyMessage message = random_message(table, version, seed);
      AnyMessage again(table);
      RC_ASSERT(from_json(table, again.object(), schema::to_text(table, message.object(), version)).ok());
      RC_ASSERT(schema::equal(table, message.object(), again.object(), version));
    });
  }));
}

TEST_CASE("no frame that is cut short is accepted") {
  CHECK(holds([](std::uint64_t seed) {
    schema::RandomOptions small;
    small.max_elements = 2;
    small.max_records_bytes = 8;
    for_each_version([&](const Table& table, Version version) {
      const AnyMessage message = random_message(table, version, seed, small);
      const Slice frame = flatten(*encode_any(table, message.object(), version));
      // All cuts of short frames, a spread of cuts of long ones.
      const std::size_t step = 1 + frame.size() / 64;
      for (std::size_t size = seed % step; size < frame.size(); size += step) {
        const Slice cut = frame.sub(0, size);
        RC_ASSERT(!decode_any(table, cut, version).ok());
      }
    });
  }));
}

// The model: can every value be said in that version?
bool can_say(const Table& table, const void* object, Version version) {
  for (const schema::Field& field : table.all()) {
    if (!field.versions.contains(version)) {
      if (!field.is_ignorable && !schema::is_default(table, field, object)) return false;
      continue;
    }
    const void* value = schema::value_of(field, object);
    if (value == nullptr) {
      // A tagged field that holds its default is not sent at all.
      const bool sent = !field.is_tagged(version) || !schema::is_default(table, field, object);
      if (sent && !field.nullable.contains(version)) return false;
      continue;
    }
    if (field.element == nullptr) continue;
    if (field.array == nullptr) {
      if (!can_say(*field.element, value, version)) return false;
      continue;
    }
    const schema::Elements elements = schema::elements_of(field, value);
    for (std::size_t i = 0; i < elements.count; ++i) {
      if (!can_say(*field.element, elements[i], version)) return false;
    }
  }
  return true;
}

TEST_CASE("a message of one version is said in another without loss of its live fields, or refused") {
  CHECK(holds([](std::uint64_t seed) {
    schema::RandomOptions plain;
    plain.unknown_tag_one_in = 0;
    plain.max_elements = 2;
    for_each_version([&](const Table& table, Version version) {
      const auto span = static_cast<std::uint64_t>(table.versions.last - table.versions.first + 1);
      const auto other = static_cast<Version>(table.versions.first + static_cast<int>(seed % span));
      const AnyMessage message = random_message(table, version, seed, plain);
      const auto bytes = encode_any(table, message.object(), other);
      RC_ASSERT(bytes.ok() == can_say(table, message.object(), other));
      if (!bytes.ok()) return;
      const auto again = decode_any(table, flatten(*bytes), other);
      RC_ASSERT(again.ok());
      RC_ASSERT(schema::equal(table, message.object(), again->object(), other));
    });
  }));
}

TEST_CASE("inlining records changes the pieces, never the bytes") {
  CHECK(holds([](std::uint64_t seed) {
    for_each_version([&](const Table& table, Version version) {
      const AnyMessage message = random_message(table, version, seed);
      EncodeOptions inlined;
      inlined.inline_below_bytes = seed % 80;
      RC_ASSERT(flatten(*encode_any(table, message.object(), version)) ==
                flatten(*encode_any(table, message.object(), version, inlined)));
    });
  }));
}

}  // namespace
}  // namespace wt::kafka

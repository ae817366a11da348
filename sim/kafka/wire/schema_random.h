// Random messages from a seed, for property tests and generated frames.
#pragma once

#include "sim/kafka/wire/schema.h"

namespace wt::schema {

struct RandomOptions {
  int max_elements = 3;
  int max_string_bytes = 12;
  int max_records_bytes = 64;
  // One struct in this many gets a tag that nobody knows; 0: none.
  int unknown_tag_one_in = 8;
};

// Fills every field that exists in `version` of the default-constructed struct at `object`, nulls only
// where allowed. The same seed gives the same message on every platform.
void randomize(const Table& table, void* object, Version version, bool flexible, std::uint64_t seed,
               const RandomOptions& options = {});

}  // namespace wt::schema

// The registry of Kafka APIs: for each key its name and the tables of its two messages.
//
// Versions are what the codec can read and write; which of them a broker offers is a matter of the
// release profile (sim/kafka/profiles).
#pragma once

#include <cstdint>
#include <span>

#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

inline constexpr std::int16_t kApiVersionsKey = 18;

struct ApiSpec {
  std::int16_t key;
  const char* name;
  const schema::Table* request;
  const schema::Table* response;

  schema::VersionRange versions() const { return request->versions; }
  bool is_flexible(schema::Version version) const { return request->flexible.contains(version); }
  schema::Version request_header_version(schema::Version version) const {
    return is_flexible(version) ? 2 : 1;
  }
  // ApiVersions answers with the oldest header, so that a client can read it before it knows anything.
  schema::Version response_header_version(schema::Version version) const {
    return key != kApiVersionsKey && is_flexible(version) ? 1 : 0;
  }
};

// Null for keys without definitions.
const ApiSpec* find_api(std::int16_t key);
// All, ordered by key.
std::span<const ApiSpec> all_apis();

}  // namespace wt::kafka

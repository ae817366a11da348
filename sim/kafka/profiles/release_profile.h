// Release profiles: what a broker of a named Kafka release offers and how it behaves.
//
// A profile is constant data. What a simulated broker tells its clients is the profile's list, narrowed on
// request to the APIs that have a handler (an ApiKeySet); what it takes goes through is_supported.
#pragma once

#include <bitset>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

using schema::Version;
using schema::VersionRange;

// Keys that a client is to be told of.
using ApiKeySet = std::bitset<128>;

struct ApiRange {
  std::int16_t key = 0;
  VersionRange versions;
  friend bool operator==(const ApiRange&, const ApiRange&) = default;
};

struct FeatureRange {
  std::string_view name;
  std::int16_t min = 0;
  std::int16_t max = 0;
};

// Behaviours that changed between releases; the default is the newest.
struct Switches {
  // Version 2 transactions: an abort that InitProducerId or a time-out starts bumps the epoch once, not
  // twice.
  bool abort_bumps_epoch_once = true;
  // Version 2 transactions: an unknown producer must start with sequence 0.
  bool unknown_producer_needs_sequence_zero = true;
  // WriteTxnMarkers version 2: a marker's epoch must be above the producer's.
  bool strict_marker_epoch = true;
  // The transaction log record carries the producer ids before and after a rotation.
  bool log_keeps_rotated_producer_ids = true;
  // Fencing a producer at the last epoch gives it a new producer id.
  bool fence_rotates_producer_id = true;
  // A known member of a KIP-848 group may join again with epoch 0.
  bool member_rejoin_with_epoch_zero = true;
  // A commit with an older member epoch counts for partitions that the member still owns.
  bool commit_with_older_member_epoch = true;
  // A KIP-848 group gets a new target assignment at most once in an interval.
  bool assignment_interval = true;
  // The coordinator remembers the epoch before the last bump across its own failover.
  bool log_keeps_last_producer_epoch = false;
};

struct ReleaseProfile {
  std::string_view name;           // "kafka-4.4"
  int minor = 4;                   // of its version
  std::span<const ApiRange> apis;  // advertised, ordered by key
  std::span<const FeatureRange> supported_features;
  std::span<const FeatureRange> finalized_features;  // of a new cluster
  Switches switches;

  const ApiRange* find(std::int16_t key) const;
};

// "kafka-4.4", the newest.
const ReleaseProfile& default_profile();
// Null for an unknown name.
const ReleaseProfile* find_profile(std::string_view name);
std::span<const ReleaseProfile> all_profiles();

// Does this release take requests of that version? Narrower than what it advertises: Produce 0 to 2 are
// advertised for the sake of old clients, and refused.
bool is_supported(const ReleaseProfile& profile, std::int16_t key, Version version);

// GetTelemetrySubscriptions and PushTelemetry: of every release, but only where a broker has a receiver for
// what clients send. Not in a profile's list.
inline constexpr ApiRange kTelemetryApis[] = {{71, {0, 0}}, {72, {0, 0}}};

// The ranges to advertise: of APIs in the profile that are in the set. Versions are those that the codec can
// speak, where it knows the API at all.
std::vector<ApiRange> advertised(const ReleaseProfile& profile, const ApiKeySet& implemented);

// The answer to an ApiVersions request of a version in the profile. `finalized` are the features of the
// cluster at `finalized_epoch`; an epoch below 0 says they are not known.
ApiVersionsResponse api_versions_response(const ReleaseProfile& profile, const ApiKeySet& implemented,
                                          Version version, std::span<const FeatureRange> finalized,
                                          std::int64_t finalized_epoch);
// The answer to one of an unknown version, to be encoded in version 0: an error and how to ask.
ApiVersionsResponse api_versions_unsupported(const ReleaseProfile& profile);

}  // namespace wt::kafka

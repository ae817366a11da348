#include "sim/kafka/profiles/release_profile.h"

#include <algorithm>
#include <array>

#include "sim/kafka/profiles/profile_data.h"
#include "sim/kafka/wire/api.h"

namespace wt::kafka {
namespace {

constexpr std::int16_t kProduceKey = 0;
constexpr Version kFirstProduceVersion = 3;
// Clients that ask in a version up to this cannot read a feature whose lowest level is 0.
constexpr Version kLastStrictFeatureVersion = 3;

// Feature tables: {name, lowest, highest level}; finalized ones at one level.
constexpr FeatureRange kSupported40[] = {{"eligible.leader.replicas.version", 0, 1},
                                         {"group.version", 0, 1},
                                         {"kraft.version", 0, 1},
                                         {"metadata.version", 7, 25},
                                         {"transaction.version", 0, 2}};
constexpr FeatureRange kFinalized40[] = {{"group.version", 1, 1},
                                         {"kraft.version", 1, 1},
                                         {"metadata.version", 25, 25},
                                         {"transaction.version", 2, 2}};
constexpr FeatureRange kSupported41[] = {{"eligible.leader.replicas.version", 0, 1},
                                         {"group.version", 0, 1},
                                         {"kraft.version", 0, 1},
                                         {"metadata.version", 7, 27},
                                         {"share.version", 0, 1},
                                         {"transaction.version", 0, 2}};
constexpr FeatureRange kFinalized41[] = {{"eligible.leader.replicas.version", 1, 1},
                                         {"group.version", 1, 1},
                                         {"kraft.version", 1, 1},
                                         {"metadata.version", 27, 27},
                                         {"share.version", 1, 1},
                                         {"transaction.version", 2, 2}};
constexpr FeatureRange kSupported42[] = {{"eligible.leader.replicas.version", 0, 1},
                                         {"group.version", 0, 1},
                                         {"kraft.version", 0, 1},
                                         {"metadata.version", 7, 29},
                                         {"share.version", 0, 1},
                                         {"streams.version", 0, 1},
                                         {"transaction.version", 0, 2}};
constexpr FeatureRange kFinalized42[] = {{"eligible.leader.replicas.version", 1, 1},
                                         {"group.version", 1, 1},
                                         {"kraft.version", 1, 1},
                                         {"metadata.version", 29, 29},
                                         {"share.version", 1, 1},
                                         {"streams.version", 1, 1},
                                         {"transaction.version", 2, 2}};
constexpr FeatureRange kSupported43[] = {{"eligible.leader.replicas.version", 0, 1},
                                         {"group.version", 0, 1},
                                         {"kraft.version", 0, 1},
                                         {"metadata.version", 7, 30},
                                         {"share.version", 0, 1},
                                         {"streams.version", 0, 1},
                                         {"transaction.version", 0, 2}};
constexpr FeatureRange kFinalized43[] = {{"eligible.leader.replicas.version", 1, 1},
                                         {"group.version", 1, 1},
                                         {"kraft.version", 1, 1},
                                         {"metadata.version", 30, 30},
                                         {"share.version", 1, 1},
                                         {"streams.version", 1, 1},
                                         {"transaction.version", 2, 2}};
constexpr FeatureRange kSupported44[] = {{"eligible.leader.replicas.version", 0, 1},
                                         {"group.version", 0, 1},
                                         {"kraft.version", 0, 1},
                                         {"metadata.version", 7, 33},
                                         {"share.version", 0, 2},
                                         {"streams.version", 0, 1},
                                         {"transaction.version", 0, 2}};
constexpr FeatureRange kFinalized44[] = {{"eligible.leader.replicas.version", 1, 1},
                                         {"group.version", 1, 1},
                                         {"kraft.version", 1, 1},
                                         {"metadata.version", 33, 33},
                                         {"share.version", 2, 2},
                                         {"streams.version", 1, 1},
                                         {"transaction.version", 2, 2}};

constexpr Switches switches_of(std::size_t line) {
  Switches switches;
  switches.unknown_producer_needs_sequence_zero = line >= 1;
  switches.strict_marker_epoch = line >= 2;
  switches.member_rejoin_with_epoch_zero = line >= 2;
  switches.log_keeps_rotated_producer_ids = line >= 3;
  switches.fence_rotates_producer_id = line >= 3;
  switches.commit_with_older_member_epoch = line >= 3;
  switches.assignment_interval = line >= 3;
  return switches;
}

struct Profiles {
  std::array<std::vector<ApiRange>, kReleaseLines> ranges;
  std::array<ReleaseProfile, kReleaseLines> profiles;

  Profiles() {
    for (std::size_t line = 0; line < kReleaseLines; ++line) {
      for (const ApiRow& row : api_rows()) {
        if (!row.versions[line].empty()) ranges[line].push_back({row.key, row.versions[line]});
      }
    }
    profiles = {{{"kafka-4.0", 0, ranges[0], kSupported40, kFinalized40, switches_of(0)},
                 {"kafka-4.1", 1, ranges[1], kSupported41, kFinalized41, switches_of(1)},
                 {"kafka-4.2", 2, ranges[2], kSupported42, kFinalized42, switches_of(2)},
                 {"kafka-4.3", 3, ranges[3], kSupported43, kFinalized43, switches_of(3)},
                 {"kafka-4.4", 4, ranges[4], kSupported44, kFinalized44, switches_of(4)}}};
  }
};

const Profiles& profiles() {
  static const Profiles all;
  return all;
}

}  // namespace

std::span<const ReleaseProfile> all_profiles() {
  return profiles().profiles;
}

const ReleaseProfile& default_profile() {
  return profiles().profiles.back();
}

const ReleaseProfile* find_profile(std::string_view name) {
  for (const ReleaseProfile& profile : all_profiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

const ApiRange* ReleaseProfile::find(std::int16_t key) const {
  const auto found =
      std::lower_bound(apis.begin(), apis.end(), key,
                       [](const ApiRange& range, std::int16_t wanted) { return range.key < wanted; });
  return found != apis.end() && found->key == key ? &*found : nullptr;
}

bool is_supported(const ReleaseProfile& profile, std::int16_t key, Version version) {
  const ApiRange* range = profile.find(key);
  const ApiSpec* api = find_api(key);
  if (range == nullptr || api == nullptr) return false;
  return range->versions.contains(version) && api->versions().contains(version);
}

std::vector<ApiRange> advertised(const ReleaseProfile& profile, const ApiKeySet& implemented) {
  std::vector<ApiRange> ranges;
  for (const ApiRange& range : profile.apis) {
    if (!implemented.test(static_cast<std::size_t>(range.key))) continue;
    const ApiSpec* api = find_api(range.key);
    VersionRange versions = range.versions;
    if (api == nullptr) {
      ranges.push_back(range);
      continue;
    }
    // Produce keeps its lowest advertised version although the codec begins with 3.
    if (range.key != kProduceKey || versions.first > kFirstProduceVersion) {
      versions.first = std::max(versions.first, api->versions().first);
    }
    versions.last = std::min(versions.last, api->versions().last);
    if (!versions.empty()) ranges.push_back({range.key, versions});
  }
  return ranges;
}

ApiVersionsResponse api_versions_response(const ReleaseProfile& profile, const ApiKeySet& implemented,
                                          Version version, std::span<const FeatureRange> finalized,
                                          std::int64_t finalized_epoch) {
  ApiVersionsResponse response;
  for (const ApiRange& range : advertised(profile, implemented)) {
    ApiVersionsResponse::ApiVersion entry;
    entry.api_key = range.key;
    entry.min_version = range.versions.first;
    entry.max_version = range.versions.last;
    response.api_keys.push_back(entry);
  }
  for (const FeatureRange& feature : profile.supported_features) {
    if (version <= kLastStrictFeatureVersion && feature.min == 0) continue;
    ApiVersionsResponse::SupportedFeatureKey entry;
    entry.name = feature.name;
    entry.min_version = feature.min;
    entry.max_version = feature.max;
    response.supported_features.push_back(entry);
  }
  if (finalized_epoch < 0) return response;
  response.finalized_features_epoch = finalized_epoch;
  for (const FeatureRange& feature : finalized) {
    ApiVersionsResponse::FinalizedFeatureKey entry;
    entry.name = feature.name;
    entry.min_version_level = feature.max;
    entry.max_version_level = feature.max;
    response.finalized_features.push_back(entry);
  }
  return response;
}

ApiVersionsResponse api_versions_unsupported(const ReleaseProfile& profile) {
  ApiVersionsResponse response;
  response.error_code = ErrorCode::kUnsupportedVersion;
  const VersionRange versions = profile.find(kApiVersionsKey)->versions;
  ApiVersionsResponse::ApiVersion entry;
  entry.api_key = kApiVersionsKey;
  entry.min_version = versions.first;
  entry.max_version = versions.last;
  response.api_keys.push_back(entry);
  return response;
}

}  // namespace wt::kafka

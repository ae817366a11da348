// What a client is told about versions and features, per release.
#include <catch2/catch.hpp>
#include <map>

#include "sim/kafka/profiles/release_profile.h"
#include "sim/kafka/wire/api.h"

namespace wt::kafka {
namespace {

ApiKeySet everything() {
  ApiKeySet keys;
  for (const ApiSpec& api : all_apis()) keys.set(static_cast<std::size_t>(api.key));
  return keys;
}

std::map<std::int16_t, VersionRange> offered(const ReleaseProfile& profile, const ApiKeySet& keys) {
  std::map<std::int16_t, VersionRange> ranges;
  for (const ApiRange& range : advertised(profile, keys)) ranges[range.key] = range.versions;
  return ranges;
}

TEST_CASE("the default profile is 4.4, and the others go by name") {
  CHECK(default_profile().name == "kafka-4.4");
  CHECK(find_profile("kafka-4.0")->name == "kafka-4.0");
  CHECK(find_profile("kafka-9") == nullptr);
  CHECK(all_profiles().size() == 5);
}

TEST_CASE("only what is implemented is advertised, in the release's versions") {
  CHECK(advertised(default_profile(), {}).empty());
  ApiKeySet few;
  few.set(18).set(3).set(127);
  const auto ranges = offered(default_profile(), few);
  CHECK(ranges == std::map<std::int16_t, VersionRange>{{3, {0, 13}}, {18, {0, 5}}});

  const auto all = offered(default_profile(), everything());
  CHECK(all.at(22) == VersionRange{0, 5});  // 6 is not released
  CHECK(all.at(28) == VersionRange{0, 6});
  CHECK(all.count(71) == 0);
  const auto older = offered(*find_profile("kafka-4.0"), everything());
  CHECK(older.at(1) == VersionRange{4, 17});
  CHECK(older.at(28) == VersionRange{0, 5});
}

TEST_CASE("every message can be read in every version that a release offers") {
  for (const ReleaseProfile& profile : all_profiles()) {
    INFO(profile.name);
    for (const ApiRange& range : profile.apis) {
      const ApiSpec* api = find_api(range.key);
      REQUIRE(api != nullptr);
      INFO(api->name);
      CHECK(api->versions().last >= range.versions.last);
      CHECK((api->versions().first <= range.versions.first || range.key == 0));
    }
  }
}

TEST_CASE("Produce is advertised from 0 and taken from 3") {
  const auto ranges = offered(default_profile(), everything());
  CHECK(ranges.at(0) == VersionRange{0, 13});
  CHECK_FALSE(is_supported(default_profile(), 0, 2));
  CHECK(is_supported(default_profile(), 0, 3));
  CHECK(is_supported(default_profile(), 0, 13));
  CHECK_FALSE(is_supported(default_profile(), 0, 14));
  CHECK_FALSE(is_supported(default_profile(), 1, 3));
  CHECK_FALSE(is_supported(default_profile(), 999, 0));
  CHECK_FALSE(is_supported(*find_profile("kafka-4.0"), 0, 13));
}

TEST_CASE("features whose lowest level is 0 are hidden from clients that cannot read them") {
  const ReleaseProfile& profile = default_profile();
  const auto old_answer = api_versions_response(profile, everything(), 3, profile.finalized_features, 16);
  REQUIRE(old_answer.supported_features.size() == 1);
  CHECK(old_answer.supported_features[0].name == "metadata.version");
  const auto answer = api_versions_response(profile, everything(), 4, profile.finalized_features, 16);
  CHECK(answer.supported_features.size() == 7);
  CHECK(answer.finalized_features_epoch == 16);
  std::map<std::string, int> finalized;
  for (const auto& feature : answer.finalized_features) finalized[feature.name] = feature.max_version_level;
  CHECK(finalized["transaction.version"] == 2);
  CHECK(finalized["metadata.version"] == 33);
  CHECK(api_versions_response(profile, everything(), 4, {}, -1).finalized_features_epoch == -1);
}

TEST_CASE("an unknown ApiVersions version is answered with its own range alone") {
  const auto answer = api_versions_unsupported(default_profile());
  CHECK(answer.error_code == ErrorCode::kUnsupportedVersion);
  REQUIRE(answer.api_keys.size() == 1);
  CHECK(answer.api_keys[0].api_key == 18);
  CHECK(answer.api_keys[0].max_version == 5);
}

TEST_CASE("switches follow the release") {
  CHECK_FALSE(find_profile("kafka-4.0")->switches.unknown_producer_needs_sequence_zero);
  CHECK(find_profile("kafka-4.1")->switches.unknown_producer_needs_sequence_zero);
  CHECK_FALSE(find_profile("kafka-4.2")->switches.fence_rotates_producer_id);
  CHECK(default_profile().switches.fence_rotates_producer_id);
  CHECK_FALSE(find_profile("kafka-4.2")->switches.assignment_interval);
  CHECK(find_profile("kafka-4.3")->switches.assignment_interval);
}

}  // namespace
}  // namespace wt::kafka

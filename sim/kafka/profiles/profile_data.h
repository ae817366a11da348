// The advertised versions of each release line, as one matrix. Internal to this folder.
#pragma once

#include <span>

#include "sim/kafka/profiles/release_profile.h"

namespace wt::kafka {

inline constexpr std::size_t kReleaseLines = 5;

struct ApiRow {
  std::int16_t key;
  // Of 4.0, 4.1, …; empty where the release lacks the API.
  VersionRange versions[kReleaseLines];
};

std::span<const ApiRow> api_rows();

}  // namespace wt::kafka

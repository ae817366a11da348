// Settings of the coordinator and of one group: the broker's, overridden by what is set on the group.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/kafka/groups/options.h"
#include "sim/kafka/profiles/release_profile.h"

namespace wt::kafka {

GroupSettings group_settings(const controller::MetadataImage& image, std::int32_t broker,
                             const GroupSettings& defaults, std::string_view group);

// The defaults of a release that does otherwise than the newest.
void apply_switches(const Switches& switches, GroupSettings& settings);

// A static broker config that the coordinator reads when it starts.
struct GroupConfig {
  std::string_view name;  // as in server.properties
  std::int64_t low;
  std::int64_t high;
  void (*set)(GroupCoordinatorOptions& options, std::int64_t value);
};
// The one whose values are words: a MigrationPolicy by its number.
inline constexpr std::string_view kMigrationPolicyConfig = "group.consumer.migration.policy";
std::optional<std::int64_t> migration_policy(std::string_view word);
// The value as a file says it.
std::string group_config_text(std::string_view name, std::int64_t value);
// Null for a name that is none of them.
const GroupConfig* find_group_config(std::string_view name);

}  // namespace wt::kafka

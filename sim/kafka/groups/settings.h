// Settings of the coordinator and of one group: the broker's, overridden by what is set on the group.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

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
  // Where values are words: what the words say as a number, and which there are, for a sentence.
  std::optional<std::int64_t> (*read)(std::string_view words) = nullptr;
  std::string_view words = {};
};
// Its values are words: a MigrationPolicy by its number.
inline constexpr std::string_view kMigrationPolicyConfig = "group.consumer.migration.policy";
std::optional<std::int64_t> migration_policy(std::string_view word);
// The value as a file says it.
std::string group_config_text(std::string_view name, std::int64_t value);
// A list of words; kClassicProtocol and the like as bits. Nothing for a list that is empty, names something
// twice or something else, or lacks `classic`.
std::optional<std::int64_t> rebalance_protocols(std::string_view list);
// What `value` says, within the limits; nothing when it says nothing of the kind.
std::optional<std::int64_t> read_group_config(const GroupConfig& config, std::string_view value);
// Null for a name that is none of them.
const GroupConfig* find_group_config(std::string_view name);

}  // namespace wt::kafka

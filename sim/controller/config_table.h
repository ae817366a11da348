// Shorthand for the tables of config definitions; for config_defs_*.cc only.
#pragma once

#include <array>
#include <vector>

#include "sim/controller/config_defs.h"

namespace wt::controller::config_table {

inline constexpr ConfigType B = ConfigType::boolean;
inline constexpr ConfigType S = ConfigType::string;
inline constexpr ConfigType I = ConfigType::integer;
inline constexpr ConfigType H = ConfigType::short_integer;
inline constexpr ConfigType L = ConfigType::long_integer;
inline constexpr ConfigType D = ConfigType::floating;
inline constexpr ConfigType V = ConfigType::list;
inline constexpr ConfigType C = ConfigType::class_name;
inline constexpr ConfigType P = ConfigType::password;

inline constexpr std::optional<std::string_view> kNull = std::nullopt;
inline constexpr std::string_view kSame = "=";  // the synonym is the name itself
enum : unsigned { kSensitive = 1, kStatic = 2 };

struct Rule {
  ConfigRule rule = ConfigRule::none;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::string_view values;
};
constexpr Rule at_least(std::int64_t low) {
  return {ConfigRule::at_least, low, 0, {}};
}
constexpr Rule between(std::int64_t low, std::int64_t high) {
  return {ConfigRule::between, low, high, {}};
}
constexpr Rule one_of(std::string_view values) {
  return {ConfigRule::one_of, 0, 0, values};
}
constexpr Rule list_of(std::string_view values) {
  return {ConfigRule::list_of, 0, 0, values};
}
constexpr Rule throttled() {
  return {ConfigRule::throttled_replicas, 0, 0, {}};
}
constexpr Rule gzip_level() {
  return {ConfigRule::gzip_level, 1, 9, {}};
}

constexpr ConfigDef def(std::string_view name, ConfigType type, std::optional<std::string_view> default_value,
                        std::string_view synonym, unsigned flags = 0, const Rule& rule = {}) {
  return ConfigDef{
      name,     type,      default_value, synonym == kSame ? name : synonym, rule.rule,
      rule.low, rule.high, rule.values,   (flags & kSensitive) != 0,         (flags & kStatic) != 0};
}

// Rows that not every release has, or has in this form.
constexpr ConfigDef only(int first, int last, ConfigDef row) {
  row.first_release = static_cast<std::int8_t>(first);
  row.last_release = static_cast<std::int8_t>(last);
  return row;
}
constexpr ConfigDef since(int first, const ConfigDef& row) {
  return only(first, kNewestRelease, row);
}
constexpr ConfigDef until(int last, const ConfigDef& row) {
  return only(kOldestRelease, last, row);
}

// A table, cut for each release.
class ByRelease {
 public:
  explicit ByRelease(std::span<const ConfigDef> rows) {
    for (int release = kOldestRelease; release <= kNewestRelease; ++release) {
      for (const ConfigDef& row : rows) {
        if (row.first_release <= release && release <= row.last_release) cut(release).push_back(row);
      }
    }
  }
  std::span<const ConfigDef> of(int release) const { return cuts_[static_cast<std::size_t>(release)]; }

 private:
  std::vector<ConfigDef>& cut(int release) { return cuts_[static_cast<std::size_t>(release)]; }
  std::array<std::vector<ConfigDef>, kNewestRelease + 1> cuts_;
};

}  // namespace wt::controller::config_table

#include "sim/controller/names.h"

#include <algorithm>
#include <charconv>

namespace wt::controller {
namespace {

constexpr std::string_view kScheme = "persistent://";
constexpr std::string_view kPartitionMark = "-partition-";

bool is_legal(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-';
}

Error invalid_name(const std::string& why) {
  return Error(ErrorCode::invalid_topic_exception, "Topic name is invalid: " + why);
}

}  // namespace

std::string TopicName::full() const {
  return std::string(kScheme) + tenant + "/" + name_space + "/" + local;
}

std::string TopicName::kafka() const {
  return tenant == kDefaultTenant && name_space == kDefaultNamespace ? local : full();
}

std::optional<TopicName> parse_topic_name(std::string_view text) {
  TopicName name;
  const bool has_scheme = text.starts_with(kScheme);
  if (has_scheme) text.remove_prefix(kScheme.size());
  const std::size_t first = text.find('/');
  if (first == std::string_view::npos) {
    if (has_scheme || text.empty()) return std::nullopt;
    name.local = text;
    return name;
  }
  const std::size_t second = text.find('/', first + 1);
  if (second == std::string_view::npos || text.find('/', second + 1) != std::string_view::npos)
    return std::nullopt;
  name.tenant = text.substr(0, first);
  name.name_space = text.substr(first + 1, second - first - 1);
  name.local = text.substr(second + 1);
  if (name.tenant.empty() || name.name_space.empty() || name.local.empty()) return std::nullopt;
  return name;
}

std::string full_topic_name(std::string_view kafka_name) {
  const auto parsed = parse_topic_name(kafka_name);
  return parsed ? parsed->full() : std::string(kafka_name);
}

std::string kafka_topic_name(std::string_view name) {
  const auto parsed = parse_topic_name(name);
  return parsed ? parsed->kafka() : std::string(name);
}

Error validate_topic_name(std::string_view name, bool allow_full_names) {
  std::optional<TopicName> parsed;
  if (allow_full_names && name.starts_with(kScheme)) parsed = parse_topic_name(name);
  const std::string local = parsed ? parsed->local : std::string(name);
  if (local.empty()) return invalid_name("the empty string is not allowed");
  if (local == "." || local == "..") return invalid_name("'" + local + "' is not allowed");
  if (local.size() > kMaxTopicNameBytes)
    return invalid_name("the length of '" + local + "' is longer than the max allowed length 249");
  if (!std::all_of(local.begin(), local.end(), is_legal))
    return invalid_name("'" + local +
                        "' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'");
  return {};
}

bool has_collision_chars(std::string_view name) {
  return name.find_first_of("._") != std::string_view::npos;
}

std::string unified_topic_name(std::string_view name) {
  std::string unified(name);
  std::replace(unified.begin(), unified.end(), '.', '_');
  return unified;
}

std::optional<PartitionName> split_partition_name(std::string_view name) {
  const std::size_t at = name.rfind(kPartitionMark);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const std::string_view digits = name.substr(at + kPartitionMark.size());
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  PartitionName split;
  split.topic = name.substr(0, at);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), split.partition);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size() || digits.front() == '-')
    return std::nullopt;
  return split;
}

std::string partition_name(std::string_view topic, std::int32_t partition) {
  return std::string(topic) + std::string(kPartitionMark) + std::to_string(partition);
}

bool is_internal_topic(std::string_view name) {
  return name == "__consumer_offsets" || name == "__transaction_state" || name == "__share_group_state";
}

}  // namespace wt::controller

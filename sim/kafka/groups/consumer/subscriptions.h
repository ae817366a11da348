// Who subscribes to what in a consumer group, counted: by names, and by regular expressions with the topics
// that they were last resolved to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/controller/image.h"
#include "sim/kafka/groups/consumer/member.h"

namespace wt::kafka {

struct ResolvedRegex {
  std::set<std::string> topics;
  std::int64_t version = 0;       // of the metadata image
  std::int64_t timestamp_ms = 0;  // when
  bool operator==(const ResolvedRegex&) const = default;
};

class Subscriptions {
 public:
  // Either may be null: a member comes, goes, or changes.
  void replace(const ConsumerMember* before, const ConsumerMember* after);
  // Empty: it is forgotten.
  void resolve(const std::string& regex, std::optional<ResolvedRegex> resolved);

  bool has_topic(const std::string& topic) const { return topics_.count(topic) > 0; }
  std::int32_t regex_members(const std::string& regex) const;
  const std::map<std::string, std::int32_t>& regexes() const noexcept { return regexes_; }
  const std::map<std::string, ResolvedRegex>& resolved() const noexcept { return resolved_; }
  // Null when it has not been resolved yet.
  const ResolvedRegex* resolved(const std::string& regex) const;
  // Of any regular expression: all are resolved together.
  const ResolvedRegex* last_resolved() const;
  // Whether all of `members` members subscribe to the same topics.
  bool homogeneous(std::size_t members) const;

  // Ids of the existing topics that the member subscribes to.
  std::set<Uuid> topic_ids(const ConsumerMember& member, const controller::MetadataImage& image) const;
  // Changes when a subscribed topic appears, goes, grows, or changes its racks.
  std::int64_t metadata_hash(const controller::MetadataImage& image) const;

  bool operator==(const Subscriptions&) const = default;

 private:
  struct Count {
    std::int32_t by_name = 0;
    std::int32_t by_regex = 0;  // regular expressions that were resolved to it
    bool operator==(const Count&) const = default;
  };
  void count_names(const ConsumerMember& member, std::int32_t step);
  void count_topics(const ResolvedRegex& resolved, std::int32_t step);

  std::map<std::string, Count> topics_;
  std::map<std::string, std::int32_t> regexes_;  // and the number of members
  std::map<std::string, ResolvedRegex> resolved_;
};

}  // namespace wt::kafka

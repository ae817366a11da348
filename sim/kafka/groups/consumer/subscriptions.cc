#include "sim/kafka/groups/consumer/subscriptions.h"

#include "sim/kafka/groups/consumer/metadata_hash.h"

namespace wt::kafka {

void Subscriptions::count_names(const ConsumerMember& member, std::int32_t step) {
  for (const std::string& name : member.topic_names) {
    Count& count = topics_[name];
    count.by_name += step;
    if (count == Count()) topics_.erase(name);
  }
}

void Subscriptions::count_topics(const ResolvedRegex& resolved, std::int32_t step) {
  for (const std::string& name : resolved.topics) {
    Count& count = topics_[name];
    count.by_regex += step;
    if (count == Count()) topics_.erase(name);
  }
}

void Subscriptions::replace(const ConsumerMember* before, const ConsumerMember* after) {
  if (after != nullptr) {
    count_names(*after, 1);
    if (const std::string* regex = after->regex()) ++regexes_[*regex];
  }
  if (before != nullptr) {
    count_names(*before, -1);
    if (const std::string* regex = before->regex()) {
      if (--regexes_[*regex] == 0) regexes_.erase(*regex);
    }
  }
}

void Subscriptions::resolve(const std::string& regex, std::optional<ResolvedRegex> resolved) {
  if (resolved) count_topics(*resolved, 1);
  const auto old = resolved_.find(regex);
  if (old != resolved_.end()) {
    count_topics(old->second, -1);
    resolved_.erase(old);
  }
  if (resolved) resolved_.emplace(regex, *std::move(resolved));
}

std::int32_t Subscriptions::regex_members(const std::string& regex) const {
  const auto found = regexes_.find(regex);
  return found == regexes_.end() ? 0 : found->second;
}

const ResolvedRegex* Subscriptions::resolved(const std::string& regex) const {
  const auto found = resolved_.find(regex);
  return found == resolved_.end() ? nullptr : &found->second;
}

const ResolvedRegex* Subscriptions::last_resolved() const {
  return resolved_.empty() ? nullptr : &resolved_.begin()->second;
}

bool Subscriptions::homogeneous(std::size_t members) const {
  const auto everybody = static_cast<std::int32_t>(members);
  if (!regexes_.empty() && regexes_.begin()->second != everybody) return false;
  for (const auto& [name, count] : topics_) {
    if (regexes_.empty() ? count.by_name != everybody : count != Count{0, 1}) return false;
  }
  return true;
}

std::set<Uuid> Subscriptions::topic_ids(const ConsumerMember& member,
                                        const controller::MetadataImage& image) const {
  std::set<Uuid> ids;
  const auto add = [&](const std::set<std::string>& names) {
    for (const std::string& name : names) {
      if (const auto* topic = image.topic(name)) ids.insert(topic->topic_id);
    }
  };
  add(member.topic_names);
  if (const std::string* regex = member.regex()) {
    if (const ResolvedRegex* resolved = this->resolved(*regex)) add(resolved->topics);
  }
  return ids;
}

std::int64_t Subscriptions::metadata_hash(const controller::MetadataImage& image) const {
  std::vector<std::uint64_t> hashes;
  for (const auto& [name, count] : topics_) {
    if (const auto* topic = image.topic(name)) hashes.push_back(topic_hash(*topic, image));
  }
  return static_cast<std::int64_t>(group_hash(hashes));
}

}  // namespace wt::kafka

#include "sim/kafka/handlers/fetch_session.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace wt::kafka {

std::int32_t next_session_epoch(std::int32_t epoch) {
  return epoch == std::numeric_limits<std::int32_t>::max() ? 1 : epoch + 1;
}

void FetchItems::set(FetchItem item) {
  const auto known = by_target_.find(item.target);
  if (known == by_target_.end()) {
    list_.push_back(std::move(item));
    by_target_.emplace(list_.back().target, std::prev(list_.end()));
    return;
  }
  FetchItem& changed = *known->second;
  changed.current_leader_epoch = item.current_leader_epoch;
  changed.fetch_offset = item.fetch_offset;
  changed.last_fetched_epoch = item.last_fetched_epoch;
  changed.max_bytes = item.max_bytes;
}

void FetchItems::take(const FetchRequest& request) {
  for (const auto& topic : request.topics) {
    for (const auto& partition : topic.partitions) {
      FetchItem item;
      item.target = {topic.topic, topic.topic_id, partition.partition};
      item.current_leader_epoch = partition.current_leader_epoch;
      item.fetch_offset = partition.fetch_offset;
      item.last_fetched_epoch = partition.last_fetched_epoch;
      item.max_bytes = partition.partition_max_bytes;
      set(std::move(item));
    }
  }
  for (const auto& topic : request.forgotten_topics_data) {
    for (const std::int32_t partition : topic.partitions) {
      const auto known = by_target_.find(FetchTarget{topic.topic, topic.topic_id, partition});
      if (known == by_target_.end()) continue;
      list_.erase(known->second);
      by_target_.erase(known);
    }
  }
}

void FetchItems::rotate(const FetchTarget& target) {
  const auto known = by_target_.find(target);
  if (known != by_target_.end()) list_.splice(list_.end(), list_, known->second);
}

FetchItem* FetchItems::find(const FetchTarget& target) {
  const auto known = by_target_.find(target);
  return known == by_target_.end() ? nullptr : &*known->second;
}

FetchSession* FetchSessions::find(std::int32_t id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : &found->second;
}

bool FetchSessions::make_room(TimeNs now_ns) {
  if (sessions_.size() < options_.max_sessions) return true;
  const auto oldest = std::min_element(sessions_.begin(), sessions_.end(), [](const auto& a, const auto& b) {
    return a.second.last_used_ns < b.second.last_used_ns;
  });
  if (oldest == sessions_.end() || now_ns - oldest->second.last_used_ns <= options_.min_eviction_age_ns)
    return false;
  sessions_.erase(oldest);
  return true;
}

FetchSession* FetchSessions::create(const FetchRequest& request, bool by_id, TimeNs now_ns,
                                    RandomStream& random) {
  FetchItems items(request);
  if (too_large(items) || !make_room(now_ns)) return nullptr;
  std::int32_t id = 0;
  do {
    id = static_cast<std::int32_t>(random.between(1, std::numeric_limits<std::int32_t>::max()));
  } while (sessions_.contains(id));
  FetchSession& session = sessions_[id];
  session.id = id;
  session.by_id = by_id;
  session.last_used_ns = now_ns;
  session.items = std::move(items);
  return &session;
}

}  // namespace wt::kafka

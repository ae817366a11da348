#include "sim/kafka/handlers/fetch_session.h"

#include <algorithm>
#include <limits>

namespace wt::kafka {

std::int32_t next_session_epoch(std::int32_t epoch) {
  return epoch == std::numeric_limits<std::int32_t>::max() ? 1 : epoch + 1;
}

std::list<FetchItem> items_of(const FetchRequest& request) {
  std::list<FetchItem> items;
  for (const auto& topic : request.topics) {
    for (const auto& partition : topic.partitions) {
      FetchItem item;
      item.target = {topic.topic, topic.topic_id, partition.partition};
      item.current_leader_epoch = partition.current_leader_epoch;
      item.fetch_offset = partition.fetch_offset;
      item.last_fetched_epoch = partition.last_fetched_epoch;
      item.max_bytes = partition.partition_max_bytes;
      items.push_back(std::move(item));
    }
  }
  return items;
}

std::list<FetchItem>::iterator FetchSession::find(const FetchTarget& target) {
  return std::find_if(items.begin(), items.end(), [&target](const FetchItem& item) { return item.target == target; });
}

void FetchSession::update(const FetchRequest& request) {
  for (FetchItem& changed : items_of(request)) {
    const auto known = find(changed.target);
    if (known == items.end()) {
      items.push_back(std::move(changed));
      continue;
    }
    known->current_leader_epoch = changed.current_leader_epoch;
    known->fetch_offset = changed.fetch_offset;
    known->last_fetched_epoch = changed.last_fetched_epoch;
    known->max_bytes = changed.max_bytes;
  }
  for (const auto& topic : request.forgotten_topics_data) {
    for (const std::int32_t partition : topic.partitions) {
      const FetchTarget target{topic.topic, topic.topic_id, partition};
      const auto known = find(target);
      if (known != items.end()) items.erase(known);
    }
  }
}

void FetchSession::rotate(std::list<FetchItem>::iterator item) { items.splice(items.end(), items, item); }

FetchSession* FetchSessions::find(std::int32_t id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : &found->second;
}

bool FetchSessions::make_room(TimeNs now_ns) {
  if (sessions_.size() < options_.max_sessions) return true;
  const auto oldest = std::min_element(sessions_.begin(), sessions_.end(), [](const auto& a, const auto& b) {
    return a.second.last_used_ns < b.second.last_used_ns;
  });
  if (oldest == sessions_.end() || now_ns - oldest->second.last_used_ns <= options_.min_eviction_age_ns) return false;
  sessions_.erase(oldest);
  return true;
}

FetchSession* FetchSessions::create(const FetchRequest& request, bool by_id, TimeNs now_ns, RandomStream& random) {
  if (!make_room(now_ns)) return nullptr;
  std::int32_t id = 0;
  do {
    id = static_cast<std::int32_t>(random.between(1, std::numeric_limits<std::int32_t>::max()));
  } while (sessions_.contains(id));
  FetchSession& session = sessions_[id];
  session.id = id;
  session.by_id = by_id;
  session.last_used_ns = now_ns;
  session.items = items_of(request);
  return &session;
}

}  // namespace wt::kafka

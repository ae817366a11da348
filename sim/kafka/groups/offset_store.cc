#include "sim/kafka/groups/offset_store.h"

#include <utility>

namespace wt::kafka {

const CommittedOffset* OffsetStore::find_in(const Groups& groups, std::string_view group,
                                            std::string_view topic, std::int32_t partition) {
  const auto topics = groups.find(group);
  if (topics == groups.end()) return nullptr;
  const auto partitions = topics->second.find(topic);
  if (partitions == topics->second.end()) return nullptr;
  const auto found = partitions->second.find(partition);
  return found == partitions->second.end() ? nullptr : &found->second;
}

bool OffsetStore::erase_in(Groups& groups, std::string_view group, std::string_view topic,
                           std::int32_t partition) {
  const auto topics = groups.find(group);
  if (topics == groups.end()) return false;
  const auto partitions = topics->second.find(topic);
  if (partitions == topics->second.end() || partitions->second.erase(partition) == 0) return false;
  if (partitions->second.empty()) topics->second.erase(partitions);
  if (topics->second.empty()) groups.erase(topics);
  return true;
}

const CommittedOffset* OffsetStore::find(std::string_view group, std::string_view topic,
                                         std::int32_t partition) const {
  return find_in(committed_, group, topic, partition);
}

const OffsetStore::Topics* OffsetStore::find(std::string_view group) const {
  const auto found = committed_.find(group);
  return found == committed_.end() ? nullptr : &found->second;
}

void OffsetStore::put(const std::string& group, const std::string& topic, std::int32_t partition,
                      CommittedOffset offset) {
  Partitions& partitions = committed_[group][topic];
  if (partitions.insert_or_assign(partition, std::move(offset)).second) ++size_;
}

void OffsetStore::erase(std::string_view group, std::string_view topic, std::int32_t partition) {
  if (erase_in(committed_, group, topic, partition)) --size_;
  for (auto& [producer_id, groups] : pending_) erase_in(groups, group, topic, partition);
}

void OffsetStore::put_pending(std::int64_t producer_id, const std::string& group, const std::string& topic,
                              std::int32_t partition, CommittedOffset offset) {
  pending_[producer_id][group][topic].insert_or_assign(partition, std::move(offset));
}

void OffsetStore::end_transaction(std::int64_t producer_id, bool commit) {
  const auto found = pending_.find(producer_id);
  if (found == pending_.end()) return;
  const Groups groups = std::move(found->second);
  pending_.erase(found);
  if (!commit) return;
  for (const auto& [group, topics] : groups) {
    for (const auto& [topic, partitions] : topics) {
      for (const auto& [partition, offset] : partitions) {
        const CommittedOffset* known = find(group, topic, partition);
        const bool newer = known == nullptr || offset.record_offset > known->record_offset;
        if (newer) put(group, topic, partition, offset);
      }
    }
  }
}

bool OffsetStore::is_pending(std::string_view group, std::string_view topic, std::int32_t partition) const {
  for (const auto& [producer_id, groups] : pending_) {
    if (find_in(groups, group, topic, partition) != nullptr) return true;
  }
  return false;
}

bool OffsetStore::has_transactions(std::string_view group) const {
  for (const auto& [producer_id, groups] : pending_) {
    if (groups.find(group) != groups.end()) return true;
  }
  return false;
}

}  // namespace wt::kafka

// Committed offsets of all groups of a shard, and those that wait for the end of a transaction.
//
// A plain container: what changes it are the records of the log, in their order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/formats/uuid.h"

namespace wt::kafka {

struct CommittedOffset {
  std::int64_t offset = -1;
  std::int32_t leader_epoch = -1;
  std::string metadata;
  std::int64_t commit_ms = -1;
  std::optional<std::int64_t> expire_ms;  // asked for by an old client; else the broker's retention counts
  Uuid topic_id;                          // zero: not known
  std::int64_t record_offset = -1;        // where it stands in the log
};

class OffsetStore {
 public:
  using Partitions = std::map<std::int32_t, CommittedOffset>;
  using Topics = std::map<std::string, Partitions, std::less<>>;

  // Null when nothing is committed.
  const CommittedOffset* find(std::string_view group, std::string_view topic, std::int32_t partition) const;
  const Topics* find(std::string_view group) const;
  bool has_any(std::string_view group) const { return find(group) != nullptr; }
  // Whether there is a committed one, or one that a transaction may commit.
  bool knows(std::string_view group, std::string_view topic, std::int32_t partition) const {
    return find(group, topic, partition) != nullptr || is_pending(group, topic, partition);
  }
  std::size_t size() const noexcept { return size_; }

  void put(const std::string& group, const std::string& topic, std::int32_t partition,
           CommittedOffset offset);
  // Also forgets what transactions would commit for this partition.
  void erase(std::string_view group, std::string_view topic, std::int32_t partition);

  // --- transactions, by producer id ---
  void put_pending(std::int64_t producer_id, const std::string& group, const std::string& topic,
                   std::int32_t partition, CommittedOffset offset);
  // Pending offsets become committed ones, unless a later record has committed another, or they go.
  void end_transaction(std::int64_t producer_id, bool commit);
  bool is_pending(std::string_view group, std::string_view topic, std::int32_t partition) const;
  bool has_transactions(std::string_view group) const;
  // Calls `visit(topic, partition)` for each pending offset of the group; some may come twice.
  template <class Visit>
  void for_each_pending(std::string_view group, Visit&& visit) const {
    for (const auto& [producer_id, groups] : pending_) {
      const auto found = groups.find(group);
      if (found == groups.end()) continue;
      for (const auto& [topic, partitions] : found->second) {
        for (const auto& [partition, offset] : partitions) visit(topic, partition);
      }
    }
  }

 private:
  using Groups = std::map<std::string, Topics, std::less<>>;

  static const CommittedOffset* find_in(const Groups& groups, std::string_view group, std::string_view topic,
                                        std::int32_t partition);
  // False when there was none.
  static bool erase_in(Groups& groups, std::string_view group, std::string_view topic,
                       std::int32_t partition);

  Groups committed_;
  std::map<std::int64_t, Groups> pending_;
  std::size_t size_ = 0;
};

}  // namespace wt::kafka

// Incremental fetch sessions of one broker (KIP-227).
//
// A session remembers what a client fetches and what it was told last, so that requests and answers
// carry only changes. Sessions are in memory: they end with the broker process.
#pragma once

#include <compare>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kernel/random.h"
#include "sim/kernel/time.h"

namespace wt::kafka {

// A partition as a fetch names it: by topic name, or by topic id from version 13 on.
struct FetchTarget {
  std::string topic;
  Uuid topic_id;
  std::int32_t partition = 0;
  friend auto operator<=>(const FetchTarget&, const FetchTarget&) = default;
};

struct FetchItem {
  FetchTarget target;
  // The topic's name once this broker has known it: a client that fetches by id and has been served is told
  // of a deletion as if it fetched by name.
  std::string known_name;
  std::int32_t current_leader_epoch = -1;
  std::int64_t fetch_offset = 0;
  std::int32_t last_fetched_epoch = -1;
  std::int32_t max_bytes = 0;
  // What the client was told last; -1 makes the partition be sent again.
  std::int64_t told_high_watermark = -1;
  std::int64_t told_log_start = -1;
};

// Items in the order in which they are served, each target once.
class FetchItems {
 public:
  using List = std::list<FetchItem>;

  FetchItems() = default;
  // Those of a request, in its order; of twins the last one counts, in the place of the first.
  explicit FetchItems(const FetchRequest& request) { take(request); }
  FetchItems(FetchItems&&) = default;
  FetchItems& operator=(FetchItems&&) = default;

  // Adds and changes what the request names, and forgets what it wants forgotten.
  void take(const FetchRequest& request);
  // Moves an item to the end, so that a full answer does not starve the others.
  void rotate(const FetchTarget& target);
  // Null when there is none.
  FetchItem* find(const FetchTarget& target);

  bool empty() const noexcept { return list_.empty(); }
  std::size_t size() const noexcept { return list_.size(); }
  List::iterator begin() noexcept { return list_.begin(); }
  List::iterator end() noexcept { return list_.end(); }

 private:
  void set(FetchItem item);

  List list_;
  std::map<FetchTarget, List::iterator> by_target_;
};

struct FetchSession {
  std::int32_t id = 0;
  std::int32_t epoch = 1;  // expected in the next request
  bool by_id = false;
  TimeNs last_used_ns = 0;
  FetchItems items;
};

struct FetchSessionOptions {
  std::size_t max_sessions = 1000;                  // max.incremental.fetch.session.cache.slots
  std::size_t max_partitions = 100'000;             // of one session; with more there is none
  DurationNs min_eviction_age_ns = 2 * kMinute_ns;  // younger ones are not pushed out
};

class FetchSessions {
 public:
  explicit FetchSessions(const FetchSessionOptions& options) : options_(options) {}

  // A new session for a full request; null when there is no room or the request is too large for one.
  FetchSession* create(const FetchRequest& request, bool by_id, TimeNs now_ns, RandomStream& random);
  FetchSession* find(std::int32_t id);
  bool too_large(const FetchItems& items) const noexcept { return items.size() > options_.max_partitions; }
  void remove(std::int32_t id) { sessions_.erase(id); }
  std::size_t size() const noexcept { return sessions_.size(); }

 private:
  bool make_room(TimeNs now_ns);

  FetchSessionOptions options_;
  std::map<std::int32_t, FetchSession> sessions_;
};

// 1 after the largest epoch: 0 would ask for a new session.
std::int32_t next_session_epoch(std::int32_t epoch);

}  // namespace wt::kafka

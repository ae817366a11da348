// The metadata store: a durable service with versioned keys, compare-and-set, atomic batches, lists,
// sessions and watches. Never killed; every call to it can be refused, slow, or lose its answer.
//
// Sessions expire on the virtual clock; ephemeral keys go with their session. A watch tells that
// something changed, late and merged: who is told reads again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/metadata/key_table.h"
#include "sim/metadata/messages.h"
#include "sim/network/calls.h"

namespace wt::metadata {

struct StoreLimits {
  std::size_t max_key_bytes = 1024;
  std::size_t max_value_bytes = 4 << 20;
  std::size_t max_operations = 4096;
  std::int32_t max_list = 4096;       // items in one answer; a greater limit is cut to this
  std::size_t max_watches = 65536;    // then ResourceExhausted
  std::size_t max_sessions = 65536;   // then ResourceExhausted
  std::size_t max_notice_keys = 256;  // more changes in one notice are not named
  DurationNs watch_delay_ns = 0;      // from a change to its notice
  DurationNs min_ttl_ns = kMillisecond_ns;
};

class MetadataStore final : public DurableService {
 public:
  explicit MetadataStore(Kernel& kernel, const StoreLimits& limits = {});
  MetadataStore(const MetadataStore&) = delete;
  MetadataStore& operator=(const MetadataStore&) = delete;

  StatusOr<BodyPtr> execute(NodeId from, MessageBody& request) override;

  // What a user of the store sees, for inspection and models; nothing when absent.
  std::optional<KeyValue> find(std::string_view key) const;
  std::size_t size() const noexcept { return items_.size(); }
  std::size_t sessions() const noexcept { return sessions_.size(); }
  // All keys with this prefix, ascending; for inspection.
  std::vector<KeyValue> items(std::string_view prefix) const;
  // Changes a key behind everybody's back, for tests of lost and damaged metadata.
  void overwrite(const std::string& key, Slice value);
  void remove(std::string_view key);
  // Folds every change made so far; equal histories have equal digests.
  std::uint64_t digest() const noexcept { return digest_; }

 private:
  using Item = KeyTable::Item;
  struct SessionState {
    DurationNs ttl_ns = 0;
    TimeNs expires_ns = 0;
    std::set<std::string> keys;
    EventId timer;
  };
  struct Watch {
    std::string prefix;
    ProcessId process = 0;
    std::weak_ptr<WatchSink> sink;
    std::set<std::string> changed;
    bool overflow = false;
    bool scheduled = false;
  };

  // The item of each operation's key before the write; null: absent.
  using Found = absl::InlinedVector<Item*, 4>;

  StatusOr<GetResponse> get(const GetRequest& request) const;
  StatusOr<WriteResponse> write(WriteRequest& request);
  StatusOr<ListResponse> list(const ListRequest& request) const;
  StatusOr<SessionResponse> session(const SessionRequest& request);
  StatusOr<WatchResponse> watch(const WatchRequest& request);

  Status validate(const WriteRequest& request) const;
  Status check(const WriteRequest& request, Found& found);
  void put(Item& item, Slice value, SessionId owner);
  void erase(Item& item);
  void disown(const std::string& key, SessionId owner);
  void changed(const std::string& key, OperationKind kind);
  void end_session(SessionId session);
  static void expiry_event(void* store, std::uint64_t session);
  static void notice_event(void* store, std::uint64_t watch);

  Kernel& kernel_;
  StoreLimits limits_;
  KeyTable items_;
  std::map<SessionId, SessionState> sessions_;
  std::map<std::uint64_t, Watch> watches_;
  Version revision_ = 0;
  SessionId next_session_ = 1;
  std::uint64_t next_watch_ = 1;
  std::uint64_t digest_ = 0;
};

}  // namespace wt::metadata

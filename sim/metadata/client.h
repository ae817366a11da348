// The metadata store as a task sees it. How calls can end: messages.h.
//
// Fault points: metadata.get, metadata.cas (writes), metadata.list, metadata.session (sessions and
// watches). A client is cheap; it must outlive its calls.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/metadata/messages.h"
#include "sim/network/calls.h"

namespace wt::metadata {

class MetadataClient {
 public:
  // `base` says from, to, time-out and broker; its topic must outlive the client.
  MetadataClient(Process& process, Calls& calls, const CallOptions& base);

  // What the calls are about from now on, for fault rules; the text must outlive the client.
  void set_about(std::string_view topic, std::int32_t partition);

  Task<StatusOr<GetResponse>> get(std::string key);
  // One compare-and-set: create (expected kAbsent), replace, or put no matter what (kAny).
  Task<StatusOr<WriteResponse>> put(std::string key, Slice value, Version expected, SessionId owner = 0);
  Task<StatusOr<WriteResponse>> erase(std::string key, Version expected);
  Task<StatusOr<WriteResponse>> multi(Operations operations);
  // A page of keys with the prefix behind `after`; `more` says whether to go on.
  Task<StatusOr<ListResponse>> list(std::string prefix, std::string after, std::int32_t limit);

  Task<StatusOr<SessionResponse>> create_session(DurationNs ttl_ns);
  Task<StatusOr<SessionResponse>> keep_alive(SessionId session);
  Task<StatusOr<SessionResponse>> close_session(SessionId session);

  // Notices come until unwatch, or until the sink or the process is gone.
  Task<StatusOr<WatchResponse>> watch(std::string prefix, std::weak_ptr<WatchSink> sink);
  Task<StatusOr<WatchResponse>> unwatch(std::uint64_t watch);

 private:
  Process* process_;
  Calls* calls_;
  CallOptions get_;
  CallOptions write_;
  CallOptions list_;
  CallOptions session_;
};

// A sink that calls a function.
class WatchCallback final : public WatchSink {
 public:
  using Function = std::function<void(std::uint64_t, const std::vector<std::string>&)>;
  explicit WatchCallback(Function function) : function_(std::move(function)) {}
  void on_change(std::uint64_t watch, const std::vector<std::string>& keys) override {
    function_(watch, keys);
  }

 private:
  Function function_;
};

}  // namespace wt::metadata

// Requests and answers of the metadata store.
//
// Versions come from one counter of the store, so that a key that is erased and created again never
// shows an old version. How a call can end:
//   Aborted            a compare-and-set found another version than expected; nothing was changed
//   NotFound           the key (get) or the session does not exist
//   InvalidArgument    the request makes no sense
//   Unavailable        no effect (refused, or nobody there)
//   DeadlineExceeded   no answer: the request may or may not have taken effect
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "sim/formats/slice.h"
#include "sim/kernel/process.h"
#include "sim/kernel/time.h"

namespace wt::metadata {

using Version = std::int64_t;
inline constexpr Version kAbsent = 0;  // the key must not exist
inline constexpr Version kAny = -1;    // no matter

using SessionId = std::uint64_t;  // 0: none

// Values are slices: who puts the same one under two keys, or reads it, shares the bytes.
struct KeyValue {
  std::string key;
  Slice value;
  Version version = kAbsent;
  SessionId owner = 0;
};

struct GetResponse {
  Slice value;
  Version version = kAbsent;
  SessionId owner = 0;
};
struct GetRequest {
  using Response = GetResponse;
  std::string key;
};

enum class OperationKind : std::uint8_t { put, erase, check };

// One part of an atomic write. Class with constructors, so that coroutines may take lists of it.
class Operation {
 public:
  // `owner`: the key goes when that session ends.
  static Operation put(std::string key, Slice value, Version expected, SessionId owner = 0) {
    return {OperationKind::put, std::move(key), std::move(value), expected, owner};
  }
  // With kAny, erasing what does not exist is fine.
  static Operation erase(std::string key, Version expected) {
    return {OperationKind::erase, std::move(key), {}, expected, 0};
  }
  // Changes nothing; the write fails unless the key has this version.
  static Operation check(std::string key, Version expected) {
    return {OperationKind::check, std::move(key), {}, expected, 0};
  }

  OperationKind kind;
  std::string key;
  Slice value;
  Version expected;
  SessionId owner;

 private:
  Operation(OperationKind k, std::string name, Slice bytes, Version version, SessionId session)
      : kind(k), key(std::move(name)), value(std::move(bytes)), expected(version), owner(session) {}
};
using Operations = absl::InlinedVector<Operation, 3>;

// All operations or none, in order; each sees the ones before it.
struct WriteResponse {
  Version version = kAbsent;  // of every key put
};
struct WriteRequest {
  using Response = WriteResponse;
  Operations operations;
};

// Keys that begin with `prefix` and are greater than `after`, ascending.
struct ListResponse {
  std::vector<KeyValue> items;
  bool more = false;
};
struct ListRequest {
  using Response = ListResponse;
  std::string prefix;
  std::string after;
  std::int32_t limit = 0;
};

struct SessionResponse {
  SessionId session = 0;
};
enum class SessionAction : std::uint8_t { create, keep_alive, close };
struct SessionRequest {
  using Response = SessionResponse;
  SessionAction action = SessionAction::create;
  SessionId session = 0;
  DurationNs ttl_ns = 0;
};

// Where notices of a watch go. Called as an event of the watching process, never after its death.
class WatchSink {
 public:
  virtual ~WatchSink() = default;
  // Something under the watch's prefix changed since the last notice; `keys` ascending, or empty when
  // there were too many to name.
  virtual void on_change(std::uint64_t watch, const std::vector<std::string>& keys) = 0;
};
struct WatchResponse {
  std::uint64_t watch = 0;
};
struct WatchRequest {
  using Response = WatchResponse;
  std::string prefix;
  ProcessId process = 0;
  std::weak_ptr<WatchSink> sink;
  std::uint64_t cancel = 0;  // ends this watch instead of starting one
};

}  // namespace wt::metadata

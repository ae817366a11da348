// What conformance rows are run against: a cluster that takes bytes and answers with frames.
//
// The one who runs a row decides what to send and judges what comes back; the target decides how
// waiting passes: a socket target sleeps, a target inside the simulation lets the simulation run until
// the frame is there or its virtual clock has reached the limit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "sim/formats/slice.h"

namespace wt::conformance {

// One connection of a row: its name in the row and the broker (1, 2, …) it goes to.
struct ConnectionId {
  std::string name;
  int broker = 1;
  friend auto operator<=>(const ConnectionId&, const ConnectionId&) = default;
};

struct Reply {
  enum class Kind : std::uint8_t { kFrame, kClosed, kNothing };
  Kind kind = Kind::kNothing;
  Slice frame;  // without the length in front
};

class Target {
 public:
  virtual ~Target() = default;

  virtual int broker_count() const = 0;
  // Milliseconds since 1970, in the target's own clock.
  virtual std::int64_t now_ms() = 0;

  // Opens the connection when it is not open yet. A connection that the broker closed is opened again.
  virtual absl::Status send(const ConnectionId& connection, const SliceList& bytes) = 0;
  // The next frame, or that the broker closed, or nothing within wait_ms of the target's time.
  virtual Reply receive(const ConnectionId& connection, std::int64_t wait_ms) = 0;
  // Forgets every connection: a new row begins.
  virtual void close_all() = 0;
  virtual void sleep_ms(std::int64_t duration_ms) = 0;

  // Actions. Unimplemented makes a row "not comparable" instead of different.
  virtual absl::Status crash_broker(int broker) = 0;
  virtual absl::Status restart_broker(int broker) = 0;
  // Makes `broker`, a replica of the partition, its leader, while all replicas are alive.
  virtual absl::Status move_leader(std::string_view topic, std::int32_t partition, int broker) = 0;
};

}  // namespace wt::conformance

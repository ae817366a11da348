// What the harness drives: a simulation as seen from the one door to the outside.
//
// The gateway (real sockets) and the replayer (a recording) drive the same interface with the same
// calls in the same order; that is what makes a recorded run replayable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/kernel.h"
#include "sim/network/byte_stream.h"

namespace wt::harness {

// A port that the outside can connect to.
struct ListenerSpec {
  std::string name;  // such as "kafka:1": protocol and broker id
  NodeId node = 0;   // where connections go
};

class Simulated {
 public:
  virtual ~Simulated() = default;
  virtual Kernel& kernel() = 0;
  virtual Streams& streams() = 0;
  // The node that outside clients are on.
  virtual NodeId outside_node() = 0;
  // All listeners, in a fixed order. May grow, never shrinks.
  virtual std::vector<ListenerSpec> listeners() = 0;
  // Whether somebody listens there now; a crashed broker's port refuses connections.
  virtual bool listening(std::size_t listener) = 0;
  // Told once the real address of a listener is known, before the first step. Part of the journal's head.
  virtual void set_address(std::size_t listener, std::string_view host, std::uint16_t port) = 0;
  // One call that may change the simulation: a JSON text in, a JSON text out. Runs between two steps;
  // everything that it does is a function of the simulation's state and the text.
  virtual std::string execute(std::string_view request) = 0;
  // Whether more of a client's requests wait behind the one that is parked on this connection (park timers
  // with this tag). A service that reads ahead must count what it has read and not begun.
  virtual bool queued_behind(ConnectionId connection) { return streams().external_backlog(connection) > 0; }
};

}  // namespace wt::harness

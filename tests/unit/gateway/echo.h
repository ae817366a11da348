// A small simulation for the tests of the gateway and of recordings: brokers that echo.
//
// A request is a four-byte length and a text whose first character says what to do:
//   e…     answer with the text at once
//   d7 …   answer after 7 ms, later requests wait;  t7 …  the same, later requests overtake
//   s7 …   answer after 7 ms of an outside client's silence
//   p7 …   answer after 7 ms; somebody waits for it (park timer)
//   b7     answer with 7 KiB, in pieces, as the client takes them
//   g7     take 7 ms before reading on, without an answer
//   c      close;  r  reset;  h  answer and say that no more will come
//   x      answer with a random number;  n  answer with a number that is not part of the simulation
//   q      draw from outside the simulation, and answer always the same
//   i      violate an invariant
// Calls: "crash 1", "restart 1", "add", "break", "throw", "count" (requests so far).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/gateway/simulated.h"

namespace wt::harness {

struct EchoOptions {
  std::uint64_t seed = 7;
  TimeNs epoch_ns = kDefaultEpoch_ns;
  int brokers = 3;
  DurationNs latency_ns = 0;
  std::size_t window_bytes = 256 * 1024;
  std::uint64_t checkpoint_steps = 100;
};

class EchoSimulated final : public Simulated {
 public:
  explicit EchoSimulated(const EchoOptions& options);
  ~EchoSimulated() override;

  Kernel& kernel() override { return kernel_; }
  Streams& streams() override { return streams_; }
  NodeId outside_node() override { return outside_; }
  std::vector<ListenerSpec> listeners() override;
  bool listening(std::size_t listener) override;
  void set_address(std::size_t listener, std::string_view host, std::uint16_t port) override;
  std::string execute(std::string_view request) override;

  // Requests that were read and not begun count as waiting.
  bool queued_behind(ConnectionId connection) override {
    return Simulated::queued_behind(connection) || read_ahead_bytes[connection] > 0;
  }
  std::map<ConnectionId, std::size_t> read_ahead_bytes;

  std::uint64_t requests = 0;
  std::vector<std::string> addresses;
  // Stands for whatever is not part of a simulation: not reset between runs.
  static std::uint64_t outside_counter;

 private:
  struct Broker {
    NodeId node = 0;
    ProcessId process = 0;
  };
  void start_broker(Broker& broker);
  Kernel kernel_;
  Links links_;
  Streams streams_;
  NodeId outside_;
  std::vector<Broker> brokers_;
};

// A request or an answer as it goes over the wire.
std::string framed(std::string_view text);

}  // namespace wt::harness

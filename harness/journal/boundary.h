// The calls that cross the boundary of a simulation, in the one order that the gateway and the replayer
// share. That order is what makes a run with sockets repeatable without them:
//
//   - time moves with run_to(). At the end of every instant in which something was written to the outside,
//     all of it is taken, connection by connection. So *when* output is taken (which lets a waiting writer
//     go on) depends on the simulation only, never on how often somebody looks.
//   - inputs are given in only when nothing is left to run at the current instant.
//   - a connection of which more than the output window was taken is blocked: its bytes stay in the
//     simulation, and its writers wait. Only an input, unblocked(), opens it again; the gateway gives it
//     when the client has read. So the memory for slow clients is bounded, also during a long jump.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/gateway/simulated.h"

namespace wt::harness {

// What one connection is to be sent, taken at the end of an instant.
struct Output {
  ConnectionId connection = 0;
  SliceList bytes;
  bool ended = false;    // nothing more will come
  bool reset = false;    // the connection is broken off at once
  bool over = false;     // the simulation has let go of the connection
  bool blocked = false;  // the output window is used up: nothing more comes until unblocked()
};

inline constexpr std::uint64_t kDefaultOutputWindow_bytes = 4 * 1024 * 1024;

class OutputReceiver {
 public:
  virtual ~OutputReceiver() = default;
  // Ascending by connection. The receiver may move the bytes out.
  virtual void on_outputs(std::vector<Output>& outputs) = 0;
};

class Boundary {
 public:
  Boundary(Simulated& simulated, OutputReceiver& receiver, std::uint64_t output_window_bytes);

  Simulated& simulated() noexcept { return simulated_; }
  Kernel& kernel() noexcept { return kernel_; }
  const std::vector<ListenerSpec>& listeners() const noexcept { return listeners_; }
  // Asks the simulation again; listeners are only ever added, by calls.
  void refresh_listeners() { listeners_ = simulated_.listeners(); }
  std::uint32_t trace_hash_low() const { return static_cast<std::uint32_t>(kernel_.trace().hash()); }

  // Runs what is due at or before `limit_ns` and leaves the clock there. Stops early at a finding.
  void run_to(TimeNs limit_ns, SilenceClock silence = SilenceClock::runs);
  void settle() { run_to(kernel_.now()); }
  // Like run_to, but stops at the end of the first instant at which `done` holds; says whether it did.
  bool run_until(const std::function<bool()>& done, TimeNs limit_ns);
  // While the flag is set, run_to() stops at the end of an instant without moving the clock further.
  void set_interrupt(const std::atomic<bool>* interrupt) noexcept { interrupt_ = interrupt; }
  bool interrupted() const noexcept {
    return interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed);
  }

  // --- inputs ---
  // A jump that somebody asked for; negative durations count as zero, and the sum saturates.
  void advance(DurationNs by_ns, bool silence_counts);
  StatusOr<ConnectionId> accept(std::size_t listener);
  void bytes(ConnectionId connection, Slice bytes);
  void half_close(ConnectionId connection);
  void reset(ConnectionId connection);
  void unblocked(ConnectionId connection);
  bool park_expired(std::uint64_t id);
  std::string execute(std::string_view request);

 private:
  void finish_instant(SilenceClock silence);
  void take_outputs();
  void count_taken(Output& output);
  template <class Action>
  void guarded(std::string_view check, const Action& action);

  Simulated& simulated_;
  Kernel& kernel_;
  Streams& streams_;
  OutputReceiver& receiver_;
  std::vector<ListenerSpec> listeners_;
  std::vector<Output> outputs_;
  std::uint64_t output_window_bytes_;
  std::map<ConnectionId, std::uint64_t> taken_bytes_;  // since the connection was unblocked
  const std::atomic<bool>* interrupt_ = nullptr;
};

}  // namespace wt::harness

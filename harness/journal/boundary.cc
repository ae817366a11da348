#include "harness/journal/boundary.h"

namespace wt::harness {

Boundary::Boundary(Simulated& simulated, OutputReceiver& receiver, std::uint64_t output_window_bytes)
    : simulated_(simulated),
      kernel_(simulated.kernel()),
      streams_(simulated.streams()),
      receiver_(receiver),
      listeners_(simulated.listeners()),
      output_window_bytes_(output_window_bytes) {}

// Runs everything at the current instant. Taking output can wake writers, at the same instant.
void Boundary::finish_instant(SilenceClock silence) {
  for (;;) {
    while (kernel_.step(kernel_.now(), silence)) {
    }
    if (!streams_.external_pending()) return;
    take_outputs();
  }
}

void Boundary::run_to(TimeNs limit_ns, SilenceClock silence) {
  for (;;) {
    finish_instant(silence);
    if (interrupted()) return;
    if (!kernel_.step(limit_ns, silence)) break;
  }
  if (limit_ns > kernel_.now()) kernel_.run_until(limit_ns, silence);
}

bool Boundary::run_until(const std::function<bool()>& done, TimeNs limit_ns) {
  for (;;) {
    finish_instant(SilenceClock::runs);
    if (done()) return true;
    if (interrupted()) return false;
    if (!kernel_.step(limit_ns)) break;
  }
  if (limit_ns > kernel_.now()) kernel_.run_until(limit_ns);
  return done();
}

void Boundary::take_outputs() {
  outputs_.clear();
  for (const ConnectionId connection : streams_.external_changed()) {
    Output& output = outputs_.emplace_back();
    Streams::External taken;
    try {
      taken = streams_.external_take(connection);
    } catch (const InvariantViolation& violation) {  // no event runs that could turn it into a finding
      kernel_.report(violation.check, violation.message, 0);
      return;
    }
    output.connection = connection;
    output.bytes = std::move(taken.bytes);
    output.ended = taken.ended;
    output.reset = taken.reset;
    output.over = !streams_.exists(connection);
    count_taken(output);
  }
  if (!outputs_.empty()) receiver_.on_outputs(outputs_);
}

void Boundary::count_taken(Output& output) {
  if (output.over) {
    taken_bytes_.erase(output.connection);
    return;
  }
  std::uint64_t& taken_bytes = taken_bytes_[output.connection];
  taken_bytes += total_size(output.bytes);
  output.blocked = taken_bytes > output_window_bytes_;
  if (output.blocked) streams_.external_blocked(output.connection, true);
}

void Boundary::advance(DurationNs by_ns, bool silence_counts) {
  const TimeNs target_ns = saturating_add(kernel_.now(), std::max<DurationNs>(0, by_ns));
  run_to(target_ns, silence_counts ? SilenceClock::runs : SilenceClock::stands);
}

// Code of the simulation that runs outside any event: what it throws is a finding, as in an event.
template <class Action>
void Boundary::guarded(std::string_view check, const Action& action) {
  try {
    kernel_.guarded(action);
  } catch (const std::exception& error) {
    kernel_.report(std::string(check), error.what(), 0);
  }
}

StatusOr<ConnectionId> Boundary::accept(std::size_t listener) {
  StatusOr<ConnectionId> connection = make_status(StatusCode::kUnavailable, "no such listener");
  if (listener >= listeners_.size()) return connection;
  const NodeId node = listeners_[listener].node;
  guarded("boundary.accept",
          [&] { connection = streams_.external_connect(simulated_.outside_node(), node); });
  return connection;
}

void Boundary::bytes(ConnectionId connection, Slice bytes) {
  guarded("boundary.input", [&] { streams_.external_write(connection, std::move(bytes)); });
}
void Boundary::half_close(ConnectionId connection) {
  guarded("boundary.input", [&] { streams_.external_shutdown_write(connection); });
}
void Boundary::reset(ConnectionId connection) {
  guarded("boundary.input", [&] { streams_.external_reset(connection); });
  taken_bytes_.erase(connection);
}
void Boundary::unblocked(ConnectionId connection) {
  taken_bytes_.erase(connection);
  guarded("boundary.input", [&] { streams_.external_blocked(connection, false); });
}

bool Boundary::park_expired(std::uint64_t id) {
  bool expired = false;
  guarded("boundary.park", [&] { expired = kernel_.expire_park(id); });
  return expired;
}

std::string Boundary::execute(std::string_view request) {
  std::string answer;
  guarded("boundary.execute", [&] { answer = simulated_.execute(request); });
  refresh_listeners();
  return answer;
}

}  // namespace wt::harness

// Strict replay: gives a recording's inputs to a fresh simulation, without sockets, at the recorded steps,
// and compares everything that came of them. Stops at the first difference.
#pragma once

#include <optional>
#include <string>

#include "harness/gateway/simulated.h"
#include "harness/journal/reader.h"
#include "harness/journal/recorder.h"

namespace wt::harness {

enum class DifferenceKind : std::uint8_t {
  output,    // a connection was sent something else
  answer,    // a call that changes the simulation was answered differently
  inside,    // the simulation took another course between two steps
  end,       // only the end differs: finding, trace hash or totals
  unusable,  // the recording does not fit this simulation at all
};

struct Difference {
  DifferenceKind kind = DifferenceKind::inside;
  std::uint64_t sequence = 0;  // of the entry at which it was seen
  TimeNs time_ns = 0;
  // Of an output: the connection, and where in the bytes sent to it the difference is: in the
  // `size_bytes` from `offset_bytes` on; a size of 1 is the exact byte.
  ConnectionId connection = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  // The events that can be to blame: after `from_step`, at which all was equal, up to `to_step`.
  std::uint64_t from_step = 0;
  std::uint64_t to_step = 0;
  std::string text;  // a sentence with the numbers
};

struct ReplayResult {
  bool equal = false;     // all that was recorded came out again
  bool complete = false;  // the recording reaches its end
  std::string problem;    // why it does not
  std::uint64_t trace_hash = 0;
  std::uint64_t steps = 0;
  std::uint64_t entries = 0;
  std::optional<Difference> difference;
};

struct ReplayOptions {
  // Sees every output as it is taken, before it is compared.
  OutputReceiver* outputs = nullptr;
  // Sees every trace record, so that the events of a window can be kept (trace_window.h).
  TraceObserver* trace = nullptr;
};

// The simulation must be as it was when the recording began: same options, nothing run yet.
ReplayResult replay(JournalReader journal, Simulated& simulated, const ReplayOptions& options = {});

}  // namespace wt::harness

// What a recording consists of: a head, and entries in the order in which things crossed the boundary.
//
// Inputs carry everything that the outside decided: which bytes, how they were cut, at which step of the
// kernel and at which virtual time. Outputs are there as hashes only (bytes when asked for), so that a
// replay can name the first difference. Wall time, the order of readiness and read-only questions are not
// in a recording: nothing in a run depends on them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/slice.h"
#include "sim/kernel/time.h"
#include "sim/kernel/trace.h"

namespace wt::harness {

// How virtual time moves (docs/clock.md).
enum class ClockMode : std::uint8_t {
  flow,          // starts at the wall clock and follows it
  frozen,        // starts at the wall clock, moves only on advance()
  virtual_time,  // jumps to the next event; no sockets
};
std::string_view clock_mode_name(ClockMode mode);

struct ListenerAddress {
  std::string name;
  std::string host;
  std::uint16_t port = 0;
  friend bool operator==(const ListenerAddress&, const ListenerAddress&) = default;
};

struct JournalHead {
  std::string code_version;
  std::string library_versions;
  std::string compiler;
  std::uint64_t seed = 0;
  std::string options_json;  // expanded: every option with its value
  TimeNs epoch_ns = 0;
  std::uint64_t start_step = 0;
  ClockMode clock = ClockMode::flow;
  std::uint64_t output_window_bytes = 0;
  std::vector<ListenerAddress> listeners;
  friend bool operator==(const JournalHead&, const JournalHead&) = default;
};

enum class EntryKind : std::uint8_t {
  // inputs
  advance = 1,  // AdvancePayload: a jump that somebody asked for
  accept,       // AcceptPayload: a client has connected to a listener
  bytes,        // of a connection, as they were cut
  half_close,
  reset,
  execute,           // text of a call that may change the simulation
  output_unblocked,  // a client has read what was queued for it: more may come
  park_expired,      // ParkExpiredPayload
  address,           // AddressPayload: of a listener that was added during the run
  // what came of them
  executed,      // ExecutedPayload: hash of the answer to the execute before
  output,        // OutputPayload: what was taken at the end of one instant
  output_bytes,  // of one connection; only when outputs are recorded in full
  checkpoint,    // of the trace
  // ends
  end,       // EndPayload
  overflow,  // the limit of the recording was reached: what follows is missing
};
inline constexpr std::uint8_t kLastEntryKind = static_cast<std::uint8_t>(EntryKind::overflow);
std::string_view entry_kind_name(EntryKind kind);
inline bool is_input(EntryKind kind) {
  return kind <= EntryKind::address;
}

struct Entry {
  std::uint64_t sequence = 0;  // from 0, without gaps
  std::uint64_t step = 0;      // of the kernel, and
  TimeNs time_ns = 0;          // virtual time, when this crossed the boundary
  EntryKind kind = EntryKind::end;
  // Inputs of one batch are given in together; before the first one everything due has run, and the low
  // half of the trace's hash was this.
  bool first_of_batch = false;
  std::uint32_t trace_hash_low = 0;
  std::uint64_t connection = 0;
  Slice payload;
};

struct AdvancePayload {
  DurationNs by_ns = 0;
  bool silence_counts = false;
};
struct AcceptPayload {
  std::uint64_t listener = 0;
};
struct ExecutedPayload {
  std::uint64_t result_hash = 0;
};
struct ParkExpiredPayload {
  std::uint64_t id = 0;
};
struct AddressPayload {
  std::uint64_t listener = 0;
  ListenerAddress address;
};
struct OutputMark {
  std::uint64_t connection = 0;
  std::uint64_t size_bytes = 0;
  std::uint32_t hash_low = 0;  // of all bytes of the connection so far
};
struct OutputPayload {
  std::vector<OutputMark> marks;
};
// All that a connection has been sent.
struct ConnectionOutput {
  std::uint64_t connection = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const ConnectionOutput&, const ConnectionOutput&) = default;
};
struct EndPayload {
  std::uint64_t trace_hash = 0;
  std::uint64_t draws = 0;
  std::string finding;  // check that was violated, or empty
  std::vector<ConnectionOutput> outputs;
};

// "#12 step 340 +1.250000000s bytes connection 3, 120 bytes"
std::string to_text(const Entry& entry, TimeNs epoch_ns);

}  // namespace wt::harness

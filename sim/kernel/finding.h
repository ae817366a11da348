// Findings: violated invariants.
//
// A violated invariant stops the run, sticks, and is reported with the last events; the host
// process lives on. It is thrown as InvariantViolation, which is no std::exception, so that no
// handler for expected errors can swallow it. The kernel's loop catches it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/kernel/time.h"

namespace wt {

struct InvariantViolation {
  std::string check;    // stable name, such as "kafka.hw.monotonic"
  std::string message;  // a sentence with the numbers
};

struct Finding {
  std::string check;
  std::string message;
  TimeNs time_ns = 0;
  std::uint64_t step = 0;
  std::string process;      // name of the process that ran, or empty
  std::string last_events;  // text of the last trace records, oldest first
};

[[noreturn]] void throw_violation(std::string_view check, std::string message);

}  // namespace wt

// Throws InvariantViolation unless the condition holds. `message` is evaluated only on failure and
// may be any expression convertible to std::string. On in every build.
#define WT_INVARIANT(condition, check, message)                                   \
  do {                                                                            \
    if (__builtin_expect(!(condition), 0)) ::wt::throw_violation(check, message); \
  } while (false)

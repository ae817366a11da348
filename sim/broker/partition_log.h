// The log under a partition, whatever its kind.
//
// A broker appends, reads and trims through this; it never asks how many copies there are or where.
// `SharedLog` puts one copy on the stream storage; a replicated log is a cluster of its own kind.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/formats/entry.h"
#include "sim/kernel/status.h"
#include "sim/kernel/task.h"

namespace wt::broker {

enum class AppendOutcome : std::uint8_t {
  committed,
  not_committed,  // proven; the same records may be appended again
  unknown,        // may have committed: settle() before anything else is appended
  fenced,         // somebody else is the writer now; nothing was appended
};

struct AppendResult {
  AppendOutcome outcome = AppendOutcome::not_committed;
  std::int64_t base_offset = -1;
};

struct LogRead {
  std::vector<formats::Entry> entries;  // dense, in order; the first one holds the offset asked for
  std::size_t size_bytes = 0;           // as a Kafka consumer gets them
};

struct LogReadLimits {
  std::int64_t upper_offset = 0;  // entries must begin below it
  std::size_t max_bytes = 0;
  bool first_may_overflow = false;  // one entry larger than max_bytes is returned all the same
};

class PartitionLog {
 public:
  virtual ~PartitionLog() = default;

  // Becomes the writer under this leader epoch, fencing every older one, and shows every committed
  // entry from the log start on to `replay`, in order. Unavailable: try again.
  // FailedPrecondition: a newer leader epoch is the writer.
  virtual Task<Status> open(std::int32_t leader_epoch,
                            const std::function<void(const formats::Entry&)>& replay) = 0;
  // Appends one entry at the end; its base offset is assigned by the log. One append at a time.
  virtual Task<AppendResult> append(const formats::Entry& entry) = 0;
  // After `unknown`: waits until the outcome of that append is proven. Never `unknown` again unless
  // the services stay unreachable; call again then.
  virtual Task<AppendResult> settle() = 0;
  // OutOfRange: below the log start or beyond the end. An empty read at the end.
  virtual Task<StatusOr<LogRead>> read(std::int64_t offset, const LogReadLimits& limits) = 0;
  // The same without a coroutine, when the answer is in memory; false, and `out` untouched, when not.
  virtual bool read_cached(std::int64_t offset, const LogReadLimits& limits, LogRead& out) const = 0;
  // Moves the log start forward; idempotent.
  virtual Task<Status> trim(std::int64_t new_start_offset) = 0;
  // No longer the writer. Late completions of what is in flight can publish nothing.
  virtual void close() = 0;

  virtual std::int64_t start_offset() const = 0;
  virtual std::int64_t end_offset() const = 0;
};

}  // namespace wt::broker

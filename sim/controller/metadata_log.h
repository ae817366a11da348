// The metadata log: the durable service that the controller keeps its state in.
//
// It lives on a node of its own and survives every process. One controller at a time may write: it
// claims the log and gets an epoch; an append of an older epoch is refused. An append also names the
// end offset that it expects, so that a batch whose answer was lost cannot be written twice.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/controller/records.h"
#include "sim/network/calls.h"

namespace wt::controller {

// Becomes the writer. Every claim gives a new, higher epoch.
struct ClaimLog {
  struct Response {
    std::int64_t epoch = 0;
    MetadataOffset end_offset = 0;
  };
};

struct AppendRecords {
  enum class Outcome : std::uint8_t {
    appended,
    fenced,        // somebody else has claimed the log since
    wrong_offset,  // the log does not end where the caller thinks; nothing was written
  };
  struct Response {
    Outcome outcome = Outcome::appended;
    MetadataOffset end_offset = 0;
    std::int64_t epoch = 0;  // of the writer
  };
  BatchPtr batch;  // base offset = expected end, controller epoch = the caller's
};

struct ReadRecords {
  struct Response {
    std::vector<BatchPtr> batches;
    MetadataOffset end_offset = 0;
  };
  MetadataOffset from_offset = 0;
  std::size_t max_batches = 1024;
};

class MetadataLog final : public DurableService {
 public:
  StatusOr<BodyPtr> execute(NodeId from, MessageBody& request) override;

  std::int64_t epoch() const noexcept { return epoch_; }
  MetadataOffset end_offset() const noexcept { return end_offset_; }
  const std::vector<BatchPtr>& batches() const noexcept { return batches_; }

 private:
  AppendRecords::Response append(const AppendRecords& request);
  ReadRecords::Response read(const ReadRecords& request) const;

  std::vector<BatchPtr> batches_;
  std::int64_t epoch_ = 0;
  MetadataOffset end_offset_ = 0;
};

}  // namespace wt::controller

// An append on its way. Internal to Stream.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/stream/stream.h"

namespace wt::stream {

enum class AttemptPhase : std::uint8_t {
  beforeHead,  // nothing of it can be committed
  atHead,      // a compare-and-set of the head is under way, or its answer was lost
  committed,   // the head includes it; its index may be missing
  done,
};

struct Stream::Attempt {
  explicit Attempt(std::vector<formats::Entry> given) : entries(std::move(given)) {}

  std::vector<formats::Entry> entries;
  AttemptPhase phase = AttemptPhase::beforeHead;
  bool has_evidence = false;  // intent and protection may have been written
  WalObject wal;
  CommitRecord commit;  // its attempt id, range, target: fixed once prepared
  // The publication: always the same bytes on the same version.
  Slice commit_bytes;  // the intent, the commit and its index: one value
  Slice head_bytes;
  StreamHead head;
  metadata::Version expected_version = 0;
  // Where a recovery goes on reading the chain of commits.
  bool has_cursor = false;
  AppendAttemptId cursor;
  std::int64_t cursor_start = -1;
  AppendResult result;
};

// Watches over an attempt whose caller can be cancelled at any suspension: what the head may include
// is then recovered or completed in the background.
class Stream::Runner {
 public:
  Runner(Stream& stream, Attempt& attempt, Lane::Guard lane)
      : stream_(stream), attempt_(attempt), lane_(std::move(lane)) {}
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner() {
    if (attempt_.phase == AttemptPhase::atHead) suspend();
    if (attempt_.phase == AttemptPhase::committed) complete_later();
  }

  // The attempt is uncertain: it keeps the lane, and a recovery starts.
  void suspend() {
    auto kept = std::make_shared<Attempt>(std::move(attempt_));
    attempt_.phase = AttemptPhase::done;
    stream_.suspended_lane_ = std::move(lane_);
    stream_.suspend(std::move(kept));
  }
  // Committed, and not all of what the profile requires is done.
  void complete_later() {
    auto kept = std::make_shared<Attempt>(std::move(attempt_));
    attempt_.phase = AttemptPhase::done;
    stream_.complete_later(std::move(kept));
  }

 private:
  Stream& stream_;
  Attempt& attempt_;
  Lane::Guard lane_;
};

}  // namespace wt::stream

#include <algorithm>
#include <utility>

#include "sim/stream/attempt.h"
#include "sim/stream/records.h"

namespace wt::stream {
namespace {

constexpr std::size_t kKeptResults = 1024;
constexpr std::int32_t kMaxBackoffShift = 6;
// After the right to append is gone only the head's next session can tell; asking ends some time.
constexpr std::int32_t kTriesWhenStopped = 32;

}  // namespace

// Called when the runner of the attempt has stopped.
void Stream::suspend(std::shared_ptr<Attempt> attempt) {
  process().trace("append.suspended"_label, attempt->commit.attempt.stream,
                  static_cast<std::uint64_t>(attempt->commit.start), attempt->commit.attempt.sequence);
  uncertain_ = attempt;
  unresolved_[attempt->commit.attempt] = attempt;
  if (process().alive()) process().spawn(recover(shared_from_this(), std::move(attempt)));
}

void Stream::complete_later(std::shared_ptr<Attempt> attempt) {
  unresolved_[attempt->commit.attempt] = attempt;
  if (process().alive()) process().spawn(complete(shared_from_this(), std::move(attempt)));
}

Task<AppendResult> Stream::resolve(AppendAttemptId attempt) {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  for (;;) {
    const auto found = std::find_if(resolved_.begin(), resolved_.end(), [attempt](const AppendResult& known) {
      return known.attempt == attempt;
    });
    if (found != resolved_.end()) co_return *found;
    if (!unresolved_.contains(attempt)) break;
    co_await resolutions_.wait();
  }
  AppendResult unknown;
  unknown.outcome = AppendOutcome::kMayHaveCommitted;
  unknown.attempt = attempt;
  unknown.stream = head_.stream;
  unknown.status = make_status(StatusCode::kNotFound, "the attempt is not known here");
  co_return unknown;
}

void Stream::finish(Attempt& attempt, AppendOutcome outcome, Status status) {
  attempt.phase = AttemptPhase::done;
  unresolved_.erase(attempt.commit.attempt);
  resolved_.push_back(result_of(attempt, outcome, std::move(status)));
  if (resolved_.size() > kKeptResults) resolved_.pop_front();
  resolutions_.notify_all();
}

Task<void> Stream::recover(std::shared_ptr<Stream> stream, std::shared_ptr<Attempt> attempt) {
  Stream& self = *stream;
  co_await self.at("append.recovery.started"_label);
  bool is_committed = false;
  std::int32_t tries_when_stopped = 0;
  for (std::int32_t tries = 0;; ++tries) {
    StatusOr<bool> verdict = co_await self.resolve_once(*attempt);
    if (verdict.ok()) {
      is_committed = *verdict;
      break;
    }
    const Status open = verdict.status();
    self.process().trace("append.recovery.open"_label, self.head_.stream,
                         static_cast<std::uint64_t>(open.code()), static_cast<std::uint64_t>(tries));
    if (!self.writable() && ++tries_when_stopped > kTriesWhenStopped) {
      // The lane stays suspended: this object cannot append any more anyway.
      self.finish(*attempt, AppendOutcome::kMayHaveCommitted, open);
      co_return;
    }
    co_await self.process().sleep(self.context_.limits.recovery_backoff_ns
                                  << std::min(tries, kMaxBackoffShift));
  }
  self.process().trace("append.recovery.resolved"_label, self.head_.stream,
                       static_cast<std::uint64_t>(attempt->commit.start), is_committed ? 1 : 0);
  co_await self.at("append.recovery.resolved"_label);
  if (is_committed) {
    attempt->phase = AttemptPhase::committed;
    self.committed(*attempt);
    Status indexed = co_await self.write_index(attempt->commit, attempt->commit_bytes);
    if (indexed.ok()) {
      self.finish(*attempt, AppendOutcome::kKnownCommitted, std::move(indexed));
    } else {
      self.complete_later(attempt);
    }
    self.unsuspend();
    co_return;
  }
  co_await self.retire(attempt->commit.attempt, attempt->commit.start);
  self.finish(
      *attempt, AppendOutcome::kKnownNotCommitted,
      make_status(StatusCode::kFailedPrecondition, "proven absent: the head was moved by another session"));
  self.unsuspend();
}

void Stream::unsuspend() {
  uncertain_ = nullptr;
  suspended_lane_.release();
}

// What the profile still requires of a committed append, until it is done.
Task<void> Stream::complete(std::shared_ptr<Stream> stream, std::shared_ptr<Attempt> attempt) {
  Stream& self = *stream;
  for (std::int32_t tries = 0;; ++tries) {
    Status indexed = co_await self.write_index(attempt->commit, attempt->commit_bytes);
    if (indexed.ok()) break;
    if (!self.writable() && tries >= kTriesWhenStopped) {
      self.finish(*attempt, AppendOutcome::kKnownCommitted, indexed);
      co_return;
    }
    co_await self.process().sleep(self.context_.limits.recovery_backoff_ns
                                  << std::min(tries, kMaxBackoffShift));
  }
  self.finish(*attempt, AppendOutcome::kKnownCommitted, ok_status());
}

// One step: true, the head includes the attempt; false, it never will; an error, not known yet.
Task<StatusOr<bool>> Stream::resolve_once(Attempt& attempt) {
  Status fresh = co_await refresh();
  if (!fresh.ok()) {
    if (fresh.code() == StatusCode::kNotFound) co_return false;  // the stream is deleted
    co_return fresh;
  }
  if (head_version_ == attempt.expected_version) {
    // Not yet; but the lost request may still arrive, so only publishing can settle it. A broker that
    // lost its right must not: it waits for the next session to move the head.
    if (!writable()) co_return make_status(StatusCode::kUnavailable, "waiting for the next session");
    StatusOr<metadata::WriteResponse> moved =
        co_await metadata_.put(keys_.head(), attempt.head_bytes, attempt.expected_version);
    if (moved.ok()) {
      adopt(attempt.head, moved->version);
      co_return true;
    }
    if (moved.status().code() != StatusCode::kAborted) co_return moved.status();
    fresh = co_await refresh();
    if (!fresh.ok()) co_return fresh;
  }
  // The head has moved, by us or by another: a late request of ours can have no effect any more.
  StatusOr<bool> found = co_await search_chain(attempt);
  co_return found;
}

// Looks for the attempt among the commits that the head reaches, newest first, one page at a time.
// Commits do not change, so the place where a page ended stays good when the head moves on.
Task<StatusOr<bool>> Stream::search_chain(Attempt& attempt) {
  if (!attempt.has_cursor) {
    attempt.has_cursor = true;
    attempt.cursor = head_.last_commit;
    attempt.cursor_start = head_.last_commit_start;
  }
  for (std::int32_t read = 0; attempt.cursor && attempt.cursor_start >= attempt.commit.start; ++read) {
    if (attempt.cursor == attempt.commit.attempt) co_return true;
    if (read >= context_.limits.recovery_page_commits)
      co_return make_status(StatusCode::kUnavailable, "not found in this page of commits");
    StatusOr<CommitRecord> commit = co_await load_commit(attempt.cursor, attempt.cursor_start);
    if (!commit.ok()) co_return commit.status();
    attempt.cursor = commit->previous;
    attempt.cursor_start = commit->previous_start;
  }
  co_return false;
}

Task<StatusOr<CommitRecord>> Stream::load_commit(AppendAttemptId attempt, std::int64_t start) {
  StatusOr<metadata::GetResponse> found = co_await metadata_.get(keys_.commit(attempt, start));
  if (!found.ok()) {
    if (found.status().code() != StatusCode::kNotFound) co_return found.status();
    co_return make_status(StatusCode::kDataLoss, "a commit that the head reaches is missing");
  }
  StatusOr<CommitRecord> commit = decode_commit(found->value.text());
  if (commit.ok() && commit->attempt != attempt)
    co_return make_status(StatusCode::kDataLoss, "a commit record is another's");
  co_return commit;
}

void Stream::add_retirement(metadata::Operations& operations, const AppendAttemptId& attempt,
                            std::int64_t start) const {
  operations.push_back(metadata::Operation::erase(keys_.commit(attempt, start), metadata::kAny));
  operations.push_back(metadata::Operation::erase(keys_.protection(attempt, start), metadata::kAny));
}

// Removes the evidence of an attempt that is proven uncommitted. Its object is an orphan.
Task<void> Stream::retire(AppendAttemptId attempt, std::int64_t start) {
  process().trace("append.retired"_label, attempt.stream, static_cast<std::uint64_t>(start),
                  attempt.sequence);
  metadata::Operations operations;
  add_retirement(operations, attempt, start);
  StatusOr<metadata::WriteResponse> erased = co_await metadata_.multi(std::move(operations));
  if (!erased.ok() && late_retirements_.size() < kKeptResults) late_retirements_.push_back({attempt, start});
}

}  // namespace wt::stream

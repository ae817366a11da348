#include <algorithm>
#include <utility>

#include "sim/stream/attempt.h"
#include "sim/stream/records.h"

namespace wt::stream {
namespace {

constexpr std::int32_t kTries = 8;
constexpr std::int32_t kPendingPage = 64;

Status refuse(const Session& held, std::int64_t authority) {
  return make_status(StatusCode::kFailedPrecondition,
                     "broker " + std::to_string(held.writer) + " holds the stream under authority " +
                         std::to_string(held.authority) + ", asked for " + std::to_string(authority));
}

}  // namespace

// Takes the right to append: one compare-and-set of the head. A newer authority pre-empts at once, an
// older one is refused; the same one belongs to the broker that holds it until its session expires.
Task<Status> Stream::acquire(std::int64_t authority) {
  Session mine;
  for (std::int32_t tries = 0; tries < kTries; ++tries) {
    Status fresh = co_await refresh();
    if (!fresh.ok()) {
      if (fresh.code() == StatusCode::kDeadlineExceeded) continue;
      co_return fresh;
    }
    // A lost answer of an earlier try: the session is ours already.
    if (mine.epoch != 0 && head_.session.epoch == mine.epoch && head_.session.token == mine.token) {
      session_ = mine;
      co_return ok_status();
    }
    if (head_.lifecycle != Lifecycle::kActive && head_.lifecycle != Lifecycle::kSealed)
      co_return make_status(StatusCode::kFailedPrecondition, "the stream is being deleted");
    const Session& held = head_.session;
    const bool other_holds = held.epoch != 0 && held.authority == authority &&
                             held.writer != context_.broker_id && held.expires_ns > process().now();
    if (held.epoch != 0 && (authority < held.authority || other_holds)) co_return refuse(held, authority);

    StreamHead next = head_;
    if (mine.epoch != held.epoch + 1) {
      mine.epoch = held.epoch + 1;
      mine.token = process().random("stream.session"_label).next();
    }
    mine.writer = context_.broker_id;
    mine.authority = authority;
    mine.expires_ns = saturating_add(process().now(), context_.limits.session_ttl_ns);
    next.session = mine;
    Slice bytes = encode_head(next);
    StatusOr<metadata::WriteResponse> moved =
        co_await metadata_.put(keys_.head(), std::move(bytes), head_version_);
    if (moved.ok()) {
      adopt(next, moved->version);
      session_ = mine;
      co_return ok_status();
    }
    const StatusCode code = moved.status().code();
    if (code != StatusCode::kAborted && code != StatusCode::kDeadlineExceeded) co_return moved.status();
  }
  co_return make_status(StatusCode::kUnavailable, "the head of the stream changes too fast");
}

// Settles what earlier sessions left behind: every pending append has a protection. None of them can
// be committed any more, since this session has moved the head; which of them were is read from the
// chain of commits, newest first.
Task<Status> Stream::settle_pending() {
  std::vector<StreamKeys::AttemptAt> pending;
  std::string after;
  for (;;) {
    StatusOr<metadata::ListResponse> page =
        co_await metadata_.list(keys_.protection_prefix(), after, kPendingPage);
    if (!page.ok()) co_return page.status();
    for (const metadata::KeyValue& item : page->items) {
      const std::optional<StreamKeys::AttemptAt> found = keys_.parse_attempt(item.key);
      if (found && found->attempt.session_epoch < session_.epoch) pending.push_back(*found);
    }
    if (!page->more) break;
    after = page->items.back().key;
  }
  AppendAttemptId at = head_.last_commit;
  std::int64_t at_start = head_.last_commit_start;
  // Ascending by start, so that the chain is read once.
  while (!pending.empty()) {
    const StreamKeys::AttemptAt candidate = pending.back();
    pending.pop_back();
    while (at && at_start > candidate.start) {
      StatusOr<CommitRecord> newer = co_await load_commit(at, at_start);
      if (!newer.ok()) co_return newer.status();
      at = newer->previous;
      at_start = newer->previous_start;
    }
    if (at != candidate.attempt) {
      co_await retire(candidate.attempt, candidate.start);
      continue;
    }
    StatusOr<CommitRecord> commit = co_await load_commit(at, at_start);
    if (!commit.ok()) co_return commit.status();
    Slice bytes = encode_commit(*commit);
    Status indexed = co_await write_index(*commit, std::move(bytes));
    if (!indexed.ok()) co_return indexed;
  }
  co_return ok_status();
}

}  // namespace wt::stream

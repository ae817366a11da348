#include <algorithm>
#include <utility>

#include "sim/stream/attempt.h"
#include "sim/stream/records.h"

namespace wt::stream {
namespace {

// Counts a task in for as long as it waits.
class Waiting {
 public:
  explicit Waiting(std::size_t& count) : count_(count) { ++count_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { --count_; }

 private:
  std::size_t& count_;
};

Status refused_by_rule() {
  return make_status(StatusCode::kUnavailable, "refused by a fault rule");
}

}  // namespace

Status Stream::check_admission(const std::vector<formats::Entry>& entries) const {
  if (!writable()) return make_status(StatusCode::kFailedPrecondition, "this broker may not append");
  if (head_.lifecycle != Lifecycle::kActive)
    return make_status(StatusCode::kFailedPrecondition, "the stream is not active");
  const StreamLimits& limits = context_.limits;
  if (entries.empty()) return make_status(StatusCode::kInvalidArgument, "nothing to append");
  if (entries.size() > limits.max_append_entries)
    return make_status(StatusCode::kInvalidArgument, "too many entries in one append");
  std::size_t size_bytes = 0;
  for (const formats::Entry& entry : entries) {
    if (entry.header.record_count <= 0 || entry.header.pulsar_ordinal_count < 0)
      return make_status(StatusCode::kInvalidArgument, "an entry covers no offsets");
    size_bytes += entry.payload.size();
  }
  if (size_bytes > limits.max_append_bytes)
    return make_status(StatusCode::kInvalidArgument, "too many bytes in one append");
  if (waiting_appends_ >= limits.max_waiting_appends)
    return make_status(StatusCode::kResourceExhausted, "too many appends are waiting");
  return ok_status();
}

// Fixes the identity of the attempt: id, range, object. The head is ours and the lane is held, so the
// range is right unless somebody else moves the head, which fails the compare-and-set.
void Stream::prepare(Attempt& attempt) {
  CommitRecord& commit = attempt.commit;
  commit.attempt = {head_.stream, session_.epoch, next_sequence_++};
  commit.start = commit.end = head_.committed_end;
  commit.ordinal_start = commit.ordinal_end = head_.ordinal_end;
  commit.entry_count = static_cast<std::int32_t>(attempt.entries.size());
  for (formats::Entry& entry : attempt.entries) {
    entry.header.base_offset = commit.end;
    commit.end += entry.header.record_count;
    commit.ordinal_end += entry.header.pulsar_ordinal_count;
    commit.size_bytes += static_cast<std::int64_t>(entry.payload.size());
  }
  commit.cumulative_size_bytes = head_.cumulative_size_bytes + commit.size_bytes;
  commit.commit_version = head_.commit_version + 1;
  commit.previous = head_.last_commit;
  commit.previous_start = head_.last_commit_start;

  std::vector<WalSlice> slices;
  slices.push_back({commit.attempt, &attempt.entries});
  attempt.wal = encode_wal(slices, scratch_);
  commit.target.object_bytes = attempt.wal.size_bytes;
  commit.target.checksum = attempt.wal.checksum;
  attempt.commit_bytes = encode_commit(commit);
}

std::string Stream::object_of(const CommitRecord& commit) const {
  return commit.target.object_key.empty() ? keys_.wal_object(commit.attempt) : commit.target.object_key;
}

StreamHead Stream::head_after(const CommitRecord& commit) const {
  StreamHead next = head_;
  next.committed_end = commit.end;
  next.ordinal_end = commit.ordinal_end;
  next.entry_count += commit.entry_count;
  next.cumulative_size_bytes = commit.cumulative_size_bytes;
  next.commit_version = commit.commit_version;
  next.last_commit = commit.attempt;
  next.last_commit_start = commit.start;
  next.session.expires_ns = saturating_add(process().now(), context_.limits.session_ttl_ns);
  return next;
}

AppendResult Stream::result_of(const Attempt& attempt, AppendOutcome outcome, Status status) const {
  AppendResult result;
  result.outcome = outcome;
  result.status = std::move(status);
  result.attempt = attempt.commit.attempt;
  result.stream = head_.stream;
  result.committed_end = head_.committed_end;
  if (outcome == AppendOutcome::kKnownNotCommitted) return result;
  const CommitRecord& commit = attempt.commit;
  result.start = commit.start;
  result.end = commit.end;
  result.ordinal_start = commit.ordinal_start;
  result.ordinal_end = commit.ordinal_end;
  result.cumulative_size_bytes = commit.cumulative_size_bytes;
  result.commit_version = commit.commit_version;
  if (outcome == AppendOutcome::kKnownCommitted) result.committed_end = commit.end;
  return result;
}

AppendResult Stream::refused(const Attempt& attempt, Status status) {
  process().trace("append.refused"_label, head_.stream, static_cast<std::uint64_t>(status.code()),
                  attempt.commit.attempt.sequence);
  return result_of(attempt, AppendOutcome::kKnownNotCommitted, std::move(status));
}

Task<AppendResult> Stream::append(std::vector<formats::Entry> entries, std::int64_t expected_start) {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  Attempt attempt(std::move(entries));
  Status admitted = check_admission(attempt.entries);
  if (!admitted.ok()) co_return refused(attempt, std::move(admitted));
  const FaultDecision at_admission = co_await at("append.admitted"_label);
  if (at_admission.is(FaultAction::refuse)) co_return refused(attempt, refused_by_rule());

  Lane::Guard lane;
  {
    const Waiting waiting(waiting_appends_);
    lane = co_await lane_.acquire();
  }
  const FaultDecision in_lane = co_await at("append.lane.entered"_label);
  if (in_lane.is(FaultAction::refuse)) co_return refused(attempt, refused_by_rule());
  admitted = check_admission(attempt.entries);
  if (!admitted.ok()) co_return refused(attempt, std::move(admitted));
  if (expected_start != kAnyStart && expected_start != head_.committed_end) {
    co_return refused(attempt, make_status(StatusCode::kFailedPrecondition,
                                           "the stream ends at " + std::to_string(head_.committed_end)));
  }
  prepare(attempt);
  process().trace("append.started"_label, head_.stream, static_cast<std::uint64_t>(attempt.commit.start),
                  static_cast<std::uint64_t>(attempt.commit.end));
  Runner runner(*this, attempt, std::move(lane));
  Status durable = co_await write_durable(attempt);
  if (!durable.ok()) {
    if (attempt.has_evidence) co_await retire(attempt.commit.attempt, attempt.commit.start);
    co_return refused(attempt, std::move(durable));
  }
  AppendResult result = co_await publish(attempt, runner);
  co_return result;
}

// Everything before the head: nothing here can commit, and nothing here is ever reused by another
// attempt.
Task<Status> Stream::write_durable(Attempt& attempt) {
  const CommitRecord& commit = attempt.commit;
  const FaultDecision before = co_await at("append.wal.before"_label);
  if (before.is(FaultAction::refuse)) co_return refused_by_rule();
  Status written = co_await write_wal(attempt);
  if (!written.ok()) co_return written;
  process().trace("append.wal.durable"_label, commit.attempt.stream, static_cast<std::uint64_t>(commit.start),
                  attempt.wal.checksum);
  const FaultDecision durable = co_await at("append.wal.durable"_label);
  if (durable.is(FaultAction::refuse)) co_return refused_by_rule();
  if (!writable())
    co_return make_status(StatusCode::kFailedPrecondition, "the right to append was lost meanwhile");
  // Protection and intent are one write, which also finds out if the object is about to be collected.
  attempt.has_evidence = true;
  written = co_await write_intent(attempt);
  if (!written.ok()) co_return written;
  const FaultDecision is_protected = co_await at("append.protected"_label);
  if (is_protected.is(FaultAction::refuse)) co_return refused_by_rule();
  process().trace("append.intent.written"_label, commit.attempt.stream,
                  static_cast<std::uint64_t>(commit.start), commit.attempt.sequence);
  const FaultDecision intended = co_await at("append.intent.written"_label);
  if (intended.is(FaultAction::refuse)) co_return refused_by_rule();
  const FaultDecision at_head = co_await at("append.head.before"_label);
  if (at_head.is(FaultAction::refuse)) co_return refused_by_rule();
  if (!writable())
    co_return make_status(StatusCode::kFailedPrecondition, "the right to append was lost meanwhile");
  co_return ok_status();
}

// A put that lost its answer is made again with the same key and the same bytes.
Task<Status> Stream::write_wal(Attempt& attempt) {
  const std::string key = object_of(attempt.commit);
  for (std::int32_t tries = 1;; ++tries) {
    SliceList bytes = attempt.wal.bytes;
    StatusOr<objects::PutResponse> put =
        co_await objects_.put(key, std::move(bytes), attempt.commit.target.checksum);
    if (put.ok()) co_return ok_status();
    WT_INVARIANT(put.status().code() != StatusCode::kAlreadyExists, "stream.wal.identity",
                 "object " + key + " holds other bytes");
    const bool lost = put.status().code() == StatusCode::kDeadlineExceeded;
    if (!lost || tries >= context_.limits.same_identity_attempts || !writable()) co_return put.status();
  }
}

Task<Status> Stream::write_intent(Attempt& attempt) {
  const CommitRecord& commit = attempt.commit;
  const Slice intent = attempt.commit_bytes;
  for (std::int32_t tries = 1;; ++tries) {
    metadata::Operations operations;
    operations.push_back(metadata::Operation::check(keys_.root(object_of(commit)), metadata::kAbsent));
    operations.push_back(
        metadata::Operation::put(keys_.protection(commit.attempt, commit.start), Slice(), metadata::kAbsent));
    operations.push_back(
        metadata::Operation::put(keys_.commit(commit.attempt, commit.start), intent, metadata::kAbsent));
    StatusOr<metadata::WriteResponse> written = co_await metadata_.multi(std::move(operations));
    if (written.ok()) co_return ok_status();
    Status failed = written.status();
    if (failed.code() == StatusCode::kAborted) {
      // Our own earlier write, or an object that is being collected.
      StatusOr<metadata::GetResponse> found =
          co_await metadata_.get(keys_.commit(commit.attempt, commit.start));
      if (found.ok()) {
        WT_INVARIANT(found->value == intent, "stream.intent.identity",
                     "an intent exists with other content at offset " + std::to_string(commit.start));
        co_return ok_status();
      }
      failed = found.status();
      if (failed.code() == StatusCode::kNotFound)
        co_return make_status(StatusCode::kUnavailable, "the object is being collected");
    }
    const bool lost = failed.code() == StatusCode::kDeadlineExceeded;
    if (!lost || tries >= context_.limits.same_identity_attempts || !writable()) co_return failed;
  }
}

// The linearization point, and what follows it.
Task<AppendResult> Stream::publish(Attempt& attempt, Runner& runner) {
  for (std::int32_t tries = 1;; ++tries) {
    attempt.head = head_after(attempt.commit);
    attempt.head_bytes = encode_head(attempt.head);
    attempt.expected_version = head_version_;
    attempt.phase = AttemptPhase::atHead;
    StatusOr<metadata::WriteResponse> moved =
        co_await metadata_.put(keys_.head(), attempt.head_bytes, attempt.expected_version);
    if (moved.ok()) {
      adopt(attempt.head, moved->version);
      break;
    }
    Status failed = moved.status();
    if (failed.code() == StatusCode::kDeadlineExceeded) {
      AppendResult uncertain = result_of(attempt, AppendOutcome::kMayHaveCommitted, std::move(failed));
      runner.suspend();
      co_return uncertain;
    }
    // Any other answer: this compare-and-set had no effect, and it was the only one.
    attempt.phase = AttemptPhase::beforeHead;
    if (failed.code() == StatusCode::kAborted) {
      Status fresh = co_await refresh();
      const bool same_place = fresh.ok() && writable() && head_.lifecycle == Lifecycle::kActive &&
                              head_.committed_end == attempt.commit.start;
      if (same_place && tries < context_.limits.same_identity_attempts) continue;
      if (fenced_ || fresh.ok())
        failed = make_status(StatusCode::kFailedPrecondition, "the head was moved by another session");
    }
    co_await retire(attempt.commit.attempt, attempt.commit.start);
    co_return refused(attempt, std::move(failed));
  }
  attempt.phase = AttemptPhase::committed;
  committed(attempt);
  co_await at("append.head.committed"_label);
  Status indexed = co_await write_index(attempt.commit, attempt.commit_bytes);
  AppendResult result = result_of(attempt, AppendOutcome::kKnownCommitted, std::move(indexed));
  if (!result.status.ok()) {
    if (head_.profile == Profile::kObjectWalAsyncObject) result.status = ok_status();
    runner.complete_later();
    co_return result;
  }
  attempt.phase = AttemptPhase::done;
  co_await at("append.index.written"_label);
  co_return result;
}

void Stream::committed(Attempt& attempt) {
  const CommitRecord& commit = attempt.commit;
  process().trace("append.head.committed"_label, commit.attempt.stream,
                  static_cast<std::uint64_t>(commit.start), static_cast<std::uint64_t>(commit.end));
  if (listener_) listener_(commit, attempt.entries);
  std::int64_t ordinal = commit.ordinal_start;
  StoredEntry stored;
  for (formats::Entry& entry : attempt.entries) {
    stored.entry = std::move(entry);
    stored.ordinal = ordinal;
    ordinal = stored.ordinal_end();
    cache_.push(stored);
  }
  attempt.entries.clear();
  attempt.wal.bytes.clear();
}

// Generation 0 of the range becomes readable without the chain of commits; the protection goes.
Task<Status> Stream::write_index(const CommitRecord& commit, Slice bytes) {
  metadata::Operations operations;
  operations.push_back(metadata::Operation::put(keys_.index(commit.end), bytes, metadata::kAbsent));
  operations.push_back(
      metadata::Operation::erase(keys_.protection(commit.attempt, commit.start), metadata::kAny));
  // What could not be retired when it should have been goes along.
  std::vector<StreamKeys::AttemptAt> late = std::exchange(late_retirements_, {});
  for (const StreamKeys::AttemptAt& old : late) add_retirement(operations, old.attempt, old.start);
  StatusOr<metadata::WriteResponse> written = co_await metadata_.multi(std::move(operations));
  if (!written.ok()) late_retirements_.insert(late_retirements_.end(), late.begin(), late.end());
  if (written.ok()) {
    process().trace("append.index.written"_label, commit.attempt.stream,
                    static_cast<std::uint64_t>(commit.start), static_cast<std::uint64_t>(commit.end));
    co_return ok_status();
  }
  if (written.status().code() != StatusCode::kAborted) co_return written.status();
  // Somebody, perhaps we, wrote it before.
  StatusOr<metadata::GetResponse> found = co_await metadata_.get(keys_.index(commit.end));
  if (!found.ok()) co_return found.status();
  if (found->value == bytes) {
    StatusOr<metadata::WriteResponse> erased =
        co_await metadata_.erase(keys_.protection(commit.attempt, commit.start), metadata::kAny);
    co_return erased.status();
  }
  // Damage is derived state that is lost: the commit writes it anew. Another range is a violation.
  StatusOr<CommitRecord> other = decode_commit(found->value.text());
  WT_INVARIANT(!other.ok(), "stream.index.identity",
               "an index record of another commit ends at " + std::to_string(commit.end));
  StatusOr<metadata::WriteResponse> repaired =
      co_await metadata_.put(keys_.index(commit.end), bytes, found->version);
  co_return repaired.status();
}

}  // namespace wt::stream

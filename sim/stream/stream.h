// One stream, opened by one broker process: append, recovery, read, trim.
//
// Committed is what the stream's head record in the metadata store says, and nothing else: not a
// durable object, not an index. Appends of one stream run one after the other (the lane); the lane
// is local and no fence. The fence is the session in the head record: every change of the head is a
// compare-and-set on a version that a newer session has moved on.
//
// With zero service latency and no fault rules an append or read takes no kernel event.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/faults/rules.h"
#include "sim/kernel/process.h"
#include "sim/kernel/sync.h"
#include "sim/kernel/task.h"
#include "sim/metadata/client.h"
#include "sim/objects/client.h"
#include "sim/stream/keys.h"
#include "sim/stream/tail_cache.h"
#include "sim/stream/types.h"
#include "sim/stream/wal_object.h"

namespace wt::stream {

struct StreamLimits {
  DurationNs session_ttl_ns = 30 * kSecond_ns;
  std::size_t tail_cache_bytes = 16 << 20;  // of payloads, for each stream
  std::size_t tail_cache_entries = 65536;
  std::size_t max_append_bytes = 64 << 20;
  std::size_t max_append_entries = 65536;
  std::size_t max_waiting_appends = 65536;  // then ResourceExhausted
  std::int32_t same_identity_attempts = 3;  // of a call before the head that lost its answer
  std::int32_t recovery_page_commits = 64;  // read in one step of a recovery, or to repair an index
  std::int32_t repair_commits = 4096;       // at most, by one read; more is Unavailable
  DurationNs recovery_backoff_ns = 100 * kMillisecond_ns;
  std::int32_t index_page = 64;
};

struct StreamContext {
  Process* process = nullptr;
  FaultRules* rules = nullptr;
  std::string cluster_id;
  std::int32_t broker_id = -1;
  std::string topic;  // name, for fault rules and the trace
  PartitionKey key;
  StreamLimits limits;
};

// Told of every commit of this object, in order of offsets, at the moment when it is known; before
// the append that made it returns. For derived state; must not append.
using CommitListener = std::function<void(const CommitRecord&, const std::vector<formats::Entry>&)>;
using EntryVisitor = std::function<Status(const StoredEntry&)>;

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  // Made by StreamStorage::open.
  Stream(const StreamContext& context, metadata::MetadataClient metadata, objects::ObjectClient objects,
         const Binding& binding, metadata::Version binding_version);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // --- what is known locally; the head record decides ---
  StreamId id() const noexcept { return head_.stream; }
  const StreamHead& head() const noexcept { return head_; }
  std::int64_t committed_end() const noexcept { return head_.committed_end; }
  std::int64_t ordinal_end() const noexcept { return head_.ordinal_end; }
  std::int64_t trim_offset() const noexcept { return head_.trim_offset; }
  std::int64_t trim_ordinal() const noexcept { return head_.trim_ordinal; }
  const Binding& binding() const noexcept { return binding_; }
  // The session held by this object; epoch 0 for a reader.
  const Session& session() const noexcept { return session_; }
  // Holds a session that nobody is known to have pre-empted, and was not stopped.
  bool writable() const noexcept { return session_.epoch != 0 && !fenced_ && !stopped_; }
  bool fenced() const noexcept { return fenced_; }
  // While an attempt is uncertain: appends wait.
  bool suspended() const noexcept { return uncertain_ != nullptr; }
  // None when not suspended.
  AppendAttemptId uncertain_attempt() const noexcept;

  // --- append ---
  // One atomic append of at least one entry; base offsets of the given headers are ignored and
  // assigned. `expected_start` that is not the committed end when the lane is entered is refused
  // before any byte is written. The entries' checksums must be right: header.crc for a Pulsar entry,
  // the batch's own for a Kafka batch; reads verify them.
  // When the result is kMayHaveCommitted a recovery has started; await resolve(result.attempt).
  Task<AppendResult> append(std::vector<formats::Entry> entries, std::int64_t expected_start = kAnyStart);
  // The final result of an attempt of this object that was uncertain or incomplete. Waits as long as it
  // takes; NotFound in the status for an attempt that is not known here (any more).
  Task<AppendResult> resolve(AppendAttemptId attempt);
  void set_commit_listener(CommitListener listener) { listener_ = std::move(listener); }
  // Leadership is lost: nothing new is admitted, waiting appends fail. What is under way ends against
  // the head as always.
  void stop();

  // --- read ---
  // Answers from the snapshot of head(). Errors: Unavailable and DeadlineExceeded (a service; try
  // again), DataLoss (bytes that fail their checksum).
  Task<StatusOr<ReadResult>> read(const ReadRequest& request);
  // The same without a coroutine, when the answer is in memory; false, and `result` untouched, when not.
  bool read_cached(const ReadRequest& request, ReadResult& result) const;
  // Visits all committed entries that end behind `from_offset`, in order, up to the committed end at
  // the time of the call; for rebuilding derived state. Ends early with the first error of `visit`,
  // which must stay valid until the end (name it before `co_await`).
  Task<Status> scan(std::int64_t from_offset, const EntryVisitor& visit);
  // Reads the head record again: for readers, which see nothing new without it.
  Task<Status> refresh();

  // --- trim, seal, checkpoints ---
  // Moves the start of the stream; idempotent, never backwards. OutOfRange behind the committed end.
  // The offset may lie inside an entry: Kafka exposes the rest of it, and Pulsar the whole.
  Task<Status> trim(std::int64_t new_start);
  // No appends any more; reads go on.
  Task<Status> seal();
  // Keeps a state of the layer above that covers everything below `offset`, and notes it in the binding,
  // where it speeds up the next start. The two newest are kept.
  Task<Status> save_checkpoint(std::int64_t offset, SliceList state);
  // The newest usable checkpoint: not ahead of the head, of this stream, with the right checksum.
  // NotFound when there is none.
  struct Checkpoint {
    std::int64_t offset = 0;
    Slice state;
  };
  Task<StatusOr<Checkpoint>> load_checkpoint();

  // For tests and inspection.
  std::size_t cached_entries() const noexcept { return cache_.size(); }
  void drop_cache() { cache_.clear(head_.committed_end); }

 private:
  friend class StreamStorage;
  struct Attempt;
  class Runner;

  using HeadChange = std::function<bool(StreamHead&)>;  // false: nothing to do

  // stream.cc
  FaultSite site(Label point) const;
  FaultRules::PointAwaiter at(Label point) const;
  void adopt(const StreamHead& head, metadata::Version version);
  Task<Status> change_head(const HeadChange& change);
  // open.cc
  Task<Status> acquire(std::int64_t authority);
  Task<Status> settle_pending();
  // append.cc
  Status check_admission(const std::vector<formats::Entry>& entries) const;
  void prepare(Attempt& attempt);
  std::string object_of(const CommitRecord& commit) const;
  StreamHead head_after(const CommitRecord& commit) const;
  AppendResult result_of(const Attempt& attempt, AppendOutcome outcome, Status status) const;
  AppendResult refused(const Attempt& attempt, Status status);
  Task<Status> write_durable(Attempt& attempt);
  Task<Status> write_wal(Attempt& attempt);
  Task<Status> write_intent(Attempt& attempt);
  Task<AppendResult> publish(Attempt& attempt, Runner& runner);
  void committed(Attempt& attempt);
  Task<Status> write_index(const CommitRecord& commit, Slice bytes);
  // recovery.cc
  void suspend(std::shared_ptr<Attempt> attempt);
  void unsuspend();
  void complete_later(std::shared_ptr<Attempt> attempt);
  void finish(Attempt& attempt, AppendOutcome outcome, Status status);
  static Task<void> recover(std::shared_ptr<Stream> stream, std::shared_ptr<Attempt> attempt);
  static Task<void> complete(std::shared_ptr<Stream> stream, std::shared_ptr<Attempt> attempt);
  Task<StatusOr<bool>> resolve_once(Attempt& attempt);
  Task<StatusOr<bool>> search_chain(Attempt& attempt);
  Task<StatusOr<CommitRecord>> load_commit(AppendAttemptId attempt, std::int64_t start);
  void add_retirement(metadata::Operations& operations, const AppendAttemptId& attempt,
                      std::int64_t start) const;
  Task<void> retire(AppendAttemptId attempt, std::int64_t start);
  // index.cc
  Task<StatusOr<std::vector<CommitRecord>>> load_index(std::int64_t from, std::int64_t end,
                                                       std::int32_t most);
  Task<StatusOr<std::vector<CommitRecord>>> repair_gap(std::int64_t from, AppendAttemptId last,
                                                       std::int64_t last_start);
  Task<StatusOr<std::vector<StoredEntry>>> load_entries(const CommitRecord& commit);
  Task<StatusOr<CommitRecord>> commit_of_ordinal(std::int64_t ordinal);
  // trim.cc
  Task<StatusOr<std::int64_t>> ordinal_at(std::int64_t offset);

  Process& process() const noexcept { return *context_.process; }

  StreamContext context_;
  metadata::MetadataClient metadata_;
  objects::ObjectClient objects_;
  StreamKeys keys_;
  Binding binding_;
  metadata::Version binding_version_ = 0;

  StreamHead head_;
  metadata::Version head_version_ = 0;
  Session session_;
  bool fenced_ = false;
  bool stopped_ = false;
  std::uint64_t next_sequence_ = 1;
  Lane lane_;
  std::size_t waiting_appends_ = 0;

  std::shared_ptr<Attempt> uncertain_;
  Lane::Guard suspended_lane_;
  std::map<AppendAttemptId, std::shared_ptr<Attempt>> unresolved_;  // uncertain or incomplete
  std::deque<AppendResult> resolved_;                               // the last ones, for late resolve()
  std::vector<StreamKeys::AttemptAt> late_retirements_;
  CommitListener listener_;
  ByteWriter scratch_;
  WaitQueue resolutions_;
  TailCache cache_;
};

using StreamPtr = std::shared_ptr<Stream>;

}  // namespace wt::stream

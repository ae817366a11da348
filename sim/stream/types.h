// The vocabulary of the stream storage: identities, results, requests. Plain values.
//
// A stream is one append-only sequence of messages. An entry is an indivisible payload that covers
// `record_count` offsets and `pulsar_ordinal_count` ordinals: offsets count messages, ordinals count
// the entries that a Pulsar client sees. Both are assigned when the head moves. Ranges are [start, end).
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/entry.h"
#include "sim/formats/uuid.h"
#include "sim/kernel/status.h"
#include "sim/kernel/time.h"

namespace wt::stream {

// Never reused, also not by a topic that is deleted and created again; the virtual ledger id that
// Pulsar clients see in message ids.
using StreamId = std::uint32_t;

// The part of a binding's key below the cluster id.
struct PartitionKey {
  Uuid topic;
  std::int32_t partition = 0;
  friend auto operator<=>(const PartitionKey&, const PartitionKey&) = default;
};

// Where and when an append is acknowledged; fixed when the stream is created.
enum class Profile : std::uint8_t {
  kObjectWalSyncObject = 1,  // alias OBJECT_WAL
  kObjectWalAsyncObject = 2,
  kBookkeeperWalOnly = 3,
  kBookkeeperWalAsyncObject = 4,
  kBookkeeperWalSyncObject = 5,
};
std::string_view profile_name(Profile profile);

enum class Lifecycle : std::uint8_t { kCreating = 1, kActive, kSealed, kDeleting, kDeleted };
std::string_view lifecycle_name(Lifecycle lifecycle);
// Whether the state may follow: CREATING → ACTIVE → SEALED → DELETING → DELETED, ACTIVE → DELETING.
bool may_follow(Lifecycle from, Lifecycle to);

// Names one attempt to append, of one session of one stream. The handle for recovery; no key for
// deduplication, which belongs to the protocols.
struct AppendAttemptId {
  StreamId stream = 0;
  std::uint32_t session_epoch = 0;  // 0: no attempt
  std::uint64_t sequence = 0;
  AppendAttemptId() = default;
  AppendAttemptId(StreamId of_stream, std::uint32_t of_session, std::uint64_t number)
      : stream(of_stream), session_epoch(of_session), sequence(number) {}
  explicit operator bool() const noexcept { return session_epoch != 0; }
  friend auto operator<=>(const AppendAttemptId&, const AppendAttemptId&) = default;
};

// What is known about an append. An error is no statement about commitment.
enum class AppendOutcome : std::uint8_t {
  kKnownNotCommitted,  // the head did not advance by it, and never will
  kMayHaveCommitted,   // an answer was lost; the lane is suspended until the attempt is resolved
  kKnownCommitted,     // the head includes it
};
std::string_view outcome_name(AppendOutcome outcome);

// Where an append's bytes are: a slice of an object. Never reaches a client.
struct PhysicalTarget {
  std::string object_key;   // empty: the WAL object of the attempt itself
  std::uint32_t slice = 0;  // index in the object's directory
  std::uint64_t object_bytes = 0;
  std::uint32_t checksum = 0;  // of the object's structure (wal_object.h)
  friend bool operator==(const PhysicalTarget&, const PhysicalTarget&) = default;
};

struct AppendResult {
  AppendOutcome outcome = AppendOutcome::kKnownNotCommitted;
  // Not OK with kKnownCommitted: committed and readable, but what the profile still requires failed;
  // it is being completed. Codes of kKnownNotCommitted: FailedPrecondition (fenced, stopped, sealed, or
  // a wrong expected start), Unavailable (a service refused), DeadlineExceeded, ResourceExhausted,
  // InvalidArgument.
  Status status;
  AppendAttemptId attempt;
  StreamId stream = 0;
  std::int64_t start = -1;
  std::int64_t end = -1;
  std::int64_t ordinal_start = -1;
  std::int64_t ordinal_end = -1;
  std::int64_t committed_end = -1;
  std::int64_t cumulative_size_bytes = 0;
  std::int64_t commit_version = 0;

  // The condition for telling a producer that it succeeded.
  bool ok() const noexcept { return outcome == AppendOutcome::kKnownCommitted && status.ok(); }
};

inline constexpr std::int64_t kAnyStart = -1;

// An entry with both of its coordinates: header.base_offset is final.
struct StoredEntry {
  formats::Entry entry;
  std::int64_t ordinal = 0;

  std::int64_t start() const noexcept { return entry.header.base_offset; }
  std::int64_t end() const noexcept { return entry.header.next_offset(); }
  std::int64_t ordinal_end() const noexcept { return ordinal + entry.header.pulsar_ordinal_count; }
};

enum class Coordinate : std::uint8_t { kOffset, kOrdinal };
enum class Boundary : std::uint8_t {
  kContainingEntry,  // the whole entry that covers the position (Kafka)
  kExactStart,       // an entry must start at the position (Pulsar)
};
// What to do with a first entry that is larger than `max_bytes`.
enum class FirstOverflow : std::uint8_t {
  kAllow,   // return that one entry and stop
  kStrict,  // ReadOutcome::kLimitTooSmall
};

struct ReadRequest {
  std::int64_t from = 0;
  Coordinate coordinate = Coordinate::kOffset;
  Boundary boundary = Boundary::kContainingEntry;
  FirstOverflow first_overflow = FirstOverflow::kAllow;
  std::int64_t max_bytes = 1 << 20;  // of payloads
  std::int32_t max_entries = std::numeric_limits<std::int32_t>::max();
  // Entries that start at or behind this offset are not returned: the caller's high watermark.
  std::int64_t offset_limit = std::numeric_limits<std::int64_t>::max();
};

enum class ReadOutcome : std::uint8_t {
  kData,
  kEndOfStream,    // at or behind the committed end (or the limit) of this snapshot
  kTrimmed,        // OFFSET_TRIMMED
  kLimitTooSmall,  // READ_LIMIT_TOO_SMALL
  kNotAtStart,     // kExactStart, and the position is inside an entry
};

struct ReadResult {
  ReadOutcome outcome = ReadOutcome::kEndOfStream;
  std::vector<StoredEntry> entries;  // dense, ascending; payloads share the memory of what was appended
  // The snapshot that answered.
  std::int64_t committed_end = 0;
  std::int64_t ordinal_end = 0;
  std::int64_t trim_offset = 0;
};

// Who holds the right to append. `authority` is the KRaft leader epoch that it is bound to.
struct Session {
  std::uint32_t epoch = 0;  // 0: there never was one
  std::uint64_t token = 0;
  std::int32_t writer = -1;  // broker id
  std::int64_t authority = -1;
  TimeNs expires_ns = 0;  // of no importance to a newer authority
  friend bool operator==(const Session&, const Session&) = default;
};

// The stream's head record: the only authority on what is committed and who may append.
struct StreamHead {
  StreamId stream = 0;
  PartitionKey key;  // whose stream it is: a binding that says otherwise is damaged
  Profile profile = Profile::kObjectWalSyncObject;
  Lifecycle lifecycle = Lifecycle::kCreating;
  std::int64_t committed_end = 0;
  std::int64_t ordinal_end = 0;
  std::int64_t entry_count = 0;
  std::int64_t cumulative_size_bytes = 0;
  std::int64_t commit_version = 0;
  AppendAttemptId last_commit;          // its commit record is the end of the chain; none when empty
  std::int64_t last_commit_start = -1;  // of that record, a part of its key
  Session session;
  std::int64_t trim_offset = 0;
  std::int64_t trim_ordinal = 0;
  friend bool operator==(const StreamHead&, const StreamHead&) = default;
};

// A state of the layer above at some offset, kept as an object. Speeds replay up; decides nothing.
struct CheckpointRef {
  std::string object_key;
  std::int64_t offset = 0;
  std::uint64_t size_bytes = 0;
  std::uint32_t checksum = 0;
  friend bool operator==(const CheckpointRef&, const CheckpointRef&) = default;
};

// What ties a partition to its stream: {cluster id, topic id, partition} → this.
struct Binding {
  StreamId stream = 0;
  Profile profile = Profile::kObjectWalSyncObject;
  Lifecycle lifecycle = Lifecycle::kActive;
  std::uint32_t incarnation = 1;
  // Hints for a fast start; the head decides.
  std::int64_t observed_end = 0;
  std::int64_t observed_trim = 0;
  std::vector<CheckpointRef> checkpoints;  // newest first
  std::string activation;                  // facts of the activation record, opaque here
  friend bool operator==(const Binding&, const Binding&) = default;
};

// A committed append, or the intent to commit one: it is committed when the head reaches it. Written
// once; the same attempt always writes the same bytes. Also the value of a generation-0 index record.
struct CommitRecord {
  AppendAttemptId attempt;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t ordinal_start = 0;
  std::int64_t ordinal_end = 0;
  std::int32_t entry_count = 0;
  std::int64_t size_bytes = 0;             // of payloads
  std::int64_t cumulative_size_bytes = 0;  // of the stream, this append included
  std::int64_t commit_version = 0;
  AppendAttemptId previous;  // the chain
  std::int64_t previous_start = -1;
  PhysicalTarget target;
  friend bool operator==(const CommitRecord&, const CommitRecord&) = default;
};

}  // namespace wt::stream

// Fetch (1): reads, and waits while there is too little to read.
#include <utility>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/fetch_session.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/partition_errors.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/sync.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionWithSessions = 7;
constexpr Version kFirstVersionById = 13;
constexpr Version kFirstVersionWithHints = 16;

using PartitionAnswer = FetchResponse::PartitionData;

// One partition of a fetch on its way from the request to the answer.
struct Wanted {
  FetchItem item;
  broker::Found found;
  PartitionAnswer answer;
  std::size_t size_bytes = 0;
  bool is_error = false;
  bool is_final = false;  // an error of the log or a divergence: answered at once, whatever the wait
};

PartitionAnswer empty_answer(std::int32_t partition) {
  PartitionAnswer answer;
  answer.partition_index = partition;
  answer.high_watermark = -1;
  answer.last_stable_offset = -1;
  answer.log_start_offset = -1;
  answer.records = SliceList();
  return answer;
}

// A partition that this broker does not know. It never reaches the log and does not end the wait for others.
void fail_unknown(Wanted& wanted, ErrorCode code) {
  wanted.answer = empty_answer(wanted.item.target.partition);
  wanted.answer.error_code = code;
  wanted.size_bytes = 0;
  wanted.is_error = true;
}

// An error of the partition. It has no list of aborted transactions, instead of an empty one.
void fail(Wanted& wanted, ErrorCode code) {
  fail_unknown(wanted, code);
  wanted.answer.aborted_transactions.reset();
  wanted.is_final = true;
}

bool is_known(const Wanted& wanted) {
  return wanted.found.lookup == broker::Lookup::found || wanted.found.lookup == broker::Lookup::not_replica;
}

// Wakes the fetch when one of its partitions changes.
class Wakeup final : public broker::PartitionListener {
 public:
  explicit Wakeup(Process& process) : changed_(process) {}
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;
  ~Wakeup() override {
    for (const auto& partition : watched_) partition->unlisten(*this);
  }
  void watch(std::shared_ptr<broker::Partition> partition) {
    partition->listen(*this);
    watched_.push_back(std::move(partition));
  }
  void on_partition_changed() override {
    ++changes_;
    changed_.notify_all();
  }
  std::uint64_t changes() const noexcept { return changes_; }
  WaitQueue& changed() noexcept { return changed_; }

 private:
  WaitQueue changed_;
  std::uint64_t changes_ = 0;
  std::vector<std::shared_ptr<broker::Partition>> watched_;
};

class FetchRun {
 public:
  explicit FetchRun(RequestContext& context) : context_(context), request_(context.body<FetchRequest>()) {}

  Task<Reply> run();

 private:
  bool by_id() const { return context_.version() >= kFirstVersionById; }
  std::optional<ErrorCode> open_session();
  void resolve(FetchItems& items);
  void resolve_again(Wanted& wanted);
  Task<void> read_all();
  bool is_foreign_replica(const Wanted& wanted) const;
  Task<void> read_one(Wanted& wanted, std::size_t budget_bytes, bool first_may_overflow);
  bool check_epochs(Wanted& wanted);
  bool enough() const;
  Task<void> wait_for_data();
  Reply answer();
  bool tells_something(const Wanted& wanted) const;
  static void remember(FetchSession& session, const Wanted& wanted);
  std::int32_t replica_id() const { return std::max(request_.replica_id, request_.replica_state.replica_id); }
  void add_hint(Wanted& wanted, FetchResponse& response) const;
  void add(FetchResponse& response, Wanted& wanted) const;
  Reply top_level(ErrorCode code) const;

  RequestContext& context_;
  const FetchRequest& request_;
  std::int32_t session_id_ = 0;  // answered
  bool incremental_ = false;
  bool suspended_ = false;      // a read took time
  std::vector<Wanted> wanted_;  // as asked: a session may change while this fetch waits
};

// Which partitions are meant, by session or by list. An error is one of the whole request.
std::optional<ErrorCode> FetchRun::open_session() {
  FetchSessions& sessions = context_.service.fetch_sessions();
  const TimeNs now_ns = context_.process.now();
  const bool without = context_.version() < kFirstVersionWithSessions || request_.session_epoch == -1;
  if (without || request_.session_epoch == 0) {
    if (request_.session_id != 0) sessions.remove(request_.session_id);
    FetchSession* session = nullptr;
    if (!without) {
      RandomStream& random = context_.process.random("kafka.fetch_session"_label);
      session = sessions.create(request_, by_id(), now_ns, random);
    }
    FetchItems own;
    if (session == nullptr) own = FetchItems(request_);
    if (session != nullptr) session_id_ = session->id;
    resolve(session != nullptr ? session->items : own);
    return std::nullopt;
  }
  FetchSession* session = sessions.find(request_.session_id);
  if (session == nullptr) return ErrorCode::kFetchSessionIdNotFound;
  if (session->epoch != request_.session_epoch) return ErrorCode::kInvalidFetchSessionEpoch;
  if (session->by_id != by_id()) return ErrorCode::kFetchSessionTopicIdError;
  session->items.take(request_);
  session->last_used_ns = now_ns;
  if (sessions.too_large(session->items)) {
    // The client starts again, with a full request.
    sessions.remove(session->id);
    return ErrorCode::kFetchSessionIdNotFound;
  }
  if (session->items.empty()) {
    sessions.remove(session->id);
    return std::nullopt;
  }
  session->epoch = next_session_epoch(session->epoch);
  session_id_ = session->id;
  incremental_ = true;
  resolve(session->items);
  return std::nullopt;
}

void FetchRun::resolve(FetchItems& items) {
  wanted_.reserve(items.size());
  for (FetchItem& item : items) {
    Wanted& wanted = wanted_.emplace_back();
    wanted.found = by_id() ? context_.broker.find(item.target.topic_id, item.target.partition)
                           : context_.broker.find(item.target.topic, item.target.partition);
    if (item.known_name.empty()) item.known_name = wanted.found.topic;
    wanted.item = item;
    if (wanted.found.lookup == broker::Lookup::not_replica) {
      fail(wanted, ErrorCode::kNotLeaderOrFollower);
    } else if (!is_known(wanted)) {
      fail_unknown(wanted, error_of(wanted.found.lookup, by_id() && item.known_name.empty()));
    }
  }
}

// After a wait: the topic can be gone, or the replica elsewhere.
void FetchRun::resolve_again(Wanted& wanted) {
  const broker::Found now = context_.broker.find(wanted.found.topic_id, wanted.item.target.partition);
  if (now.lookup == broker::Lookup::found) {
    wanted.found.partition = now.partition;
  } else {
    fail(wanted, error_of(now.lookup, false));
  }
}

// A follower that is none of this partition. Nobody replicates from a simulated broker, but anybody can claim
// to.
bool FetchRun::is_foreign_replica(const Wanted& wanted) const {
  if (replica_id() < 0) return false;
  const controller::PartitionState* state =
      context_.broker.image().partition(wanted.found.topic_id, wanted.item.target.partition);
  return state == nullptr || !state->has_replica(replica_id());
}

// Compares the epoch of the last record that the client has with the leader's history.
bool FetchRun::check_epochs(Wanted& wanted) {
  const FetchItem& item = wanted.item;
  if (item.last_fetched_epoch < 0) return true;
  const broker::Partition& partition = *wanted.found.partition;
  const broker::EpochCache::End end =
      partition.epochs().end_of(item.last_fetched_epoch, partition.log_end_offset());
  if (end.epoch < 0 || item.fetch_offset < partition.log_start_offset()) {
    fail(wanted, ErrorCode::kOffsetOutOfRange);
    return false;
  }
  if (end.epoch < item.last_fetched_epoch || end.offset < item.fetch_offset) {
    wanted.answer.diverging_epoch.epoch = end.epoch;
    wanted.answer.diverging_epoch.end_offset = end.offset;
    wanted.is_final = true;
    return false;
  }
  return true;
}

Task<void> FetchRun::read_one(Wanted& wanted, std::size_t budget_bytes, bool first_may_overflow) {
  broker::Partition& partition = *wanted.found.partition;
  const FetchItem& item = wanted.item;
  const broker::Refusal refusal = partition.check_leader(item.current_leader_epoch);
  if (refusal != broker::Refusal::none) {
    fail(wanted, error_of(refusal));
    co_return;
  }
  if (is_foreign_replica(wanted)) {
    const bool with_epoch = item.current_leader_epoch >= 0;
    fail(wanted, with_epoch ? ErrorCode::kUnknownLeaderEpoch : ErrorCode::kNotLeaderOrFollower);
    co_return;
  }
  const bool committed_only = request_.isolation_level == 1;
  PartitionAnswer answer = empty_answer(item.target.partition);
  answer.high_watermark = partition.high_watermark();
  answer.last_stable_offset = partition.last_stable_offset();
  answer.log_start_offset = partition.log_start_offset();
  if (!committed_only) answer.aborted_transactions.reset();
  wanted.answer = std::move(answer);
  wanted.size_bytes = 0;
  if (!check_epochs(wanted)) co_return;
  if (item.fetch_offset < partition.log_start_offset() || item.fetch_offset > partition.log_end_offset()) {
    fail(wanted, ErrorCode::kOffsetOutOfRange);
    co_return;
  }
  broker::LogReadLimits limits;
  limits.upper_offset = committed_only ? partition.last_stable_offset() : partition.high_watermark();
  limits.max_bytes = std::min(budget_bytes, static_cast<std::size_t>(std::max(0, item.max_bytes)));
  limits.first_may_overflow = first_may_overflow;
  if (item.fetch_offset >= limits.upper_offset) co_return;
  broker::LogRead read;
  if (!partition.read_cached(item.fetch_offset, limits, read)) {
    suspended_ = true;
    StatusOr<broker::LogRead> slow = co_await partition.read(item.fetch_offset, limits);
    if (!slow.ok()) {
      const bool trimmed = slow.status().code() == StatusCode::kOutOfRange;
      fail(wanted, trimmed ? ErrorCode::kOffsetOutOfRange : ErrorCode::kKafkaStorageError);
      co_return;
    }
    read = std::move(*slow);
  }
  SliceList& records = *wanted.answer.records;
  for (const formats::Entry& entry : read.entries) formats::project_kafka(entry, records);
  wanted.size_bytes = total_size(records);
}

Task<void> FetchRun::read_all() {
  const auto request_bytes = static_cast<std::size_t>(std::max(0, request_.max_bytes));
  std::size_t budget_bytes = std::min(request_bytes, context_.service.options().fetch_max_bytes);
  bool something_read = false;
  for (Wanted& wanted : wanted_) {
    if (wanted.is_error) continue;
    co_await read_one(wanted, budget_bytes, !something_read);
    something_read = something_read || wanted.size_bytes > 0;
    budget_bytes -= std::min(budget_bytes, wanted.size_bytes);
  }
}

bool FetchRun::enough() const {
  std::size_t total_bytes = 0;
  bool waits_for_something = false;
  for (const Wanted& wanted : wanted_) {
    if (wanted.is_final) return true;
    total_bytes += wanted.size_bytes;
    waits_for_something = waits_for_something || is_known(wanted);
  }
  return !waits_for_something || request_.max_wait_ms <= 0 ||
         total_bytes >= static_cast<std::size_t>(std::max(0, request_.min_bytes));
}

// Parked: until enough can be read, a partition is lost, or the client's patience ends.
Task<void> FetchRun::wait_for_data() {
  const TimeNs deadline_ns = saturating_add(context_.process.now(), from_ms(request_.max_wait_ms));
  context_.process.trace("kafka.fetch.parked"_label, context_.connection.id, wanted_.size());
  Wakeup wakeup(context_.process);
  for (const Wanted& wanted : wanted_) {
    if (wanted.found.partition != nullptr) wakeup.watch(wanted.found.partition);
  }
  // What changed while a slow read was under way woke nobody: then everything is read once more.
  bool missed_nothing = !suspended_;
  bool in_time = true;
  while (in_time) {
    if (missed_nothing) {
      in_time = co_await wakeup.changed().wait_until(deadline_ns, TimerKind::park, context_.connection.id);
    }
    const std::uint64_t changes = wakeup.changes();
    for (Wanted& wanted : wanted_) {
      if (is_known(wanted)) resolve_again(wanted);
    }
    co_await read_all();
    if (enough()) co_return;
    missed_nothing = wakeup.changes() == changes;
  }
}

bool FetchRun::tells_something(const Wanted& wanted) const {
  const PartitionAnswer& answer = wanted.answer;
  return wanted.size_bytes > 0 || answer.error_code != ErrorCode::kNone ||
         answer.diverging_epoch.epoch >= 0 || answer.high_watermark != wanted.item.told_high_watermark ||
         answer.log_start_offset != wanted.item.told_log_start;
}

// The session may have changed while this fetch waited, so the partition is looked up again.
void FetchRun::remember(FetchSession& session, const Wanted& wanted) {
  FetchItem* item = session.items.find(wanted.item.target);
  if (item == nullptr) return;
  const bool failed = wanted.answer.error_code != ErrorCode::kNone;
  item->told_high_watermark = failed ? -1 : wanted.answer.high_watermark;
  item->told_log_start = failed ? -1 : wanted.answer.log_start_offset;
}

void FetchRun::add_hint(Wanted& wanted, FetchResponse& response) const {
  const ErrorCode code = wanted.answer.error_code;
  const bool hinted = code == ErrorCode::kNotLeaderOrFollower || code == ErrorCode::kFencedLeaderEpoch;
  const bool opening =
      wanted.found.partition != nullptr && wanted.found.partition->role() == broker::Role::opening;
  if (context_.version() < kFirstVersionWithHints || !hinted || opening) return;
  const broker::LeaderHint hint =
      context_.broker.leader_of(wanted.found.topic_id, wanted.item.target.partition);
  wanted.answer.current_leader.leader_id = hint.leader;
  wanted.answer.current_leader.leader_epoch = hint.epoch;
  add_endpoint(response.node_endpoints, context_.broker, hint.leader);
}

// Appends to the answer, joining partitions of one topic that follow each other.
void FetchRun::add(FetchResponse& response, Wanted& wanted) const {
  const FetchTarget& target = wanted.item.target;
  const bool same_topic = !response.responses.empty() && response.responses.back().topic == target.topic &&
                          response.responses.back().topic_id == target.topic_id;
  if (!same_topic) {
    auto& topic = response.responses.emplace_back();
    topic.topic = target.topic;
    topic.topic_id = target.topic_id;
  }
  add_hint(wanted, response);
  response.responses.back().partitions.push_back(std::move(wanted.answer));
}

Reply FetchRun::answer() {
  FetchResponse response;
  response.session_id = session_id_;
  FetchSession* session = session_id_ != 0 ? context_.service.fetch_sessions().find(session_id_) : nullptr;
  std::vector<FetchTarget> served;
  // What never reached the log comes last.
  for (const bool resolved : {true, false}) {
    for (Wanted& wanted : wanted_) {
      if (is_known(wanted) != resolved) continue;
      const bool tell = !incremental_ || tells_something(wanted);
      if (session != nullptr && tell) remember(*session, wanted);
      if (incremental_ && wanted.size_bytes > 0) served.push_back(wanted.item.target);
      if (tell) add(response, wanted);
    }
  }
  for (const FetchTarget& target : served) {
    if (session != nullptr) session->items.rotate(target);
  }
  return answer_with(std::move(response));
}

Reply FetchRun::top_level(ErrorCode code) const {
  FetchResponse response;
  response.error_code = code;
  return answer_with(std::move(response));
}

Task<Reply> FetchRun::run() {
  const std::optional<ErrorCode> error = open_session();
  if (error) co_return top_level(*error);
  co_await read_all();
  if (!enough()) co_await wait_for_data();
  co_return answer();
}

}  // namespace

Task<Reply> handle_fetch(RequestContext& context) {
  FetchRun fetch(context);
  Reply reply = co_await fetch.run();
  co_return reply;
}

}  // namespace wt::kafka

// GroupShard: from an outcome to durable records and answers.
#include "sim/formats/batch_builder.h"
#include "sim/kafka/groups/shard.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr int kMostFollowUps = 4;

// What a client of the coordinator is told when the log refuses its records.
ErrorCode error_of_append(broker::Refusal refusal) {
  switch (refusal) {
    case broker::Refusal::none:
      return ErrorCode::kNone;
    case broker::Refusal::not_enough_replicas:
    case broker::Refusal::not_enough_replicas_after_append:
    case broker::Refusal::storage_unknown:
      return ErrorCode::kCoordinatorNotAvailable;
    case broker::Refusal::not_leader:
    case broker::Refusal::opening:
    case broker::Refusal::fenced_leader_epoch:
    case broker::Refusal::unknown_leader_epoch:
    case broker::Refusal::storage_refused:
      return ErrorCode::kNotCoordinator;
    default:
      return ErrorCode::kUnknownServerError;
  }
}

}  // namespace

FaultSite GroupShard::site(Label point, const GroupCall& call) const {
  FaultSite here(point);
  here.broker = broker_.id();
  here.topic = kOffsetsTopic;
  here.partition = index();
  here.client_id = call.client_id;
  here.group = call.group;
  here.api_key = call.api_key;
  here.api_version = call.api_version;
  here.connection = call.connection;
  return here;
}

Task<void> GroupShard::commit(const GroupCall& call, Outcome& outcome) {
  // A group that could not write what it wanted may write something else instead.
  for (int round = 0; !outcome.records.empty(); ++round) {
    const ErrorCode code = co_await write(call, outcome);
    if (stopped()) break;
    if (code == ErrorCode::kNone) continue;
    if (!outcome_unknown_) outcome.after = nullptr;
    give_up(call, round < kMostFollowUps ? code : ErrorCode::kUnknownServerError, outcome);
    if (outcome_unknown_ || round >= kMostFollowUps) break;
  }
  if (stopped()) {
    refuse_all(outcome, ErrorCode::kNotCoordinator);
    co_return;
  }
  if (!outcome.answers.empty()) {
    const FaultSite before = site("group.answer.before"_label, call);
    co_await broker_.rules().at(process_, before);
  }
  deliver(outcome);
}

// Appends the records and replays them. Their answers are left to the caller.
Task<ErrorCode> GroupShard::write(const GroupCall& call, Outcome& outcome) {
  const FaultSite prepared = site("group.records.prepared"_label, call);
  co_await broker_.rules().at(process_, prepared);
  if (stopped()) co_return ErrorCode::kNotCoordinator;
  const ErrorCode code = co_await append(call, outcome.records);
  if (code != ErrorCode::kNone) co_return code;
  outcome.records.clear();
  outcome.replaced.reset();
  follow_up(call.group, outcome);
  co_return code;
}

void GroupShard::follow_up(std::string_view group, Outcome& outcome) {
  Group* known = find(group);
  const auto after = std::exchange(outcome.after, nullptr);
  if (known != nullptr && after) after(*known, outcome);
}

StatusOr<Slice> GroupShard::batch_of(const std::vector<GroupRecord>& records) const {
  formats::BatchOptions options;
  options.base_sequence = 0;  // as a broker writes it
  formats::BatchBuilder builder(options);
  for (const GroupRecord& record : records) {
    const StatusOr<RecordBytes> bytes = codec_.encode(record);
    if (!bytes.ok()) return bytes.status();
    formats::NewRecord entry;
    entry.timestamp_ms = to_ms(process_.now());
    entry.key = bytes->key.text();
    if (bytes->value) entry.value = bytes->value->text();
    builder.add(entry);
  }
  return builder.build();
}

Task<ErrorCode> GroupShard::append(const GroupCall& call, const std::vector<GroupRecord>& records) {
  const StatusOr<Slice> batch = batch_of(records);
  if (!batch.ok()) {
    process_.trace("group.records.unencodable"_label, hash_text(message_of(batch.status())));
    co_return ErrorCode::kUnknownServerError;
  }
  broker::AdmissionOptions admission;
  admission.client_id = call.client_id;
  admission.all_in_sync = true;
  const std::int64_t now_ms = to_ms(process_.now());
  const broker::ProduceResult result = co_await partition_->produce(*batch, admission);
  process_.trace("group.records.appended"_label, hash_text(call.group),
                 static_cast<std::uint64_t>(result.base_offset), static_cast<std::uint64_t>(result.refusal));
  if (result.refusal != broker::Refusal::none) {
    outcome_unknown_ = result.refusal == broker::Refusal::storage_unknown;
    co_return error_of_append(result.refusal);
  }
  const FaultSite appended = site("group.records.appended"_label, call);
  co_await broker_.rules().at(process_, appended);
  // Durable, but the next coordinator answers for it.
  if (stopped()) co_return ErrorCode::kNotCoordinator;
  if (applied_ != result.base_offset) {
    const bool known = co_await catch_up();
    co_return known ? ErrorCode::kNone : ErrorCode::kNotCoordinator;
  }
  RecordPlace place;
  place.timestamp_ms = now_ms;
  for (const GroupRecord& record : records) {
    place.offset = applied_++;
    replay(record, place);
  }
  co_return ErrorCode::kNone;
}

void GroupShard::give_up(const GroupCall& call, ErrorCode code, Outcome& outcome) {
  Group* group = call.records_of == RecordsOf::group ? find(call.group) : nullptr;
  if (group == nullptr) {
    outcome.records.clear();
    refuse_all(outcome, code);
    return;
  }
  const std::size_t failed = outcome.records.size();
  group->on_append_failed(code, outcome);
  const auto first = outcome.records.begin();
  if (outcome.records.size() >= failed) {
    outcome.records.erase(first, first + static_cast<std::ptrdiff_t>(failed));
  }
  if (!group->is_gone()) return;
  remove(call.group);
  if (outcome.replaced != nullptr) put(std::move(outcome.replaced)).on_restored();
}

}  // namespace wt::kafka

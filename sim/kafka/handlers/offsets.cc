// ListOffsets (2), OffsetForLeaderEpoch (23), DeleteRecords (21).
#include <set>

#include "sim/broker/broker.h"
#include "sim/formats/record_batch.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/partition_errors.h"
#include "sim/kafka/wire/messages/list_offsets.h"
#include "sim/kafka/wire/messages/topics.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionWithEpoch = 4;
constexpr std::int64_t kLatest = -1;
constexpr std::int64_t kEarliest = -2;
constexpr std::int64_t kMaxTimestamp = -3;
constexpr std::int64_t kEarliestLocal = -4;
constexpr std::int64_t kLatestTiered = -5;
constexpr std::int64_t kEarliestPendingUpload = -6;
constexpr std::int32_t kDebuggingReplica = -2;
constexpr std::size_t kContentLimit_bytes = std::size_t{64} << 20;

using OffsetAnswer = ListOffsetsResponse::ListOffsetsPartitionResponse;
using OffsetQuestion = ListOffsetsRequest::ListOffsetsPartition;

// The version that brought a special time.
Version first_version_of(std::int64_t timestamp) {
  switch (timestamp) {
    case kMaxTimestamp:
      return 7;
    case kEarliestLocal:
      return 8;
    case kLatestTiered:
      return 9;
    case kEarliestPendingUpload:
      return 11;
    default:
      return timestamp < kMaxTimestamp ? std::numeric_limits<Version>::max() : 1;
  }
}

struct TimedOffset {
  std::int64_t offset = -1;
  std::int64_t timestamp = -1;
  std::int32_t leader_epoch = -1;
};

// The first record of the entry at `base_offset`, at or after `from_offset`, that has at least the
// time; offset -1 when there is none.
Task<StatusOr<TimedOffset>> search_entry(broker::Partition& partition, std::int64_t base_offset,
                                         std::int64_t from_offset, std::int64_t timestamp) {
  broker::LogReadLimits limits;
  limits.first_may_overflow = true;
  const std::int64_t offset = std::max(base_offset, from_offset);
  limits.upper_offset = offset + 1;
  StatusOr<broker::LogRead> read = co_await partition.read(offset, limits);
  if (!read.ok()) co_return read.status();
  TimedOffset none;
  if (read->entries.empty()) co_return none;
  const formats::Entry& entry = read->entries.front();
  const Slice batch = flatten(formats::project_kafka(entry));
  const auto header = formats::parse_batch_header(batch.bytes());
  if (!header.ok()) co_return none;
  const auto records = formats::BatchRecords::open(batch, *header, kContentLimit_bytes);
  if (!records.ok()) co_return records.status();
  formats::RecordReader reader(*header, records->bytes());
  formats::RecordView record;
  while (reader.next(record)) {
    const std::int64_t at = entry.header.base_offset + record.offset_delta;
    if (at < from_offset || record.timestamp < timestamp) continue;
    TimedOffset found;
    found.offset = at;
    found.timestamp = record.timestamp;
    found.leader_epoch = entry.header.leader_epoch;
    co_return found;
  }
  co_return none;
}

OffsetAnswer offset_error(std::int32_t partition, ErrorCode code) {
  OffsetAnswer answer;
  answer.partition_index = partition;
  answer.error_code = code;
  return answer;
}

Task<OffsetAnswer> list_by_time(broker::Partition& partition, std::int32_t index, std::int64_t timestamp,
                                std::int64_t bound) {
  OffsetAnswer answer;
  answer.partition_index = index;
  std::optional<std::int64_t> base;
  if (timestamp == kMaxTimestamp) {
    base = partition.times().largest(partition.log_end_offset());
  } else {
    base = partition.times().first_at_or_after(timestamp);
  }
  std::int64_t wanted = timestamp;
  if (base && timestamp == kMaxTimestamp) wanted = partition.times().timestamp_of(*base);
  while (base) {
    StatusOr<TimedOffset> found =
        co_await search_entry(partition, *base, partition.log_start_offset(), wanted);
    if (!found.ok()) co_return offset_error(index, ErrorCode::kKafkaStorageError);
    if (found->offset >= 0) {
      if (found->offset >= bound) break;
      answer.offset = found->offset;
      answer.timestamp = found->timestamp;
      answer.leader_epoch = found->leader_epoch;
      break;
    }
    // Records before the log start do not count: go on with the next entry.
    base = partition.times().next_at_or_after(*base, wanted);
  }
  co_return answer;
}

Task<OffsetAnswer> list_partition(RequestContext& context, const broker::Found& found,
                                  const OffsetQuestion& question) {
  const auto& request = context.body<ListOffsetsRequest>();
  const std::int32_t index = question.partition_index;
  if (context.version() < first_version_of(question.timestamp)) {
    co_return offset_error(index, ErrorCode::kUnsupportedVersion);
  }
  if (found.lookup != broker::Lookup::found) co_return offset_error(index, error_of(found.lookup, false));
  broker::Partition& partition = *found.partition;
  const broker::Refusal refusal = partition.check_leader(question.current_leader_epoch);
  if (refusal == broker::Refusal::opening) {
    const bool old = context.version() < 5;
    co_return offset_error(index, old ? ErrorCode::kLeaderNotAvailable : ErrorCode::kOffsetNotAvailable);
  }
  if (refusal != broker::Refusal::none) co_return offset_error(index, error_of(refusal));

  std::int64_t bound =
      request.isolation_level == 1 ? partition.last_stable_offset() : partition.high_watermark();
  if (request.replica_id == kDebuggingReplica) bound = partition.log_end_offset();
  OffsetAnswer answer;
  answer.partition_index = index;
  switch (question.timestamp) {
    case kLatest:
      answer.offset = bound;
      answer.leader_epoch = partition.leader_epoch();
      break;
    case kEarliest:
    case kEarliestLocal:
      answer.offset = partition.log_start_offset();
      answer.leader_epoch = partition.epochs().epoch_at(partition.log_start_offset());
      break;
    case kLatestTiered:
    case kEarliestPendingUpload:
      break;  // nothing is tiered
    default: {
      OffsetAnswer timed = co_await list_by_time(partition, index, question.timestamp, bound);
      co_return timed;
    }
  }
  co_return answer;
}

// Partitions that a topic's questions name more than once.
std::set<std::int32_t> twins_of(const std::vector<OffsetQuestion>& questions) {
  std::set<std::int32_t> seen, twins;
  for (const OffsetQuestion& question : questions) {
    if (!seen.insert(question.partition_index).second) twins.insert(question.partition_index);
  }
  return twins;
}

OffsetForLeaderEpochResponse::EpochEndOffset epoch_end(
    const broker::Found& found, const OffsetForLeaderEpochRequest::OffsetForLeaderPartition& question) {
  OffsetForLeaderEpochResponse::EpochEndOffset answer;
  answer.partition = question.partition;
  if (found.lookup != broker::Lookup::found) {
    answer.error_code = error_of(found.lookup, false);
    return answer;
  }
  const broker::Partition& partition = *found.partition;
  answer.error_code = error_of(partition.check_leader(question.current_leader_epoch));
  if (answer.error_code != ErrorCode::kNone) return answer;
  const auto end = partition.epochs().end_of(question.leader_epoch, partition.log_end_offset());
  answer.leader_epoch = end.epoch;
  answer.end_offset = end.offset;
  return answer;
}

using DeleteAnswer = DeleteRecordsResponse::DeleteRecordsPartitionResult;

DeleteAnswer delete_error(std::int32_t index, ErrorCode code) {
  DeleteAnswer answer;
  answer.partition_index = index;
  answer.low_watermark = -1;
  answer.error_code = code;
  return answer;
}

Task<DeleteAnswer> delete_partition(const broker::Found& found, std::int32_t index, std::int64_t offset) {
  if (found.lookup != broker::Lookup::found) co_return delete_error(index, error_of(found.lookup, false));
  if (found.is_internal) co_return delete_error(index, ErrorCode::kInvalidTopicException);
  broker::Partition& partition = *found.partition;
  const broker::Refusal first = partition.check_leader(-1);
  if (first != broker::Refusal::none) co_return delete_error(index, error_of(first));
  if (!partition.settings().segments.deletable) co_return delete_error(index, ErrorCode::kPolicyViolation);
  const broker::Refusal refusal = co_await partition.delete_before(offset);
  if (refusal != broker::Refusal::none) co_return delete_error(index, error_of(refusal));
  DeleteAnswer answer;
  answer.partition_index = index;
  answer.low_watermark = partition.log_start_offset();
  co_return answer;
}

}  // namespace

Task<Reply> handle_list_offsets(RequestContext& context) {
  const auto& request = context.body<ListOffsetsRequest>();
  ListOffsetsResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    const std::set<std::int32_t> twins = twins_of(topic.partitions);
    std::set<std::int32_t> refused_twins;
    for (const auto& question : topic.partitions) {
      if (twins.contains(question.partition_index)) {
        if (!refused_twins.insert(question.partition_index).second) continue;
        answers.partitions.push_back(offset_error(question.partition_index, ErrorCode::kInvalidRequest));
        continue;
      }
      const broker::Found found = context.broker.find(topic.name, question.partition_index);
      OffsetAnswer answer = co_await list_partition(context, found, question);
      if (context.version() < kFirstVersionWithEpoch) answer.leader_epoch = -1;
      answers.partitions.push_back(std::move(answer));
    }
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_offset_for_leader_epoch(RequestContext& context) {
  const auto& request = context.body<OffsetForLeaderEpochRequest>();
  OffsetForLeaderEpochResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.topic = topic.topic;
    for (const auto& question : topic.partitions) {
      answers.partitions.push_back(epoch_end(context.broker.find(topic.topic, question.partition), question));
    }
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_delete_records(RequestContext& context) {
  const auto& request = context.body<DeleteRecordsRequest>();
  DeleteRecordsResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    for (const auto& question : topic.partitions) {
      const broker::Found found = context.broker.find(topic.name, question.partition_index);
      DeleteAnswer answer = co_await delete_partition(found, question.partition_index, question.offset);
      answers.partitions.push_back(std::move(answer));
    }
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

#include "sim/broker/shared_log.h"

#include <utility>

namespace wt::broker {
namespace {

stream::ReadRequest to_request(std::int64_t offset, const LogReadLimits& limits) {
  stream::ReadRequest request;
  request.from = offset;
  request.first_overflow =
      limits.first_may_overflow ? stream::FirstOverflow::kAllow : stream::FirstOverflow::kStrict;
  request.max_bytes = static_cast<std::int64_t>(limits.max_bytes);
  request.offset_limit = limits.upper_offset;
  return request;
}

LogRead to_read(stream::ReadResult result) {
  LogRead read;
  read.entries.reserve(result.entries.size());
  for (stream::StoredEntry& stored : result.entries) {
    read.size_bytes += formats::kafka_size_bytes(stored.entry);
    read.entries.push_back(std::move(stored.entry));
  }
  return read;
}

}  // namespace

SharedLog::SharedLog(stream::StreamStorage& storage, const stream::PartitionKey& key, std::string topic)
    : storage_(storage), key_(key), topic_(std::move(topic)) {}

Task<Status> SharedLog::open(std::int32_t leader_epoch,
                             const std::function<void(const formats::Entry&)>& replay) {
  uncertain_ = {};
  stream::OpenRequest request;
  request.key = key_;
  request.topic = topic_;
  request.authority = leader_epoch;
  StatusOr<stream::StreamPtr> opened = co_await storage_.open(request);
  if (!opened.ok()) co_return opened.status();
  const stream::StreamPtr stream = *opened;
  const stream::EntryVisitor visit = [&replay](const stream::StoredEntry& stored) {
    replay(stored.entry);
    return ok_status();
  };
  Status scanned = co_await stream->scan(stream->trim_offset(), visit);
  if (scanned.ok()) stream_ = stream;
  co_return scanned;
}

AppendResult SharedLog::to_result(const stream::AppendResult& appended) {
  AppendResult result;
  result.base_offset = appended.start;
  uncertain_ = {};
  if (appended.ok()) {
    result.outcome = AppendOutcome::committed;
  } else if (appended.outcome != stream::AppendOutcome::kKnownNotCommitted) {
    // Committed, but what the profile requires is not complete yet: no success before it is.
    result.outcome = AppendOutcome::unknown;
    uncertain_ = appended.attempt;
  } else if (appended.status.code() == StatusCode::kFailedPrecondition) {
    result.outcome = AppendOutcome::fenced;
  }
  return result;
}

Task<AppendResult> SharedLog::append(const formats::Entry& entry) {
  const stream::StreamPtr stream = stream_;
  std::vector<formats::Entry> entries;
  entries.push_back(entry);
  const stream::AppendResult appended = co_await stream->append(std::move(entries));
  co_return to_result(appended);
}

Task<AppendResult> SharedLog::settle() {
  const stream::StreamPtr stream = stream_;
  const stream::AppendResult resolved = co_await stream->resolve(uncertain_);
  co_return to_result(resolved);
}

bool SharedLog::read_cached(std::int64_t offset, const LogReadLimits& limits, LogRead& out) const {
  if (!stream_) return false;
  stream::ReadResult result;
  const stream::ReadRequest request = to_request(offset, limits);
  if (!stream_->read_cached(request, result) || result.outcome == stream::ReadOutcome::kTrimmed) return false;
  out = to_read(std::move(result));
  return true;
}

Task<StatusOr<LogRead>> SharedLog::read(std::int64_t offset, const LogReadLimits& limits) {
  if (!stream_) co_return make_status(StatusCode::kUnavailable, "the log is not open");
  const stream::StreamPtr stream = stream_;
  const stream::ReadRequest request = to_request(offset, limits);
  StatusOr<stream::ReadResult> result = co_await stream->read(request);
  if (!result.ok()) co_return result.status();
  if (result->outcome == stream::ReadOutcome::kTrimmed) {
    co_return make_status(StatusCode::kOutOfRange, "below the log start");
  }
  co_return to_read(std::move(*result));
}

Task<Status> SharedLog::trim(std::int64_t new_start_offset) {
  const stream::StreamPtr stream = stream_;
  Status trimmed = co_await stream->trim(new_start_offset);
  co_return trimmed;
}

void SharedLog::close() {
  if (stream_) stream_->stop();
}

}  // namespace wt::broker

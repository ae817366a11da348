#include <algorithm>
#include <utility>

#include "sim/stream/attempt.h"

namespace wt::stream {
namespace {

// Collects entries for one request, in order, until a limit says stop.
class Collector {
 public:
  Collector(const ReadRequest& request, ReadResult& result) : request_(request), result_(result) {}

  // False when no more entries are wanted.
  bool add(const StoredEntry& entry) {
    const bool by_offset = request_.coordinate == Coordinate::kOffset;
    const bool first = result_.entries.empty();
    if (first && (by_offset ? entry.end() : entry.ordinal_end()) <= request_.from) return true;
    if (entry.start() >= request_.offset_limit) return false;
    const auto size_bytes = static_cast<std::int64_t>(entry.entry.payload.size());
    if (first) {
      const std::int64_t start = by_offset ? entry.start() : entry.ordinal;
      if (request_.boundary == Boundary::kExactStart && start != request_.from) {
        result_.outcome = ReadOutcome::kNotAtStart;
        return false;
      }
      if (size_bytes > request_.max_bytes && request_.first_overflow == FirstOverflow::kStrict) {
        result_.outcome = ReadOutcome::kLimitTooSmall;
        return false;
      }
    } else if (size_bytes > request_.max_bytes - bytes_) {
      return false;
    }
    result_.outcome = ReadOutcome::kData;
    result_.entries.push_back(entry);
    bytes_ += size_bytes;
    return bytes_ < request_.max_bytes &&
           result_.entries.size() < static_cast<std::size_t>(std::max(1, request_.max_entries));
  }

 private:
  const ReadRequest& request_;
  ReadResult& result_;
  std::int64_t bytes_ = 0;
};

// Whether the position alone decides, without any data.
bool decided_by_position(const ReadRequest& request, const StreamHead& head, ReadResult& result) {
  const bool by_offset = request.coordinate == Coordinate::kOffset;
  if (request.from < (by_offset ? head.trim_offset : head.trim_ordinal)) {
    result.outcome = ReadOutcome::kTrimmed;
    return true;
  }
  const std::int64_t end = by_offset ? std::min(head.committed_end, request.offset_limit) : head.ordinal_end;
  if (request.from >= end) {
    result.outcome = ReadOutcome::kEndOfStream;
    return true;
  }
  return false;
}

ReadResult snapshot_of(const StreamHead& head) {
  ReadResult result;
  result.committed_end = head.committed_end;
  result.ordinal_end = head.ordinal_end;
  result.trim_offset = head.trim_offset;
  return result;
}

}  // namespace

bool Stream::read_cached(const ReadRequest& request, ReadResult& result) const {
  ReadResult answer = snapshot_of(head_);
  if (!decided_by_position(request, head_, answer)) {
    const std::ptrdiff_t found = request.coordinate == Coordinate::kOffset
                                     ? cache_.find_offset(request.from)
                                     : cache_.find_ordinal(request.from);
    if (found < 0) return false;
    Collector collector(request, answer);
    for (auto i = static_cast<std::size_t>(found); i < cache_.size(); ++i) {
      if (!collector.add(cache_.at(i))) break;
    }
  }
  result = std::move(answer);
  return true;
}

Task<StatusOr<ReadResult>> Stream::read(const ReadRequest& request) {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  ReadResult result;
  if (read_cached(request, result)) co_return result;
  const StreamHead snapshot = head_;
  result = snapshot_of(snapshot);
  std::int64_t position = request.from;
  if (request.coordinate == Coordinate::kOrdinal) {
    StatusOr<CommitRecord> commit = co_await commit_of_ordinal(request.from);
    if (!commit.ok()) co_return commit.status();
    position = commit->start;
  }
  Collector collector(request, result);
  bool more = true;
  while (more && position < snapshot.committed_end) {
    StatusOr<std::vector<CommitRecord>> commits =
        co_await load_index(position, snapshot.committed_end, request.max_entries);
    if (!commits.ok()) co_return commits.status();
    for (std::size_t i = 0; more && i < commits->size(); ++i) {
      StatusOr<std::vector<StoredEntry>> entries = co_await load_entries((*commits)[i]);
      if (!entries.ok()) co_return entries.status();
      for (std::size_t e = 0; more && e < entries->size(); ++e) more = collector.add((*entries)[e]);
      position = (*commits)[i].end;
    }
  }
  co_return result;
}

Task<Status> Stream::scan(std::int64_t from_offset, const EntryVisitor& visit) {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  const std::int64_t end = head_.committed_end;
  std::int64_t position = std::max(from_offset, head_.trim_offset);
  // What is read here anyway fills an empty cache.
  TailCache seen(context_.limits.tail_cache_bytes, context_.limits.tail_cache_entries);
  while (position < end) {
    const std::ptrdiff_t cached = cache_.find_offset(position);
    if (cached >= 0) {
      const StoredEntry entry = cache_.at(static_cast<std::size_t>(cached));
      Status visited = visit(entry);
      if (!visited.ok()) co_return visited;
      position = entry.end();
      continue;
    }
    StatusOr<std::vector<CommitRecord>> commits =
        co_await load_index(position, end, context_.limits.index_page);
    if (!commits.ok()) co_return commits.status();
    for (std::size_t i = 0; i < commits->size(); ++i) {
      StatusOr<std::vector<StoredEntry>> entries = co_await load_entries((*commits)[i]);
      if (!entries.ok()) co_return entries.status();
      for (const StoredEntry& entry : *entries) {
        if (entry.end() <= position) continue;
        Status visited = visit(entry);
        if (!visited.ok()) co_return visited;
        seen.push(entry);
        position = entry.end();
      }
    }
  }
  if (cache_.size() == 0 && seen.next_offset() == head_.committed_end) cache_ = std::move(seen);
  co_return ok_status();
}

}  // namespace wt::stream

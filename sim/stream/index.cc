#include <algorithm>
#include <utility>

#include "sim/stream/attempt.h"
#include "sim/stream/records.h"

namespace wt::stream {

// The commits that cover [from, …), dense, at least one, at most a page of the index or `most`; `from`
// must lie below `end`, a committed end. A missing or damaged index record is lost derived state: it is
// written again from the chain of commits.
Task<StatusOr<std::vector<CommitRecord>>> Stream::load_index(std::int64_t from, std::int64_t end,
                                                             std::int32_t most) {
  const std::int32_t limit = std::clamp(most, 1, context_.limits.index_page);
  StatusOr<metadata::ListResponse> page =
      co_await metadata_.list(keys_.index_prefix(), keys_.index(from), limit);
  if (!page.ok()) co_return page.status();
  std::vector<CommitRecord> commits;
  std::int64_t next = from;
  AppendAttemptId anchor = head_.last_commit;
  std::int64_t anchor_start = head_.last_commit_start;
  for (const metadata::KeyValue& item : page->items) {
    StatusOr<CommitRecord> record = decode_commit(item.value.text());
    const bool sound =
        record.ok() && record->attempt.stream == keys_.stream() && item.key == keys_.index(record->end);
    if (!sound && commits.empty()) continue;  // the next sound one leads to the gap
    if (!sound || record->start >= end) break;
    if (commits.empty() && record->start > from) {
      anchor = record->previous;
      anchor_start = record->previous_start;
      break;
    }
    if (!commits.empty()) {
      WT_INVARIANT(record->start >= next, "stream.index.dense",
                   "two committed ranges overlap at offset " + std::to_string(record->start));
      if (record->start > next) break;
    }
    next = record->end;
    commits.push_back(std::move(*record));
  }
  if (!commits.empty()) co_return commits;
  StatusOr<std::vector<CommitRecord>> repaired = co_await repair_gap(from, anchor, anchor_start);
  co_return repaired;
}

// Reads the chain down from `last` to the commit that covers `from` and writes the index of what it
// reads. Over budget it answers Unavailable, and what was read need not be read again.
Task<StatusOr<std::vector<CommitRecord>>> Stream::repair_gap(std::int64_t from, AppendAttemptId last,
                                                             std::int64_t last_start) {
  std::vector<CommitRecord> commits;
  bool complete = false;
  while (!complete && last && static_cast<std::int32_t>(commits.size()) < context_.limits.repair_commits) {
    StatusOr<CommitRecord> commit = co_await load_commit(last, last_start);
    if (!commit.ok()) co_return commit.status();
    WT_INVARIANT(commits.empty() || commit->end == commits.back().start, "stream.chain.dense",
                 "the chain of commits has a gap or an overlap at offset " + std::to_string(commit->end));
    complete = commit->start <= from;
    last = commit->previous;
    last_start = commit->previous_start;
    commits.push_back(std::move(*commit));
  }
  process().trace("read.index.repaired"_label, keys_.stream(), static_cast<std::uint64_t>(from),
                  commits.size());
  for (const CommitRecord& commit : commits) {
    Slice bytes = encode_commit(commit);
    Status indexed = co_await write_index(commit, std::move(bytes));
    if (!indexed.ok()) co_return indexed;
  }
  if (!complete) co_return make_status(StatusCode::kUnavailable, "the index is being repaired");
  std::reverse(commits.begin(), commits.end());
  co_return commits;
}

// The entries of a committed append, verified, with their coordinates.
Task<StatusOr<std::vector<StoredEntry>>> Stream::load_entries(const CommitRecord& commit) {
  const PhysicalTarget& target = commit.target;
  StatusOr<objects::GetResponse> object = co_await objects_.get(object_of(commit));
  if (!object.ok()) {
    if (object.status().code() != StatusCode::kNotFound) co_return object.status();
    co_return make_status(StatusCode::kDataLoss, "the object of a committed range is missing");
  }
  if (object->info.size_bytes != target.object_bytes || object->info.checksum != target.checksum)
    co_return make_status(StatusCode::kDataLoss, "the object of a committed range is another one");
  StatusOr<std::vector<formats::Entry>> entries =
      decode_wal_slice(object->bytes, target.slice, commit.attempt);
  if (!entries.ok()) co_return entries.status();
  std::vector<StoredEntry> stored(entries->size());
  std::int64_t offset = commit.start;
  std::int64_t ordinal = commit.ordinal_start;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    stored[i].entry = std::move((*entries)[i]);
    stored[i].entry.header.base_offset = offset;
    stored[i].ordinal = ordinal;
    offset = stored[i].end();
    ordinal = stored[i].ordinal_end();
  }
  if (offset != commit.end || ordinal != commit.ordinal_end)
    co_return make_status(StatusCode::kDataLoss, "the object does not cover its committed range");
  co_return stored;
}

// The commit that covers a Pulsar ordinal, found by halving the range of offsets.
Task<StatusOr<CommitRecord>> Stream::commit_of_ordinal(std::int64_t ordinal) {
  const std::int64_t end = head_.committed_end;
  std::int64_t low = head_.trim_offset;
  std::int64_t high = end;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    StatusOr<std::vector<CommitRecord>> commits = co_await load_index(middle, end, 1);
    if (!commits.ok()) co_return commits.status();
    if (ordinal < commits->front().ordinal_start) {
      high = commits->front().start;
      continue;
    }
    for (CommitRecord& commit : *commits) {
      if (ordinal < commit.ordinal_end) co_return std::move(commit);
    }
    low = commits->back().end;
  }
  co_return make_status(StatusCode::kDataLoss, "no commit covers the position");
}

}  // namespace wt::stream

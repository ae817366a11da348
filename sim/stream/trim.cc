#include <algorithm>
#include <utility>

#include "sim/formats/crc32c.h"
#include "sim/stream/attempt.h"
#include "sim/stream/records.h"

namespace wt::stream {
namespace {

constexpr std::size_t kKeptCheckpoints = 2;
constexpr std::int32_t kTries = 8;

}  // namespace

// The ordinal of the entry that covers the offset.
Task<StatusOr<std::int64_t>> Stream::ordinal_at(std::int64_t offset) {
  if (offset >= head_.committed_end) co_return head_.ordinal_end;
  ReadRequest request;
  request.from = offset;
  request.max_entries = 1;
  StatusOr<ReadResult> found = co_await read(request);
  if (!found.ok()) co_return found.status();
  if (found->entries.empty()) co_return make_status(StatusCode::kDataLoss, "no entry covers the offset");
  co_return found->entries.front().ordinal;
}

Task<Status> Stream::trim(std::int64_t new_start) {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  const Lane::Guard lane = co_await lane_.acquire();
  if (new_start <= head_.trim_offset) co_return ok_status();
  if (new_start > head_.committed_end)
    co_return make_status(StatusCode::kOutOfRange,
                          "the stream ends at " + std::to_string(head_.committed_end));
  if (!writable()) co_return make_status(StatusCode::kFailedPrecondition, "this broker may not trim");
  StatusOr<std::int64_t> ordinal = co_await ordinal_at(new_start);
  if (!ordinal.ok()) co_return ordinal.status();
  const std::int64_t new_ordinal = *ordinal;
  const HeadChange change = [new_start, new_ordinal](StreamHead& head) {
    if (head.trim_offset >= new_start) return false;
    head.trim_offset = new_start;
    head.trim_ordinal = std::max(head.trim_ordinal, new_ordinal);
    return true;
  };
  Status trimmed = co_await change_head(change);
  if (trimmed.ok()) {
    process().trace("stream.trimmed"_label, keys_.stream(), static_cast<std::uint64_t>(new_start),
                    static_cast<std::uint64_t>(new_ordinal));
  }
  co_return trimmed;
}

Task<Status> Stream::seal() {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  const Lane::Guard lane = co_await lane_.acquire();
  if (!writable()) co_return make_status(StatusCode::kFailedPrecondition, "this broker may not seal");
  const HeadChange change = [](StreamHead& head) {
    if (head.lifecycle != Lifecycle::kActive) return false;
    head.lifecycle = Lifecycle::kSealed;
    return true;
  };
  Status changed = co_await change_head(change);
  if (changed.ok()) process().trace("stream.sealed"_label, keys_.stream());
  co_return changed;
}

Task<Status> Stream::save_checkpoint(std::int64_t offset, SliceList state) {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  if (!writable()) co_return make_status(StatusCode::kFailedPrecondition, "this broker may not checkpoint");
  if (offset > head_.committed_end)
    co_return make_status(StatusCode::kOutOfRange, "a checkpoint cannot be ahead of the head");
  CheckpointRef mine;
  mine.offset = offset;
  mine.size_bytes = total_size(state);
  mine.checksum = formats::crc32c(state);
  mine.object_key = keys_.checkpoint_object(offset, mine.checksum);
  StatusOr<objects::PutResponse> put =
      co_await objects_.put(mine.object_key, std::move(state), mine.checksum);
  if (!put.ok()) co_return put.status();
  std::string dropped;
  for (std::int32_t tries = 0; tries < kTries; ++tries) {
    Binding next = binding_;
    std::erase(next.checkpoints, mine);
    next.checkpoints.insert(next.checkpoints.begin(), mine);
    if (next.checkpoints.size() > kKeptCheckpoints) {
      dropped = next.checkpoints.back().object_key;
      next.checkpoints.pop_back();
    }
    next.observed_end = head_.committed_end;
    next.observed_trim = head_.trim_offset;
    const std::string key = binding_key(context_.cluster_id, context_.key);
    StatusOr<metadata::WriteResponse> written =
        co_await metadata_.put(key, encode_binding(next), binding_version_);
    if (written.ok()) {
      binding_ = std::move(next);
      binding_version_ = written->version;
      if (dropped.empty()) co_return ok_status();
      // One that stays after an error is only space.
      StatusOr<objects::DeleteResponse> erased = co_await objects_.erase(dropped);
      if (!erased.ok()) process().trace("stream.checkpoint.kept"_label, keys_.stream());
      co_return ok_status();
    }
    const StatusCode code = written.status().code();
    if (code != StatusCode::kAborted && code != StatusCode::kDeadlineExceeded) co_return written.status();
    StatusOr<metadata::GetResponse> found = co_await metadata_.get(key);
    if (!found.ok()) co_return found.status();
    StatusOr<Binding> binding = decode_binding(found->value.text());
    if (!binding.ok()) co_return binding.status();
    if (binding->stream != keys_.stream() || binding->lifecycle != Lifecycle::kActive)
      co_return make_status(StatusCode::kFailedPrecondition, "the binding belongs to another stream now");
    binding_ = std::move(*binding);
    binding_version_ = found->version;
  }
  co_return make_status(StatusCode::kUnavailable, "the binding changes too fast");
}

Task<StatusOr<Stream::Checkpoint>> Stream::load_checkpoint() {
  const std::shared_ptr<Stream> keep_alive = shared_from_this();
  const std::vector<CheckpointRef> candidates = binding_.checkpoints;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const CheckpointRef& ref = candidates[i];
    // One ahead of the head proves nothing; one of another stream is not ours.
    if (ref.offset > head_.committed_end || !ref.object_key.starts_with(keys_.checkpoint_prefix())) continue;
    StatusOr<objects::GetResponse> object = co_await objects_.get(ref.object_key);
    if (!object.ok()) {
      const StatusCode code = object.status().code();
      if (code == StatusCode::kUnavailable || code == StatusCode::kDeadlineExceeded)
        co_return object.status();
      continue;
    }
    Checkpoint checkpoint;
    checkpoint.offset = ref.offset;
    checkpoint.state = flatten(object->bytes);
    const bool sound = checkpoint.state.size() == ref.size_bytes &&
                       formats::crc32c(checkpoint.state.bytes()) == ref.checksum;
    if (!sound) {
      process().trace("stream.checkpoint.damaged"_label, keys_.stream(),
                      static_cast<std::uint64_t>(ref.offset));
      continue;
    }
    co_return checkpoint;
  }
  co_return make_status(StatusCode::kNotFound, "no usable checkpoint");
}

}  // namespace wt::stream

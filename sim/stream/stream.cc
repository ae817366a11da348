#include "sim/stream/stream.h"

#include "sim/stream/attempt.h"
#include "sim/stream/records.h"

namespace wt::stream {

Stream::Stream(const StreamContext& context, metadata::MetadataClient metadata, objects::ObjectClient objects,
               const Binding& binding, metadata::Version binding_version)
    : context_(context),
      metadata_(metadata),
      objects_(objects),
      keys_(context.cluster_id, binding.stream),
      binding_(binding),
      binding_version_(binding_version),
      lane_(*context.process),
      resolutions_(*context.process),
      cache_(context.limits.tail_cache_bytes, context.limits.tail_cache_entries) {
  metadata_.set_about(context_.topic, context_.key.partition);
  objects_.set_about(context_.topic, context_.key.partition);
}

AppendAttemptId Stream::uncertain_attempt() const noexcept {
  return uncertain_ == nullptr ? AppendAttemptId{} : uncertain_->commit.attempt;
}

FaultSite Stream::site(Label point) const {
  FaultSite here(point);
  here.broker = context_.broker_id;
  here.topic = context_.topic;
  here.partition = context_.key.partition;
  return here;
}

FaultRules::PointAwaiter Stream::at(Label point) const {
  return context_.rules->at(process(), site(point));
}

void Stream::stop() {
  stopped_ = true;
}

// Takes over a newer state of the head record; a session that is not ours fences this object.
void Stream::adopt(const StreamHead& head, metadata::Version version) {
  if (version <= head_version_) return;
  WT_INVARIANT(head.committed_end >= head_.committed_end && head.trim_offset >= head_.trim_offset,
               "stream.head.monotonic",
               "the head of stream " + std::to_string(head.stream) + " went back from " +
                   std::to_string(head_.committed_end) + " to " + std::to_string(head.committed_end));
  head_ = head;
  head_version_ = version;
  if (session_.epoch == 0) return;
  if (head.session.epoch != session_.epoch || head.session.token != session_.token) fenced_ = true;
}

Task<Status> Stream::refresh() {
  StatusOr<metadata::GetResponse> found = co_await metadata_.get(keys_.head());
  if (!found.ok()) {
    // The head is erased when the stream is deleted.
    if (found.status().code() == StatusCode::kNotFound) fenced_ = true;
    co_return found.status();
  }
  StatusOr<StreamHead> head = decode_head(found->value.text());
  if (!head.ok()) co_return head.status();
  if (head->stream != keys_.stream() || head->key != context_.key)
    co_return make_status(StatusCode::kDataLoss, "the binding points to the stream of another partition");
  adopt(*head, found->version);
  co_return ok_status();
}

// Changes the head under our session until `change` has nothing to do. A lost answer is resolved by
// reading the head again: `change` then finds its work done, or does it on the same version.
Task<Status> Stream::change_head(const HeadChange& change) {
  for (std::int32_t tries = 0;; ++tries) {
    if (session_.epoch == 0 || fenced_)
      co_return make_status(StatusCode::kFailedPrecondition, "another session owns the stream");
    StreamHead next = head_;
    if (!change(next)) co_return ok_status();
    Slice bytes = encode_head(next);
    StatusOr<metadata::WriteResponse> written =
        co_await metadata_.put(keys_.head(), std::move(bytes), head_version_);
    if (written.ok()) {
      adopt(next, written->version);
      co_return ok_status();
    }
    const Status failed = written.status();
    const bool again =
        failed.code() == StatusCode::kAborted || failed.code() == StatusCode::kDeadlineExceeded;
    if (!again || tries >= context_.limits.same_identity_attempts) co_return failed;
    Status fresh = co_await refresh();
    if (!fresh.ok()) co_return fresh;
  }
}

}  // namespace wt::stream

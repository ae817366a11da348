// Deleting a stream for good.
#include <utility>

#include "sim/stream/attempt.h"
#include "sim/stream/records.h"
#include "sim/stream/storage.h"

namespace wt::stream {
namespace {

constexpr std::int32_t kTries = 8;
constexpr std::int32_t kPage = 256;

}  // namespace

// Moves the binding to a later state of its life; OK when it is there already.
Task<Status> StreamStorage::mark_binding(const OpenRequest& request, Lifecycle lifecycle) {
  metadata::MetadataClient metadata = metadata_for(request);
  for (std::int32_t tries = 0; tries < kTries; ++tries) {
    StatusOr<Found> found = co_await find_binding(request);
    if (!found.ok()) co_return found.status();
    if (found->binding.lifecycle >= lifecycle) co_return ok_status();
    found->binding.lifecycle = lifecycle;
    if (lifecycle == Lifecycle::kDeleted) found->binding.checkpoints.clear();
    StatusOr<metadata::WriteResponse> written = co_await metadata.put(
        binding_key(options_.cluster_id, request.key), encode_binding(found->binding), found->version);
    if (written.ok()) co_return ok_status();
    const StatusCode code = written.status().code();
    if (code != StatusCode::kAborted && code != StatusCode::kDeadlineExceeded) co_return written.status();
  }
  co_return make_status(StatusCode::kUnavailable, "the binding changes too fast");
}

Task<Status> StreamStorage::remove(const OpenRequest& request) {
  StatusOr<Found> found = co_await find_binding(request);
  if (!found.ok()) {
    if (found.status().code() == StatusCode::kNotFound) co_return ok_status();
    co_return found.status();
  }
  if (found->binding.lifecycle == Lifecycle::kDeleted) co_return ok_status();
  const StreamId id = found->binding.stream;
  Status step = co_await mark_binding(request, Lifecycle::kDeleting);
  if (!step.ok()) co_return step;
  // Without a head nothing can be committed: the records behind it can go in any order.
  const StreamKeys keys(options_.cluster_id, id);
  metadata::MetadataClient metadata = metadata_for(request);
  StatusOr<metadata::WriteResponse> fenced = co_await metadata.erase(keys.head(), metadata::kAny);
  if (!fenced.ok()) co_return fenced.status();
  process_.trace("stream.deleting"_label, id);
  step = co_await remove_objects(request, keys.wal_prefix());
  if (!step.ok()) co_return step;
  step = co_await remove_objects(request, keys.checkpoint_prefix());
  if (!step.ok()) co_return step;
  step = co_await remove_keys(request, keys.index_prefix());
  if (!step.ok()) co_return step;
  step = co_await remove_keys(request, keys.commit_prefix());
  if (!step.ok()) co_return step;
  step = co_await remove_keys(request, keys.protection_prefix());
  if (!step.ok()) co_return step;
  step = co_await mark_binding(request, Lifecycle::kDeleted);
  if (step.ok()) process_.trace("stream.deleted"_label, id);
  co_return step;
}

Task<Status> StreamStorage::remove_keys(const OpenRequest& request, std::string prefix) {
  metadata::MetadataClient metadata = metadata_for(request);
  for (;;) {
    StatusOr<metadata::ListResponse> page = co_await metadata.list(prefix, std::string(), kPage);
    if (!page.ok()) co_return page.status();
    if (page->items.empty()) co_return ok_status();
    metadata::Operations operations;
    for (const metadata::KeyValue& item : page->items)
      operations.push_back(metadata::Operation::erase(item.key, metadata::kAny));
    StatusOr<metadata::WriteResponse> erased = co_await metadata.multi(std::move(operations));
    if (!erased.ok()) co_return erased.status();
  }
}

Task<Status> StreamStorage::remove_objects(const OpenRequest& request, std::string prefix) {
  objects::ObjectClient objects = objects_for(request);
  for (;;) {
    StatusOr<objects::ListResponse> page = co_await objects.list(prefix, std::string(), kPage);
    if (!page.ok()) co_return page.status();
    if (page->items.empty()) co_return ok_status();
    for (std::size_t i = 0; i < page->items.size(); ++i) {
      StatusOr<objects::DeleteResponse> erased = co_await objects.erase(page->items[i].key);
      if (!erased.ok()) co_return erased.status();
    }
  }
}

}  // namespace wt::stream

#include "sim/stream/storage.h"

#include <charconv>
#include <utility>

#include "sim/stream/attempt.h"
#include "sim/stream/records.h"

namespace wt::stream {
namespace {

constexpr std::int32_t kTries = 8;

CallOptions base_options(const StorageOptions& options, NodeId to) {
  CallOptions base;
  base.from = options.node;
  base.to = to;
  base.timeout_ns = options.call_timeout_ns;
  base.broker = options.broker_id;
  return base;
}

std::uint32_t parse_stream_id(std::string_view text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Status StreamStorage::validate(const StorageOptions& options) {
  const auto wrong = [](std::string_view sentence) {
    return make_status(StatusCode::kInvalidArgument, sentence);
  };
  if (options.cluster_id.empty()) return wrong("the cluster id is empty");
  if (options.cluster_id.find('/') != std::string::npos) return wrong("a cluster id has no slash");
  if (options.node == 0) return wrong("the broker has no node");
  if (options.metadata == 0) return wrong("there is no metadata store");
  if (options.objects == 0) return wrong("there is no object store, which every object profile needs");
  if (options.default_profile > Profile::kObjectWalAsyncObject)
    return wrong("a ledger profile needs a ledger service, and there is none");
  if (options.call_timeout_ns <= 0) return wrong("the time-out of calls must be positive");
  if (options.limits.session_ttl_ns <= 0) return wrong("the time to live of a session must be positive");
  if (options.limits.recovery_backoff_ns <= 0) return wrong("the back-off of a recovery must be positive");
  return ok_status();
}

StreamStorage::StreamStorage(Process& process, Calls& calls, FaultRules& rules, const StorageOptions& options)
    : process_(process), calls_(calls), rules_(rules), options_(options) {}

metadata::MetadataClient StreamStorage::metadata_for(const OpenRequest& request) const {
  metadata::MetadataClient client(process_, calls_, base_options(options_, options_.metadata));
  client.set_about(request.topic, request.key.partition);
  return client;
}

objects::ObjectClient StreamStorage::objects_for(const OpenRequest& request) const {
  objects::ObjectClient client(process_, calls_, base_options(options_, options_.objects));
  client.set_about(request.topic, request.key.partition);
  return client;
}

FaultRules::PointAwaiter StreamStorage::at(Label point, const OpenRequest& request) const {
  FaultSite here(point);
  here.broker = options_.broker_id;
  here.topic = request.topic;
  here.partition = request.key.partition;
  return rules_.at(process_, here);
}

StreamPtr StreamStorage::make_stream(const OpenRequest& request, const Found& found) const {
  StreamContext context;
  context.process = &process_;
  context.rules = &rules_;
  context.cluster_id = options_.cluster_id;
  context.broker_id = options_.broker_id;
  context.topic = request.topic;
  context.key = request.key;
  context.limits = options_.limits;
  return std::make_shared<Stream>(context, metadata_for(request), objects_for(request), found.binding,
                                  found.version);
}

Task<StatusOr<StreamStorage::Found>> StreamStorage::find_binding(const OpenRequest& request) {
  metadata::MetadataClient metadata = metadata_for(request);
  StatusOr<metadata::GetResponse> stored =
      co_await metadata.get(binding_key(options_.cluster_id, request.key));
  if (!stored.ok()) co_return stored.status();
  StatusOr<Binding> binding = decode_binding(stored->value.text());
  if (!binding.ok()) co_return binding.status();
  Found found;
  found.binding = std::move(*binding);
  found.version = stored->version;
  co_return found;
}

Task<StatusOr<Binding>> StreamStorage::find(const OpenRequest& request) {
  StatusOr<Found> found = co_await find_binding(request);
  if (!found.ok()) co_return found.status();
  co_return std::move(found->binding);
}

Task<StatusOr<Binding>> StreamStorage::resolve(const OpenRequest& request) {
  StatusOr<Found> found = co_await find_or_create(request);
  if (!found.ok()) co_return found.status();
  co_return std::move(found->binding);
}

// Stream id, binding, proof and head come into being in one write, so that of several brokers exactly
// one creates and the others find.
Task<StatusOr<StreamStorage::Found>> StreamStorage::find_or_create(const OpenRequest& request) {
  metadata::MetadataClient metadata = metadata_for(request);
  Status last = make_status(StatusCode::kUnavailable, "the binding changes too fast");
  for (std::int32_t tries = 0; tries < kTries; ++tries) {
    StatusOr<Found> found = co_await find_binding(request);
    if (found.ok()) {
      if (found->binding.lifecycle != Lifecycle::kActive)
        co_return make_status(StatusCode::kFailedPrecondition, "the partition is deleted");
      co_return found;
    }
    last = found.status();
    if (last.code() == StatusCode::kDeadlineExceeded) continue;
    if (last.code() != StatusCode::kNotFound) co_return last;

    // A binding that was made and is gone must not turn into an empty stream.
    StatusOr<metadata::GetResponse> proof =
        co_await metadata.get(binding_proof_key(options_.cluster_id, request.key));
    if (proof.ok()) co_return make_status(StatusCode::kDataLoss, "the binding of the partition is lost");
    last = proof.status();
    if (last.code() == StatusCode::kDeadlineExceeded) continue;
    if (last.code() != StatusCode::kNotFound) co_return last;
    StatusOr<metadata::GetResponse> counter = co_await metadata.get(next_stream_key(options_.cluster_id));
    if (!counter.ok()) {
      last = counter.status();
      if (last.code() == StatusCode::kDeadlineExceeded) continue;
      if (last.code() != StatusCode::kNotFound) co_return last;
    }
    metadata::Version counter_version = metadata::kAbsent;
    std::uint32_t id = 1;
    if (counter.ok()) {
      counter_version = counter->version;
      id = parse_stream_id(counter->value.text());
      WT_INVARIANT(id != 0, "stream.id.counter", "the counter of stream ids is damaged");
    }
    StatusOr<metadata::WriteResponse> created =
        co_await metadata.multi(creation(request, id, counter_version));
    last = created.status();
    if (created.ok()) process_.trace("stream.created"_label, id, request.key.topic.low());
    const bool again =
        created.ok() || last.code() == StatusCode::kAborted || last.code() == StatusCode::kDeadlineExceeded;
    if (!again) co_return last;
  }
  // The last attempt may have made it, but nobody has read it yet.
  if (last.ok()) last = make_status(StatusCode::kUnavailable, "the binding is new; look again");
  co_return last;
}

metadata::Operations StreamStorage::creation(const OpenRequest& request, StreamId id,
                                             metadata::Version counter_version) const {
  Binding binding;
  binding.stream = id;
  binding.profile = options_.default_profile;
  StreamHead head;
  head.stream = id;
  head.key = request.key;
  head.profile = options_.default_profile;
  head.lifecycle = Lifecycle::kActive;
  const std::string& cluster = options_.cluster_id;
  metadata::Operations operations;
  operations.push_back(metadata::Operation::put(next_stream_key(cluster),
                                                Slice::copy_of(std::to_string(id + 1)), counter_version));
  operations.push_back(metadata::Operation::put(binding_key(cluster, request.key), encode_binding(binding),
                                                metadata::kAbsent));
  operations.push_back(metadata::Operation::put(binding_proof_key(cluster, request.key),
                                                Slice::copy_of(std::to_string(id)), metadata::kAbsent));
  operations.push_back(
      metadata::Operation::put(StreamKeys(cluster, id).head(), encode_head(head), metadata::kAbsent));
  return operations;
}

Task<StatusOr<StreamPtr>> StreamStorage::open(const OpenRequest& request) {
  StatusOr<Found> found = co_await find_or_create(request);
  if (!found.ok()) co_return found.status();
  if (found->binding.profile > Profile::kObjectWalAsyncObject)
    co_return make_status(StatusCode::kUnimplemented, "a ledger profile needs a ledger service");
  const StreamId id = found->binding.stream;
  process_.trace("open.binding.resolved"_label, id);
  co_await at("open.binding.resolved"_label, request);
  StreamPtr stream = make_stream(request, *found);
  Status step = co_await stream->acquire(request.authority);
  if (!step.ok()) co_return step;
  process_.trace("open.session.acquired"_label, id, stream->session().epoch,
                 static_cast<std::uint64_t>(request.authority));
  co_await at("open.session.acquired"_label, request);
  // Taking the session has read the head and fixed it; only this session moves it from now on.
  process_.trace("open.head.read"_label, id, static_cast<std::uint64_t>(stream->committed_end()),
                 static_cast<std::uint64_t>(stream->trim_offset()));
  co_await at("open.head.read"_label, request);
  stream->cache_.clear(stream->committed_end());
  step = co_await stream->settle_pending();
  if (!step.ok()) co_return step;
  co_return stream;
}

Task<StatusOr<StreamPtr>> StreamStorage::open_reader(const OpenRequest& request) {
  StatusOr<Found> found = co_await find_binding(request);
  if (!found.ok()) co_return found.status();
  StreamPtr stream = make_stream(request, *found);
  Status fresh = co_await stream->refresh();
  if (!fresh.ok()) co_return fresh;
  stream->cache_.clear(stream->committed_end());
  co_return stream;
}

}  // namespace wt::stream

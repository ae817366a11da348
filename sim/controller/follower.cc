#include "sim/controller/follower.h"

#include <algorithm>
#include <utility>

namespace wt::controller {
namespace {

Uuid new_incarnation(Process& process) {
  RandomStream& random = process.random("broker.incarnation"_label);
  const std::uint64_t high = random.next();
  const std::uint64_t low = random.next();
  return Uuid::from_halves(high, low);
}

// The topic that a batch is about, for rules: the first one that it names.
std::string topic_of(const MetadataImage& image, const RecordBatch& batch) {
  for (const Record& record : batch.records) {
    if (const auto* topic = std::get_if<TopicRecord>(&record)) return topic->name;
    const TopicState* state = nullptr;
    if (const auto* partition = std::get_if<PartitionRecord>(&record))
      state = image.topic(partition->topic_id);
    if (const auto* change = std::get_if<PartitionChangeRecord>(&record))
      state = image.topic(change->topic_id);
    if (const auto* removal = std::get_if<RemoveTopicRecord>(&record)) state = image.topic(removal->topic_id);
    if (state != nullptr) return state->name;
  }
  return {};
}

}  // namespace

MetadataFollower::MetadataFollower(Process& process, Calls& calls, FaultRules& rules,
                                   const FollowerOptions& options)
    : process_(process),
      calls_(calls),
      rules_(rules),
      options_(options),
      incarnation_(new_incarnation(process)),
      image_(std::make_shared<MetadataImage>()),
      changed_(process),
      beat_soon_(process),
      reconnected_(process) {}

void MetadataFollower::start() {
  ++generation_;
  process_.spawn(register_and_beat(generation_));
  process_.spawn(fetch(generation_));
}

void MetadataFollower::reconnect() {
  start();
  reconnected_.notify_all();
  want_beat();
}

void MetadataFollower::want_beat() {
  beat_wanted_ = true;
  beat_soon_.notify_all();
}

DurationNs MetadataFollower::next_backoff(DurationNs backoff_ns) const {
  return std::min(2 * backoff_ns, options_.retry_backoff_max_ns);
}

CallOptions MetadataFollower::call_options(DurationNs timeout_ns) const {
  CallOptions call;
  call.from = options_.node;
  call.to = options_.controller_node;
  call.timeout_ns = timeout_ns;
  call.broker = options_.broker;
  return call;
}

void MetadataFollower::set_fenced(bool fenced) {
  if (fenced == fenced_) return;
  fenced_ = fenced;
  for (MetadataListener* listener : listeners_) listener->on_fenced(fenced);
  changed_.notify_all();
}

// A new controller may not know this broker's wishes, and polls at the old one are lost.
void MetadataFollower::heard_epoch(std::int64_t controller_epoch) {
  if (controller_epoch <= controller_epoch_) return;
  const bool first = controller_epoch_ == 0;
  controller_epoch_ = controller_epoch;
  if (!first) reconnect();
}

Task<void> MetadataFollower::until_ready() {
  while (!ready()) co_await changed_.wait();
}

Task<void> MetadataFollower::until_offset(MetadataOffset offset) {
  while (image_->end_offset() < offset) co_await changed_.wait();
}

void MetadataFollower::set_want_fence(bool want) {
  want_fence_ = want;
  want_beat();
}

Task<void> MetadataFollower::shut_down() {
  want_shut_down_ = true;
  want_beat();
  while (!may_shut_down_) co_await changed_.wait();
}

// --- membership ---

Task<void> MetadataFollower::register_and_beat(std::uint64_t generation) {
  DurationNs backoff_ns = options_.retry_backoff_ns;
  bool standing = false;  // registered with the controller that answers now
  while (generation == generation_) {
    bool answered = false;
    beat_wanted_ = false;
    if (!standing) {
      standing = answered = co_await register_once(generation);
      if (answered && generation == generation_ && image_->end_offset() > broker_epoch_) continue;
    } else {
      const BeatResult result = co_await beat(generation);
      answered = result == BeatResult::answered;
      if (result == BeatResult::stale_epoch && generation == generation_) {
        standing = false;
        continue;
      }
    }
    if (generation != generation_) co_return;
    if (answered && beat_wanted_) continue;
    backoff_ns = answered ? options_.retry_backoff_ns : next_backoff(backoff_ns);
    const DurationNs pause_ns = answered ? options_.heartbeat_interval_ns : backoff_ns;
    co_await beat_soon_.wait_until(saturating_add(process_.now(), pause_ns));
  }
}

Task<bool> MetadataFollower::register_once(std::uint64_t generation) {
  RegisterBroker request;
  request.cluster_id = options_.cluster_id;
  request.broker = options_.broker;
  request.incarnation = incarnation_;
  request.endpoints = options_.endpoints;
  request.rack = options_.rack;
  request.features = options_.features;
  request.profile = options_.profile;
  CallOptions call = call_options(options_.call_timeout_ns);
  call.point = "controller.registration"_label.info();
  auto message = std::make_unique<Message<RegisterBroker>>(std::move(request));
  auto answer = co_await typed_call(calls_, process_, call, std::move(message));
  if (generation != generation_ || !answer.ok()) co_return false;
  registration_error_ = answer->error;
  if (!answer->error.ok()) co_return false;
  broker_epoch_ = answer->broker_epoch;
  controller_epoch_ = std::max(controller_epoch_, answer->controller_epoch);
  process_.trace("broker.registered"_label, static_cast<std::uint64_t>(options_.broker),
                 static_cast<std::uint64_t>(broker_epoch_));
  changed_.notify_all();
  co_return true;
}

Task<MetadataFollower::BeatResult> MetadataFollower::beat(std::uint64_t generation) {
  BrokerHeartbeat request;
  request.broker = options_.broker;
  request.broker_epoch = broker_epoch_;
  request.metadata_offset = image_->end_offset();
  request.want_fence = want_fence_;
  request.want_shut_down = want_shut_down_;
  const bool asked_to_leave = want_shut_down_;
  CallOptions call = call_options(options_.call_timeout_ns);
  call.point = "controller.heartbeat"_label.info();
  auto message = std::make_unique<Message<BrokerHeartbeat>>(request);
  auto answer = co_await typed_call(calls_, process_, call, std::move(message));
  if (generation != generation_) co_return BeatResult::failed;
  if (!answer.ok()) co_return BeatResult::failed;
  if (answer->error.code == ErrorCode::stale_broker_epoch) {
    broker_epoch_ = -1;
    set_fenced(true);
    co_return BeatResult::stale_epoch;
  }
  if (!answer->error.ok()) co_return BeatResult::failed;
  set_fenced(answer->is_fenced);
  if (asked_to_leave && answer->should_shut_down) {
    may_shut_down_ = true;
    changed_.notify_all();
  }
  heard_epoch(answer->controller_epoch);
  co_return BeatResult::answered;
}

// --- metadata ---

Task<void> MetadataFollower::fetch(std::uint64_t generation) {
  DurationNs backoff_ns = options_.retry_backoff_ns;
  while (generation == generation_) {
    FetchMetadata request;
    request.broker = options_.broker;
    request.from_offset = image_->end_offset();
    request.max_wait_ns = options_.fetch_wait_ns;
    CallOptions call = call_options(options_.fetch_wait_ns + options_.call_timeout_ns);
    auto message = std::make_unique<Message<FetchMetadata>>(request);
    auto answer = co_await typed_call(calls_, process_, call, std::move(message));
    if (generation != generation_) co_return;
    if (!answer.ok()) {
      co_await reconnected_.wait_until(saturating_add(process_.now(), backoff_ns));
      backoff_ns = next_backoff(backoff_ns);
      continue;
    }
    backoff_ns = options_.retry_backoff_ns;
    for (const BatchPtr& batch : answer->batches) {
      co_await apply(batch, generation);
      if (generation != generation_) co_return;
    }
    heard_epoch(answer->controller_epoch);
  }
}

Task<void> MetadataFollower::apply(const BatchPtr& batch, std::uint64_t generation) {
  const std::string topic = topic_of(*image_, *batch);
  FaultSite site("broker.metadata.apply"_label);
  site.broker = options_.broker;
  site.topic = topic;
  co_await rules_.at(process_, site);
  // A connection that is newer has fetched it again.
  if (generation != generation_ || batch->base_offset != image_->end_offset()) co_return;
  auto image = std::make_shared<MetadataImage>(*image_);
  image->apply(*batch);
  const ImagePtr old_image = std::exchange(image_, std::move(image));
  process_.trace("broker.metadata.applied"_label, static_cast<std::uint64_t>(options_.broker),
                 static_cast<std::uint64_t>(batch->base_offset), batch->records.size());
  for (MetadataListener* listener : listeners_) listener->on_metadata(old_image, image_, *batch);
  changed_.notify_all();
  // Being caught up and the opening of the barrier are what a fenced broker waits for.
  if (fenced_) want_beat();
}

}  // namespace wt::controller

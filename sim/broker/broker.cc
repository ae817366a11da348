#include "sim/broker/broker.h"

#include <utility>

#include "sim/broker/settings.h"
#include "sim/broker/shared_log.h"
#include "sim/controller/names.h"
#include "sim/kernel/kernel.h"

namespace wt::broker {
namespace {

constexpr DurationNs kRemoveRetry_ns = kSecond_ns;
constexpr int kRemoveAttempts = 60;

stream::PartitionKey stream_key(const Uuid& topic_id, std::int32_t partition) {
  stream::PartitionKey key;
  key.topic = topic_id;
  key.partition = partition;
  return key;
}

}  // namespace

Broker::Broker(Process& process, Calls& calls, Streams& streams, FaultRules& rules,
               const BrokerOptions& options)
    : process_(process),
      streams_(streams),
      rules_(rules),
      options_(options),
      storage_(std::make_unique<stream::StreamStorage>(process, calls, rules, options.storage)),
      follower_(std::make_unique<controller::MetadataFollower>(process, calls, rules, options.follower)) {
  follower_->add_listener(*this);
}

Broker::~Broker() = default;

void Broker::start() {
  follower_->start();
  process_.spawn(expire_producers());
  process_.spawn(check_retention());
}

// --- look-ups ---

bool Broker::is_internal_topic(std::string_view name) {
  return controller::is_internal_topic(name);
}

Found Broker::find_in(const controller::TopicState* topic, std::int32_t partition) const {
  Found found;
  if (topic == nullptr) return found;
  found.topic = topic->name;
  found.topic_id = topic->topic_id;
  found.is_internal = is_internal_topic(topic->name);
  const controller::PartitionState* state = topic->partition(partition);
  if (state == nullptr) {
    found.lookup = Lookup::unknown_partition;
    return found;
  }
  const auto mine = partitions_.find({topic->topic_id, partition});
  if (mine == partitions_.end()) {
    found.lookup = Lookup::not_replica;
    return found;
  }
  found.lookup = Lookup::found;
  found.partition = mine->second;
  return found;
}

Found Broker::find(std::string_view topic, std::int32_t partition) const {
  if (topic.find("://") != std::string_view::npos) {
    return find_in(image().topic(controller::kafka_topic_name(topic)), partition);
  }
  return find_in(image().topic(topic), partition);
}

Found Broker::find(const Uuid& topic_id, std::int32_t partition) const {
  return find_in(image().topic(topic_id), partition);
}

std::string Broker::topic_name(const Uuid& topic_id) const {
  const controller::TopicState* topic = image().topic(topic_id);
  return topic == nullptr ? std::string() : topic->name;
}

LeaderHint Broker::leader_of(const Uuid& topic_id, std::int32_t partition) const {
  const controller::PartitionState* state = image().partition(topic_id, partition);
  if (state == nullptr) return {};
  return {state->leader, state->leader_epoch};
}

std::optional<Endpoint> Broker::endpoint_of(std::int32_t broker) const {
  const controller::BrokerState* state = image().broker(broker);
  if (state == nullptr) return std::nullopt;
  const controller::Endpoint* endpoint = state->endpoint(options_.listener);
  if (endpoint == nullptr) return std::nullopt;
  Endpoint address;
  address.host = endpoint->host;
  address.port = endpoint->port;
  if (!state->rack.empty()) address.rack = state->rack;
  return address;
}

// --- following the metadata ---

void Broker::on_metadata(const controller::ImagePtr&, const controller::ImagePtr& now,
                         const controller::RecordBatch& batch) {
  const controller::MetadataImage& image = *now;
  for (const controller::Record& record : batch.records) {
    if (const auto* partition = std::get_if<controller::PartitionRecord>(&record)) {
      update_partition(image, partition->topic_id, partition->partition);
    } else if (const auto* change = std::get_if<controller::PartitionChangeRecord>(&record)) {
      update_partition(image, change->topic_id, change->partition);
    } else if (const auto* removed = std::get_if<controller::RemoveTopicRecord>(&record)) {
      remove_topic(removed->topic_id);
    } else if (const auto* property = std::get_if<controller::TopicPropertyRecord>(&record)) {
      const controller::TopicState* topic = image.topic(property->topic_id);
      if (topic != nullptr) update_topic(image, *topic);
    } else if (const auto* config = std::get_if<controller::ConfigRecord>(&record)) {
      if (config->type == controller::ConfigResourceType::topic) {
        const controller::TopicState* topic = image.topic(config->resource);
        if (topic != nullptr) update_topic(image, *topic);
      } else {
        image.for_each_topic([&](const controller::TopicState& topic) { update_topic(image, topic); });
      }
    }
  }
}

void Broker::update_partition(const controller::MetadataImage& image, const Uuid& topic_id,
                              std::int32_t number) {
  const controller::TopicState* topic = image.topic(topic_id);
  const controller::PartitionState* state = topic == nullptr ? nullptr : topic->partition(number);
  if (state == nullptr) return;
  const Key key{topic_id, number};
  auto mine = partitions_.find(key);
  if (!state->has_replica(id())) {
    if (mine == partitions_.end()) return;
    mine->second->shut();
    partitions_.erase(mine);
    return;
  }
  if (mine == partitions_.end()) {
    PartitionIdentity identity;
    identity.topic = topic->name;
    identity.index = number;
    identity.broker = id();
    auto log = std::make_unique<SharedLog>(*storage_, stream_key(topic_id, number), topic->name);
    auto partition = std::make_shared<Partition>(process_, rules_, std::move(identity), std::move(log));
    partition->set_settings(partition_settings(image, *topic, id()));
    mine = partitions_.emplace(key, std::move(partition)).first;
  }
  mine->second->set_in_sync(state->isr.size(), state->replicas.size());
  if (state->leader == id()) {
    mine->second->become_leader(state->leader_epoch);
  } else {
    mine->second->become_follower(state->leader_epoch, state->leader);
  }
}

void Broker::update_topic(const controller::MetadataImage& image, const controller::TopicState& topic) {
  const PartitionSettings settings = partition_settings(image, topic, id());
  for (auto mine = partitions_.lower_bound({topic.topic_id, 0});
       mine != partitions_.end() && mine->first.first == topic.topic_id; ++mine) {
    mine->second->set_settings(settings);
  }
}

void Broker::remove_topic(const Uuid& topic_id) {
  auto mine = partitions_.lower_bound({topic_id, 0});
  while (mine != partitions_.end() && mine->first.first == topic_id) {
    const std::shared_ptr<Partition> partition = mine->second;
    const bool led = partition->leader() == id();
    const std::int32_t number = mine->first.second;
    mine = partitions_.erase(mine);
    partition->shut();
    if (!led) continue;
    // The last leader clears up; what it cannot finish is left to garbage collection.
    auto request = std::make_shared<stream::OpenRequest>();
    request->key = stream_key(topic_id, number);
    request->topic = partition->identity().topic;
    request->authority = partition->leader_epoch();
    process_.spawn(remove_stream(std::move(request)));
  }
}

Task<void> Broker::remove_stream(std::shared_ptr<const stream::OpenRequest> request) {
  for (int attempt = 0; attempt < kRemoveAttempts; ++attempt) {
    const Status removed = co_await storage_->remove(*request);
    if (removed.ok()) co_return;
    co_await process_.sleep(kRemoveRetry_ns);
  }
}

Task<void> Broker::expire_producers() {
  for (;;) {
    co_await process_.sleep(options_.producer_expiry_scan_ns);
    for (const auto& [key, partition] : partitions_) partition->expire_producers(to_ms(process_.now()));
  }
}

// Where this broker leads; a task for each partition, so that none waits for the storage of another.
Task<void> Broker::check_retention() {
  co_await process_.sleep(options_.first_retention_check_ns);
  for (;;) {
    for (const auto& [key, partition] : partitions_) {
      if (partition->has_expired(to_ms(process_.now()))) process_.spawn(partition->retain(partition));
    }
    co_await process_.sleep(options_.retention_check_ns);
  }
}

}  // namespace wt::broker

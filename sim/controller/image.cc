#include "sim/controller/image.h"

#include <algorithm>

#include "sim/controller/names.h"
#include "sim/kernel/finding.h"
#include "sim/kernel/hash.h"

namespace wt::controller {
namespace {

bool contains(const std::vector<BrokerId>& list, BrokerId broker) {
  return std::find(list.begin(), list.end(), broker) != list.end();
}

void check_record(bool fits, const char* what) {
  WT_INVARIANT(fits, "controller.image.record", std::string("a metadata record does not fit: ") + what);
}

}  // namespace

bool PartitionState::has_replica(BrokerId broker) const noexcept {
  return contains(replicas, broker);
}

bool PartitionState::in_isr(BrokerId broker) const noexcept {
  return contains(isr, broker);
}

const PartitionState* TopicState::partition(std::int32_t number) const noexcept {
  if (number < 0 || number >= partition_count()) return nullptr;
  return &*partitions[static_cast<std::size_t>(number)];
}

const std::string* TopicState::property(std::string_view key) const noexcept {
  for (const auto& [own_key, value] : properties) {
    if (own_key == key) return &value;
  }
  return nullptr;
}

const Endpoint* BrokerState::endpoint(std::string_view listener) const noexcept {
  for (const Endpoint& endpoint : endpoints) {
    if (endpoint.listener == listener) return &endpoint;
  }
  return nullptr;
}

void MetadataImage::apply(const Record& record) {
  std::visit([this](const auto& r) { on(r); }, record);
  ++end_offset_;
}

void MetadataImage::apply(const RecordBatch& batch) {
  check_record(batch.base_offset == end_offset_, "the batch does not continue the image");
  for (const Record& record : batch.records) apply(record);
}

// --- topics ---

const TopicState* MetadataImage::topic(std::string_view name) const {
  const Uuid* topic_id = ids_.find(name);
  return topic_id == nullptr ? nullptr : topic(*topic_id);
}

const TopicState* MetadataImage::topic(const Uuid& topic_id) const {
  const auto* found = topics_.find(topic_id);
  return found == nullptr ? nullptr : &**found;
}

const PartitionState* MetadataImage::partition(std::string_view name, std::int32_t number) const {
  const TopicState* found = topic(name);
  return found == nullptr ? nullptr : found->partition(number);
}

const PartitionState* MetadataImage::partition(const Uuid& topic_id, std::int32_t number) const {
  const TopicState* found = topic(topic_id);
  return found == nullptr ? nullptr : found->partition(number);
}

const std::string* MetadataImage::colliding_topic(std::string_view name) const {
  if (!has_collision_chars(name)) return nullptr;
  const std::set<std::string>* names = unified_.find(unified_topic_name(name));
  if (names == nullptr) return nullptr;
  for (const std::string& other : *names) {
    if (other != name) return &other;
  }
  return nullptr;
}

TopicState& MetadataImage::changed_topic(const Uuid& topic_id) {
  CowPtr<TopicState>* found = topics_.change(topic_id);
  check_record(found != nullptr, "no such topic");
  return found->change();
}

void MetadataImage::on(const TopicRecord& record) {
  check_record(topics_.find(record.topic_id) == nullptr && ids_.find(record.name) == nullptr, "topic exists");
  TopicState state;
  state.name = record.name;
  state.topic_id = record.topic_id;
  topics_.set(record.topic_id, CowPtr<TopicState>(std::move(state)));
  ids_.set(record.name, record.topic_id);
  if (!has_collision_chars(record.name)) return;
  const std::string unified = unified_topic_name(record.name);
  if (unified_.find(unified) == nullptr) unified_.set(unified, {});
  unified_.change(unified)->insert(record.name);
}

void MetadataImage::on(const PartitionRecord& record) {
  TopicState& state = changed_topic(record.topic_id);
  check_record(record.partition == state.partition_count(), "partitions come in order");
  PartitionState partition;
  partition.replicas = record.replicas;
  partition.isr = record.isr;
  partition.leader = record.leader;
  partition.leader_epoch = record.leader_epoch;
  partition.partition_epoch = record.partition_epoch;
  state.partitions.emplace_back(std::move(partition));
  ++partition_count_;
}

void MetadataImage::on(const PartitionChangeRecord& record) {
  TopicState& state = changed_topic(record.topic_id);
  check_record(record.partition >= 0 && record.partition < state.partition_count(), "no such partition");
  PartitionState& partition = state.partitions[static_cast<std::size_t>(record.partition)].change();
  check_record(record.partition_epoch == partition.partition_epoch + 1, "partition epoch");
  check_record(record.leader_epoch >= partition.leader_epoch, "leader epoch");
  if (record.replicas) partition.replicas = *record.replicas;
  if (record.isr) partition.isr = *record.isr;
  if (record.leader) {
    if (*record.leader != kNoBroker) {
      partition.last_leader = kNoBroker;
    } else if (partition.leader != kNoBroker) {
      partition.last_leader = partition.leader;
    }
    partition.leader = *record.leader;
  }
  if (record.adding) partition.adding = *record.adding;
  if (record.removing) partition.removing = *record.removing;
  partition.leader_epoch = record.leader_epoch;
  partition.partition_epoch = record.partition_epoch;
}

void MetadataImage::on(const RemoveTopicRecord& record) {
  const TopicState* state = topic(record.topic_id);
  check_record(state != nullptr, "no such topic");
  const std::string name = state->name;
  partition_count_ -= state->partitions.size();
  topics_.erase(record.topic_id);
  ids_.erase(name);
  configs_.erase(ConfigResource(ConfigResourceType::topic, name));
  if (!has_collision_chars(name)) return;
  const std::string unified = unified_topic_name(name);
  std::set<std::string>* names = unified_.change(unified);
  names->erase(name);
  if (names->empty()) unified_.erase(unified);
}

void MetadataImage::on(const TopicPropertyRecord& record) {
  TopicState& state = changed_topic(record.topic_id);
  if (record.value) {
    state.properties[record.key] = *record.value;
  } else {
    state.properties.erase(record.key);
  }
}

// --- brokers ---

const BrokerState* MetadataImage::broker(BrokerId id) const {
  const auto found = brokers_->find(id);
  return found == brokers_->end() ? nullptr : &found->second;
}

bool MetadataImage::is_active(BrokerId id) const {
  const BrokerState* state = broker(id);
  return state != nullptr && state->active();
}

std::vector<BrokerId> MetadataImage::active_brokers() const {
  std::vector<BrokerId> ids;
  for (const auto& [id, state] : *brokers_) {
    if (state.active()) ids.push_back(id);
  }
  return ids;
}

const Endpoint* MetadataImage::endpoint(BrokerId id, std::string_view listener) const {
  const BrokerState* state = broker(id);
  return state == nullptr ? nullptr : state->endpoint(listener);
}

BrokerState& MetadataImage::changed_broker(BrokerId id, std::int64_t broker_epoch) {
  auto& brokers = brokers_.change();
  const auto found = brokers.find(id);
  check_record(found != brokers.end() && found->second.broker_epoch == broker_epoch, "no such broker");
  return found->second;
}

void MetadataImage::on(const RegisterBrokerRecord& record) {
  BrokerState state;
  state.broker = record.broker;
  state.incarnation = record.incarnation;
  state.broker_epoch = record.broker_epoch;
  state.endpoints = record.endpoints;
  state.rack = record.rack;
  state.features = record.features;
  state.profile = record.profile;
  state.fenced = record.fenced;
  brokers_.change()[record.broker] = std::move(state);
}

void MetadataImage::on(const UnregisterBrokerRecord& record) {
  changed_broker(record.broker, record.broker_epoch);
  brokers_.change().erase(record.broker);
}

void MetadataImage::on(const FenceBrokerRecord& record) {
  BrokerState& state = changed_broker(record.broker, record.broker_epoch);
  state.fenced = true;
}

void MetadataImage::on(const UnfenceBrokerRecord& record) {
  BrokerState& state = changed_broker(record.broker, record.broker_epoch);
  state.fenced = false;
  state.shutting_down = false;
}

void MetadataImage::on(const ShutdownBrokerRecord& record) {
  changed_broker(record.broker, record.broker_epoch).shutting_down = true;
}

// --- configs and the rest ---

const ConfigMap& MetadataImage::configs(ConfigResourceType type, std::string_view resource) const {
  static const ConfigMap none;
  const auto* found = configs_.find(ConfigResource(type, std::string(resource)));
  return found == nullptr ? none : **found;
}

const std::string* MetadataImage::config(ConfigResourceType type, std::string_view resource,
                                         std::string_view key) const {
  const ConfigMap& set = configs(type, resource);
  const auto found = set.find(key);
  return found == set.end() ? nullptr : &found->second;
}

void MetadataImage::on(const ConfigRecord& record) {
  const ConfigResource resource(record.type, record.resource);
  if (configs_.find(resource) == nullptr) {
    if (!record.value) return;
    configs_.set(resource, {});
  }
  ConfigMap& map = configs_.change(resource)->change();
  if (record.value) {
    map[record.key] = *record.value;
    return;
  }
  map.erase(record.key);
  if (map.empty()) configs_.erase(resource);
}

void MetadataImage::on(const FeatureLevelRecord& record) {
  if (record.level == 0) {
    features_.change().erase(record.name);
  } else {
    features_.change()[record.name] = record.level;
  }
}

void MetadataImage::on(const ProducerIdsRecord& record) {
  check_record(record.next_producer_id >= next_producer_id_, "producer ids go up");
  next_producer_id_ = record.next_producer_id;
}

void MetadataImage::on(const ActivationRecord& record) {
  check_record(activation_ == nullptr, "activated twice");
  activation_ = std::make_shared<ActivationRecord>(record);
}

const ScramCredential* MetadataImage::scram(std::string_view user, std::int8_t mechanism) const {
  const auto found = scram_->find(ScramUser(user, mechanism));
  return found == scram_->end() ? nullptr : &found->second;
}

void MetadataImage::on(const UserScramRecord& record) {
  const ScramUser key(record.user, record.mechanism);
  if (record.credential) {
    scram_.change()[key] = *record.credential;
    return;
  }
  check_record(scram_.change().erase(key) == 1, "a password that is removed was set");
}

void MetadataImage::on(const ClientQuotaRecord& record) {
  auto& all = quotas_.change();
  if (record.value_bits) {
    all[record.entity][record.key] = *record.value_bits;
    return;
  }
  const auto found = all.find(record.entity);
  if (found == all.end()) return;
  found->second.erase(record.key);
  if (found->second.empty()) all.erase(found);
}

std::uint64_t MetadataImage::digest() const {
  std::uint64_t hash = static_cast<std::uint64_t>(end_offset_);
  const auto fold_record = [&hash](const Record& record) { hash = fold64(hash, record_digest(record)); };
  for (const auto& [id, b] : *brokers_) {
    fold_record(RegisterBrokerRecord{id, b.incarnation, b.broker_epoch, b.endpoints, b.rack, b.features,
                                     b.profile, b.fenced});
    hash = fold64(hash, b.shutting_down ? 1 : 0);
  }
  for_each_topic([&](const TopicState& topic) {
    fold_record(TopicRecord{topic.name, topic.topic_id});
    for (std::int32_t i = 0; i < topic.partition_count(); ++i) {
      const PartitionState& p = *topic.partition(i);
      fold_record(
          PartitionRecord{topic.topic_id, i, p.replicas, p.isr, p.leader, p.leader_epoch, p.partition_epoch});
      for (const BrokerId replica : p.adding) hash = fold64(hash, static_cast<std::uint64_t>(replica));
      for (const BrokerId replica : p.removing) hash = fold64(hash, ~static_cast<std::uint64_t>(replica));
    }
    for (const auto& [key, value] : topic.properties)
      fold_record(TopicPropertyRecord{topic.topic_id, key, value});
  });
  configs_.for_each([&](const ConfigResource& resource, const CowPtr<ConfigMap>& map) {
    for (const auto& [key, value] : *map)
      fold_record(ConfigRecord{resource.first, resource.second, key, value});
  });
  for (const auto& [entity, quotas] : *quotas_) {
    for (const auto& [key, bits] : quotas) fold_record(ClientQuotaRecord{entity, key, bits});
  }
  for (const auto& [name, level] : *features_) fold_record(FeatureLevelRecord{name, level});
  for (const auto& [key, credential] : *scram_)
    fold_record(UserScramRecord{key.first, key.second, credential});
  hash = fold64(hash, static_cast<std::uint64_t>(next_producer_id_));
  if (activation_ != nullptr) fold_record(*activation_);
  return hash;
}

}  // namespace wt::controller

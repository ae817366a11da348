// The metadata image: what the metadata log says, up to an offset. The controller and every broker
// hold one; a copy is a snapshot and cheap.
//
// Containers are ordered. Pointers into an image are valid as long as that image is not changed;
// `ImagePtr` is never changed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/cow_map.h"
#include "sim/controller/records.h"

namespace wt::controller {

struct PartitionState {
  std::vector<BrokerId> replicas;  // brokers that may lead, the preferred one first
  std::vector<BrokerId> isr;       // … that are unfenced
  BrokerId leader = kNoBroker;
  std::int32_t leader_epoch = 0;
  std::int32_t partition_epoch = 0;
  // Of `replicas`, while a reassignment is under way: those that were not replicas before, and those that
  // will not be when it is done.
  std::vector<BrokerId> adding;
  std::vector<BrokerId> removing;
  BrokerId last_leader = kNoBroker;  // while there is none

  bool is_reassigned() const noexcept { return !adding.empty() || !removing.empty(); }
  BrokerId preferred_leader() const noexcept { return replicas.empty() ? kNoBroker : replicas.front(); }
  bool has_replica(BrokerId broker) const noexcept;
  bool in_isr(BrokerId broker) const noexcept;
};

struct TopicState {
  std::string name;  // as Kafka shows it: sim/controller/names.h
  Uuid topic_id;
  std::vector<CowPtr<PartitionState>> partitions;  // by number, without gaps
  std::map<std::string, std::string> properties;   // Pulsar's, see TopicPropertyRecord

  std::int32_t partition_count() const noexcept { return static_cast<std::int32_t>(partitions.size()); }
  // Null when there is no such partition.
  const PartitionState* partition(std::int32_t number) const noexcept;
  const std::string* property(std::string_view key) const noexcept;
};

struct BrokerState {
  BrokerId broker = kNoBroker;
  Uuid incarnation;
  std::int64_t broker_epoch = 0;
  std::vector<Endpoint> endpoints;
  std::string rack;
  std::map<std::string, FeatureRange> features;
  BrokerProfile profile;
  bool fenced = true;
  bool shutting_down = false;

  // May lead.
  bool active() const noexcept { return !fenced && !shutting_down; }
  // Null when the broker has no such listener.
  const Endpoint* endpoint(std::string_view listener) const noexcept;
};

// Key of the configs of one resource.
using ConfigResource = std::pair<ConfigResourceType, std::string>;
using ConfigMap = std::map<std::string, std::string, std::less<>>;

// Key of a password: user, and the number of the SCRAM mechanism.
using ScramUser = std::pair<std::string, std::int8_t>;
using ScramMap = std::map<ScramUser, ScramCredential>;

class MetadataImage {
 public:
  // Changes the image as the record says and counts it. A record that does not fit the image is a
  // finding: the log is written by controllers only.
  void apply(const Record& record);
  // … of a batch that continues the image.
  void apply(const RecordBatch& batch);

  // Offset of the next record: all before it are in.
  MetadataOffset end_offset() const noexcept { return end_offset_; }

  // --- topics ---
  // Null when unknown.
  const TopicState* topic(std::string_view name) const;
  const TopicState* topic(const Uuid& topic_id) const;
  const PartitionState* partition(std::string_view name, std::int32_t number) const;
  const PartitionState* partition(const Uuid& topic_id, std::int32_t number) const;
  std::size_t topic_count() const noexcept { return topics_.size(); }
  std::size_t partition_count() const noexcept { return partition_count_; }
  // Calls `visit(const TopicState&)` in order of the names.
  template <class Visit>
  void for_each_topic(Visit&& visit) const {
    ids_.for_each([&](const std::string&, const Uuid& topic_id) { visit(**topics_.find(topic_id)); });
  }
  // Another topic whose name differs from this one only in '.' and '_'; null when there is none.
  const std::string* colliding_topic(std::string_view name) const;

  // --- brokers ---
  // Null when not registered.
  const BrokerState* broker(BrokerId id) const;
  const std::map<BrokerId, BrokerState>& brokers() const noexcept { return *brokers_; }
  bool is_active(BrokerId id) const;
  // Ascending.
  std::vector<BrokerId> active_brokers() const;
  // Where a client of that listener reaches the broker; null when it is unknown or has no such listener.
  const Endpoint* endpoint(BrokerId id, std::string_view listener) const;

  // --- configs ---
  // What is set on the resource itself; empty when nothing is.
  const ConfigMap& configs(ConfigResourceType type, std::string_view resource) const;
  // The value set on it, or null.
  const std::string* config(ConfigResourceType type, std::string_view resource, std::string_view key) const;

  // Calls `visit(const ConfigResource&)` for each resource that has configs of its own, by type and name.
  template <class Visit>
  void for_each_configured(Visit&& visit) const {
    configs_.for_each([&](const ConfigResource& resource, const CowPtr<ConfigMap>&) { visit(resource); });
  }

  // --- users ---
  // Null when the user has no such password.
  const ScramCredential* scram(std::string_view user, std::int8_t mechanism) const;
  const ScramMap& scram_credentials() const noexcept { return *scram_; }

  // --- client quotas ---
  // By key, the bits of the protocol's double.
  using Quotas = std::map<std::string, std::uint64_t>;
  const std::map<QuotaEntity, Quotas>& quotas() const noexcept { return *quotas_; }

  // --- the rest ---
  const std::map<std::string, std::int16_t>& features() const noexcept { return *features_; }
  std::int64_t next_producer_id() const noexcept { return next_producer_id_; }
  // Null before the brokers have agreed.
  const ActivationRecord* activation() const noexcept { return activation_.get(); }

  // Of everything above; equal images have equal digests.
  std::uint64_t digest() const;

 private:
  void on(const RegisterBrokerRecord& record);
  void on(const UnregisterBrokerRecord& record);
  void on(const FenceBrokerRecord& record);
  void on(const UnfenceBrokerRecord& record);
  void on(const ShutdownBrokerRecord& record);
  void on(const TopicRecord& record);
  void on(const PartitionRecord& record);
  void on(const PartitionChangeRecord& record);
  void on(const RemoveTopicRecord& record);
  void on(const ConfigRecord& record);
  void on(const FeatureLevelRecord& record);
  void on(const TopicPropertyRecord& record);
  void on(const ProducerIdsRecord& record);
  void on(const ActivationRecord& record);
  void on(const UserScramRecord& record);
  void on(const ClientQuotaRecord& record);

  BrokerState& changed_broker(BrokerId id, std::int64_t broker_epoch);
  TopicState& changed_topic(const Uuid& topic_id);

  MetadataOffset end_offset_ = 0;
  std::size_t partition_count_ = 0;
  CowMap<Uuid, CowPtr<TopicState>> topics_;
  CowMap<std::string, Uuid> ids_;
  // Unified name ('.' as '_') of topics that have either, and their names.
  CowMap<std::string, std::set<std::string>> unified_;
  CowPtr<std::map<BrokerId, BrokerState>> brokers_;
  CowMap<ConfigResource, CowPtr<ConfigMap>> configs_;
  CowPtr<std::map<std::string, std::int16_t>> features_;
  CowPtr<ScramMap> scram_;
  CowPtr<std::map<QuotaEntity, Quotas>> quotas_;
  std::int64_t next_producer_id_ = 0;
  std::shared_ptr<const ActivationRecord> activation_;
};

using ImagePtr = std::shared_ptr<const MetadataImage>;

}  // namespace wt::controller

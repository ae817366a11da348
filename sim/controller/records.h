// The records of the metadata log: every change of the cluster's metadata is one of these.
//
// Records are appended in batches. A batch is atomic: it is in the log as a whole or not at all, and
// everybody who follows the log applies it in one step. The offset of a record is its number in the
// log; a broker epoch is the offset of the registration it stands for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/controller/scram.h"
#include "sim/formats/uuid.h"
#include "sim/kernel/time.h"

namespace wt::controller {

using BrokerId = std::int32_t;
inline constexpr BrokerId kNoBroker = -1;
using MetadataOffset = std::int64_t;

struct Endpoint {
  std::string listener;  // "PLAINTEXT", "CLIENTS", …
  std::string host;
  std::int32_t port = 0;
  std::string protocol = "PLAINTEXT";  // security protocol
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

struct FeatureRange {
  std::int16_t min_level = 0;
  std::int16_t max_level = 0;
  friend bool operator==(const FeatureRange&, const FeatureRange&) = default;
};

// What a broker says it is and can do, field by field: log kind, storage profile, versions. Brokers
// work together only when all fields are equal.
using BrokerProfile = std::map<std::string, std::string>;
std::uint64_t profile_digest(const BrokerProfile& profile);

// A broker has registered; it is fenced unless `fenced` says otherwise.
struct RegisterBrokerRecord {
  BrokerId broker = kNoBroker;
  Uuid incarnation;
  std::int64_t broker_epoch = 0;
  std::vector<Endpoint> endpoints;
  std::string rack;  // empty: none
  std::map<std::string, FeatureRange> features;
  BrokerProfile profile;
  bool fenced = true;
};
struct UnregisterBrokerRecord {
  BrokerId broker = kNoBroker;
  std::int64_t broker_epoch = 0;
};
struct FenceBrokerRecord {
  BrokerId broker = kNoBroker;
  std::int64_t broker_epoch = 0;
};
struct UnfenceBrokerRecord {
  BrokerId broker = kNoBroker;
  std::int64_t broker_epoch = 0;
};
// The broker leaves in good order: it stays unfenced but leads nothing any more.
struct ShutdownBrokerRecord {
  BrokerId broker = kNoBroker;
  std::int64_t broker_epoch = 0;
};
struct TopicRecord {
  std::string name;
  Uuid topic_id;
};
struct PartitionRecord {
  Uuid topic_id;
  std::int32_t partition = 0;
  std::vector<BrokerId> replicas;
  std::vector<BrokerId> isr;
  BrokerId leader = kNoBroker;
  std::int32_t leader_epoch = 0;
  std::int32_t partition_epoch = 0;
};
// Absent fields stay as they are. The epochs are those after the change.
struct PartitionChangeRecord {
  Uuid topic_id;
  std::int32_t partition = 0;
  std::optional<std::vector<BrokerId>> replicas;
  std::optional<std::vector<BrokerId>> isr;
  std::optional<BrokerId> leader;
  std::int32_t leader_epoch = 0;
  std::int32_t partition_epoch = 0;
  // A reassignment under way: replicas that are to come and to go.
  std::optional<std::vector<BrokerId>> adding;
  std::optional<std::vector<BrokerId>> removing;
};
struct RemoveTopicRecord {
  Uuid topic_id;
};

// Values as in the Kafka protocol.
enum class ConfigResourceType : std::int8_t {
  unknown = 0,
  topic = 2,
  broker = 4,
  client_metrics = 16,
  group = 32
};

// A config of the resource is set, or removed when there is no value. Broker "" is the default of
// all brokers.
struct ConfigRecord {
  ConfigResourceType type = ConfigResourceType::topic;
  std::string resource;
  std::string key;
  std::optional<std::string> value;
};
struct FeatureLevelRecord {
  std::string name;
  std::int16_t level = 0;  // 0: removed
};
// A property of a topic that is no Kafka config: what Pulsar calls its properties.
struct TopicPropertyRecord {
  Uuid topic_id;
  std::string key;
  std::optional<std::string> value;
};
// The broker owns the ids before `next_producer_id`, from where the record before this one ended.
struct ProducerIdsRecord {
  BrokerId broker = kNoBroker;
  std::int64_t broker_epoch = 0;
  std::int64_t next_producer_id = 0;
};
// A user's password for one SCRAM mechanism (scram.h) is set, or removed when there is no credential.
struct UserScramRecord {
  std::string user;
  std::int8_t mechanism = 0;
  std::optional<ScramCredential> credential;
};
// The brokers have shown one common profile: from here on they may lead. Written once.
struct ActivationRecord {
  BrokerProfile profile;
  std::vector<BrokerId> brokers;
  MetadataOffset snapshot_offset = 0;  // the metadata that the decision was made on …
  std::uint64_t snapshot_digest = 0;   // … and its digest
};

// Whom a quota is for: "user", "client-id" or "ip" and its name; no name means the default.
using QuotaEntity = std::map<std::string, std::optional<std::string>>;
// A quota of the entity is set, or removed when there is no value. The value is the bits of the protocol's
// double: it is kept, never reckoned with.
struct ClientQuotaRecord {
  QuotaEntity entity;
  std::string key;
  std::optional<std::uint64_t> value_bits;
};

using Record =
    std::variant<RegisterBrokerRecord, UnregisterBrokerRecord, FenceBrokerRecord, UnfenceBrokerRecord,
                 ShutdownBrokerRecord, TopicRecord, PartitionRecord, PartitionChangeRecord, RemoveTopicRecord,
                 ConfigRecord, FeatureLevelRecord, TopicPropertyRecord, ProducerIdsRecord, ActivationRecord,
                 UserScramRecord, ClientQuotaRecord>;

struct RecordBatch {
  MetadataOffset base_offset = 0;
  std::int64_t controller_epoch = 0;
  TimeNs time_ns = 0;  // when the controller made it
  std::vector<Record> records;
  MetadataOffset end_offset() const noexcept {
    return base_offset + static_cast<MetadataOffset>(records.size());
  }
};
// Immutable once made; the log, the controller and all followers share it.
using BatchPtr = std::shared_ptr<const RecordBatch>;

// "PartitionChange topic=… partition=0 leader=2 leader_epoch=3 …"
std::string to_text(const Record& record);
std::string_view record_kind(const Record& record);
// Bytes that the record would take in a file; for limits and statistics.
std::size_t encoded_size(const Record& record);
// Folds every field; equal records have equal digests.
std::uint64_t record_digest(const Record& record);

}  // namespace wt::controller

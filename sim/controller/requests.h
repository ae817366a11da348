// What brokers and the cluster ask the controller: values for wt::Calls, each with its Response.
//
// Send with typed_call or, from a broker, with MetadataFollower::ask. Fields and errors are Kafka's;
// the handlers of sim/kafka translate. A message without a text is null on the wire.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/controller/errors.h"
#include "sim/controller/records.h"
#include "sim/kernel/time.h"

namespace wt::controller {

// --- membership ---

struct RegisterBroker {
  struct Response {
    Error error;
    std::int64_t broker_epoch = -1;
    std::int64_t controller_epoch = 0;
  };
  std::string cluster_id;
  BrokerId broker = kNoBroker;
  Uuid incarnation;  // new at every start of the process
  std::vector<Endpoint> endpoints;
  std::string rack;
  std::map<std::string, FeatureRange> features;
  BrokerProfile profile;
};

struct BrokerHeartbeat {
  struct Response {
    Error error;
    bool is_fenced = true;
    bool is_caught_up = false;  // its metadata holds its own registration
    bool should_shut_down = false;
    std::int64_t controller_epoch = 0;
  };
  BrokerId broker = kNoBroker;
  std::int64_t broker_epoch = -1;
  MetadataOffset metadata_offset = 0;  // end offset of its image
  bool want_fence = false;
  bool want_shut_down = false;
};

// Removes a registration for good; its partitions keep the broker in their replica lists.
struct UnregisterBroker {
  struct Response {
    Error error;
    MetadataOffset end_offset = 0;
  };
  BrokerId broker = kNoBroker;
};

// --- reading the log ---

// Answered when there is something newer than `from_offset`, or empty when the wait is over.
struct FetchMetadata {
  struct Response {
    std::vector<BatchPtr> batches;
    MetadataOffset end_offset = 0;  // of the log
    std::int64_t controller_epoch = 0;
  };
  BrokerId broker = kNoBroker;
  MetadataOffset from_offset = 0;
  DurationNs max_wait_ns = 0;
};

// --- topics ---

struct ReplicaAssignment {
  std::int32_t partition = 0;
  std::vector<BrokerId> brokers;
};
struct ConfigSetting {
  std::string key;
  std::optional<std::string> value;
};

struct CreateTopics {
  struct Topic {
    std::string name;
    std::int32_t partitions = -1;          // -1: the default
    std::int16_t replication_factor = -1;  // -1: the default
    std::vector<ReplicaAssignment> assignments;
    std::vector<ConfigSetting> configs;
    std::map<std::string, std::string> properties;  // Pulsar's
  };
  struct Result {
    std::string name;
    Error error;
    Uuid topic_id;
    std::int32_t partitions = -1;
    std::int16_t replication_factor = -1;
    // Configs set on the topic; the handler adds defaults.
    std::map<std::string, std::string> configs;
  };
  struct Response {
    std::vector<Result> results;    // one for each name, by name
    MetadataOffset end_offset = 0;  // an image with this end knows the result
  };
  std::vector<Topic> topics;
  bool validate_only = false;
  // "persistent://tenant/namespace/x" is a name too; off, it is refused as a real broker does.
  bool allow_full_names = false;
};

struct DeleteTopics {
  struct Topic {
    std::optional<std::string> name;
    Uuid topic_id;  // zero: by name
  };
  struct Result {
    std::optional<std::string> name;
    Uuid topic_id;
    Error error;
  };
  struct Response {
    std::vector<Result> results;
    MetadataOffset end_offset = 0;
  };
  std::vector<Topic> topics;
};

struct CreatePartitions {
  struct Topic {
    std::string name;
    std::int32_t count = 0;  // in total
    // Absent: placed by the controller. One for each new partition.
    std::optional<std::vector<std::vector<BrokerId>>> assignments;
  };
  struct Result {
    std::string name;
    Error error;
  };
  struct Response {
    std::vector<Result> results;
    MetadataOffset end_offset = 0;
  };
  std::vector<Topic> topics;
  bool validate_only = false;
};

struct AlterTopicProperties {
  struct Response {
    Error error;
    MetadataOffset end_offset = 0;
  };
  Uuid topic_id;
  std::map<std::string, std::optional<std::string>> changes;  // absent value: remove
};

// --- configs ---

// Values as in the Kafka protocol.
enum class AlterOp : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

struct IncrementalAlterConfigs {
  struct Op {
    std::string key;
    std::int8_t op = 0;  // AlterOp, or what a client sent
    std::optional<std::string> value;
  };
  struct Resource {
    std::int8_t type = 0;  // ConfigResourceType, or what a client sent
    std::string name;
    std::vector<Op> ops;
  };
  struct Result {
    std::int8_t type = 0;
    std::string name;
    Error error;
  };
  struct Response {
    std::vector<Result> results;  // in order of the request
    MetadataOffset end_offset = 0;
  };
  std::vector<Resource> resources;
  BrokerId asked_broker = kNoBroker;  // the one that the client is connected to
  bool validate_only = false;
};

// --- users ---

struct AlterUserScram {
  struct Deletion {
    std::string user;
    std::int8_t mechanism = 0;  // scram.h, or what a client sent
  };
  struct Upsertion {
    std::string user;
    std::int8_t mechanism = 0;
    ScramCredential credential;  // without keys: none could be made of what the client sent
  };
  struct Result {
    std::string user;
    Error error;
  };
  struct Response {
    std::vector<Result> results;  // one for each user
    MetadataOffset end_offset = 0;
  };
  std::vector<Deletion> deletions;
  std::vector<Upsertion> upsertions;
};

// --- more on configs, features and quotas ---

// Sets exactly these configs; what is not named goes back to its default.
struct AlterConfigs {
  struct Resource {
    std::int8_t type = 0;
    std::string name;
    std::vector<ConfigSetting> configs;
  };
  using Response = IncrementalAlterConfigs::Response;
  std::vector<Resource> resources;
  BrokerId asked_broker = kNoBroker;
  bool validate_only = false;
};

struct UpdateFeatures {
  struct Update {
    std::string name;
    std::int16_t level = 0;
    std::int8_t upgrade_type = 0;  // UpgradeType, or what a client sent
  };
  struct Response {
    Error error;                        // the first one; nothing is changed then
    std::vector<std::string> features;  // that were named, each once
    MetadataOffset end_offset = 0;
  };
  std::vector<Update> updates;
  bool validate_only = false;
};
// Values as in the Kafka protocol.
enum class UpgradeType : std::int8_t { upgrade = 1, safe_downgrade = 2, unsafe_downgrade = 3 };

struct AlterClientQuotas {
  struct Op {
    std::string key;
    std::optional<std::uint64_t> value_bits;  // absent: remove
  };
  struct Entry {
    std::vector<std::pair<std::string, std::optional<std::string>>> entity;
    std::vector<Op> ops;
  };
  struct Result {
    QuotaEntity entity;
    Error error;
  };
  struct Response {
    std::vector<Result> results;  // one for each entity
    MetadataOffset end_offset = 0;
  };
  std::vector<Entry> entries;
  bool validate_only = false;
};

// --- leaders ---

enum class ElectionType : std::int8_t { preferred = 0, unclean = 1 };

struct ElectLeaders {
  struct Partition {
    std::string topic;
    std::int32_t partition = 0;
  };
  struct Result {
    std::string topic;
    std::int32_t partition = 0;
    Error error;
  };
  struct Response {
    Error error;  // of the whole request: the type is unknown
    std::vector<Result> results;
    MetadataOffset end_offset = 0;
  };
  // Or what a client sent.
  ElectionType type = ElectionType::preferred;
  std::optional<std::vector<Partition>> partitions;  // absent: all, and only changes are answered
};

struct MoveLeader {
  struct Response {
    Error error;
    BrokerId leader = kNoBroker;
    std::int32_t leader_epoch = -1;
    MetadataOffset end_offset = 0;
  };
  Uuid topic_id;
  std::int32_t partition = 0;
  BrokerId to = kNoBroker;  // kNoBroker: any other one
  // When the leader is to stay (named, or nobody else can lead), raise the leader epoch all the same:
  // the partition is closed and opened again.
  bool reopen = false;
};

// --- replicas ---

struct AlterPartitionReassignments {
  struct Partition {
    std::string topic;
    std::int32_t partition = 0;
    std::optional<std::vector<BrokerId>> replicas;  // absent: cancel
  };
  struct Response {
    std::vector<Error> errors;  // one for each partition
    MetadataOffset end_offset = 0;
  };
  std::vector<Partition> partitions;
  bool allow_factor_change = true;
};

// --- the controller itself ---

// Who follows the metadata log, and how far.
struct DescribeQuorum {
  struct Replica {
    std::int32_t id = -1;
    MetadataOffset log_end_offset = 0;
    TimeNs last_fetch_ns = 0;
    TimeNs last_caught_up_ns = 0;
  };
  struct Response {
    std::int64_t controller_epoch = 0;
    MetadataOffset end_offset = 0;
    std::vector<Replica> observers;  // brokers with a session, by id
  };
};

// --- producer ids ---

struct AllocateProducerIds {
  struct Response {
    Error error;
    std::int64_t first_producer_id = -1;
    std::int32_t count = 0;
  };
  BrokerId broker = kNoBroker;
  std::int64_t broker_epoch = -1;
};

}  // namespace wt::controller

// A broker process: the partitions it may lead, kept in step with the metadata it has learnt.
//
// Holds nothing durable. What it knows of the cluster is its own copy of the metadata, which can be
// stale; leadership is what that copy says, and the stream storage fences whoever is wrong.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/broker/partition.h"
#include "sim/controller/follower.h"
#include "sim/controller/image.h"
#include "sim/network/byte_stream.h"
#include "sim/network/calls.h"
#include "sim/stream/storage.h"

namespace wt::broker {

struct Endpoint {
  std::string host;
  std::int32_t port = 0;
  std::optional<std::string> rack;
};

enum class Lookup : std::uint8_t { found, unknown_topic, unknown_partition, not_replica };

// What a request named, as far as this broker knows it.
struct Found {
  Lookup lookup = Lookup::unknown_topic;
  std::shared_ptr<Partition> partition;  // set when found
  std::string topic;
  Uuid topic_id;
  bool is_internal = false;
};

struct LeaderHint {
  std::int32_t leader = -1;
  std::int32_t epoch = -1;
};

struct BrokerOptions {
  std::int32_t id = -1;
  std::string cluster_id;
  NodeId node = 0;
  std::string listener = "PLAINTEXT";  // whose addresses clients are told
  stream::StorageOptions storage;
  controller::FollowerOptions follower;
  DurationNs producer_expiry_scan_ns = 10 * kMinute_ns;
  DurationNs first_retention_check_ns = 30 * kSecond_ns;
  DurationNs retention_check_ns = 5 * kMinute_ns;
};

class Broker final : public ProcessPart, public controller::MetadataListener {
 public:
  Broker(Process& process, Calls& calls, Streams& streams, FaultRules& rules, const BrokerOptions& options);
  ~Broker() override;

  // Registers with the controller and follows its log from then on.
  void start();

  std::int32_t id() const noexcept { return options_.id; }
  const std::string& cluster_id() const noexcept { return options_.cluster_id; }
  Process& process() noexcept { return process_; }
  FaultRules& rules() noexcept { return rules_; }
  Streams& streams() noexcept { return streams_; }
  controller::MetadataFollower& follower() noexcept { return *follower_; }
  const controller::MetadataImage& image() const { return *follower_->image(); }
  std::int64_t metadata_offset() const { return image().end_offset() - 1; }

  // By name (short, or persistent://tenant/namespace/name) or by topic id.
  Found find(std::string_view topic, std::int32_t partition) const;
  Found find(const Uuid& topic_id, std::int32_t partition) const;
  // Empty when unknown.
  std::string topic_name(const Uuid& topic_id) const;
  LeaderHint leader_of(const Uuid& topic_id, std::int32_t partition) const;
  std::optional<Endpoint> endpoint_of(std::int32_t broker) const;
  static bool is_internal_topic(std::string_view name);

  const std::map<std::pair<Uuid, std::int32_t>, std::shared_ptr<Partition>>& partitions() const noexcept {
    return partitions_;
  }

  // From the follower: a batch has been applied; `now` holds it.
  void on_metadata(const controller::ImagePtr& before, const controller::ImagePtr& now,
                   const controller::RecordBatch& batch) override;

 private:
  using Key = std::pair<Uuid, std::int32_t>;

  Found find_in(const controller::TopicState* topic, std::int32_t partition) const;
  void update_partition(const controller::MetadataImage& image, const Uuid& topic_id, std::int32_t number);
  void update_topic(const controller::MetadataImage& image, const controller::TopicState& topic);
  void remove_topic(const Uuid& topic_id);
  Task<void> remove_stream(std::shared_ptr<const stream::OpenRequest> request);
  Task<void> expire_producers();
  Task<void> check_retention();

  Process& process_;
  Streams& streams_;
  FaultRules& rules_;
  BrokerOptions options_;
  std::unique_ptr<stream::StreamStorage> storage_;
  std::unique_ptr<controller::MetadataFollower> follower_;
  std::map<Key, std::shared_ptr<Partition>> partitions_;
};

}  // namespace wt::broker

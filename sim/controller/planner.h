// Plans: from the image and a request to the records that carry it out, and the answer.
//
// A planner applies every record as it is emitted, to a copy of the image that the first one makes, so that
// later parts of one request see the earlier ones. Nothing is durable until the controller has appended the
// records; a planner that is thrown away changes nothing.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/controller/controller.h"
#include "sim/kernel/random.h"

namespace wt::controller {

class Planner {
 public:
  Planner(const ControllerOptions& options, const ImagePtr& image, RandomStream& ids,
          std::uint64_t placement_cursor)
      : options_(options), base_(image), ids_(ids), cursor_(placement_cursor) {}

  // With the records emitted so far.
  const MetadataImage& image() const noexcept { return changed_ ? *changed_ : *base_; }
  const std::vector<Record>& records() const noexcept { return records_; }
  std::vector<Record> take_records() { return std::move(records_); }
  std::uint64_t placement_cursor() const noexcept { return cursor_; }
  // Forgets what was emitted.
  void discard();

  // --- brokers (planner_brokers.cc); what the controller knows about sessions comes in ---
  RegisterBroker::Response plan(const RegisterBroker& request, bool has_session, bool declared_dead);
  BrokerHeartbeat::Response plan(const BrokerHeartbeat& request, bool declared_dead);
  UnregisterBroker::Response plan(const UnregisterBroker& request);
  AllocateProducerIds::Response plan(const AllocateProducerIds& request);
  // No effect on a broker that is fenced or unknown.
  void fence(BrokerId broker);
  void activate(const std::set<BrokerId>& live);
  // The first records of an empty log.
  void bootstrap();

  // --- topics (planner_topics.cc) ---
  CreateTopics::Response plan(const CreateTopics& request);
  DeleteTopics::Response plan(const DeleteTopics& request);
  CreatePartitions::Response plan(const CreatePartitions& request);
  AlterTopicProperties::Response plan(const AlterTopicProperties& request);

  // --- configs (planner_configs.cc) ---
  IncrementalAlterConfigs::Response plan(const IncrementalAlterConfigs& request);
  AlterConfigs::Response plan(const AlterConfigs& request);

  // --- features (planner_features.cc) and client quotas (planner_quotas.cc) ---
  UpdateFeatures::Response plan(const UpdateFeatures& request);
  AlterClientQuotas::Response plan(const AlterClientQuotas& request);

  // --- replicas (planner_replicas.cc) ---
  AlterPartitionReassignments::Response plan(const AlterPartitionReassignments& request);

  // --- users (planner_users.cc) ---
  AlterUserScram::Response plan(const AlterUserScram& request);

  // --- leaders (planner_leaders.cc) ---
  ElectLeaders::Response plan(const ElectLeaders& request);
  MoveLeader::Response plan(const MoveLeader& request);
  // Preferred leaders for brokers that miss too many.
  void rebalance();

 private:
  using Assignment = std::vector<BrokerId>;

  void emit(Record record);

  bool knows_epoch(BrokerId broker, std::int64_t broker_epoch) const;
  void unfence(const BrokerState& broker);
  void start_shutdown(const BrokerState& broker);
  bool leads_anything(BrokerId broker) const;

  Uuid new_topic_id();
  Error check_new_topic(const CreateTopics::Topic& topic, const std::string& name,
                        bool allow_full_names) const;
  Error check_topic_configs(const CreateTopics::Topic& topic, ConfigMap& configs) const;
  Error check_partition_names(std::string_view name, std::int32_t first, std::int32_t count) const;
  Error place_new_topic(const CreateTopics::Topic& topic, std::vector<Assignment>& out);
  Error take_assignments(const CreateTopics::Topic& topic, std::vector<Assignment>& out) const;
  Error check_assignment(const Assignment& replicas, std::size_t expected_size) const;
  Error check_factor(std::int16_t factor) const;
  Error check_single_replica(const ConfigMap& configs) const;
  Error check_room(std::size_t partitions) const;
  Error create_topic(const CreateTopics::Topic& topic, const std::string& name, CreateTopics::Result& result);
  Error add_partitions(const CreatePartitions::Topic& topic);
  void emit_partition(const Uuid& topic_id, std::int32_t number, const Assignment& replicas);
  // planner_placement.cc: round robin over the brokers, alternating racks; brokers that are active lead.
  Error place(std::int32_t partitions, std::int16_t factor, std::vector<Assignment>& out);

  Error reassign(const AlterPartitionReassignments::Partition& wanted, bool allow_factor_change);
  Error cancel_reassignment(const TopicState& topic, std::int32_t number);
  Error start_reassignment(const TopicState& topic, std::int32_t number, const Assignment& target,
                           bool allow_factor_change);
  struct ReplicaLists {
    Assignment replicas;
    Assignment isr;
    Assignment adding;
    Assignment removing;
  };
  void change_replicas(const Uuid& topic_id, std::int32_t number, const ReplicaLists& lists);
  // Takes the leaving replicas out once all others are in sync.
  void finish_reassignment(const Uuid& topic_id, std::int32_t number);
  Error alter_quotas(const QuotaEntity& entity, const std::vector<AlterClientQuotas::Op>& ops);
  Error check_feature(const UpdateFeatures::Update& update) const;

  Error alter_resource(const IncrementalAlterConfigs::Resource& resource, BrokerId asked_broker);
  Error check_resource(const IncrementalAlterConfigs::Resource& resource, BrokerId asked_broker) const;
  Error check_min_isr(const IncrementalAlterConfigs::Resource& resource, const ConfigMap& after) const;
  Error changed_configs(const IncrementalAlterConfigs::Resource& resource, ConfigMap& configs) const;

  Error set_password(const AlterUserScram::Upsertion& upsertion);

  // Emits a change when something differs; the leader stays when it can, else it is the first replica in
  // the ISR.
  void change_partition(const Uuid& topic_id, std::int32_t number, std::vector<BrokerId> isr);
  void change_leader(const Uuid& topic_id, std::int32_t number, BrokerId leader);
  void leave_isrs(BrokerId broker);
  void join_isrs(BrokerId broker);
  Error elect(const TopicState& topic, std::int32_t number, ElectionType type);

  const ControllerOptions& options_;
  ImagePtr base_;
  std::optional<MetadataImage> changed_;  // since the first record
  RandomStream& ids_;
  std::uint64_t cursor_;
  std::vector<Record> records_;
};

}  // namespace wt::controller

// Reassignments: which brokers are replicas of a partition.
//
// As in Kafka one goes through two changes: the coming replicas join the list, and once every replica of the
// target is in sync the leaving ones go. With one data copy a live broker is in sync at once, so that only a
// dead one makes a reassignment wait.
#include <algorithm>

#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

using Brokers = std::vector<BrokerId>;

bool contains(const Brokers& list, BrokerId broker) {
  return std::find(list.begin(), list.end(), broker) != list.end();
}

// Those of `list` that are not in `others`, in their order.
Brokers without(const Brokers& list, const Brokers& others) {
  Brokers rest;
  std::copy_if(list.begin(), list.end(), std::back_inserter(rest),
               [&others](BrokerId broker) { return !contains(others, broker); });
  return rest;
}

bool has_all(const Brokers& list, const Brokers& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&list](BrokerId broker) { return contains(list, broker); });
}

Error unknown_partition(std::string what) {
  return Error(ErrorCode::unknown_topic_or_partition, std::move(what));
}

}  // namespace

// One record with the new lists; the leader stays when it still is in sync, else the first replica that is.
void Planner::change_replicas(const Uuid& topic_id, std::int32_t number, const ReplicaLists& lists) {
  const PartitionState& partition = *image().partition(topic_id, number);
  PartitionChangeRecord change;
  change.topic_id = topic_id;
  change.partition = number;
  change.leader_epoch = partition.leader_epoch;
  change.partition_epoch = partition.partition_epoch + 1;
  BrokerId leader = partition.leader;
  if (!contains(lists.isr, leader)) {
    leader = kNoBroker;
    for (const BrokerId replica : lists.replicas) {
      if (leader == kNoBroker && contains(lists.isr, replica)) leader = replica;
    }
  }
  // A replica that goes must not be taken for one by whoever knows the old list.
  if (leader != partition.leader || !has_all(lists.replicas, partition.replicas)) ++change.leader_epoch;
  if (leader != partition.leader) change.leader = leader;
  if (lists.replicas != partition.replicas) change.replicas = lists.replicas;
  if (lists.isr != partition.isr) change.isr = lists.isr;
  if (lists.adding != partition.adding) change.adding = lists.adding;
  if (lists.removing != partition.removing) change.removing = lists.removing;
  emit(std::move(change));
}

void Planner::finish_reassignment(const Uuid& topic_id, std::int32_t number) {
  const PartitionState& partition = *image().partition(topic_id, number);
  if (!partition.is_reassigned()) return;
  ReplicaLists done;
  done.replicas = without(partition.replicas, partition.removing);
  done.isr = without(partition.isr, partition.removing);
  if (!has_all(done.isr, done.replicas)) return;
  change_replicas(topic_id, number, done);
}

Error Planner::start_reassignment(const TopicState& topic, std::int32_t number, const Assignment& target,
                                  bool allow_factor_change) {
  const PartitionState partition = *topic.partition(number);
  Error error = check_assignment(target, 0);
  if (error.ok()) error = check_factor(static_cast<std::int16_t>(target.size()));
  if (!error.ok()) return error;
  const std::size_t factor = without(partition.replicas, partition.adding).size();
  if (!allow_factor_change && target.size() != factor) {
    return Error(ErrorCode::invalid_replication_factor, "The replication factor is changed from " +
                                                            std::to_string(factor) + " to " +
                                                            std::to_string(target.size()));
  }
  const Brokers leaving = without(partition.replicas, target);
  const Brokers coming = without(target, partition.replicas);
  ReplicaLists lists;
  lists.replicas = target;
  lists.replicas.insert(lists.replicas.end(), leaving.begin(), leaving.end());
  lists.isr = partition.isr;
  lists.adding = coming.empty() ? partition.adding : coming;
  lists.removing = leaving;
  std::stable_sort(lists.adding.begin(), lists.adding.end());
  std::stable_sort(lists.removing.begin(), lists.removing.end());
  const bool unchanged = lists.replicas == partition.replicas && lists.adding == partition.adding &&
                         lists.removing == partition.removing;
  if (unchanged) return {};
  // What needs nobody to catch up is one step.
  const bool in_one_step =
      lists.adding.empty() && has_all(without(lists.isr, leaving), target) && !target.empty();
  if (in_one_step) {
    lists.replicas = target;
    lists.isr = without(lists.isr, leaving);
    lists.removing.clear();
    change_replicas(topic.topic_id, number, lists);
    return {};
  }
  change_replicas(topic.topic_id, number, lists);
  Brokers isr = image().partition(topic.topic_id, number)->isr;
  for (const BrokerId replica : lists.replicas) {
    if (!contains(isr, replica) && image().is_active(replica)) isr.push_back(replica);
  }
  change_partition(topic.topic_id, number, std::move(isr));
  finish_reassignment(topic.topic_id, number);
  return {};
}

Error Planner::cancel_reassignment(const TopicState& topic, std::int32_t number) {
  const PartitionState& partition = *topic.partition(number);
  if (!partition.is_reassigned()) return Error(ErrorCode::no_reassignment_in_progress);
  ReplicaLists before;
  before.replicas = without(partition.replicas, partition.adding);
  before.isr = without(partition.isr, partition.adding);
  if (before.isr.empty()) {
    return Error(ErrorCode::invalid_replica_assignment,
                 "Unable to revert partition assignment for " + topic.name + ":" + std::to_string(number) +
                     " because it would require an unclean leader election.");
  }
  change_replicas(topic.topic_id, number, before);
  return {};
}

Error Planner::reassign(const AlterPartitionReassignments::Partition& wanted, bool allow_factor_change) {
  const TopicState* topic = image().topic(wanted.topic);
  if (topic == nullptr) return unknown_partition("Unable to find a topic named " + wanted.topic + ".");
  if (topic->partition(wanted.partition) == nullptr) {
    return unknown_partition("Unable to find partition " + wanted.topic + ":" +
                             std::to_string(wanted.partition) + ".");
  }
  const TopicState before = *topic;
  if (!wanted.replicas) return cancel_reassignment(before, wanted.partition);
  return start_reassignment(before, wanted.partition, *wanted.replicas, allow_factor_change);
}

AlterPartitionReassignments::Response Planner::plan(const AlterPartitionReassignments& request) {
  AlterPartitionReassignments::Response response;
  for (const auto& partition : request.partitions)
    response.errors.push_back(reassign(partition, request.allow_factor_change));
  response.end_offset = image().end_offset();
  return response;
}

}  // namespace wt::controller

// Leaders and in-sync replicas.
#include <algorithm>

#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

bool contains(const std::vector<BrokerId>& list, BrokerId broker) {
  return std::find(list.begin(), list.end(), broker) != list.end();
}

// The leader that a partition has with this ISR.
BrokerId leader_with(const PartitionState& partition, const std::vector<BrokerId>& isr) {
  if (contains(isr, partition.leader)) return partition.leader;
  for (const BrokerId replica : partition.replicas) {
    if (contains(isr, replica)) return replica;
  }
  return kNoBroker;
}

}  // namespace

void Planner::discard() {
  changed_.reset();
  records_.clear();
}

void Planner::emit(Record record) {
  if (!changed_) changed_ = *base_;
  changed_->apply(record);
  records_.push_back(std::move(record));
}

void Planner::change_partition(const Uuid& topic_id, std::int32_t number, std::vector<BrokerId> isr) {
  const PartitionState& partition = *image().partition(topic_id, number);
  const BrokerId leader = leader_with(partition, isr);
  if (isr == partition.isr && leader == partition.leader) return;
  PartitionChangeRecord change;
  change.topic_id = topic_id;
  change.partition = number;
  change.leader_epoch = partition.leader_epoch;
  change.partition_epoch = partition.partition_epoch + 1;
  if (leader != partition.leader) {
    change.leader = leader;
    ++change.leader_epoch;
  }
  if (isr != partition.isr) change.isr = std::move(isr);
  emit(std::move(change));
}

void Planner::change_leader(const Uuid& topic_id, std::int32_t number, BrokerId leader) {
  const PartitionState& partition = *image().partition(topic_id, number);
  PartitionChangeRecord change;
  change.topic_id = topic_id;
  change.partition = number;
  change.leader = leader;
  change.leader_epoch = partition.leader_epoch + 1;
  change.partition_epoch = partition.partition_epoch + 1;
  emit(std::move(change));
}

void Planner::leave_isrs(BrokerId broker) {
  const MetadataImage before = image();
  before.for_each_topic([&](const TopicState& topic) {
    for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
      const PartitionState& partition = *topic.partition(number);
      if (!partition.in_isr(broker)) continue;
      std::vector<BrokerId> isr = partition.isr;
      std::erase(isr, broker);
      change_partition(topic.topic_id, number, std::move(isr));
    }
  });
}

void Planner::join_isrs(BrokerId broker) {
  const MetadataImage before = image();
  before.for_each_topic([&](const TopicState& topic) {
    for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
      const PartitionState& partition = *topic.partition(number);
      if (!partition.has_replica(broker) || partition.in_isr(broker)) continue;
      std::vector<BrokerId> isr = partition.isr;
      isr.push_back(broker);
      change_partition(topic.topic_id, number, std::move(isr));
      finish_reassignment(topic.topic_id, number);
    }
  });
}

bool Planner::leads_anything(BrokerId broker) const {
  bool leads = false;
  image().for_each_topic([&](const TopicState& topic) {
    for (std::int32_t number = 0; number < topic.partition_count(); ++number)
      leads = leads || topic.partition(number)->leader == broker;
  });
  return leads;
}

Error Planner::elect(const TopicState& topic, std::int32_t number, ElectionType type) {
  const PartitionState& partition = *topic.partition(number);
  const BrokerId preferred = partition.preferred_leader();
  const bool done =
      type == ElectionType::preferred ? partition.leader == preferred : partition.leader != kNoBroker;
  ErrorCode refusal = ErrorCode::none;
  if (done) {
    refusal = ErrorCode::election_not_needed;
  } else if (type == ElectionType::unclean) {
    // There is one data copy: every replica that is alive is in the ISR, and then there is a leader.
    refusal = ErrorCode::eligible_leaders_not_available;
  } else if (!partition.in_isr(preferred)) {
    refusal = ErrorCode::preferred_leader_not_available;
  }
  if (refusal != ErrorCode::none) return Error(refusal, std::string(general_message(refusal)));
  change_leader(topic.topic_id, number, preferred);
  return {};
}

ElectLeaders::Response Planner::plan(const ElectLeaders& request) {
  ElectLeaders::Response response;
  const auto add = [&response](const std::string& topic, std::int32_t partition, Error error) {
    response.results.push_back(ElectLeaders::Result{topic, partition, std::move(error)});
  };
  if (request.type != ElectionType::preferred && request.type != ElectionType::unclean) {
    response.error = Error(ErrorCode::invalid_request,
                           "Unknown election type " + std::to_string(static_cast<int>(request.type)));
    if (request.partitions) {
      for (const auto& [name, number] : *request.partitions) add(name, number, response.error);
    }
  } else if (request.partitions) {
    for (const auto& [name, number] : *request.partitions) {
      const TopicState* topic = image().topic(name);
      if (topic == nullptr) {
        add(name, number, Error(ErrorCode::unknown_topic_or_partition, "No such topic as " + name));
      } else if (topic->partition(number) == nullptr) {
        add(name, number,
            Error(ErrorCode::unknown_topic_or_partition,
                  "No such partition as " + name + "-" + std::to_string(number)));
      } else {
        add(name, number, elect(*topic, number, request.type));
      }
    }
  } else {
    const MetadataImage before = image();
    before.for_each_topic([&](const TopicState& topic) {
      for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
        Error error = elect(topic, number, request.type);
        if (error.code != ErrorCode::election_not_needed) add(topic.name, number, std::move(error));
      }
    });
  }
  response.end_offset = image().end_offset();
  return response;
}

MoveLeader::Response Planner::plan(const MoveLeader& request) {
  MoveLeader::Response response;
  response.end_offset = image().end_offset();
  const auto refuse = [&response](ErrorCode code) {
    response.error = Error(code, std::string(general_message(code)));
    return response;
  };
  if (image().topic(request.topic_id) == nullptr) return refuse(ErrorCode::unknown_topic_id);
  const PartitionState* partition = image().partition(request.topic_id, request.partition);
  if (partition == nullptr) return refuse(ErrorCode::unknown_topic_or_partition);
  response.leader = partition->leader;
  response.leader_epoch = partition->leader_epoch;

  BrokerId to = request.to;
  if (to == kNoBroker) {
    // The next one after the leader in the order of the replicas.
    const auto& replicas = partition->replicas;
    const auto at = std::find(replicas.begin(), replicas.end(), partition->leader);
    const std::size_t start = at == replicas.end() ? 0 : static_cast<std::size_t>(at - replicas.begin()) + 1;
    for (std::size_t i = 0; i < replicas.size() && to == kNoBroker; ++i) {
      const BrokerId replica = replicas[(start + i) % replicas.size()];
      if (replica != partition->leader && partition->in_isr(replica)) to = replica;
    }
    if (to == kNoBroker && request.reopen) to = partition->leader;
    if (to == kNoBroker) return refuse(ErrorCode::eligible_leaders_not_available);
  } else if (!partition->has_replica(to)) {
    response.error = Error(ErrorCode::invalid_replica_assignment,
                           "Broker " + std::to_string(to) + " is not a replica of the partition.");
    return response;
  }
  if (!partition->in_isr(to)) return refuse(ErrorCode::preferred_leader_not_available);
  if (to == partition->leader && !request.reopen) return refuse(ErrorCode::election_not_needed);
  change_leader(request.topic_id, request.partition, to);
  partition = image().partition(request.topic_id, request.partition);
  response.leader = partition->leader;
  response.leader_epoch = partition->leader_epoch;
  response.end_offset = image().end_offset();
  return response;
}

void Planner::rebalance() {
  struct Share {
    std::uint64_t preferred = 0;
    std::uint64_t missed = 0;
  };
  std::map<BrokerId, Share> shares;
  image().for_each_topic([&](const TopicState& topic) {
    for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
      const PartitionState& partition = *topic.partition(number);
      Share& share = shares[partition.preferred_leader()];
      ++share.preferred;
      if (partition.leader != partition.preferred_leader() && partition.in_isr(partition.preferred_leader()))
        ++share.missed;
    }
  });
  const auto imbalanced = [&](BrokerId broker) {
    const Share& share = shares[broker];
    return share.missed * kPpmAlways > share.preferred * options_.leader_imbalance_ppm;
  };
  const MetadataImage before = image();
  before.for_each_topic([&](const TopicState& topic) {
    for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
      if (imbalanced(topic.partition(number)->preferred_leader()))
        elect(topic, number, ElectionType::preferred);
    }
  });
}

}  // namespace wt::controller

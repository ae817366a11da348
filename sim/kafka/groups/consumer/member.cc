#include "sim/kafka/groups/consumer/member.h"

#include <algorithm>

namespace wt::kafka {
namespace {

using CurrentTopic = ConsumerGroupCurrentMemberAssignmentValue::TopicPartitions;

std::vector<CurrentTopic> to_record(const EpochPartitions& partitions) {
  std::vector<CurrentTopic> topics;
  for (const auto& [topic_id, epochs] : partitions) {
    CurrentTopic& topic = topics.emplace_back();
    topic.topic_id = topic_id;
    topic.assignment_epochs.emplace();
    for (const auto& [partition, epoch] : epochs) {
      topic.partitions.push_back(partition);
      topic.assignment_epochs->push_back(epoch);
    }
  }
  return topics;
}

// Records of brokers before 4.3 hold no assignment epochs: the member's epoch counts then.
EpochPartitions from_record(const std::vector<CurrentTopic>& topics, std::int32_t member_epoch) {
  EpochPartitions partitions;
  for (const CurrentTopic& topic : topics) {
    auto& epochs = partitions[topic.topic_id];
    const bool known = topic.assignment_epochs && topic.assignment_epochs->size() == topic.partitions.size();
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
      epochs[topic.partitions[i]] = known ? (*topic.assignment_epochs)[i] : std::max(member_epoch, 0);
    }
  }
  return partitions;
}

MemberState state_of(std::int8_t number) {
  return number >= 0 && number <= 2 ? static_cast<MemberState>(number) : MemberState::unknown;
}

}  // namespace

EpochPartitions with_epoch(const TopicPartitions& partitions, std::int32_t epoch) {
  EpochPartitions result;
  for (const auto& [topic_id, numbers] : partitions) {
    auto& epochs = result[topic_id];
    for (const std::int32_t number : numbers) epochs[number] = epoch;
  }
  return result;
}

TopicPartitions without_epochs(const EpochPartitions& partitions) {
  TopicPartitions result;
  for (const auto& [topic_id, epochs] : partitions) {
    auto& numbers = result[topic_id];
    for (const auto& [number, epoch] : epochs) numbers.insert(number);
  }
  return result;
}

void ConsumerMember::update(const ConsumerGroupMemberMetadataValue& value) {
  instance_id = value.instance_id;
  rack_id = value.rack_id;
  client_id = value.client_id;
  client_host = value.client_host;
  topic_names = {value.subscribed_topic_names.begin(), value.subscribed_topic_names.end()};
  topic_regex = value.subscribed_topic_regex;
  rebalance_timeout_ms = value.rebalance_timeout_ms;
  server_assignor = value.server_assignor;
  classic = value.classic_member_metadata;
}

void ConsumerMember::update(const ConsumerGroupCurrentMemberAssignmentValue& value) {
  epoch = value.member_epoch;
  previous_epoch = value.previous_member_epoch;
  state = state_of(value.state);
  assigned = from_record(value.assigned_partitions, value.member_epoch);
  pending_revocation = from_record(value.partitions_pending_revocation, value.member_epoch);
}

GroupRecord member_record(const std::string& group, const ConsumerMember& member) {
  ConsumerGroupMemberMetadataKey key;
  key.group_id = group;
  key.member_id = member.member_id;
  ConsumerGroupMemberMetadataValue value;
  value.instance_id = member.instance_id;
  value.rack_id = member.rack_id;
  value.client_id = member.client_id;
  value.client_host = member.client_host;
  value.subscribed_topic_names = {member.topic_names.begin(), member.topic_names.end()};
  value.subscribed_topic_regex = member.topic_regex;
  value.rebalance_timeout_ms = member.rebalance_timeout_ms;
  value.server_assignor = member.server_assignor;
  value.classic_member_metadata = member.classic;
  return group_record(std::move(key), std::move(value));
}

GroupRecord current_assignment_record(const std::string& group, const ConsumerMember& member) {
  ConsumerGroupCurrentMemberAssignmentKey key;
  key.group_id = group;
  key.member_id = member.member_id;
  ConsumerGroupCurrentMemberAssignmentValue value;
  value.member_epoch = member.epoch;
  value.previous_member_epoch = member.previous_epoch;
  value.state = static_cast<std::int8_t>(member.state);
  value.assigned_partitions = to_record(member.assigned);
  value.partitions_pending_revocation = to_record(member.pending_revocation);
  return group_record(std::move(key), std::move(value));
}

GroupRecord target_assignment_record(const std::string& group, const std::string& member,
                                     const TopicPartitions& partitions) {
  ConsumerGroupTargetAssignmentMemberKey key;
  key.group_id = group;
  key.member_id = member;
  ConsumerGroupTargetAssignmentMemberValue value;
  for (const auto& [topic_id, numbers] : partitions) {
    auto& topic = value.topic_partitions.emplace_back();
    topic.topic_id = topic_id;
    topic.partitions = {numbers.begin(), numbers.end()};
  }
  return group_record(std::move(key), std::move(value));
}

GroupRecord group_epoch_record(const std::string& group, std::int32_t epoch, std::int64_t metadata_hash) {
  ConsumerGroupMetadataKey key;
  key.group_id = group;
  ConsumerGroupMetadataValue value;
  value.epoch = epoch;
  value.metadata_hash = metadata_hash;
  return group_record(std::move(key), std::move(value));
}

GroupRecord assignment_epoch_record(const std::string& group, std::int32_t epoch, std::int64_t timestamp_ms) {
  ConsumerGroupTargetAssignmentMetadataKey key;
  key.group_id = group;
  ConsumerGroupTargetAssignmentMetadataValue value;
  value.assignment_epoch = epoch;
  value.assignment_timestamp = timestamp_ms;
  return group_record(std::move(key), std::move(value));
}

TopicPartitions target_of(const ConsumerGroupTargetAssignmentMemberValue& value) {
  TopicPartitions partitions;
  for (const auto& topic : value.topic_partitions) {
    partitions[topic.topic_id].insert(topic.partitions.begin(), topic.partitions.end());
  }
  return partitions;
}

void remove_member_records(const std::string& group, const std::string& member,
                           std::vector<GroupRecord>& records) {
  ConsumerGroupCurrentMemberAssignmentKey current;
  current.group_id = group;
  current.member_id = member;
  records.push_back(group_tombstone(std::move(current)));
  ConsumerGroupTargetAssignmentMemberKey target;
  target.group_id = group;
  target.member_id = member;
  records.push_back(group_tombstone(std::move(target)));
  ConsumerGroupMemberMetadataKey metadata;
  metadata.group_id = group;
  metadata.member_id = member;
  records.push_back(group_tombstone(std::move(metadata)));
}

}  // namespace wt::kafka

// ConsumerGroup: as ConsumerGroupDescribe shows it.
#include "sim/kafka/groups/consumer/consumer_group.h"

namespace wt::kafka {
namespace {

using Described = ConsumerGroupDescribeResponse;

constexpr std::int8_t kClassicMember = 0;
constexpr std::int8_t kConsumerMember = 1;

// Topics that are gone are left out.
Described::Assignment assignment_of(const TopicPartitions& partitions,
                                    const controller::MetadataImage& image) {
  Described::Assignment assignment;
  for (const auto& [topic_id, numbers] : partitions) {
    const controller::TopicState* topic = image.topic(topic_id);
    if (topic == nullptr) continue;
    auto& entry = assignment.topic_partitions.emplace_back();
    entry.topic_id = topic_id;
    entry.topic_name = topic->name;
    entry.partitions = {numbers.begin(), numbers.end()};
  }
  return assignment;
}

// A member answers for what it must give up until it has.
TopicPartitions all_of(const ConsumerMember& member) {
  TopicPartitions partitions = without_epochs(member.assigned);
  for (const auto& [topic_id, epochs] : member.pending_revocation) {
    for (const auto& [number, epoch] : epochs) partitions[topic_id].insert(number);
  }
  return partitions;
}

}  // namespace

std::vector<MemberView> ConsumerGroup::member_views() const {
  std::vector<MemberView> views;
  for (const auto& [member_id, member] : members_) {
    views.push_back(MemberView{member_id, member.instance_id, member.client_id});
  }
  return views;
}

ConsumerGroupDescribeResponse::DescribedGroup ConsumerGroup::describe() const {
  const controller::MetadataImage& image = host_.image();
  Described::DescribedGroup group;
  group.group_id = id_;
  group.group_state = state_name();
  group.group_epoch = epoch_;
  group.assignment_epoch = assignment_epoch_;
  group.assignor_name = preferred_assignor(nullptr);
  for (const std::string& member_id : listed_.listed()) {
    const ConsumerMember& member = members_.at(member_id);
    auto& entry = group.members.emplace_back();
    entry.member_id = member_id;
    entry.instance_id = member.instance_id;
    entry.rack_id = member.rack_id;
    entry.member_epoch = member.epoch;
    entry.client_id = member.client_id;
    entry.client_host = member.client_host;
    entry.subscribed_topic_names = {member.topic_names.begin(), member.topic_names.end()};
    entry.subscribed_topic_regex = member.topic_regex;
    entry.assignment = assignment_of(all_of(member), image);
    entry.target_assignment = assignment_of(target(member_id), image);
    entry.member_type = member.uses_classic_protocol() ? kClassicMember : kConsumerMember;
  }
  return group;
}

}  // namespace wt::kafka

// The server's assignors: pure functions from members and topics to a target assignment.
//
// With the same members, topics and earlier targets they give what Apache Kafka's assignors give, down to who
// gets the odd partition. Where those follow the order of Java's hash maps this code follows `members` and
// the order of topic ids instead; broker_order() gives the former for member ids.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kafka/groups/consumer/member.h"

namespace wt::kafka {

struct AssignorMember {
  std::string member_id;
  std::optional<std::string> instance_id;
  std::set<Uuid> topics;   // it subscribes to, and that exist
  TopicPartitions target;  // of the assignment before
};

struct AssignorInput {
  std::vector<AssignorMember> members;
  std::map<Uuid, std::int32_t> partition_counts;  // of all subscribed topics
  bool homogeneous = true;                        // all members subscribe to the same topics
};

// By member id; a member that is not named gets nothing.
using TargetAssignment = std::map<std::string, TopicPartitions>;

// Ranges of each topic, in the order of instance ids, then member ids: co-partitioned where topics have equal
// numbers of partitions.
TargetAssignment assign_range(const AssignorInput& input);

// Balanced first, then as few moves as possible.
TargetAssignment assign_uniform(const AssignorInput& input);
TargetAssignment assign_uniform_homogeneous(const AssignorInput& input);
TargetAssignment assign_uniform_heterogeneous(const AssignorInput& input);

// `name` is one of GroupSettings::consumer_assignors.
TargetAssignment assign(std::string_view name, const AssignorInput& input);

// Sorts as a Java hash map that holds just these ids iterates.
void broker_order(std::vector<AssignorMember>& members);

}  // namespace wt::kafka

#include "sim/kafka/groups/consumer/assignor.h"

#include <algorithm>
#include <bit>

#include "sim/kafka/groups/hash_order.h"

namespace wt::kafka {
namespace {

// As HashMap does it.
std::uint32_t spread_hash(std::string_view text) {
  const std::uint32_t hash = java_hash(text);
  return hash ^ (hash >> 16U);
}

// A HashMap that grew to `size` entries: three quarters full at most.
std::uint32_t table_size(std::size_t size) {
  const auto needed = static_cast<std::uint32_t>((size * 4 + 2) / 3);
  return std::max(16U, std::bit_ceil(needed));
}

struct RangeTopic {
  std::int32_t partitions = 0;
  std::int32_t members = 0;
  std::int32_t next = 0;
  std::int32_t extra_given = 0;

  // The next member's range: the first partitions % members of them get one more.
  std::pair<std::int32_t, std::int32_t> take() {
    const std::int32_t begin = next;
    next += partitions / members;
    if (extra_given < partitions % members) {
      ++extra_given;
      ++next;
    }
    return {begin, next};
  }
};

bool before_in_range(const AssignorMember* a, const AssignorMember* b) {
  if (a->instance_id && b->instance_id) return *a->instance_id < *b->instance_id;
  if (a->instance_id || b->instance_id) return a->instance_id.has_value();
  return a->member_id < b->member_id;
}

}  // namespace

void broker_order(std::vector<AssignorMember>& members) {
  const std::uint32_t mask = table_size(members.size()) - 1;
  std::stable_sort(members.begin(), members.end(), [mask](const AssignorMember& a, const AssignorMember& b) {
    return (spread_hash(a.member_id) & mask) < (spread_hash(b.member_id) & mask);
  });
}

TargetAssignment assign_range(const AssignorInput& input) {
  std::map<Uuid, RangeTopic> topics;
  std::vector<const AssignorMember*> members;
  for (const AssignorMember& member : input.members) {
    members.push_back(&member);
    for (const Uuid& topic_id : member.topics) {
      RangeTopic& topic = topics[topic_id];
      topic.partitions = input.partition_counts.at(topic_id);
      ++topic.members;
    }
  }
  std::stable_sort(members.begin(), members.end(), before_in_range);
  TargetAssignment result;
  for (const AssignorMember* member : members) {
    TopicPartitions& target = result[member->member_id];
    for (const Uuid& topic_id : member->topics) {
      const auto [begin, end] = topics.at(topic_id).take();
      for (std::int32_t number = begin; number < end; ++number) target[topic_id].insert(number);
    }
  }
  return result;
}

TargetAssignment assign_uniform(const AssignorInput& input) {
  if (input.members.empty()) return {};
  return input.homogeneous ? assign_uniform_homogeneous(input) : assign_uniform_heterogeneous(input);
}

TargetAssignment assign(std::string_view name, const AssignorInput& input) {
  return name == "range" ? assign_range(input) : assign_uniform(input);
}

}  // namespace wt::kafka

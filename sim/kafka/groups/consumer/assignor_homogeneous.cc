// All members subscribe to the same topics: everybody gets total / members partitions, the rest one more
// each.
#include "sim/kafka/groups/consumer/assignor.h"

namespace wt::kafka {
namespace {

struct TopicPartition {
  Uuid topic_id;
  std::int32_t number;
};

class HomogeneousAssignment {
 public:
  explicit HomogeneousAssignment(const AssignorInput& input)
      : input_(input), topics_(input.members.front().topics) {}

  TargetAssignment build() {
    if (topics_.empty()) return {};
    count_partitions();
    for (std::size_t i = 0; i < input_.members.size(); ++i) keep_up_to_quota(i);
    give_out();
    return std::move(result_);
  }

 private:
  void count_partitions() {
    std::map<Uuid, std::set<std::int32_t>> assigned;
    for (const AssignorMember& member : input_.members) {
      for (const auto& [topic_id, numbers] : member.target) {
        assigned[topic_id].insert(numbers.begin(), numbers.end());
      }
    }
    std::int32_t total = 0;
    for (const Uuid& topic_id : topics_) {
      const std::int32_t count = input_.partition_counts.at(topic_id);
      for (std::int32_t number = 0; number < count; ++number) {
        if (assigned[topic_id].count(number) == 0) unassigned_.push_back({topic_id, number});
      }
      total += count;
    }
    const auto members = static_cast<std::int32_t>(input_.members.size());
    quota_ = total / members;
    extras_ = total % members;
  }

  // Takes from the member what is above its quota. The quota is one higher while extra partitions remain;
  // a member that does not need its extra one leaves it, unless the members after it are too few to take all.
  void keep_up_to_quota(std::size_t index) {
    const AssignorMember& member = input_.members[index];
    TopicPartitions& target = result_[member.member_id];
    bool extra = extras_ > 0;
    std::int32_t room = quota_ + (extra ? 1 : 0);
    for (const auto& [topic_id, numbers] : member.target) {
      if (topics_.count(topic_id) == 0) continue;
      for (const std::int32_t number : numbers) {
        if (room > 0) {
          --room;
          target[topic_id].insert(number);
        } else {
          unassigned_.push_back({topic_id, number});
        }
      }
    }
    const auto members_left = static_cast<std::int32_t>(input_.members.size() - index);
    if (room > 0 && extra && members_left > extras_) {
      --room;
      extra = false;
    }
    if (room > 0) unfilled_.emplace_back(member.member_id, room);
    if (extra) --extras_;
  }

  void give_out() {
    auto next = unassigned_.begin();
    for (const auto& [member_id, room] : unfilled_) {
      TopicPartitions& target = result_[member_id];
      for (std::int32_t i = 0; i < room && next != unassigned_.end(); ++i, ++next) {
        target[next->topic_id].insert(next->number);
      }
    }
  }

  const AssignorInput& input_;
  const std::set<Uuid>& topics_;
  std::vector<TopicPartition> unassigned_;
  std::vector<std::pair<std::string, std::int32_t>> unfilled_;
  std::int32_t quota_ = 0;
  std::int32_t extras_ = 0;  // members that may still get one partition more
  TargetAssignment result_;
};

}  // namespace

TargetAssignment assign_uniform_homogeneous(const AssignorInput& input) {
  return HomogeneousAssignment(input).build();
}

}  // namespace wt::kafka

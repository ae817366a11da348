// Members subscribe to different topics: keep what members had, give the rest to the least loaded subscribers
// of each topic, then move partitions topic by topic until nothing gets better.
#include <algorithm>

#include "sim/kafka/groups/consumer/assignor.h"

namespace wt::kafka {
namespace {

constexpr int kMaxRounds = 16;
constexpr std::int32_t kNobody = -1;

using Sizes = std::vector<std::int32_t>;  // partitions of each member

// Walks the subscribers of a topic from both ends of their order by load. The least loaded ones form a range
// at the front whose members get one partition each before the range grows; the most loaded ones likewise at
// the back, without members that have nothing to give.
class Balancer {
 public:
  explicit Balancer(const Sizes& sizes) : sizes_(sizes) {}

  // Returns the difference between the most and the least loaded.
  std::int32_t start(const std::vector<std::int32_t>& members) {
    sorted_ = members;
    std::stable_sort(sorted_.begin(), sorted_.end(), [this](std::int32_t a, std::int32_t b) {
      return size(a) != size(b) ? size(a) < size(b) : a < b;
    });
    least_end_ = 0;
    least_level_ = size(sorted_.front()) - 1;
    next_least_ = 0;
    most_begin_ = most_end_ = count();
    most_level_ = size(sorted_.back()) + 1;
    next_most_ = count() - 1;
    return size(sorted_.back()) - size(sorted_.front());
  }

  // The member that gets the next partition; counts it.
  std::int32_t next_least() {
    if (next_least_ >= least_end_) {
      ++least_level_;
      while (least_end_ < count() && size(at(least_end_)) == least_level_) ++least_end_;
      next_least_ = 0;
    }
    return at(next_least_++);
  }

  // The member that gives the next partition, counted; kNobody when none is left.
  std::int32_t next_most() {
    if (next_most_ < most_begin_) {
      if (most_end_ <= most_begin_ && most_begin_ > 0) {
        most_level_ = size(at(most_begin_ - 1));
      } else {
        --most_level_;
      }
      while (most_begin_ > 0 && size(at(most_begin_ - 1)) == most_level_) --most_begin_;
      next_most_ = most_end_ - 1;
    }
    return next_most_ < 0 ? kNobody : at(next_most_--);
  }

  // The member that next_most() gave has nothing to give.
  void exclude_most() {
    std::swap(sorted_[static_cast<std::size_t>(next_most_ + 1)],
              sorted_[static_cast<std::size_t>(most_end_ - 1)]);
    --most_end_;
  }

  bool balanced() const { return most_level_ - least_level_ <= 1; }

 private:
  std::int32_t count() const { return static_cast<std::int32_t>(sorted_.size()); }
  std::int32_t at(std::int32_t place) const { return sorted_[static_cast<std::size_t>(place)]; }
  std::int32_t size(std::int32_t member) const { return sizes_[static_cast<std::size_t>(member)]; }

  const Sizes& sizes_;
  std::vector<std::int32_t> sorted_;  // by load
  std::int32_t least_end_ = 0;
  std::int32_t least_level_ = 0;
  std::int32_t next_least_ = 0;
  std::int32_t most_begin_ = 0;
  std::int32_t most_end_ = 0;
  std::int32_t most_level_ = 0;
  std::int32_t next_most_ = 0;
};

struct Topic {
  Uuid topic_id;
  std::vector<std::int32_t> subscribers;  // indices of members, ascending
  std::vector<std::int32_t> owners;       // of the partitions; kNobody: unassigned
};

// As Java compares them: by halves with a sign.
bool id_before(const Uuid& a, const Uuid& b) {
  if (a.high() != b.high()) return static_cast<std::int64_t>(a.high()) < static_cast<std::int64_t>(b.high());
  return static_cast<std::int64_t>(a.low()) < static_cast<std::int64_t>(b.low());
}

// Most partitions a subscriber first, then fewest subscribers, then by id.
bool topic_before(const Topic* a, const Topic* b) {
  const auto left = static_cast<std::int64_t>(a->owners.size() * b->subscribers.size());
  const auto right = static_cast<std::int64_t>(b->owners.size() * a->subscribers.size());
  if (left != right) return left > right;
  if (a->subscribers.size() != b->subscribers.size()) return a->subscribers.size() < b->subscribers.size();
  return id_before(a->topic_id, b->topic_id);
}

class HeterogeneousAssignment {
 public:
  explicit HeterogeneousAssignment(const AssignorInput& input) : input_(input), sizes_(input.members.size()) {
    for (std::size_t i = 0; i < input.members.size(); ++i) subscribe(static_cast<std::int32_t>(i));
    for (auto& [topic_id, topic] : topics_) sorted_.push_back(&topic);
    std::stable_sort(sorted_.begin(), sorted_.end(), topic_before);
  }

  TargetAssignment build() {
    if (topics_.empty()) return {};
    give_out();
    balance();
    TargetAssignment result;
    for (const AssignorMember& member : input_.members) result[member.member_id];
    for (const auto& [topic_id, topic] : topics_) {
      for (std::size_t number = 0; number < topic.owners.size(); ++number) {
        const auto owner = static_cast<std::size_t>(topic.owners[number]);
        result[input_.members[owner].member_id][topic_id].insert(static_cast<std::int32_t>(number));
      }
    }
    return result;
  }

 private:
  void subscribe(std::int32_t index) {
    const AssignorMember& member = input_.members[static_cast<std::size_t>(index)];
    for (const Uuid& topic_id : member.topics) {
      Topic& topic = topics_[topic_id];
      topic.topic_id = topic_id;
      topic.subscribers.push_back(index);
      topic.owners.resize(static_cast<std::size_t>(input_.partition_counts.at(topic_id)), kNobody);
      const auto kept = member.target.find(topic_id);
      if (kept == member.target.end()) continue;
      for (const std::int32_t number : kept->second) {
        // The target may come from a coordinator that knew of more partitions.
        if (number < 0 || number >= static_cast<std::int32_t>(topic.owners.size())) continue;
        topic.owners[static_cast<std::size_t>(number)] = index;
        ++sizes_[static_cast<std::size_t>(index)];
      }
    }
  }

  void give_out() {
    Balancer balancer(sizes_);
    for (Topic* topic : sorted_) {
      if (std::find(topic->owners.begin(), topic->owners.end(), kNobody) == topic->owners.end()) continue;
      balancer.start(topic->subscribers);
      for (std::size_t number = 0; number < topic->owners.size(); ++number) {
        if (topic->owners[number] == kNobody) move(*topic, number, balancer.next_least());
      }
    }
  }

  // Over and over all topics until a whole round has moved nothing.
  void balance() {
    std::vector<Topic*> shared;
    for (Topic* topic : sorted_) {
      if (topic->subscribers.size() >= 2) shared.push_back(topic);
    }
    const Topic* last_changed = nullptr;
    for (int round = 0; round < kMaxRounds; ++round) {
      for (Topic* topic : shared) {
        if (topic == last_changed) return;
        if (balance_topic(*topic) || last_changed == nullptr) last_changed = topic;
      }
    }
  }

  // Whether it moved anything.
  bool balance_topic(Topic& topic) {
    Balancer balancer(sizes_);
    if (balancer.start(topic.subscribers) <= 1) return false;
    std::map<std::int32_t, std::vector<std::size_t>> owned;  // at the start; given away from the back
    for (std::size_t number = 0; number < topic.owners.size(); ++number) {
      owned[topic.owners[number]].push_back(number);
    }
    bool moved = false;
    while (!balancer.balanced()) {
      std::int32_t from = balancer.next_most();
      while (from != kNobody && owned[from].empty()) {
        balancer.exclude_most();
        from = balancer.next_most();
      }
      if (from == kNobody) break;
      const std::size_t number = owned[from].back();
      owned[from].pop_back();
      const std::int32_t receiver = balancer.next_least();
      if (balancer.balanced()) break;
      move(topic, number, receiver);
      moved = true;
    }
    return moved;
  }

  void move(Topic& topic, std::size_t number, std::int32_t receiver) {
    std::int32_t& owner = topic.owners[number];
    if (owner != kNobody) --sizes_[static_cast<std::size_t>(owner)];
    owner = receiver;
    ++sizes_[static_cast<std::size_t>(receiver)];
  }

  const AssignorInput& input_;
  Sizes sizes_;
  std::map<Uuid, Topic> topics_;
  std::vector<Topic*> sorted_;
};

}  // namespace

TargetAssignment assign_uniform_heterogeneous(const AssignorInput& input) {
  return HeterogeneousAssignment(input).build();
}

}  // namespace wt::kafka

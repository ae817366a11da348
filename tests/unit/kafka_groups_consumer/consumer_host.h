// One consumer group and what it asks of a shard, without a log, a lane or a kernel.
//
// Records go through their bytes before they are replayed, and are kept: a reload builds the group from them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/groups/consumer/consumer_group.h"
#include "sim/kafka/groups/consumer/module.h"
#include "sim/kernel/time.h"

namespace wt::kafka {

class ConsumerHost final : public GroupHost {
 public:
  using Request = ConsumerGroupHeartbeatRequest;
  using Response = ConsumerGroupHeartbeatResponse;

  ConsumerHost() {
    for (const RecordType& type : consumer_group_module().types) codec_.add(type);
    controller::RegisterBrokerRecord broker;
    broker.broker = 1;
    broker.fenced = false;
    image_.apply(controller::Record(broker));
  }

  // --- GroupHost ---
  TimeNs now() const override { return now_; }
  const controller::MetadataImage& image() const override { return image_; }
  GroupSettings settings(std::string_view) const override { return options; }
  std::string new_uuid() override { return "uuid-" + std::to_string(++uuids_); }
  void set_timer(const GroupTimer& timer, DurationNs after_ns, TimerKind, std::uint64_t) override {
    timers_[timer] = Due{now_ + after_ns, ++timer_order_};
  }
  void cancel_timer(const GroupTimer& timer) override { timers_.erase(timer); }
  void trace(Label, std::string_view, std::string_view, std::int64_t) override {}

  // --- topics ---
  Uuid create_topic(const std::string& name, std::int32_t partitions) {
    controller::TopicRecord topic;
    topic.name = name;
    topic.topic_id = Uuid::from_halves(7, ++topics_);
    image_.apply(controller::Record(topic));
    add_partitions(topic.topic_id, 0, partitions);
    return topic.topic_id;
  }
  void grow_topic(const std::string& name, std::int32_t partitions) {
    const controller::TopicState* topic = image_.topic(name);
    const Uuid topic_id = topic->topic_id;
    const std::int32_t old_partitions = topic->partition_count();
    add_partitions(topic_id, old_partitions, partitions);
  }
  void remove_topic(const std::string& name) {
    controller::RemoveTopicRecord record;
    record.topic_id = image_.topic(name)->topic_id;
    image_.apply(controller::Record(record));
  }

  // --- requests ---
  Response send(const Request& request, std::int16_t version = 1) {
    if (const auto bad = check_heartbeat_request(request, version, options)) {
      Response response;
      response.error_code = bad->code;
      response.error_message = bad->message;
      return response;
    }
    Caller caller;
    caller.client_id = "client";
    caller.api_version = version;
    Outcome outcome;
    consumer_group_heartbeat(*this, group.get(), 1, caller, request, outcome);
    return std::move(*finish<Response>(outcome));
  }
  // Replays the records, or forgets them as a shard does that cannot write.
  template <class Answer>
  std::optional<Answer> finish(Outcome& outcome) {
    if (fail_appends && !outcome.records.empty()) {
      if (group != nullptr) group->on_append_failed(ErrorCode::kCoordinatorNotAvailable, outcome);
      outcome.records.clear();
    }
    for (const GroupRecord& record : outcome.records) append(record);
    if (outcome.answers.empty()) return std::nullopt;
    return std::move(*outcome.answers.front().response.get<Answer>());
  }

  // Time passes; timers expire in their order.
  void advance_ms(std::int64_t duration_ms) {
    const TimeNs end = now_ + from_ms(duration_ms);
    for (;;) {
      auto next = timers_.end();
      for (auto timer = timers_.begin(); timer != timers_.end(); ++timer) {
        if (timer->second.at > end) continue;
        if (next == timers_.end() || timer->second < next->second) next = timer;
      }
      if (next == timers_.end()) break;
      now_ = std::max(now_, next->second.at);
      const GroupTimer timer = next->first;
      timers_.erase(next);
      if (group == nullptr) continue;
      Outcome outcome;
      group->on_timer(timer, outcome);
      finish<Response>(outcome);
    }
    now_ = end;
  }

  // Another coordinator takes over.
  void reload() {
    timers_.clear();
    group.reset();
    for (const RecordBytes& record : log_) replay(record);
    if (group != nullptr) group->on_loaded();
  }
  // The state that all records give, whatever the group remembers.
  std::unique_ptr<ConsumerGroup> replayed() {
    std::unique_ptr<ConsumerGroup> kept = std::move(group);
    const auto timers = timers_;
    for (const RecordBytes& record : log_) replay(record);
    timers_ = timers;
    std::swap(kept, group);
    return kept;
  }
  bool has_timer(GroupTimerKind kind, const std::string& member) const {
    GroupTimer timer;
    timer.group = "g";
    timer.kind = kind;
    timer.member = member;
    return timers_.count(timer) > 0;
  }

  GroupSettings options;
  std::unique_ptr<ConsumerGroup> group;
  bool fail_appends = false;

 private:
  struct Due {
    TimeNs at = 0;
    std::uint64_t order = 0;
    auto operator<=>(const Due&) const = default;
  };

  void add_partitions(const Uuid& topic_id, std::int32_t from, std::int32_t to) {
    for (std::int32_t number = from; number < to; ++number) {
      controller::PartitionRecord partition;
      partition.topic_id = topic_id;
      partition.partition = number;
      partition.replicas = {1};
      partition.isr = {1};
      partition.leader = 1;
      image_.apply(controller::Record(partition));
    }
  }
  void append(const GroupRecord& record) {
    log_.push_back(*codec_.encode(record));
    replay(log_.back());
  }
  void replay(const RecordBytes& bytes) {
    const auto value = bytes.value ? std::optional(bytes.value->bytes()) : std::nullopt;
    const GroupRecord record = *codec_.decode(bytes.key.bytes(), value);
    if (group == nullptr && !record.value) return;
    if (group == nullptr) group = std::make_unique<ConsumerGroup>("g", *this);
    group->replay(record);
    if (group->is_over()) group.reset();
  }

  RecordCodec codec_;
  controller::MetadataImage image_;
  TimeNs now_ = kDefaultEpoch_ns;
  std::map<GroupTimer, Due> timers_;
  std::uint64_t timer_order_ = 0;
  std::uint64_t uuids_ = 0;
  std::uint64_t topics_ = 0;
  std::vector<RecordBytes> log_;
};

// A request of a member that joins.
inline ConsumerHost::Request join_request(const std::string& member, std::vector<std::string> topics) {
  ConsumerHost::Request request;
  request.group_id = "g";
  request.member_id = member;
  request.rebalance_timeout_ms = 60'000;
  request.subscribed_topic_names = std::move(topics);
  request.topic_partitions.emplace();
  return request;
}

// A member as an honest client keeps it: it owns what it was told to, says so, and follows its epoch.
struct TestMember {
  explicit TestMember(std::string name, std::vector<std::string> subscribed = {"t"})
      : id(std::move(name)), topics(std::move(subscribed)) {}

  std::string id;
  std::vector<std::string> topics;
  std::optional<std::string> regex;
  std::optional<std::string> instance_id;
  std::optional<std::string> assignor;
  std::int32_t epoch = 0;
  TopicPartitions owned;

  ConsumerHost::Request request() const {
    ConsumerHost::Request request = join_request(id, topics);
    if (regex) request.subscribed_topic_regex = *regex;
    request.instance_id = instance_id;
    request.server_assignor = assignor;
    request.member_epoch = epoch;
    for (const auto& [topic_id, numbers] : owned) {
      auto& topic = request.topic_partitions->emplace_back();
      topic.topic_id = topic_id;
      topic.partitions = {numbers.begin(), numbers.end()};
    }
    return request;
  }
  void take(const ConsumerHost::Response& response) {
    if (response.error_code == ErrorCode::kFencedMemberEpoch ||
        response.error_code == ErrorCode::kUnknownMemberId) {
      epoch = 0;
      owned.clear();
    }
    if (response.error_code != ErrorCode::kNone) return;
    epoch = response.member_epoch;
    if (!response.assignment) return;
    owned.clear();
    for (const auto& topic : response.assignment->topic_partitions) {
      owned[topic.topic_id] = {topic.partitions.begin(), topic.partitions.end()};
    }
  }
  ConsumerHost::Response heartbeat(ConsumerHost& host) {
    const ConsumerHost::Response response = host.send(request());
    take(response);
    return response;
  }
  // Gives everything up, keeps its epoch.
  ConsumerHost::Response leave(ConsumerHost& host, std::int32_t leave_epoch = kLeaveEpoch) {
    ConsumerHost::Request request;
    request.group_id = "g";
    request.member_id = id;
    request.instance_id = instance_id;
    request.member_epoch = leave_epoch;
    owned.clear();
    epoch = 0;
    return host.send(request);
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (const auto& [topic_id, numbers] : owned) sum += numbers.size();
    return sum;
  }
};

}  // namespace wt::kafka

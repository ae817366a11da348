#include "sim/kafka/groups/coordinator.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "sim/kafka/groups/hash_order.h"
#include "sim/kafka/groups/offsets.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr DurationNs kCreateTimeout_ns = 30 * kSecond_ns;

}  // namespace

std::int32_t group_partition(std::string_view group, std::int32_t partitions) {
  const auto hash = static_cast<std::int32_t>(java_hash(group));
  return hash == std::numeric_limits<std::int32_t>::min() ? 0 : std::abs(hash) % partitions;
}

GroupCoordinator::GroupCoordinator(Process& process, broker::Broker& broker,
                                   const GroupCoordinatorOptions& options)
    : process_(process), broker_(broker), options_(options) {
  options_.modules.insert(options_.modules.begin(), &offsets_module());
  for (const GroupModule* module : options_.modules) {
    for (const RecordType& type : module->types) codec_.add(type);
  }
  broker_.follower().add_listener(*this);
}

GroupCoordinator::~GroupCoordinator() = default;

std::int32_t GroupCoordinator::partition_count() const {
  const controller::TopicState* topic = broker_.image().topic(kOffsetsTopic);
  return topic == nullptr ? options_.partitions : topic->partition_count();
}

std::shared_ptr<GroupShard> GroupCoordinator::shard_of(std::string_view group, ErrorCode& code) const {
  code = ErrorCode::kNotCoordinator;
  const auto found = shards_.find(group_partition(group, partition_count()));
  if (found == shards_.end() || found->second->stopped()) return nullptr;
  code = ErrorCode::kNone;
  return found->second;
}

std::vector<std::shared_ptr<GroupShard>> GroupCoordinator::listed_shards() const {
  std::vector<std::int32_t> numbers;
  for (const auto& [number, shard] : shards_) {
    if (!shard->stopped()) numbers.push_back(number);
  }
  sort_as_concurrent_map(kOffsetsTopic, most_shards_, numbers);
  std::vector<std::shared_ptr<GroupShard>> listed;
  listed.reserve(numbers.size());
  for (const std::int32_t number : numbers) listed.push_back(shards_.at(number));
  return listed;
}

Task<GroupAnswer> GroupCoordinator::run(const GroupCall& call, const GroupOperation& operation) {
  GroupAnswer answer;
  const std::shared_ptr<GroupShard> shard = shard_of(call.group, answer.code);
  if (shard == nullptr) co_return answer;
  answer = co_await shard->run(call, operation);
  co_return answer;
}

// --- following the metadata ---

void GroupCoordinator::on_metadata(const controller::ImagePtr& before, const controller::ImagePtr&,
                                   const controller::RecordBatch& batch) {
  forget_topics(*before, batch);
  for (const controller::Record& record : batch.records) {
    const bool concerns_leaders = std::holds_alternative<controller::PartitionRecord>(record) ||
                                  std::holds_alternative<controller::PartitionChangeRecord>(record) ||
                                  std::holds_alternative<controller::RemoveTopicRecord>(record);
    if (!concerns_leaders) continue;
    update_shards();
    return;
  }
}

void GroupCoordinator::forget_topics(const controller::MetadataImage& before,
                                     const controller::RecordBatch& batch) {
  for (const controller::Record& record : batch.records) {
    const auto* removed = std::get_if<controller::RemoveTopicRecord>(&record);
    const controller::TopicState* topic = removed == nullptr ? nullptr : before.topic(removed->topic_id);
    if (topic == nullptr) continue;
    for (const auto& [number, shard] : shards_) shard->on_topic_deleted(topic->name);
  }
}

// The broker was told before this and has its partitions in the state that the metadata says.
void GroupCoordinator::update_shards() {
  std::erase_if(shards_, [](const auto& shard) { return shard.second->stopped(); });
  const controller::TopicState* topic = broker_.image().topic(kOffsetsTopic);
  if (topic == nullptr) return;
  for (std::int32_t number = 0; number < topic->partition_count(); ++number) {
    if (topic->partition(number)->leader != broker_.id() || shards_.count(number) != 0) continue;
    broker::Found found = broker_.find(topic->topic_id, number);
    if (found.lookup != broker::Lookup::found) continue;
    const auto shard = std::make_shared<GroupShard>(process_, broker_, options_, codec_, found.partition);
    shards_.emplace(number, shard);
    most_shards_ = std::max(most_shards_, shards_.size());
    shard->start();
  }
}

// --- the topic ---

void GroupCoordinator::create_topic() {
  if (creating_ || broker_.image().topic(kOffsetsTopic) != nullptr) return;
  creating_ = true;
  process_.spawn(ask_for_topic());
}

Task<void> GroupCoordinator::ask_for_topic() {
  controller::CreateTopics request;
  controller::CreateTopics::Topic topic;
  topic.name = kOffsetsTopic;
  topic.partitions = options_.partitions;
  topic.replication_factor = options_.replication_factor;
  topic.configs.push_back({"cleanup.policy", "compact"});
  topic.configs.push_back({"compression.type", "producer"});
  topic.configs.push_back({"segment.bytes", std::to_string(options_.segment_bytes)});
  request.topics.push_back(std::move(topic));
  auto answer = co_await broker_.follower().ask(request, kCreateTimeout_ns);
  (void)answer;  // whoever still wants a coordinator asks again
  creating_ = false;
}

}  // namespace wt::kafka

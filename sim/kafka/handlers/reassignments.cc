// AlterPartitionReassignments (45), asked of the controller, and ListPartitionReassignments (46).
#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/replica_moves.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

using Ongoing = ListPartitionReassignmentsResponse::OngoingPartitionReassignment;

controller::AlterPartitionReassignments to_controller(const AlterPartitionReassignmentsRequest& request) {
  controller::AlterPartitionReassignments wanted;
  wanted.allow_factor_change = request.allow_replication_factor_change;
  for (const auto& topic : request.topics) {
    for (const auto& partition : topic.partitions)
      wanted.partitions.push_back({topic.name, partition.partition_index, partition.replicas});
  }
  return wanted;
}

void list(const controller::TopicState* topic, const std::vector<std::int32_t>& numbers,
          ListPartitionReassignmentsResponse& response) {
  if (topic == nullptr) return;
  std::vector<Ongoing> found;
  for (const std::int32_t number : numbers) {
    const controller::PartitionState* partition = topic->partition(number);
    if (partition == nullptr || !partition->is_reassigned()) continue;
    Ongoing& ongoing = found.emplace_back();
    ongoing.partition_index = number;
    ongoing.replicas = partition->replicas;
    ongoing.adding_replicas = partition->adding;
    ongoing.removing_replicas = partition->removing;
  }
  if (found.empty()) return;
  auto& answer = response.topics.emplace_back();
  answer.name = topic->name;
  answer.partitions = std::move(found);
}

std::vector<std::int32_t> all_of(const controller::TopicState& topic) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(static_cast<std::size_t>(topic.partition_count()));
  for (std::int32_t number = 0; number < topic.partition_count(); ++number) numbers.push_back(number);
  return numbers;
}

}  // namespace

Task<Reply> handle_alter_partition_reassignments(RequestContext& context) {
  const auto& request = context.body<AlterPartitionReassignmentsRequest>();
  const controller::AlterPartitionReassignments wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, from_ms(std::max(1, request.timeout_ms)));
  if (!answer.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  co_await follower.until_offset(answer->end_offset);
  AlterPartitionReassignmentsResponse response;
  if (!request.topics.empty()) response.error_message.reset();
  response.allow_replication_factor_change = request.allow_replication_factor_change;
  auto error = answer->errors.begin();
  for (const auto& topic : request.topics) {
    auto& results = response.responses.emplace_back();
    results.name = topic.name;
    for (const auto& partition : topic.partitions) {
      auto& result = results.partitions.emplace_back();
      result.partition_index = partition.partition_index;
      result.error_code = error_of(*error);
      result.error_message = message_of_error(*error);
      ++error;
    }
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_list_partition_reassignments(RequestContext& context) {
  const auto& request = context.body<ListPartitionReassignmentsRequest>();
  const controller::MetadataImage& image = context.broker.image();
  ListPartitionReassignmentsResponse response;
  response.error_message.reset();
  if (request.topics) {
    for (const auto& topic : *request.topics)
      list(image.topic(topic.name), topic.partition_indexes, response);
  } else {
    image.for_each_topic(
        [&response](const controller::TopicState& topic) { list(&topic, all_of(topic), response); });
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

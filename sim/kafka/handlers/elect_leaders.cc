// ElectLeaders (43): asked of the controller.
#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/cluster.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

controller::ElectLeaders to_controller(const ElectLeadersRequest& request) {
  controller::ElectLeaders wanted;
  wanted.type = static_cast<controller::ElectionType>(request.election_type);
  if (!request.topic_partitions) return wanted;
  wanted.partitions.emplace();
  for (const auto& topic : *request.topic_partitions) {
    for (const std::int32_t partition : topic.partitions)
      wanted.partitions->push_back({topic.topic, partition});
  }
  return wanted;
}

ElectLeadersResponse::ReplicaElectionResult& topic_of(ElectLeadersResponse& response,
                                                      const std::string& name) {
  auto& topics = response.replica_election_results;
  const auto found =
      std::find_if(topics.begin(), topics.end(), [&name](const auto& topic) { return topic.topic == name; });
  if (found != topics.end()) return *found;
  auto& topic = topics.emplace_back();
  topic.topic = name;
  return topic;
}

void add_result(ElectLeadersResponse& response, const controller::ElectLeaders::Result& from) {
  auto& result = topic_of(response, from.topic).partition_result.emplace_back();
  result.partition_id = from.partition;
  result.error_code = error_of(from.error);
  result.error_message = message_of_error(from.error);
}

}  // namespace

Task<Reply> handle_elect_leaders(RequestContext& context) {
  const auto& request = context.body<ElectLeadersRequest>();
  const controller::ElectLeaders wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, from_ms(std::max(1, request.timeout_ms)));
  if (!answer.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  co_await follower.until_offset(answer->end_offset);
  ElectLeadersResponse response;
  response.error_code = error_of(answer->error);
  if (!request.topic_partitions && answer->error.ok()) {
    // Asked for all, an answer names also the topics where there was nothing to do.
    context.broker.image().for_each_topic(
        [&response](const controller::TopicState& topic) { topic_of(response, topic.name); });
  }
  for (const auto& result : answer->results) add_result(response, result);
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

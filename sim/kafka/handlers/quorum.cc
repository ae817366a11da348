// DescribeQuorum (55), AddRaftVoter (80), RemoveRaftVoter (81).
//
// The metadata log has one controller, which is the only voter; the brokers are observers. Nobody can be
// added.
#include "sim/kafka/wire/messages/quorum.h"
#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr std::string_view kMetadataTopic = "__cluster_metadata";
constexpr std::int32_t kControllerId = 3000;  // as deployments with separate controllers often number them
constexpr std::string_view kControllerListener = "CONTROLLER";
constexpr DurationNs kTimeout_ns = 5 * kSecond_ns;

using PartitionAnswer = DescribeQuorumResponse::PartitionData;

bool asks_for_metadata(const DescribeQuorumRequest& request) {
  return request.topics.size() == 1 && request.topics.front().topic_name == kMetadataTopic &&
         request.topics.front().partitions.size() == 1 &&
         request.topics.front().partitions.front().partition_index == 0;
}

// Whatever else is asked for, this is no log of the quorum.
DescribeQuorumResponse refuse(const DescribeQuorumRequest& request) {
  DescribeQuorumResponse response;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.topic_name = topic.topic_name;
    for (const auto& partition : topic.partitions) {
      PartitionAnswer& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      answer.error_code = ErrorCode::kUnknownTopicOrPartition;
      answer.error_message = "This server does not host this topic-partition.";
    }
  }
  return response;
}

void describe(const controller::DescribeQuorum::Response& quorum, TimeNs now_ns, PartitionAnswer& answer) {
  answer.leader_id = kControllerId;
  answer.leader_epoch = static_cast<std::int32_t>(quorum.controller_epoch);
  answer.high_watermark = quorum.end_offset;
  auto& voter = answer.current_voters.emplace_back();
  voter.replica_id = kControllerId;
  voter.log_end_offset = quorum.end_offset;
  voter.last_fetch_timestamp = voter.last_caught_up_timestamp = to_ms(now_ns);
  for (const auto& from : quorum.observers) {
    auto& observer = answer.observers.emplace_back();
    observer.replica_id = from.id;
    observer.log_end_offset = from.log_end_offset;
    observer.last_fetch_timestamp = to_ms(from.last_fetch_ns);
    observer.last_caught_up_timestamp = to_ms(from.last_caught_up_ns);
  }
}

std::string replica_key(std::int32_t id, const Uuid& directory) {
  return "ReplicaKey(id=" + std::to_string(id) + ", directoryId=" + directory.text() + ")";
}

std::string voters() {
  return "[" + replica_key(kControllerId, Uuid()) + "]";
}

std::string wrong_cluster(const std::string& given, const std::string& own) {
  return "The given id \"" + given + "\" doesn't match the cluster id \"" + own + "\"";
}

template <class Response>
Response refused(ErrorCode code, const std::string& message) {
  Response response;
  response.error_code = code;
  response.error_message = message;
  return response;
}

}  // namespace

Task<Reply> handle_describe_quorum(RequestContext& context) {
  const auto& request = context.body<DescribeQuorumRequest>();
  if (!asks_for_metadata(request)) co_return answer_with(refuse(request));
  const controller::DescribeQuorum wanted;
  auto quorum = co_await context.broker.follower().ask(wanted, kTimeout_ns);
  if (!quorum.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  DescribeQuorumResponse response;
  auto& topic = response.topics.emplace_back();
  topic.topic_name = std::string(kMetadataTopic);
  describe(*quorum, context.process.now(), topic.partitions.emplace_back());
  co_return answer_with(std::move(response));
}

// The checks in Kafka's order; then it is as for a controller that nobody can reach.
Task<Reply> handle_add_raft_voter(RequestContext& context) {
  const auto& request = context.body<AddRaftVoterRequest>();
  const auto refuse = [](ErrorCode code, const std::string& why) {
    return answer_with(refused<AddRaftVoterResponse>(code, why));
  };
  const std::string& own_cluster = context.broker.cluster_id();
  if (request.cluster_id.value_or(own_cluster) != own_cluster)
    co_return refuse(ErrorCode::kInconsistentClusterId, wrong_cluster(*request.cluster_id, own_cluster));
  if (request.voter_id < 0)
    co_return refuse(ErrorCode::kInvalidRequest, "Add voter request didn't include a valid voter");
  const bool has_endpoint =
      std::any_of(request.listeners.begin(), request.listeners.end(),
                  [](const auto& listener) { return listener.name == kControllerListener; });
  if (!has_endpoint) {
    co_return refuse(
        ErrorCode::kInvalidRequest,
        "Add voter request didn't include the endpoint (Endpoints(endpoints={})) for the default "
        "listener ListenerName(CONTROLLER)");
  }
  if (request.voter_id == kControllerId) {
    co_return refuse(ErrorCode::kDuplicateVoter,
                     "The voter id for " + replica_key(request.voter_id, request.voter_directory_id) +
                         " is already part of the set of voters " + voters() + ".");
  }
  co_return refuse(
      ErrorCode::kRequestTimedOut,
      "Aborted add voter operation for since API_VERSIONS returned an error BROKER_NOT_AVAILABLE");
}

Task<Reply> handle_remove_raft_voter(RequestContext& context) {
  const auto& request = context.body<RemoveRaftVoterRequest>();
  const std::string& own_cluster = context.broker.cluster_id();
  if (request.cluster_id.value_or(own_cluster) != own_cluster) {
    co_return answer_with(refused<RemoveRaftVoterResponse>(ErrorCode::kInconsistentClusterId,
                                                           wrong_cluster(*request.cluster_id, own_cluster)));
  }
  co_return answer_with(refused<RemoveRaftVoterResponse>(
      ErrorCode::kVoterNotFound, "Cannot remove voter " +
                                     replica_key(request.voter_id, request.voter_directory_id) +
                                     " from the set of voters " + voters()));
}

}  // namespace wt::kafka

// DescribeTopicPartitions (75): topics page by page, in the order of their names.
#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/controller/config_defs.h"
#include "sim/controller/names.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/metadata.h"

namespace wt::kafka {
namespace {

constexpr std::int32_t kMaxPartitions = 2000;    // max.request.partition.size.limit
constexpr std::int32_t kTopicOperations = 3576;  // what somebody with every right may do

using TopicAnswer = DescribeTopicPartitionsResponse::DescribeTopicPartitionsResponseTopic;
using PartitionAnswer = DescribeTopicPartitionsResponse::DescribeTopicPartitionsResponsePartition;

PartitionAnswer describe(const controller::MetadataImage& image, const controller::PartitionState& state,
                         std::int32_t number, std::int64_t min_in_sync) {
  PartitionAnswer answer;
  answer.partition_index = number;
  answer.leader_epoch = state.leader_epoch;
  answer.replica_nodes = state.replicas;
  answer.isr_nodes = state.isr;
  answer.eligible_leader_replicas.emplace();
  answer.last_known_elr.emplace();
  if (state.last_leader != controller::kNoBroker) answer.last_known_elr->push_back(state.last_leader);
  for (const std::int32_t replica : state.replicas) {
    if (!image.is_active(replica)) answer.offline_replicas.push_back(replica);
  }
  // With one data copy every replica is as good as any other. As in Kafka they are only named while fewer
  // than the least number are in sync.
  if (static_cast<std::int64_t>(state.isr.size()) < min_in_sync) {
    for (const std::int32_t replica : state.replicas) {
      if (!state.in_isr(replica)) answer.eligible_leader_replicas->push_back(replica);
    }
  }
  const bool led = state.leader >= 0 && image.is_active(state.leader);
  answer.leader_id = led ? state.leader : -1;
  return answer;
}

TopicAnswer unknown(const std::string& name) {
  TopicAnswer answer;
  answer.name = name;
  const bool valid = controller::validate_topic_name(name, true).ok();
  answer.error_code = valid ? ErrorCode::kUnknownTopicOrPartition : ErrorCode::kInvalidTopicException;
  answer.topic_authorized_operations = kTopicOperations;
  return answer;
}

// What makes the request fail as a whole: a cursor that cannot be, or a topic without a name.
ErrorCode request_error(const DescribeTopicPartitionsRequest& request) {
  const auto named = [&request](std::string_view name) {
    return std::any_of(request.topics.begin(), request.topics.end(),
                       [name](const auto& topic) { return topic.name == name; });
  };
  if (request.cursor) {
    if (request.cursor->partition_index < 0) return ErrorCode::kInvalidRequest;
    if (!request.topics.empty() && !named(request.cursor->topic_name)) return ErrorCode::kInvalidRequest;
  }
  return named("") ? ErrorCode::kUnknownServerError : ErrorCode::kNone;
}

DescribeTopicPartitionsResponse refuse_all(const DescribeTopicPartitionsRequest& request, ErrorCode code) {
  DescribeTopicPartitionsResponse response;
  for (const auto& topic : request.topics) {
    TopicAnswer& answer = response.topics.emplace_back();
    answer.name = topic.name;
    answer.error_code = code;
  }
  return response;
}

// Sorted, each once, none before the cursor.
std::vector<std::string> wanted_names(const DescribeTopicPartitionsRequest& request,
                                      const controller::MetadataImage& image) {
  std::vector<std::string> names;
  for (const auto& topic : request.topics) names.push_back(topic.name);
  if (names.empty()) {
    image.for_each_topic([&names](const controller::TopicState& topic) { names.push_back(topic.name); });
  }
  std::stable_sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (request.cursor) {
    const std::string& from = request.cursor->topic_name;
    names.erase(names.begin(), std::lower_bound(names.begin(), names.end(), from));
  }
  return names;
}

void describe_all(const DescribeTopicPartitionsRequest& request, const controller::MetadataImage& image,
                  DescribeTopicPartitionsResponse& response) {
  std::int32_t left = std::clamp(request.response_partition_limit, 1, kMaxPartitions);
  for (const std::string& name : wanted_names(request, image)) {
    const controller::TopicState* topic = image.topic(controller::kafka_topic_name(name));
    if (topic == nullptr) {
      response.topics.push_back(unknown(name));
      continue;
    }
    const bool resumed = request.cursor && request.cursor->topic_name == name;
    std::int32_t number = resumed ? std::max(0, request.cursor->partition_index) : 0;
    if (left == 0) {
      response.next_cursor.emplace();
      response.next_cursor->topic_name = name;
      response.next_cursor->partition_index = number;
      return;
    }
    TopicAnswer& answer = response.topics.emplace_back();
    answer.name = name;
    answer.topic_id = topic->topic_id;
    answer.is_internal = broker::Broker::is_internal_topic(topic->name);
    answer.topic_authorized_operations = kTopicOperations;
    const std::int64_t min_in_sync = controller::topic_config_int(image, topic->name, "min.insync.replicas");
    for (; number < topic->partition_count() && left > 0; ++number, --left) {
      answer.partitions.push_back(describe(image, *topic->partition(number), number, min_in_sync));
    }
    if (number < topic->partition_count()) {
      response.next_cursor.emplace();
      response.next_cursor->topic_name = name;
      response.next_cursor->partition_index = number;
      return;
    }
  }
}

}  // namespace

Task<Reply> handle_describe_topic_partitions(RequestContext& context) {
  const auto& request = context.body<DescribeTopicPartitionsRequest>();
  const ErrorCode error = request_error(request);
  if (error != ErrorCode::kNone) co_return answer_with(refuse_all(request, error));
  DescribeTopicPartitionsResponse response;
  describe_all(request, context.broker.image(), response);
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

// CreateTopics (19), DeleteTopics (20), CreatePartitions (37): asked of the controller.
#include "sim/kafka/wire/messages/topics.h"
#include "sim/broker/broker.h"
#include "sim/controller/config_defs.h"
#include "sim/controller/names.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionThatKnowsDisabled = 3;

using CreateResult = CreateTopicsResponse::CreatableTopicResult;

controller::CreateTopics to_controller(const CreateTopicsRequest& request) {
  controller::CreateTopics wanted;
  wanted.validate_only = request.validate_only;
  wanted.allow_full_names = true;
  for (const auto& topic : request.topics) {
    auto& target = wanted.topics.emplace_back();
    target.name = topic.name;
    target.partitions = topic.num_partitions;
    target.replication_factor = topic.replication_factor;
    for (const auto& assignment : topic.assignments) {
      target.assignments.push_back({assignment.partition_index, assignment.broker_ids});
    }
    for (const auto& config : topic.configs) target.configs.push_back({config.name, config.value});
  }
  return wanted;
}

// All topic configs as they are for a topic with these of its own.
std::vector<CreateTopicsResponse::CreatableTopicConfigs> all_configs(
    const controller::MetadataImage& image, const controller::CreateTopics::Result& result, int release) {
  std::vector<CreateTopicsResponse::CreatableTopicConfigs> configs;
  for (const controller::ConfigDef& def : controller::topic_config_defs(release)) {
    auto& config = configs.emplace_back();
    config.name = std::string(def.name);
    config.is_sensitive = def.sensitive;
    const auto own = result.configs.find(config.name);
    if (own != result.configs.end()) {
      config.value = own->second;
      config.config_source = static_cast<std::int8_t>(controller::ConfigSource::topic);
      continue;
    }
    const controller::EffectiveConfig effective =
        controller::effective_topic_config(image, result.name, def.name);
    config.value = effective.value;
    config.config_source = static_cast<std::int8_t>(effective.source);
  }
  return configs;
}

CreateResult to_result(const controller::MetadataImage& image, const controller::CreateTopics::Result& from,
                       int release) {
  CreateResult result;
  result.name = from.name;
  result.error_code = error_of(from.error);
  result.error_message = message_of_error(from.error);
  if (!from.error.ok()) return result;
  result.topic_id = from.topic_id;
  result.num_partitions = from.partitions;
  result.replication_factor = from.replication_factor;
  result.configs = all_configs(image, from, release);
  return result;
}

CreateTopicsResponse refuse_all(const CreateTopicsRequest& request, ErrorCode code) {
  CreateTopicsResponse response;
  for (const auto& topic : request.topics) {
    CreateResult& result = response.topics.emplace_back();
    result.name = topic.name;
    result.error_code = code;
    result.error_message.reset();
  }
  return response;
}

// Versions up to 5 name topics in a list of their own.
controller::DeleteTopics to_controller(const DeleteTopicsRequest& request) {
  controller::DeleteTopics wanted;
  for (const std::string& name : request.topic_names) {
    auto& target = wanted.topics.emplace_back();
    target.name = name;
  }
  for (const auto& topic : request.topics) {
    auto& target = wanted.topics.emplace_back();
    target.name = topic.name;
    target.topic_id = topic.topic_id;
  }
  return wanted;
}

controller::CreatePartitions to_controller(const CreatePartitionsRequest& request) {
  controller::CreatePartitions wanted;
  wanted.validate_only = request.validate_only;
  for (const auto& topic : request.topics) {
    auto& target = wanted.topics.emplace_back();
    target.name = topic.name;
    target.count = topic.count;
    if (!topic.assignments) continue;
    target.assignments.emplace();
    for (const auto& assignment : *topic.assignments) target.assignments->push_back(assignment.broker_ids);
  }
  return wanted;
}

}  // namespace

Task<Reply> handle_create_topics(RequestContext& context) {
  const auto& request = context.body<CreateTopicsRequest>();
  if (request.timeout_ms <= 0) co_return answer_with(refuse_all(request, ErrorCode::kRequestTimedOut));
  const controller::CreateTopics wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, from_ms(request.timeout_ms));
  if (!answer.ok()) co_return answer_with(refuse_all(request, ErrorCode::kRequestTimedOut));
  // What this broker has told as done, it knows itself.
  co_await follower.until_offset(answer->end_offset);
  CreateTopicsResponse response;
  for (const auto& result : answer->results)
    response.topics.push_back(to_result(context.broker.image(), result, context.service.profile().minor));
  co_return answer_with(std::move(response));
}

Task<Reply> handle_delete_topics(RequestContext& context) {
  const auto& request = context.body<DeleteTopicsRequest>();
  const controller::DeleteTopics wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, from_ms(std::max(1, request.timeout_ms)));
  DeleteTopicsResponse response;
  if (!answer.ok()) {
    for (const auto& topic : wanted.topics) {
      auto& result = response.responses.emplace_back();
      result.name = topic.name;
      result.topic_id = topic.topic_id;
      result.error_code = ErrorCode::kRequestTimedOut;
    }
    co_return answer_with(std::move(response));
  }
  co_await follower.until_offset(answer->end_offset);
  for (const auto& from : answer->results) {
    auto& result = response.responses.emplace_back();
    result.name = from.name;
    result.topic_id = from.topic_id;
    result.error_code = error_of(from.error);
    result.error_message = message_of_error(from.error);
    if (result.error_code != ErrorCode::kTopicDeletionDisabled) continue;
    // Older versions do not know the code; no version is told more.
    if (context.version() < kFirstVersionThatKnowsDisabled) result.error_code = ErrorCode::kInvalidRequest;
    result.error_message.reset();
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_create_partitions(RequestContext& context) {
  const auto& request = context.body<CreatePartitionsRequest>();
  const controller::CreatePartitions wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, from_ms(std::max(1, request.timeout_ms)));
  CreatePartitionsResponse response;
  if (!answer.ok()) {
    for (const auto& topic : request.topics) {
      auto& result = response.results.emplace_back();
      result.name = topic.name;
      result.error_code = ErrorCode::kRequestTimedOut;
    }
    co_return answer_with(std::move(response));
  }
  co_await follower.until_offset(answer->end_offset);
  for (const auto& from : answer->results) {
    auto& result = response.results.emplace_back();
    result.name = from.name;
    result.error_code = error_of(from.error);
    result.error_message = message_of_error(from.error);
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

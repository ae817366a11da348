// IncrementalAlterConfigs (44), and AlterConfigs (33): the older way, which resets all that it does not name.
#include <charconv>
#include <map>
#include <set>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/configs.h"
#include "sim/kernel/hash.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

using AlterResource = IncrementalAlterConfigsRequest::AlterConfigsResource;
using AlterResult = IncrementalAlterConfigsResponse::AlterConfigsResourceResponse;

constexpr DurationNs kAlterTimeout_ns = 30 * kSecond_ns;
constexpr std::int8_t kBrokerLogger = 8;  // the resource type
constexpr std::int8_t kRemove = 1;        // the operation

// What is wrong with a resource whatever it is of; empty when nothing is.
std::string malformed(const AlterResource& resource) {
  std::set<std::string> keys;
  std::string nulls;
  for (const auto& config : resource.configs) {
    if (!keys.insert(config.name).second) return "Error due to duplicate config keys";
    if (config.value || config.config_operation == kRemove) continue;
    nulls += (nulls.empty() ? "" : ", ") + config.name;
  }
  return nulls.empty() ? "" : "Null value not supported for : " + nulls;
}

// What is wrong with that name of a broker; empty when it is this one's.
std::string not_this_broker(const std::string& name, std::int32_t self) {
  std::int32_t id = -1;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), id);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size())
    return "Node id must be an integer, but it is: " + name;
  if (id == self) return "";
  return "Unexpected node id. Expected " + std::to_string(self) + ", but received " + std::to_string(id);
}

// Levels of loggers are the broker's own: nobody else is told, and they end with it.
void alter_loggers(RequestContext& context, const AlterResource& resource, bool validate_only,
                   AlterResult& result) {
  std::string why = malformed(resource);
  if (why.empty()) why = not_this_broker(resource.resource_name, context.broker.id());
  if (!why.empty()) {
    result.error_code = ErrorCode::kInvalidRequest;
    result.error_message = std::move(why);
    return;
  }
  result.error_code = context.service.loggers().alter(resource.configs, validate_only, why);
  if (result.error_code != ErrorCode::kNone) {
    result.error_message = std::move(why);
    return;
  }
  if (validate_only) return;
  for (const auto& config : resource.configs) {
    context.process.trace("kafka.logger"_label, hash_text(config.name),
                          hash_text(context.service.loggers().level(config.name)));
  }
}

controller::IncrementalAlterConfigs to_controller(const IncrementalAlterConfigsRequest& request,
                                                  std::int32_t asked_broker) {
  controller::IncrementalAlterConfigs wanted;
  wanted.asked_broker = asked_broker;
  wanted.validate_only = request.validate_only;
  for (const auto& resource : request.resources) {
    if (resource.resource_type == kBrokerLogger) continue;
    auto& target = wanted.resources.emplace_back();
    target.type = resource.resource_type;
    target.name = resource.resource_name;
    for (const auto& config : resource.configs) {
      target.ops.push_back({config.name, config.config_operation, config.value});
    }
  }
  return wanted;
}

controller::AlterConfigs to_controller(const AlterConfigsRequest& request, std::int32_t asked_broker) {
  controller::AlterConfigs wanted;
  wanted.asked_broker = asked_broker;
  wanted.validate_only = request.validate_only;
  for (const auto& resource : request.resources) {
    auto& target = wanted.resources.emplace_back();
    target.type = resource.resource_type;
    target.name = resource.resource_name;
    for (const auto& config : resource.configs) target.configs.push_back({config.name, config.value});
  }
  return wanted;
}

// Answers in the order of the request, those of loggers filled in.
IncrementalAlterConfigsResponse begin_answer(RequestContext& context,
                                             const IncrementalAlterConfigsRequest& request) {
  std::map<std::string, std::size_t> times;
  for (const auto& resource : request.resources) {
    if (resource.resource_type == kBrokerLogger) ++times[resource.resource_name];
  }
  IncrementalAlterConfigsResponse response;
  for (const auto& resource : request.resources) {
    auto& result = response.responses.emplace_back();
    result.resource_type = resource.resource_type;
    result.resource_name = resource.resource_name;
    result.error_message.reset();
    if (resource.resource_type != kBrokerLogger) {
      result.error_code = ErrorCode::kRequestTimedOut;
    } else if (times[resource.resource_name] > 1) {
      result.error_code = ErrorCode::kInvalidRequest;
      result.error_message = "Each resource must appear at most once.";
    } else {
      alter_loggers(context, resource, request.validate_only, result);
    }
  }
  return response;
}

}  // namespace

Task<Reply> handle_incremental_alter_configs(RequestContext& context) {
  const auto& request = context.body<IncrementalAlterConfigsRequest>();
  IncrementalAlterConfigsResponse response = begin_answer(context, request);
  const controller::IncrementalAlterConfigs wanted = to_controller(request, context.broker.id());
  if (wanted.resources.empty()) co_return answer_with(std::move(response));
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, kAlterTimeout_ns);
  if (!answer.ok()) co_return answer_with(std::move(response));
  co_await follower.until_offset(answer->end_offset);
  auto from = answer->results.begin();
  for (auto& result : response.responses) {
    if (result.resource_type == kBrokerLogger) continue;
    result.error_code = error_of(from->error);
    result.error_message = message_of_error(from->error);
    ++from;
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_alter_configs(RequestContext& context) {
  const controller::AlterConfigs wanted =
      to_controller(context.body<AlterConfigsRequest>(), context.broker.id());
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, kAlterTimeout_ns);
  if (!answer.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  co_await follower.until_offset(answer->end_offset);
  AlterConfigsResponse response;
  for (const auto& from : answer->results) {
    auto& result = response.responses.emplace_back();
    result.resource_type = from.type;
    result.resource_name = from.name;
    result.error_code = error_of(from.error);
    result.error_message = message_of_error(from.error);
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

// AlterConfigs (33): the older way to set configs, which resets all that it does not name.
#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/configs.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr DurationNs kAlterTimeout_ns = 30 * kSecond_ns;

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

}  // namespace

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

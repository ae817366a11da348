// UnregisterBroker (64) and UnregisterController (94).
#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/cluster_admin.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr DurationNs kTimeout_ns = 30 * kSecond_ns;

}  // namespace

Task<Reply> handle_unregister_broker(RequestContext& context) {
  controller::UnregisterBroker wanted;
  wanted.broker = context.body<UnregisterBrokerRequest>().broker_id;
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, kTimeout_ns);
  if (!answer.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  co_await follower.until_offset(answer->end_offset);
  UnregisterBrokerResponse response;
  response.error_code = error_of(answer->error);
  if (!answer->error.ok()) response.error_message = message_of_error(answer->error);
  co_return answer_with(std::move(response));
}

Task<Reply> handle_unregister_controller(RequestContext& context) {
  // The only controller there is cannot be taken out.
  const std::int32_t id = context.body<UnregisterControllerRequest>().controller_id;
  UnregisterControllerResponse response;
  response.error_code = ErrorCode::kControllerIdNotRegistered;
  response.error_message = "Controller ID " + std::to_string(id) + " is not currently registered.";
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

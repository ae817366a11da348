// UpdateFeatures (57): asked of the controller.
#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/cluster_admin.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr Version kLastVersionWithResults = 1;

// Version 0 says whether a downgrade is allowed; brokers of today do not look at it.
controller::UpdateFeatures to_controller(const UpdateFeaturesRequest& request) {
  controller::UpdateFeatures wanted;
  wanted.validate_only = request.validate_only;
  for (const auto& update : request.feature_updates) {
    auto& target = wanted.updates.emplace_back();
    target.name = update.feature;
    target.level = update.max_version_level;
    target.upgrade_type = update.upgrade_type;
  }
  return wanted;
}

}  // namespace

Task<Reply> handle_update_features(RequestContext& context) {
  const auto& request = context.body<UpdateFeaturesRequest>();
  const controller::UpdateFeatures wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, from_ms(std::max(1, request.timeout_ms)));
  if (!answer.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  co_await follower.until_offset(answer->end_offset);
  UpdateFeaturesResponse response;
  response.error_code = error_of(answer->error);
  response.error_message = message_of_error(answer->error);
  if (context.version() <= kLastVersionWithResults && answer->error.ok()) {
    for (const std::string& name : answer->features) {
      auto& result = response.results.emplace_back();
      result.feature = name;
      result.error_message = "NONE";
    }
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

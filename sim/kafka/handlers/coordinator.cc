// FindCoordinator (10), and SASL (17, 36) on a listener without it.
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/sasl.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionWithKeys = 4;
constexpr std::int32_t kNobody = -1;
constexpr const char* kNotAvailable = "The coordinator is not available.";

// There is no coordinator of any kind yet: clients ask again until there is one.
template <class Answer>
void fill_unavailable(Answer& answer) {
  answer.node_id = kNobody;
  answer.port = -1;
  answer.error_code = ErrorCode::kCoordinatorNotAvailable;
}

}  // namespace

Task<Reply> handle_find_coordinator(RequestContext& context) {
  const auto& request = context.body<FindCoordinatorRequest>();
  FindCoordinatorResponse response;
  if (context.version() < kFirstVersionWithKeys) {
    fill_unavailable(response);
    if (context.version() >= 1) response.error_message = kNotAvailable;
    co_return answer_with(std::move(response));
  }
  for (const std::string& key : request.coordinator_keys) {
    auto& coordinator = response.coordinators.emplace_back();
    coordinator.key = key;
    fill_unavailable(coordinator);
    coordinator.error_message = kNotAvailable;
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_sasl_handshake(RequestContext&) {
  SaslHandshakeResponse response;
  response.error_code = ErrorCode::kIllegalSaslState;
  co_return answer_with(std::move(response));
}

Task<Reply> handle_sasl_authenticate(RequestContext&) {
  SaslAuthenticateResponse response;
  response.error_code = ErrorCode::kIllegalSaslState;
  response.error_message = "SaslAuthenticate request received after successful authentication";
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

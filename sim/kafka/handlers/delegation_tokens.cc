// CreateDelegationToken (38), RenewDelegationToken (39), ExpireDelegationToken (40), DescribeDelegationToken
// (41): tokens are only for clients that have authenticated, and need a secret key that no broker has here.
#include "sim/kafka/wire/messages/delegation_tokens.h"
#include "sim/kafka/handlers/handlers.h"

namespace wt::kafka {
namespace {

// Clients of plain connections may not ask.
constexpr ErrorCode kRefusal = ErrorCode::kDelegationTokenRequestNotAllowed;
constexpr Version kFirstVersionWithRequester = 3;

}  // namespace

Task<Reply> handle_create_delegation_token(RequestContext& context) {
  CreateDelegationTokenResponse response;
  response.error_code = kRefusal;
  response.principal_type = "User";
  response.principal_name = "ANONYMOUS";
  if (context.version() >= kFirstVersionWithRequester) {
    response.token_requester_principal_type = response.principal_type;
    response.token_requester_principal_name = response.principal_name;
  }
  response.issue_timestamp_ms = response.expiry_timestamp_ms = response.max_timestamp_ms = -1;
  co_return answer_with(std::move(response));
}

Task<Reply> handle_renew_delegation_token(RequestContext&) {
  RenewDelegationTokenResponse response;
  response.error_code = kRefusal;
  response.expiry_timestamp_ms = -1;
  co_return answer_with(std::move(response));
}

Task<Reply> handle_expire_delegation_token(RequestContext&) {
  ExpireDelegationTokenResponse response;
  response.error_code = kRefusal;
  response.expiry_timestamp_ms = -1;
  co_return answer_with(std::move(response));
}

Task<Reply> handle_describe_delegation_token(RequestContext&) {
  DescribeDelegationTokenResponse response;
  response.error_code = kRefusal;
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

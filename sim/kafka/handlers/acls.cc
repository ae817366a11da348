// DescribeAcls (29), CreateAcls (30), DeleteAcls (31): a cluster without an authorizer has no ACLs.
#include "sim/kafka/wire/messages/acls.h"
#include "sim/kafka/handlers/handlers.h"

namespace wt::kafka {
namespace {

constexpr const char* kNoAuthorizer = "No Authorizer is configured.";
constexpr const char* kNoAuthorizerOnBroker = "No Authorizer is configured on the broker";

}  // namespace

Task<Reply> handle_describe_acls(RequestContext&) {
  DescribeAclsResponse response;
  response.error_code = ErrorCode::kSecurityDisabled;
  response.error_message = kNoAuthorizerOnBroker;
  co_return answer_with(std::move(response));
}

Task<Reply> handle_create_acls(RequestContext& context) {
  CreateAclsResponse response;
  for (std::size_t i = 0; i < context.body<CreateAclsRequest>().creations.size(); ++i) {
    auto& result = response.results.emplace_back();
    result.error_code = ErrorCode::kSecurityDisabled;
    result.error_message = kNoAuthorizer;
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_delete_acls(RequestContext& context) {
  DeleteAclsResponse response;
  for (std::size_t i = 0; i < context.body<DeleteAclsRequest>().filters.size(); ++i) {
    auto& result = response.filter_results.emplace_back();
    result.error_code = ErrorCode::kSecurityDisabled;
    result.error_message = kNoAuthorizer;
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

// DescribeUserScramCredentials (50) and AlterUserScramCredentials (51).
#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/sasl/scram.h"
#include "sim/kafka/wire/messages/scram_credentials.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr DurationNs kAlterTimeout_ns = 30 * kSecond_ns;

using DescribeResult = DescribeUserScramCredentialsResponse::DescribeUserScramCredentialsResult;

// Names in order of the request, once each, and whether they were named twice; all users without a request.
std::vector<std::pair<std::string, bool>> wanted_users(const DescribeUserScramCredentialsRequest& request,
                                                       const controller::MetadataImage& image) {
  std::vector<std::pair<std::string, bool>> users;
  if (!request.users || request.users->empty()) {
    for (const auto& [key, credential] : image.scram_credentials()) {
      if (users.empty() || users.back().first != key.first) users.emplace_back(key.first, false);
    }
    return users;
  }
  std::map<std::string, std::size_t> places;
  for (const auto& user : *request.users) {
    const auto [place, first] = places.emplace(user.name, users.size());
    if (first) {
      users.emplace_back(user.name, false);
    } else {
      users[place->second].second = true;
    }
  }
  return users;
}

DescribeResult describe(const controller::MetadataImage& image, const std::string& user, bool twice) {
  DescribeResult result;
  result.user = user;
  if (twice) {
    result.error_code = ErrorCode::kDuplicateResource;
    result.error_message =
        "Cannot describe SCRAM credentials for the same user twice in a single request: " + user;
    return result;
  }
  for (const std::int8_t mechanism : {controller::kScramSha512, controller::kScramSha256}) {
    const controller::ScramCredential* credential = image.scram(user, mechanism);
    if (credential == nullptr) continue;
    auto& info = result.credential_infos.emplace_back();
    info.mechanism = mechanism;
    info.iterations = credential->iterations;
  }
  if (result.credential_infos.empty()) {
    result.error_code = ErrorCode::kResourceNotFound;
    result.error_message = "Attempt to describe a user credential that does not exist: " + user;
  }
  return result;
}

controller::AlterUserScram to_controller(const AlterUserScramCredentialsRequest& request) {
  controller::AlterUserScram wanted;
  for (const auto& deletion : request.deletions)
    wanted.deletions.push_back({deletion.name, deletion.mechanism});
  for (const auto& upsertion : request.upsertions) {
    auto& target = wanted.upsertions.emplace_back();
    target.user = upsertion.name;
    target.mechanism = upsertion.mechanism;
    target.credential.iterations = upsertion.iterations;
    const auto mechanism = sasl::scram_from_type(upsertion.mechanism);
    if (!mechanism || upsertion.salted_password.empty()) continue;
    target.credential = sasl::credential_of_salted(*mechanism, upsertion.salted_password.text(),
                                                   std::string(upsertion.salt.text()), upsertion.iterations);
  }
  return wanted;
}

}  // namespace

Task<Reply> handle_describe_user_scram_credentials(RequestContext& context) {
  const auto& request = context.body<DescribeUserScramCredentialsRequest>();
  const controller::MetadataImage& image = context.broker.image();
  DescribeUserScramCredentialsResponse response;
  for (const auto& [user, twice] : wanted_users(request, image))
    response.results.push_back(describe(image, user, twice));
  co_return answer_with(std::move(response));
}

Task<Reply> handle_alter_user_scram_credentials(RequestContext& context) {
  const auto& request = context.body<AlterUserScramCredentialsRequest>();
  const controller::AlterUserScram wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, kAlterTimeout_ns);
  if (!answer.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  // What this broker has told as done, it knows itself.
  co_await follower.until_offset(answer->end_offset);
  AlterUserScramCredentialsResponse response;
  for (const auto& from : answer->results) {
    auto& result = response.results.emplace_back();
    result.user = from.user;
    result.error_code = error_of(from.error);
    result.error_message = message_of_error(from.error);
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

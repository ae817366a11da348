// Passwords of users for SCRAM.
#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

Error check_name(const std::string& user, std::int8_t mechanism) {
  if (user.empty()) return Error(ErrorCode::unacceptable_credential, "Username must not be empty");
  if (mechanism != kScramSha256 && mechanism != kScramSha512)
    return Error(ErrorCode::unsupported_sasl_mechanism, "Unknown SCRAM mechanism");
  return {};
}

Error check(const MetadataImage& image, const AlterUserScram::Deletion& deletion) {
  Error error = check_name(deletion.user, deletion.mechanism);
  if (!error.ok() || image.scram(deletion.user, deletion.mechanism) != nullptr) return error;
  return Error(ErrorCode::resource_not_found, "Attempt to delete a user credential that does not exist");
}

Error check(const AlterUserScram::Upsertion& upsertion) {
  Error error = check_name(upsertion.user, upsertion.mechanism);
  if (!error.ok()) return error;
  if (upsertion.credential.iterations < kMinScramIterations)
    return Error(ErrorCode::unacceptable_credential, "Too few iterations");
  if (upsertion.credential.iterations > kMaxScramIterations)
    return Error(ErrorCode::unacceptable_credential, "Too many iterations");
  return {};
}

// Which users of a request have an error. One change of one user is all that a request may ask.
class Users {
 public:
  // Whether the change stands, as far as the ones before it tell.
  bool take(const std::string& user, Error error) {
    if (failed_.contains(user)) return false;
    if (!seen_.insert(user).second) {
      error = Error(ErrorCode::duplicate_resource,
                    "A user credential cannot be altered twice in the same request");
    }
    if (error.ok()) return true;
    failed_.insert(user);
    errors.push_back({user, std::move(error)});
    return false;
  }
  bool failed(const std::string& user) const { return failed_.contains(user); }

  std::vector<AlterUserScram::Result> errors;

 private:
  std::set<std::string> seen_;
  std::set<std::string> failed_;
};

}  // namespace

Error Planner::set_password(const AlterUserScram::Upsertion& upsertion) {
  if (upsertion.credential.stored_key.empty()) return Error(ErrorCode::unknown_server_error);
  if (image().scram_credentials().size() >= options_.max_scram_credentials)
    return Error(ErrorCode::policy_violation, "There are too many user credentials.");
  emit(UserScramRecord{upsertion.user, upsertion.mechanism, upsertion.credential});
  return {};
}

AlterUserScram::Response Planner::plan(const AlterUserScram& request) {
  Users users;
  std::vector<const AlterUserScram::Deletion*> deletions;
  std::vector<const AlterUserScram::Upsertion*> upsertions;
  for (const auto& deletion : request.deletions) {
    if (users.take(deletion.user, check(image(), deletion))) deletions.push_back(&deletion);
  }
  for (const auto& upsertion : request.upsertions) {
    if (users.take(upsertion.user, check(upsertion))) upsertions.push_back(&upsertion);
  }
  AlterUserScram::Response response;
  for (const auto* deletion : deletions) {
    if (users.failed(deletion->user)) continue;
    emit(UserScramRecord{deletion->user, deletion->mechanism, std::nullopt});
    response.results.push_back({deletion->user, {}});
  }
  for (const auto* upsertion : upsertions) {
    if (users.failed(upsertion->user)) continue;
    response.results.push_back({upsertion->user, set_password(*upsertion)});
  }
  for (auto& error : users.errors) response.results.push_back(std::move(error));
  response.end_offset = image().end_offset();
  return response;
}

}  // namespace wt::controller

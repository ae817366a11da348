// ApiVersions (18).
#include "sim/kafka/wire/messages/api_versions.h"

#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"

namespace wt::kafka {
namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// What a client may call itself: letters and digits, with dots and hyphens between them.
bool is_software_name(std::string_view name) {
  if (name.empty() || !is_alphanumeric(name.front()) || !is_alphanumeric(name.back())) return false;
  for (const char c : name) {
    if (!is_alphanumeric(c) && c != '.' && c != '-') return false;
  }
  return true;
}

ErrorCode check(const RequestContext& context, const ApiVersionsRequest& request) {
  if (context.version() >= 3 && (!is_software_name(request.client_software_name) ||
                                 !is_software_name(request.client_software_version))) {
    return ErrorCode::kInvalidRequest;
  }
  // Before a client has said who it is, nobody asks it whom it means.
  const bool unknown = context.connection.sasl && !context.connection.sasl->complete();
  if (context.version() < 5 || unknown) return ErrorCode::kNone;
  // A client that says whom it means must mean us.
  if (request.cluster_id.has_value() != (request.node_id >= 0)) return ErrorCode::kInvalidRequest;
  if (!request.cluster_id) return ErrorCode::kNone;
  const bool ours =
      *request.cluster_id == context.broker.cluster_id() && request.node_id == context.broker.id();
  return ours ? ErrorCode::kNone : ErrorCode::kRebootstrapRequired;
}

// In their place in the order of the keys.
void add_telemetry(ApiVersionsResponse& response) {
  for (const ApiRange& range : kTelemetryApis) {
    ApiVersionsResponse::ApiVersion entry;
    entry.api_key = range.key;
    entry.min_version = range.versions.first;
    entry.max_version = range.versions.last;
    const auto place = std::find_if(response.api_keys.begin(), response.api_keys.end(),
                                    [&range](const auto& known) { return known.api_key > range.key; });
    response.api_keys.insert(place, entry);
  }
}

}  // namespace

Task<Reply> handle_api_versions(RequestContext& context) {
  const auto& request = context.body<ApiVersionsRequest>();
  const ErrorCode error = check(context, request);
  if (error != ErrorCode::kNone) {
    ApiVersionsResponse refused;
    refused.error_code = error;
    co_return answer_with(std::move(refused));
  }
  context.connection.client_software_name = request.client_software_name;
  context.connection.client_software_version = request.client_software_version;
  if (context.connection.sasl) context.connection.sasl->versions_told();
  const ReleaseProfile& profile = context.service.profile();
  std::vector<FeatureRange> finalized;
  for (const auto& [name, level] : context.broker.image().features())
    finalized.push_back(FeatureRange{name, level, level});
  ApiVersionsResponse response =
      api_versions_response(profile, context.service.advertised_keys(), context.version(), finalized,
                            context.broker.metadata_offset());
  if (context.service.options().telemetry_receiver) add_telemetry(response);
  if (context.service.controls() != nullptr) context.service.controls()->api_caps.apply(response);
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

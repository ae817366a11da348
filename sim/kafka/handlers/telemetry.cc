// GetTelemetrySubscriptions (71) and PushTelemetry (72): offered when a receiver is configured. What comes is
// counted, not read.
#include "sim/kafka/wire/messages/telemetry.h"
#include "sim/broker/broker.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr std::int32_t kMaxTelemetry_bytes = 1'048'576;        // telemetry.max.bytes
constexpr std::int8_t kAcceptedCompressions[] = {4, 3, 1, 2};  // zstd, lz4, gzip, snappy
constexpr std::int8_t kLastCompression = 4;
constexpr std::uint64_t kReserved = 2;  // ids below are not for clients

TelemetryClient client_of(const RequestContext& context, const Uuid& instance_id) {
  TelemetryClient client;
  client.instance_id = instance_id;
  client.client_id = std::string(context.client_id);
  client.software_name = context.connection.client_software_name;
  client.software_version = context.connection.client_software_version;
  return client;
}

Uuid new_instance_id(Process& process) {
  RandomStream& random = process.random("kafka.telemetry.instance"_label);
  const std::uint64_t high = random.next();
  const std::uint64_t low = random.next();
  return Uuid::from_halves(high | 1, low);
}

bool is_reserved(const Uuid& id) {
  return id.high() == 0 && id.low() < kReserved;
}

ErrorCode check_push(RequestContext& context, const PushTelemetryRequest& request) {
  if (is_reserved(request.client_instance_id)) return ErrorCode::kInvalidRequest;
  const TelemetryClient client = client_of(context, request.client_instance_id);
  const ErrorCode error = context.service.telemetry().on_push(
      client, subscription_of(client, context.broker.image()), request.subscription_id, request.terminating,
      context.process.now());
  if (error != ErrorCode::kNone) return error;
  if (request.compression_type < 0 || request.compression_type > kLastCompression)
    return ErrorCode::kUnsupportedCompressionType;
  if (request.metrics.size() > static_cast<std::size_t>(kMaxTelemetry_bytes))
    return ErrorCode::kTelemetryTooLarge;
  return ErrorCode::kNone;
}

}  // namespace

Task<Reply> handle_get_telemetry_subscriptions(RequestContext& context) {
  const auto& request = context.body<GetTelemetrySubscriptionsRequest>();
  const bool is_new = request.client_instance_id == Uuid();
  const Uuid id = is_new ? new_instance_id(context.process) : request.client_instance_id;
  const TelemetryClient client = client_of(context, id);
  TelemetrySubscription subscription = subscription_of(client, context.broker.image());
  GetTelemetrySubscriptionsResponse response;
  response.error_code = context.service.telemetry().on_get(client, subscription, context.process.now());
  if (response.error_code != ErrorCode::kNone) co_return answer_with(std::move(response));
  response.client_instance_id = id;
  response.subscription_id = subscription.id;
  response.requested_metrics = std::move(subscription.metrics);
  response.accepted_compression_types.assign(std::begin(kAcceptedCompressions),
                                             std::end(kAcceptedCompressions));
  response.push_interval_ms = subscription.push_interval_ms;
  response.telemetry_max_bytes = kMaxTelemetry_bytes;
  response.delta_temporality = true;
  co_return answer_with(std::move(response));
}

Task<Reply> handle_push_telemetry(RequestContext& context) {
  const auto& request = context.body<PushTelemetryRequest>();
  PushTelemetryResponse response;
  response.error_code = check_push(context, request);
  if (response.error_code == ErrorCode::kNone && request.metrics.size() > 0) {
    context.service.telemetry().count(request.metrics.size());
    context.process.trace("kafka.telemetry.pushed"_label, context.connection.id, request.metrics.size());
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

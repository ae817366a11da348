// DescribeCluster (60) and InitProducerId (22).
#include "sim/kafka/wire/messages/cluster.h"
#include "sim/broker/broker.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/producers.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr std::int8_t kBrokers = 1;
constexpr std::int8_t kControllers = 2;
constexpr std::int32_t kClusterOperations = 8096;
constexpr DurationNs kAllocateTimeout_ns = 5 * kSecond_ns;

DescribeClusterResponse wrong_endpoint(ErrorCode code, std::string message) {
  DescribeClusterResponse response;
  response.error_code = code;
  response.error_message = std::move(message);
  return response;
}

InitProducerIdResponse no_producer_id(ErrorCode code) {
  InitProducerIdResponse response;
  response.error_code = code;
  response.producer_id = -1;
  response.producer_epoch = -1;
  return response;
}

// The next id of this broker's block, which is refilled from the controller.
Task<StatusOr<std::int64_t>> next_producer_id(RequestContext& context) {
  broker::Broker& broker = context.broker;
  KafkaService::ProducerIds& ids = context.service.producer_ids();
  if (ids.next >= ids.end) {
    controller::AllocateProducerIds request;
    request.broker = broker.id();
    request.broker_epoch = broker.follower().broker_epoch();
    auto answer = co_await broker.follower().ask(request, kAllocateTimeout_ns);
    if (!answer.ok()) co_return answer.status();
    if (!answer->error.ok()) co_return make_status(StatusCode::kUnavailable, answer->error.message);
    // Somebody else may have refilled the block meanwhile; ids that this one leaves out stay unused.
    ids.next = answer->first_producer_id;
    ids.end = answer->first_producer_id + answer->count;
  }
  co_return ids.next++;
}

}  // namespace

Task<Reply> handle_describe_cluster(RequestContext& context) {
  const auto& request = context.body<DescribeClusterRequest>();
  if (request.endpoint_type == kControllers) {
    co_return answer_with(wrong_endpoint(
        ErrorCode::kMismatchedEndpointType,
        "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER"));
  }
  if (request.endpoint_type != kBrokers) {
    co_return answer_with(
        wrong_endpoint(ErrorCode::kUnsupportedEndpointType,
                       "Unsupported endpoint type " + std::to_string(request.endpoint_type)));
  }
  DescribeClusterResponse response;
  response.cluster_id = context.broker.cluster_id();
  if (request.include_cluster_authorized_operations)
    response.cluster_authorized_operations = kClusterOperations;
  for (const auto& [id, state] : context.broker.image().brokers()) {
    if (!state.active() && !request.include_fenced_brokers) continue;
    const auto address = context.broker.endpoint_of(id);
    if (!address) continue;
    if (state.active() && response.controller_id < 0) response.controller_id = id;
    auto& broker = response.brokers.emplace_back();
    broker.broker_id = id;
    broker.host = address->host;
    broker.port = address->port;
    broker.rack = address->rack;
    broker.is_fenced = state.fenced;
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_init_producer_id(RequestContext& context) {
  const auto& request = context.body<InitProducerIdRequest>();
  const bool half_given = (request.producer_id == -1) != (request.producer_epoch == -1);
  const bool empty_name = request.transactional_id && request.transactional_id->empty();
  if (half_given || empty_name) co_return answer_with(no_producer_id(ErrorCode::kInvalidRequest));
  if (request.transactional_id) {
    // Transactions need their coordinator, which this release does not have yet.
    co_return answer_with(no_producer_id(ErrorCode::kCoordinatorNotAvailable));
  }
  StatusOr<std::int64_t> id = co_await next_producer_id(context);
  if (!id.ok()) co_return answer_with(no_producer_id(ErrorCode::kCoordinatorLoadInProgress));
  InitProducerIdResponse response;
  response.producer_id = *id;
  response.producer_epoch = 0;
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

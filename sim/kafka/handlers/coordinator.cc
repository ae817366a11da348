// FindCoordinator (10), and SASL (17, 36) on a listener without it.
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/broker/broker.h"
#include "sim/kafka/groups/coordinator.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/sasl.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionWithKeys = 4;
constexpr std::int8_t kGroupKey = 0;

struct Found {
  ErrorCode code = ErrorCode::kCoordinatorNotAvailable;
  std::int32_t node = -1;
  std::string host;
  std::int32_t port = -1;
};

// The leader of the group's partition. Without the topic it is created: the client asks again.
Found find_group_coordinator(RequestContext& context, std::string_view group) {
  Found found;
  const controller::MetadataImage& image = context.broker.image();
  const controller::TopicState* topic = image.topic(kOffsetsTopic);
  if (topic == nullptr) {
    context.service.groups().create_topic();
    return found;
  }
  const std::int32_t number = group_partition(group, topic->partition_count());
  const std::int32_t leader = topic->partition(number)->leader;
  const auto address =
      leader < 0 || !image.is_active(leader) ? std::nullopt : context.broker.endpoint_of(leader);
  if (!address) return found;
  found.code = ErrorCode::kNone;
  found.node = leader;
  found.host = address->host;
  found.port = address->port;
  return found;
}

// There is no coordinator of transactions yet: clients ask again until there is one.
Found find_coordinator(RequestContext& context, std::int8_t key_type, std::string_view key) {
  return key_type == kGroupKey ? find_group_coordinator(context, key) : Found();
}

template <class Answer>
void fill(Answer& answer, const Found& found) {
  answer.error_code = found.code;
  answer.error_message = found.code == ErrorCode::kNone ? "NONE" : "The coordinator is not available.";
  answer.node_id = found.node;
  answer.host = found.host;
  answer.port = found.port;
}

}  // namespace

Task<Reply> handle_find_coordinator(RequestContext& context) {
  const auto& request = context.body<FindCoordinatorRequest>();
  FindCoordinatorResponse response;
  if (context.version() < kFirstVersionWithKeys) {
    const Found found = find_coordinator(context, request.key_type, request.key);
    fill(response, found);
    co_return answer_with(std::move(response));
  }
  for (const std::string& key : request.coordinator_keys) {
    const Found found = find_coordinator(context, request.key_type, key);
    auto& coordinator = response.coordinators.emplace_back();
    coordinator.key = key;
    fill(coordinator, found);
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

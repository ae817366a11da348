// FindCoordinator (10).
#include "sim/kafka/wire/messages/coordinator.h"

#include <charconv>

#include "sim/broker/broker.h"
#include "sim/kafka/groups/coordinator.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionWithKeys = 4;
constexpr Version kFirstVersionWithShareKeys = 6;
constexpr std::string_view kMalformed =
    "This most likely occurs because of a request being malformed by the client library or the message was "
    "sent "
    "to an incompatible broker. See the broker logs for more details.";

enum class KeyType : std::int8_t { group = 0, transaction = 1, share = 2 };

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

// "group:topic id:partition"
bool is_share_key(std::string_view key) {
  const std::size_t last = key.rfind(':');
  const std::size_t first = last == 0 || last == key.npos ? key.npos : key.rfind(':', last - 1);
  if (first == key.npos || first == 0) return false;
  std::int32_t partition = 0;
  const char* end = key.data() + key.size();
  const auto parsed = std::from_chars(key.data() + last + 1, end, partition);
  return parsed.ec == std::errc() && parsed.ptr == end &&
         Uuid::from_text(key.substr(first + 1, last - first - 1)).has_value();
}

// There are no coordinators of transactions and share groups yet: clients ask again until there are.
Found find_coordinator(RequestContext& context, KeyType type, std::string_view key) {
  if (type == KeyType::group) return find_group_coordinator(context, key);
  Found found;
  const bool shared = type == KeyType::share;
  if (shared && (context.version() < kFirstVersionWithShareKeys || !is_share_key(key))) {
    found.code = ErrorCode::kInvalidRequest;
  }
  return found;
}

// Before version 4 a share key is no key at all.
bool is_known(std::int8_t type, Version version) {
  const auto last = version < kFirstVersionWithKeys ? KeyType::transaction : KeyType::share;
  return type >= 0 && type <= static_cast<std::int8_t>(last);
}

std::string_view message_of(ErrorCode code) {
  return code == ErrorCode::kNone ? "NONE" : "The coordinator is not available.";
}

template <class Answer>
void fill(Answer& answer, const Found& found) {
  answer.error_code = found.code;
  answer.node_id = found.node;
  answer.host = found.host;
  answer.port = found.port;
}

}  // namespace

Task<Reply> handle_find_coordinator(RequestContext& context) {
  const auto& request = context.body<FindCoordinatorRequest>();
  const bool known = is_known(request.key_type, context.version());
  const auto type = static_cast<KeyType>(request.key_type);
  Found refused;
  refused.code = ErrorCode::kInvalidRequest;
  FindCoordinatorResponse response;
  if (context.version() < kFirstVersionWithKeys) {
    const Found found = known ? find_coordinator(context, type, request.key) : refused;
    fill(response, found);
    response.error_message = known ? message_of(found.code) : kMalformed;
    co_return answer_with(std::move(response));
  }
  // From version 4 on nothing is said of an error, unless the request as a whole is wrong.
  for (const std::string& key : request.coordinator_keys) {
    auto& coordinator = response.coordinators.emplace_back();
    coordinator.key = key;
    fill(coordinator, known ? find_coordinator(context, type, key) : refused);
    if (!known) coordinator.error_message = kMalformed;
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

// ConsumerGroupHeartbeat (68), ConsumerGroupDescribe (69).
#include "sim/kafka/wire/messages/consumer_groups.h"

#include "sim/kafka/groups/consumer/consumer_group.h"
#include "sim/kafka/handlers/group_call.h"
#include "sim/kafka/handlers/handlers.h"

namespace wt::kafka {
namespace {

// READ, DELETE, DESCRIBE, DESCRIBE_CONFIGS and ALTER_CONFIGS: everything that can be done with a group.
constexpr std::int32_t kAllOperations = 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11;

constexpr std::int16_t kFirstGroupVersion = 1;

// The broker's configs and the cluster's features must both allow the protocol.
bool is_enabled(const RequestContext& context) {
  if ((context.service.groups().options().protocols & kConsumerProtocol) == 0) return false;
  const auto& features = context.broker.image().features();
  const auto version = features.find("group.version");
  return version != features.end() && version->second >= kFirstGroupVersion;
}

void describe(const GroupShard& shard, const std::string& id, ConsumerGroupDescribeResponse& response) {
  const Group* group = shard.find(id);
  if (const auto* consumers = dynamic_cast<const ConsumerGroup*>(group)) {
    response.groups.push_back(consumers->describe());
    return;
  }
  auto& missing = response.groups.emplace_back();
  missing.group_id = id;
  missing.error_code = ErrorCode::kGroupIdNotFound;
  missing.error_message = "Group " + id + (group == nullptr ? " not found." : " is not a consumer group.");
}

ConsumerGroupHeartbeatResponse refuse_heartbeat(ErrorCode code, std::optional<std::string> message) {
  ConsumerGroupHeartbeatResponse response;
  response.error_code = code;
  response.error_message = std::move(message);
  return response;
}

}  // namespace

Task<Reply> handle_consumer_group_heartbeat(RequestContext& context) {
  const auto& request = context.body<ConsumerGroupHeartbeatRequest>();
  if (!is_enabled(context)) {
    co_return answer_with(refuse_heartbeat(ErrorCode::kUnsupportedVersion, std::nullopt));
  }
  const GroupSettings& settings = context.service.groups().options().settings;
  if (const auto bad = check_heartbeat_request(request, context.version(), settings)) {
    co_return answer_with(refuse_heartbeat(bad->code, bad->message));
  }
  GroupCall call = group_call(context, request.group_id);
  // The group may be one of another kind that is about to become a consumer group.
  call.records_of = RecordsOf::caller;
  const Caller caller = group_caller(context);
  const GroupOperation operation = [&](GroupShard& shard, Ticket ticket, Outcome& outcome) {
    consumer_group_heartbeat(shard, shard.find(request.group_id), ticket, caller, request, outcome);
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  if (!answer.ok()) co_return answer_with(refuse_heartbeat(answer.code, std::nullopt));
  co_return Reply(std::move(answer.response));
}

Task<Reply> handle_consumer_group_describe(RequestContext& context) {
  const auto& request = context.body<ConsumerGroupDescribeRequest>();
  ConsumerGroupDescribeResponse response;
  const bool enabled = is_enabled(context);
  for (const std::string& id : request.group_ids) {
    if (!enabled) {
      auto& refused = response.groups.emplace_back();
      refused.group_id = id;
      refused.error_code = ErrorCode::kUnsupportedVersion;
      continue;
    }
    if (id.empty()) {
      response.groups.emplace_back().error_code = ErrorCode::kInvalidGroupId;
      continue;
    }
    const GroupCall call = group_call(context, id);
    const GroupOperation operation = [&id](GroupShard& shard, Ticket ticket, Outcome& outcome) {
      ConsumerGroupDescribeResponse described;
      describe(shard, id, described);
      outcome.answer(ticket, std::move(described));
    };
    GroupAnswer answer = co_await context.service.groups().run(call, operation);
    if (answer.ok()) {
      auto& found = answer.response.get<ConsumerGroupDescribeResponse>()->groups.front();
      if (request.include_authorized_operations && found.error_code == ErrorCode::kNone) {
        found.authorized_operations = kAllOperations;
      }
      response.groups.push_back(std::move(found));
    } else {
      auto& refused = response.groups.emplace_back();
      refused.group_id = id;
      refused.error_code = answer.code;
    }
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

// JoinGroup (11), Heartbeat (12), LeaveGroup (13), SyncGroup (14), DescribeGroups (15).
#include "sim/kafka/groups/classic/answers.h"
#include "sim/kafka/groups/classic/module.h"
#include "sim/kafka/groups/consumer/module.h"
#include "sim/kafka/handlers/group_call.h"
#include "sim/kafka/handlers/handlers.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstJoinWithRebalanceTimeout = 1;
constexpr Version kFirstJoinWithNullProtocol = 7;
constexpr Version kFirstSyncWithProtocol = 5;
constexpr Version kFirstLeaveOfMany = 3;
constexpr Version kFirstDescribeWithOperations = 3;

// READ, DELETE, DESCRIBE, DESCRIBE_CONFIGS and ALTER_CONFIGS, as bits: all that can be allowed on a group.
constexpr std::int32_t kGroupOperations = (1 << 3) | (1 << 6) | (1 << 8) | (1 << 10) | (1 << 11);

Reply finish_join(JoinGroupResponse response, Version version) {
  const bool knows_null = version >= kFirstJoinWithNullProtocol;
  if (!knows_null && !response.protocol_name) response.protocol_name = "";
  if (knows_null && response.protocol_name == "") response.protocol_name.reset();
  return answer_with(std::move(response));
}

LeaveGroupRequest as_list(const LeaveGroupRequest& request, Version version) {
  LeaveGroupRequest list = request;
  if (version < kFirstLeaveOfMany) list.members.emplace_back().member_id = request.member_id;
  return list;
}

Reply finish_leave(LeaveGroupResponse response, Version version) {
  if (version < kFirstLeaveOfMany && !response.members.empty()) {
    if (response.error_code == ErrorCode::kNone) response.error_code = response.members.front().error_code;
    response.members.clear();
  }
  return answer_with(std::move(response));
}

}  // namespace

Task<Reply> handle_join_group(RequestContext& context) {
  const auto& asked = context.body<JoinGroupRequest>();
  const Version version = context.version();
  const GroupSettings settings = context.service.groups().options().settings;
  const ErrorCode refused = check_join(asked, settings);
  if (refused != ErrorCode::kNone) co_return finish_join(refuse_join(refused, asked.member_id), version);
  JoinGroupRequest request = asked;
  if (version < kFirstJoinWithRebalanceTimeout) request.rebalance_timeout_ms = request.session_timeout_ms;
  const Caller caller = group_caller(context);
  const GroupCall call = group_call(context, request.group_id);
  const GroupOperation operation = [&](GroupShard& shard, Ticket ticket, Outcome& outcome) {
    if (join_consumer_group(shard, ticket, caller, request, outcome)) return;
    join_group(shard, ticket, caller, request, outcome);
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  if (!answer.ok()) co_return finish_join(refuse_join(answer.code, {}), version);
  co_return finish_join(std::move(*answer.response.get<JoinGroupResponse>()), version);
}

Task<Reply> handle_sync_group(RequestContext& context) {
  const auto& request = context.body<SyncGroupRequest>();
  const bool has_protocol = request.protocol_type && request.protocol_name;
  if (context.version() >= kFirstSyncWithProtocol && !has_protocol) {
    co_return answer_with(refuse_sync(ErrorCode::kInconsistentGroupProtocol));
  }
  if (request.group_id.empty()) co_return answer_with(refuse_sync(ErrorCode::kInvalidGroupId));
  const GroupCall call = group_call(context, request.group_id);
  const GroupOperation operation = [&](GroupShard& shard, Ticket ticket, Outcome& outcome) {
    if (sync_consumer_group(shard, ticket, request, outcome)) return;
    sync_group(shard, ticket, request, outcome);
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  if (!answer.ok()) co_return answer_with(refuse_sync(answer.code));
  co_return Reply(std::move(answer.response));
}

Task<Reply> handle_heartbeat(RequestContext& context) {
  const auto& request = context.body<HeartbeatRequest>();
  if (request.group_id.empty()) co_return answer_with(refuse_heartbeat(ErrorCode::kInvalidGroupId));
  const GroupCall call = group_call(context, request.group_id);
  const GroupOperation operation = [&](GroupShard& shard, Ticket ticket, Outcome& outcome) {
    if (heartbeat_consumer_group(shard, ticket, request, outcome)) return;
    heartbeat_group(shard, ticket, request, outcome);
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  if (!answer.ok()) {
    // While the log is read nobody knows better: the member need not worry.
    if (answer.code == ErrorCode::kCoordinatorLoadInProgress) answer.code = ErrorCode::kNone;
    co_return answer_with(refuse_heartbeat(answer.code));
  }
  co_return Reply(std::move(answer.response));
}

Task<Reply> handle_leave_group(RequestContext& context) {
  const LeaveGroupRequest request = as_list(context.body<LeaveGroupRequest>(), context.version());
  LeaveGroupResponse refusal;
  refusal.error_code = ErrorCode::kInvalidGroupId;
  if (request.group_id.empty()) co_return answer_with(std::move(refusal));
  const GroupCall call = group_call(context, request.group_id);
  const GroupOperation operation = [&](GroupShard& shard, Ticket ticket, Outcome& outcome) {
    if (leave_consumer_group(shard, ticket, request, outcome)) return;
    leave_group(shard, ticket, request, outcome);
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  refusal.error_code = answer.code;
  if (!answer.ok()) co_return answer_with(std::move(refusal));
  co_return finish_leave(std::move(*answer.response.get<LeaveGroupResponse>()), context.version());
}

Task<Reply> handle_describe_groups(RequestContext& context) {
  const auto& request = context.body<DescribeGroupsRequest>();
  const bool wants_operations =
      request.include_authorized_operations && context.version() >= kFirstDescribeWithOperations;
  DescribeGroupsResponse response;
  for (const std::string& id : request.groups) {
    const GroupCall call = group_call(context, id);
    const GroupOperation operation = [&](GroupShard& shard, Ticket ticket, Outcome& outcome) {
      DescribeGroupsResponse one;
      one.groups.push_back(describe_group(shard, id, context.version()));
      outcome.answer(ticket, std::move(one));
    };
    GroupAnswer answer = co_await context.service.groups().run(call, operation);
    auto& described = response.groups.emplace_back();
    described.group_id = id;
    described.error_code = answer.code;
    if (!answer.ok()) continue;
    described = std::move(answer.response.get<DescribeGroupsResponse>()->groups.front());
    if (wants_operations && described.error_code == ErrorCode::kNone) {
      described.authorized_operations = kGroupOperations;
    }
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

// ListGroups (16), DeleteGroups (42).
#include "sim/kafka/wire/messages/group_admin.h"

#include <algorithm>
#include <set>

#include "sim/kafka/groups/offsets.h"
#include "sim/kafka/handlers/group_call.h"
#include "sim/kafka/handlers/handlers.h"

namespace wt::kafka {
namespace {

std::string lower(std::string_view text) {
  std::string low(text);
  for (char& c : low) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return low;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string_view type_name(GroupKind kind) {
  return kind == GroupKind::consumer ? "consumer" : "classic";
}

// What a client wants to see; nothing named is everything.
class Filter {
 public:
  explicit Filter(const ListGroupsRequest& request) {
    for (const std::string& state : request.states_filter) states_.insert(trimmed(lower(state)));
    for (const std::string& type : request.types_filter) types_.insert(lower(type));
  }
  bool passes(const Group& group) const {
    return (states_.empty() || states_.count(lower(group.state_name())) != 0) &&
           (types_.empty() || types_.count(std::string(type_name(group.kind()))) != 0);
  }

 private:
  std::set<std::string> states_;
  std::set<std::string> types_;
};

}  // namespace

// Of this broker only: a client asks all brokers.
Task<Reply> handle_list_groups(RequestContext& context) {
  const Filter filter(context.body<ListGroupsRequest>());
  ListGroupsResponse response;
  for (const std::shared_ptr<GroupShard>& shard : context.service.groups().listed_shards()) {
    if (shard->state() != GroupShard::State::ready) {
      ListGroupsResponse loading;
      loading.error_code = ErrorCode::kCoordinatorLoadInProgress;
      co_return answer_with(std::move(loading));
    }
    for (const Group* group : shard->listed()) {
      if (!filter.passes(*group)) continue;
      auto& listed = response.groups.emplace_back();
      listed.group_id = group->id();
      listed.protocol_type = group->protocol_type();
      listed.group_state = group->state_name();
      listed.group_type = type_name(group->kind());
    }
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_delete_groups(RequestContext& context) {
  const auto& request = context.body<DeleteGroupsRequest>();
  DeleteGroupsResponse response;
  std::set<std::string> seen;
  for (const std::string& id : request.groups_names) {
    if (!seen.insert(id).second) continue;
    GroupCall call = group_call(context, id);
    call.records_of = RecordsOf::caller;
    const GroupOperation operation = [&id](GroupShard& shard, Ticket ticket, Outcome& outcome) {
      const ErrorCode code = delete_group(shard, id, outcome.records);
      if (code == ErrorCode::kNone) {
        outcome.answer(ticket, DeleteGroupsResponse());
      } else {
        shard.refuse(ticket, code);
      }
    };
    const GroupAnswer answer = co_await context.service.groups().run(call, operation);
    auto& result = response.results.emplace_back();
    result.group_id = id;
    result.error_code = answer.code;
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

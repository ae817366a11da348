// OffsetCommit (8), OffsetFetch (9), OffsetDelete (47).
#include <set>

#include "sim/broker/broker.h"
#include "sim/controller/names.h"
#include "sim/kafka/groups/offsets.h"
#include "sim/kafka/handlers/group_call.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/offsets.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionById = 10;
constexpr Version kFirstFetchOfManyGroups = 8;
constexpr Version kFirstFetchWithError = 2;

using FetchGroup = OffsetFetchRequest::OffsetFetchRequestGroup;
using FetchedGroup = OffsetFetchResponse::OffsetFetchResponseGroup;

const controller::TopicState* topic_of(const RequestContext& context, const std::string& name) {
  return context.broker.image().topic(controller::kafka_topic_name(name));
}

// Puts the partitions of `from` behind those that `to` has for the same topic. A topic that the client named
// twice is answered twice, as long as nothing else is to be said.
template <class Topics>
void merge(Topics& to, Topics from) {
  if (to.empty()) {
    to = std::move(from);
    return;
  }
  for (auto& topic : from) {
    const auto same =
        std::find_if(to.begin(), to.end(), [&topic](const auto& known) { return known.name == topic.name; });
    if (same == to.end()) {
      to.push_back(std::move(topic));
      continue;
    }
    for (auto& partition : topic.partitions) same->partitions.push_back(std::move(partition));
  }
}

// Answers what names no partition of this cluster, and leaves in `valid` what the coordinator is to do.
template <class Topics, class AnswerTopics>
void sort_out(const RequestContext& context, const Topics& topics, Topics& valid, AnswerTopics& refused) {
  for (const auto& topic : topics) {
    const controller::TopicState* known = topic_of(context, topic.name);
    typename Topics::value_type good = topic;
    typename AnswerTopics::value_type bad;
    good.partitions.clear();
    bad.name = topic.name;
    if constexpr (requires { bad.topic_id; }) bad.topic_id = topic.topic_id;
    for (const auto& partition : topic.partitions) {
      if (known != nullptr && known->partition(partition.partition_index) != nullptr) {
        good.partitions.push_back(partition);
        continue;
      }
      auto& answer = bad.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      answer.error_code = ErrorCode::kUnknownTopicOrPartition;
    }
    if (!bad.partitions.empty()) merge(refused, AnswerTopics{bad});
    if (!good.partitions.empty()) valid.push_back(std::move(good));
  }
}

// --- OffsetCommit ---

using CommitTopics = std::vector<OffsetCommitRequest::OffsetCommitRequestTopic>;
using CommitAnswers = std::vector<OffsetCommitResponse::OffsetCommitResponseTopic>;

CommitAnswers refuse(const CommitTopics& topics, ErrorCode code) {
  CommitAnswers answers;
  for (const auto& topic : topics) {
    auto& answer = answers.emplace_back();
    answer.name = topic.name;
    answer.topic_id = topic.topic_id;
    for (const auto& partition : topic.partitions) {
      auto& refused = answer.partitions.emplace_back();
      refused.partition_index = partition.partition_index;
      refused.error_code = code;
    }
  }
  return answers;
}

// Topics with name and id, whichever the client knew. Unknown ids are answered at once.
CommitTopics identify(const RequestContext& context, const CommitTopics& topics, CommitAnswers& refused) {
  CommitTopics known;
  const bool by_id = context.version() >= kFirstVersionById;
  for (const auto& topic : topics) {
    auto named = topic;
    if (by_id) {
      named.name = context.broker.topic_name(topic.topic_id);
    } else if (const controller::TopicState* state = topic_of(context, topic.name)) {
      named.topic_id = state->topic_id;
    }
    if (by_id && named.name.empty()) {
      CommitAnswers unknown = refuse({topic}, ErrorCode::kUnknownTopicId);
      refused.push_back(std::move(unknown.front()));
    } else {
      known.push_back(std::move(named));
    }
  }
  return known;
}

}  // namespace

Task<Reply> handle_offset_commit(RequestContext& context) {
  const auto& asked = context.body<OffsetCommitRequest>();
  OffsetCommitResponse response;
  OffsetCommitRequest request;
  request.group_id = asked.group_id;
  request.generation_id_or_member_epoch = asked.generation_id_or_member_epoch;
  request.member_id = asked.member_id;
  request.group_instance_id = asked.group_instance_id;
  request.retention_time_ms = asked.retention_time_ms;
  const CommitTopics known = identify(context, asked.topics, response.topics);
  sort_out(context, known, request.topics, response.topics);
  if (request.topics.empty()) co_return answer_with(std::move(response));

  GroupCall call = group_call(context, request.group_id);
  call.records_of = RecordsOf::caller;
  const Version version = context.version();
  const GroupOperation operation = [&request, version](GroupShard& shard, Ticket ticket, Outcome& outcome) {
    OffsetCommitResponse committed;
    const ErrorCode code = commit_offsets(shard, request, version, committed, outcome.records);
    if (code == ErrorCode::kNone) {
      outcome.answer(ticket, std::move(committed));
    } else {
      shard.refuse(ticket, code);
    }
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  if (answer.ok()) {
    merge(response.topics, std::move(answer.response.get<OffsetCommitResponse>()->topics));
  } else {
    merge(response.topics, refuse(request.topics, answer.code));
  }
  co_return answer_with(std::move(response));
}

// --- OffsetFetch ---

namespace {

FetchedGroup refuse(const FetchGroup& group, ErrorCode code) {
  FetchedGroup answer;
  answer.group_id = group.group_id;
  answer.error_code = code;
  return answer;
}

// Topics with their names. Unknown ids are answered at once.
FetchGroup identify(const RequestContext& context, const FetchGroup& group, FetchedGroup& refused) {
  FetchGroup known = group;
  if (context.version() < kFirstVersionById || !group.topics) return known;
  known.topics->clear();
  for (const auto& topic : *group.topics) {
    auto named = topic;
    named.name = context.broker.topic_name(topic.topic_id);
    if (!named.name.empty()) {
      known.topics->push_back(std::move(named));
      continue;
    }
    auto& answer = refused.topics.emplace_back();
    answer.topic_id = topic.topic_id;
    for (const std::int32_t number : topic.partition_indexes) {
      auto& partition = answer.partitions.emplace_back();
      partition.partition_index = number;
      partition.committed_offset = -1;
      partition.error_code = ErrorCode::kUnknownTopicId;
    }
  }
  return known;
}

// From version 10 on by id: of topics that are gone nothing is said.
void put_ids(const RequestContext& context, FetchedGroup& group) {
  std::erase_if(group.topics, [&context](auto& topic) {
    const controller::TopicState* state = topic_of(context, topic.name);
    if (topic.topic_id.is_zero() && state != nullptr) topic.topic_id = state->topic_id;
    return topic.topic_id.is_zero();
  });
}

Task<FetchedGroup> fetch_group(RequestContext& context, const FetchGroup& asked, bool require_stable) {
  FetchedGroup unknown;
  const FetchGroup group = identify(context, asked, unknown);
  const GroupCall call = group_call(context, group.group_id);
  const GroupOperation operation = [&group, require_stable](GroupShard& shard, Ticket ticket,
                                                            Outcome& outcome) {
    OffsetFetchResponse response;
    response.groups.push_back(fetch_offsets(shard, group, require_stable));
    outcome.answer(ticket, std::move(response));
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  if (!answer.ok()) co_return refuse(group, answer.code);
  FetchedGroup fetched = std::move(answer.response.get<OffsetFetchResponse>()->groups.front());
  if (fetched.error_code != ErrorCode::kNone) co_return fetched;
  if (context.version() >= kFirstVersionById) put_ids(context, fetched);
  for (auto& topic : unknown.topics) fetched.topics.push_back(std::move(topic));
  co_return fetched;
}

// The form of versions that ask about one group.
FetchGroup only_group(const OffsetFetchRequest& request) {
  FetchGroup group;
  group.group_id = request.group_id;
  if (!request.topics) {
    group.topics.reset();
    return group;
  }
  for (const auto& topic : *request.topics) {
    auto& wanted = group.topics->emplace_back();
    wanted.name = topic.name;
    wanted.partition_indexes = topic.partition_indexes;
  }
  return group;
}

OffsetFetchResponse only_answer(const FetchGroup& asked, const FetchedGroup& group, Version version) {
  OffsetFetchResponse response;
  const bool refused = group.error_code != ErrorCode::kNone;
  if (version >= kFirstFetchWithError) response.error_code = group.error_code;
  for (const auto& topic : group.topics) {
    auto& answer = response.topics.emplace_back();
    answer.name = topic.name;
    for (const auto& from : topic.partitions) {
      auto& partition = answer.partitions.emplace_back();
      partition.partition_index = from.partition_index;
      partition.committed_offset = from.committed_offset;
      partition.committed_leader_epoch = from.committed_leader_epoch;
      partition.metadata = from.metadata;
      partition.error_code = from.error_code;
    }
  }
  if (!refused || version >= kFirstFetchWithError || !asked.topics) return response;
  for (const auto& topic : *asked.topics) {
    auto& answer = response.topics.emplace_back();
    answer.name = topic.name;
    for (const std::int32_t number : topic.partition_indexes) {
      auto& partition = answer.partitions.emplace_back();
      partition.partition_index = number;
      partition.committed_offset = -1;
      partition.error_code = group.error_code;
    }
  }
  return response;
}

}  // namespace

Task<Reply> handle_offset_fetch(RequestContext& context) {
  const auto& request = context.body<OffsetFetchRequest>();
  if (context.version() < kFirstFetchOfManyGroups) {
    const FetchGroup group = only_group(request);
    const FetchedGroup fetched = co_await fetch_group(context, group, request.require_stable);
    co_return answer_with(only_answer(group, fetched, context.version()));
  }
  OffsetFetchResponse response;
  for (const FetchGroup& group : request.groups) {
    FetchedGroup fetched = co_await fetch_group(context, group, request.require_stable);
    response.groups.push_back(std::move(fetched));
  }
  co_return answer_with(std::move(response));
}

// --- OffsetDelete ---

Task<Reply> handle_offset_delete(RequestContext& context) {
  const auto& asked = context.body<OffsetDeleteRequest>();
  OffsetDeleteResponse response;
  OffsetDeleteRequest request;
  request.group_id = asked.group_id;
  sort_out(context, asked.topics, request.topics, response.topics);
  if (request.group_id.empty()) {
    OffsetDeleteResponse refused;
    refused.error_code = ErrorCode::kInvalidGroupId;
    co_return answer_with(std::move(refused));
  }

  GroupCall call = group_call(context, request.group_id);
  call.records_of = RecordsOf::caller;
  const GroupOperation operation = [&request](GroupShard& shard, Ticket ticket, Outcome& outcome) {
    OffsetDeleteResponse deleted;
    const ErrorCode code = delete_offsets(shard, request, deleted, outcome.records);
    if (code == ErrorCode::kNone) {
      outcome.answer(ticket, std::move(deleted));
    } else {
      shard.refuse(ticket, code);
    }
  };
  GroupAnswer answer = co_await context.service.groups().run(call, operation);
  if (!answer.ok()) {
    OffsetDeleteResponse refused;
    refused.error_code = answer.code;
    co_return answer_with(std::move(refused));
  }
  merge(response.topics, std::move(answer.response.get<OffsetDeleteResponse>()->topics));
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

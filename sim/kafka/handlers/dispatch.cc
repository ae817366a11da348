// From API keys to handlers, and the answers that refuse a request.
#include <algorithm>

#include "sim/kafka/handlers/echo_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/list_offsets.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/produce.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstMetadataVersionWithError = 13;
constexpr Version kFirstMetadataVersionWithNullName = 12;
// ElectLeaders and AlterPartitionReassignments say an error of the whole request in each partition too.
constexpr std::int16_t kErrorInBoth[] = {43, 45};

struct HandlerEntry {
  std::int16_t key;
  Handler handler;
};

constexpr HandlerEntry kHandlers[] = {
    {0, handle_produce},
    {1, handle_fetch},
    {2, handle_list_offsets},
    {3, handle_metadata},
    {8, handle_offset_commit},
    {9, handle_offset_fetch},
    {10, handle_find_coordinator},
    {11, handle_join_group},
    {12, handle_heartbeat},
    {13, handle_leave_group},
    {14, handle_sync_group},
    {15, handle_describe_groups},
    {16, handle_list_groups},
    {17, handle_sasl_handshake},
    {18, handle_api_versions},
    {19, handle_create_topics},
    {20, handle_delete_topics},
    {21, handle_delete_records},
    {22, handle_init_producer_id},
    {23, handle_offset_for_leader_epoch},
    {29, handle_describe_acls},
    {30, handle_create_acls},
    {31, handle_delete_acls},
    {32, handle_describe_configs},
    {33, handle_alter_configs},
    {34, handle_alter_replica_log_dirs},
    {35, handle_describe_log_dirs},
    {36, handle_sasl_authenticate},
    {37, handle_create_partitions},
    {38, handle_create_delegation_token},
    {39, handle_renew_delegation_token},
    {40, handle_expire_delegation_token},
    {41, handle_describe_delegation_token},
    {42, handle_delete_groups},
    {43, handle_elect_leaders},
    {44, handle_incremental_alter_configs},
    {45, handle_alter_partition_reassignments},
    {46, handle_list_partition_reassignments},
    {47, handle_offset_delete},
    {48, handle_describe_client_quotas},
    {49, handle_alter_client_quotas},
    {50, handle_describe_user_scram_credentials},
    {51, handle_alter_user_scram_credentials},
    {55, handle_describe_quorum},
    {57, handle_update_features},
    {60, handle_describe_cluster},
    {61, handle_describe_producers},
    {64, handle_unregister_broker},
    {65, handle_describe_transactions},
    {66, handle_list_transactions},
    {68, handle_consumer_group_heartbeat},
    {69, handle_consumer_group_describe},
    {71, handle_get_telemetry_subscriptions},
    {72, handle_push_telemetry},
    {74, handle_list_config_resources},
    {75, handle_describe_topic_partitions},
    {80, handle_add_raft_voter},
    {81, handle_remove_raft_voter},
    {94, handle_unregister_controller},
};

ProduceResponse refuse_produce(const ProduceRequest& request, ErrorCode code) {
  ProduceResponse response;
  for (const auto& topic : request.topic_data) {
    auto& answers = response.responses.emplace_back();
    answers.name = topic.name;
    answers.topic_id = topic.topic_id;
    for (const auto& data : topic.partition_data) {
      auto& answer = answers.partition_responses.emplace_back();
      answer.index = data.index;
      answer.error_code = code;
      answer.base_offset = -1;
    }
  }
  return response;
}

FetchResponse refuse_fetch(const FetchRequest& request, Version version, ErrorCode code) {
  FetchResponse response;
  if (version >= 7) response.error_code = code;
  for (const auto& topic : request.topics) {
    auto& answers = response.responses.emplace_back();
    answers.topic = topic.topic;
    answers.topic_id = topic.topic_id;
    for (const auto& partition : topic.partitions) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition;
      answer.error_code = code;
      answer.high_watermark = answer.last_stable_offset = answer.log_start_offset = -1;
      answer.records = SliceList();
    }
  }
  return response;
}

MetadataResponse refuse_metadata(const MetadataRequest& request, Version version, ErrorCode code) {
  MetadataResponse response;
  if (version >= kFirstMetadataVersionWithError) response.error_code = code;
  if (!request.topics) return response;
  for (const auto& topic : *request.topics) {
    auto& answer = response.topics.emplace_back();
    answer.name = topic.name;
    if (!topic.name && version < kFirstMetadataVersionWithNullName) answer.name = "";
    answer.topic_id = topic.topic_id;
    answer.error_code = code;
  }
  return response;
}

}  // namespace

Handler find_handler(std::int16_t api_key) {
  const auto* found = std::find_if(std::begin(kHandlers), std::end(kHandlers),
                                   [api_key](const HandlerEntry& entry) { return entry.key == api_key; });
  return found == std::end(kHandlers) ? nullptr : found->handler;
}

Reply error_reply(const RequestContext& context, ErrorCode code) {
  const AnyMessage& body = context.request.body;
  if (const auto* request = body.get<ProduceRequest>()) {
    if (request->acks == 0) return Reply(Reply::Kind::close);
    return answer_with(refuse_produce(*request, code));
  }
  if (const auto* request = body.get<FetchRequest>()) {
    return answer_with(refuse_fetch(*request, context.version(), code));
  }
  if (const auto* request = body.get<MetadataRequest>())
    return answer_with(refuse_metadata(*request, context.version(), code));
  const ApiSpec& api = *context.request.api;
  const bool in_both =
      std::find(std::begin(kErrorInBoth), std::end(kErrorInBoth), api.key) != std::end(kErrorInBoth);
  AnyMessage response(*api.response);
  echo_errors(*api.request, body.object(), *api.response, response.object(), context.version(), code,
              in_both ? ErrorLevels::all : ErrorLevels::outermost);
  return Reply(std::move(response));
}

}  // namespace wt::kafka

// The handlers of all implemented APIs, one function each.
#pragma once

#include "sim/kafka/handlers/context.h"

namespace wt::kafka {

Task<Reply> handle_add_raft_voter(RequestContext& context);
Task<Reply> handle_alter_client_quotas(RequestContext& context);
Task<Reply> handle_alter_configs(RequestContext& context);
Task<Reply> handle_alter_partition_reassignments(RequestContext& context);
Task<Reply> handle_alter_replica_log_dirs(RequestContext& context);
Task<Reply> handle_alter_user_scram_credentials(RequestContext& context);
Task<Reply> handle_api_versions(RequestContext& context);
Task<Reply> handle_consumer_group_describe(RequestContext& context);
Task<Reply> handle_consumer_group_heartbeat(RequestContext& context);
Task<Reply> handle_create_acls(RequestContext& context);
Task<Reply> handle_create_delegation_token(RequestContext& context);
Task<Reply> handle_create_partitions(RequestContext& context);
Task<Reply> handle_create_topics(RequestContext& context);
Task<Reply> handle_delete_acls(RequestContext& context);
Task<Reply> handle_delete_groups(RequestContext& context);
Task<Reply> handle_delete_records(RequestContext& context);
Task<Reply> handle_delete_topics(RequestContext& context);
Task<Reply> handle_describe_acls(RequestContext& context);
Task<Reply> handle_describe_client_quotas(RequestContext& context);
Task<Reply> handle_describe_cluster(RequestContext& context);
Task<Reply> handle_describe_configs(RequestContext& context);
Task<Reply> handle_describe_delegation_token(RequestContext& context);
Task<Reply> handle_describe_groups(RequestContext& context);
Task<Reply> handle_describe_log_dirs(RequestContext& context);
Task<Reply> handle_describe_producers(RequestContext& context);
Task<Reply> handle_describe_quorum(RequestContext& context);
Task<Reply> handle_describe_topic_partitions(RequestContext& context);
Task<Reply> handle_describe_transactions(RequestContext& context);
Task<Reply> handle_describe_user_scram_credentials(RequestContext& context);
Task<Reply> handle_elect_leaders(RequestContext& context);
Task<Reply> handle_expire_delegation_token(RequestContext& context);
Task<Reply> handle_fetch(RequestContext& context);
Task<Reply> handle_find_coordinator(RequestContext& context);
Task<Reply> handle_get_telemetry_subscriptions(RequestContext& context);
Task<Reply> handle_heartbeat(RequestContext& context);
Task<Reply> handle_incremental_alter_configs(RequestContext& context);
Task<Reply> handle_init_producer_id(RequestContext& context);
Task<Reply> handle_join_group(RequestContext& context);
Task<Reply> handle_leave_group(RequestContext& context);
Task<Reply> handle_list_config_resources(RequestContext& context);
Task<Reply> handle_list_groups(RequestContext& context);
Task<Reply> handle_list_offsets(RequestContext& context);
Task<Reply> handle_list_partition_reassignments(RequestContext& context);
Task<Reply> handle_list_transactions(RequestContext& context);
Task<Reply> handle_metadata(RequestContext& context);
Task<Reply> handle_offset_commit(RequestContext& context);
Task<Reply> handle_offset_delete(RequestContext& context);
Task<Reply> handle_offset_fetch(RequestContext& context);
Task<Reply> handle_offset_for_leader_epoch(RequestContext& context);
Task<Reply> handle_produce(RequestContext& context);
Task<Reply> handle_push_telemetry(RequestContext& context);
Task<Reply> handle_remove_raft_voter(RequestContext& context);
Task<Reply> handle_renew_delegation_token(RequestContext& context);
Task<Reply> handle_sasl_authenticate(RequestContext& context);
Task<Reply> handle_sasl_handshake(RequestContext& context);
Task<Reply> handle_sync_group(RequestContext& context);
Task<Reply> handle_unregister_broker(RequestContext& context);
Task<Reply> handle_unregister_controller(RequestContext& context);
Task<Reply> handle_update_features(RequestContext& context);

}  // namespace wt::kafka

#include "sim/kafka/wire/api.h"

#include "sim/kafka/wire/messages/acls.h"
#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/messages/classic_groups.h"
#include "sim/kafka/wire/messages/client_quotas.h"
#include "sim/kafka/wire/messages/cluster.h"
#include "sim/kafka/wire/messages/cluster_admin.h"
#include "sim/kafka/wire/messages/configs.h"
#include "sim/kafka/wire/messages/consumer_groups.h"
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/kafka/wire/messages/delegation_tokens.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/group_admin.h"
#include "sim/kafka/wire/messages/list_offsets.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/offsets.h"
#include "sim/kafka/wire/messages/produce.h"
#include "sim/kafka/wire/messages/producers.h"
#include "sim/kafka/wire/messages/quorum.h"
#include "sim/kafka/wire/messages/replica_moves.h"
#include "sim/kafka/wire/messages/sasl.h"
#include "sim/kafka/wire/messages/scram_credentials.h"
#include "sim/kafka/wire/messages/share_fetch.h"
#include "sim/kafka/wire/messages/share_groups.h"
#include "sim/kafka/wire/messages/share_offsets.h"
#include "sim/kafka/wire/messages/share_state.h"
#include "sim/kafka/wire/messages/streams_groups.h"
#include "sim/kafka/wire/messages/telemetry.h"
#include "sim/kafka/wire/messages/topics.h"
#include "sim/kafka/wire/messages/transaction_admin.h"
#include "sim/kafka/wire/messages/transactions.h"

namespace wt::kafka {
namespace {

template <class Request, class Response>
constexpr ApiSpec api(std::int16_t key, const char* name) {
  return {key, name, &Request::kTable, &Response::kTable};
}

// Ordered by key.
constexpr ApiSpec kApis[] = {
    api<ProduceRequest, ProduceResponse>(0, "Produce"),
    api<FetchRequest, FetchResponse>(1, "Fetch"),
    api<ListOffsetsRequest, ListOffsetsResponse>(2, "ListOffsets"),
    api<MetadataRequest, MetadataResponse>(3, "Metadata"),
    api<OffsetCommitRequest, OffsetCommitResponse>(8, "OffsetCommit"),
    api<OffsetFetchRequest, OffsetFetchResponse>(9, "OffsetFetch"),
    api<FindCoordinatorRequest, FindCoordinatorResponse>(10, "FindCoordinator"),
    api<JoinGroupRequest, JoinGroupResponse>(11, "JoinGroup"),
    api<HeartbeatRequest, HeartbeatResponse>(12, "Heartbeat"),
    api<LeaveGroupRequest, LeaveGroupResponse>(13, "LeaveGroup"),
    api<SyncGroupRequest, SyncGroupResponse>(14, "SyncGroup"),
    api<DescribeGroupsRequest, DescribeGroupsResponse>(15, "DescribeGroups"),
    api<ListGroupsRequest, ListGroupsResponse>(16, "ListGroups"),
    api<SaslHandshakeRequest, SaslHandshakeResponse>(17, "SaslHandshake"),
    api<ApiVersionsRequest, ApiVersionsResponse>(18, "ApiVersions"),
    api<CreateTopicsRequest, CreateTopicsResponse>(19, "CreateTopics"),
    api<DeleteTopicsRequest, DeleteTopicsResponse>(20, "DeleteTopics"),
    api<DeleteRecordsRequest, DeleteRecordsResponse>(21, "DeleteRecords"),
    api<InitProducerIdRequest, InitProducerIdResponse>(22, "InitProducerId"),
    api<OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse>(23, "OffsetForLeaderEpoch"),
    api<AddPartitionsToTxnRequest, AddPartitionsToTxnResponse>(24, "AddPartitionsToTxn"),
    api<AddOffsetsToTxnRequest, AddOffsetsToTxnResponse>(25, "AddOffsetsToTxn"),
    api<EndTxnRequest, EndTxnResponse>(26, "EndTxn"),
    api<WriteTxnMarkersRequest, WriteTxnMarkersResponse>(27, "WriteTxnMarkers"),
    api<TxnOffsetCommitRequest, TxnOffsetCommitResponse>(28, "TxnOffsetCommit"),
    api<DescribeAclsRequest, DescribeAclsResponse>(29, "DescribeAcls"),
    api<CreateAclsRequest, CreateAclsResponse>(30, "CreateAcls"),
    api<DeleteAclsRequest, DeleteAclsResponse>(31, "DeleteAcls"),
    api<DescribeConfigsRequest, DescribeConfigsResponse>(32, "DescribeConfigs"),
    api<AlterConfigsRequest, AlterConfigsResponse>(33, "AlterConfigs"),
    api<AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse>(34, "AlterReplicaLogDirs"),
    api<DescribeLogDirsRequest, DescribeLogDirsResponse>(35, "DescribeLogDirs"),
    api<SaslAuthenticateRequest, SaslAuthenticateResponse>(36, "SaslAuthenticate"),
    api<CreatePartitionsRequest, CreatePartitionsResponse>(37, "CreatePartitions"),
    api<CreateDelegationTokenRequest, CreateDelegationTokenResponse>(38, "CreateDelegationToken"),
    api<RenewDelegationTokenRequest, RenewDelegationTokenResponse>(39, "RenewDelegationToken"),
    api<ExpireDelegationTokenRequest, ExpireDelegationTokenResponse>(40, "ExpireDelegationToken"),
    api<DescribeDelegationTokenRequest, DescribeDelegationTokenResponse>(41, "DescribeDelegationToken"),
    api<DeleteGroupsRequest, DeleteGroupsResponse>(42, "DeleteGroups"),
    api<ElectLeadersRequest, ElectLeadersResponse>(43, "ElectLeaders"),
    api<IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse>(44, "IncrementalAlterConfigs"),
    api<AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse>(
        45, "AlterPartitionReassignments"),
    api<ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse>(46,
                                                                               "ListPartitionReassignments"),
    api<OffsetDeleteRequest, OffsetDeleteResponse>(47, "OffsetDelete"),
    api<DescribeClientQuotasRequest, DescribeClientQuotasResponse>(48, "DescribeClientQuotas"),
    api<AlterClientQuotasRequest, AlterClientQuotasResponse>(49, "AlterClientQuotas"),
    api<DescribeUserScramCredentialsRequest, DescribeUserScramCredentialsResponse>(
        50, "DescribeUserScramCredentials"),
    api<AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse>(51, "AlterUserScramCredentials"),
    api<DescribeQuorumRequest, DescribeQuorumResponse>(55, "DescribeQuorum"),
    api<UpdateFeaturesRequest, UpdateFeaturesResponse>(57, "UpdateFeatures"),
    api<DescribeClusterRequest, DescribeClusterResponse>(60, "DescribeCluster"),
    api<DescribeProducersRequest, DescribeProducersResponse>(61, "DescribeProducers"),
    api<UnregisterBrokerRequest, UnregisterBrokerResponse>(64, "UnregisterBroker"),
    api<DescribeTransactionsRequest, DescribeTransactionsResponse>(65, "DescribeTransactions"),
    api<ListTransactionsRequest, ListTransactionsResponse>(66, "ListTransactions"),
    api<ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse>(68, "ConsumerGroupHeartbeat"),
    api<ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse>(69, "ConsumerGroupDescribe"),
    api<GetTelemetrySubscriptionsRequest, GetTelemetrySubscriptionsResponse>(71, "GetTelemetrySubscriptions"),
    api<PushTelemetryRequest, PushTelemetryResponse>(72, "PushTelemetry"),
    api<ListConfigResourcesRequest, ListConfigResourcesResponse>(74, "ListConfigResources"),
    api<DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse>(75, "DescribeTopicPartitions"),
    api<ShareGroupHeartbeatRequest, ShareGroupHeartbeatResponse>(76, "ShareGroupHeartbeat"),
    api<ShareGroupDescribeRequest, ShareGroupDescribeResponse>(77, "ShareGroupDescribe"),
    api<ShareFetchRequest, ShareFetchResponse>(78, "ShareFetch"),
    api<ShareAcknowledgeRequest, ShareAcknowledgeResponse>(79, "ShareAcknowledge"),
    api<AddRaftVoterRequest, AddRaftVoterResponse>(80, "AddRaftVoter"),
    api<RemoveRaftVoterRequest, RemoveRaftVoterResponse>(81, "RemoveRaftVoter"),
    api<InitializeShareGroupStateRequest, InitializeShareGroupStateResponse>(83, "InitializeShareGroupState"),
    api<ReadShareGroupStateRequest, ReadShareGroupStateResponse>(84, "ReadShareGroupState"),
    api<WriteShareGroupStateRequest, WriteShareGroupStateResponse>(85, "WriteShareGroupState"),
    api<DeleteShareGroupStateRequest, DeleteShareGroupStateResponse>(86, "DeleteShareGroupState"),
    api<ReadShareGroupStateSummaryRequest, ReadShareGroupStateSummaryResponse>(87,
                                                                               "ReadShareGroupStateSummary"),
    api<StreamsGroupHeartbeatRequest, StreamsGroupHeartbeatResponse>(88, "StreamsGroupHeartbeat"),
    api<StreamsGroupDescribeRequest, StreamsGroupDescribeResponse>(89, "StreamsGroupDescribe"),
    api<DescribeShareGroupOffsetsRequest, DescribeShareGroupOffsetsResponse>(90, "DescribeShareGroupOffsets"),
    api<AlterShareGroupOffsetsRequest, AlterShareGroupOffsetsResponse>(91, "AlterShareGroupOffsets"),
    api<DeleteShareGroupOffsetsRequest, DeleteShareGroupOffsetsResponse>(92, "DeleteShareGroupOffsets"),
    api<StreamsGroupTopologyDescriptionUpdateRequest, StreamsGroupTopologyDescriptionUpdateResponse>(
        93, "StreamsGroupTopologyDescriptionUpdate"),
    api<UnregisterControllerRequest, UnregisterControllerResponse>(94, "UnregisterController"),
};

}  // namespace

std::span<const ApiSpec> all_apis() {
  return kApis;
}

const ApiSpec* find_api(std::int16_t key) {
  const auto* found =
      std::lower_bound(std::begin(kApis), std::end(kApis), key,
                       [](const ApiSpec& api, std::int16_t wanted) { return api.key < wanted; });
  return found != std::end(kApis) && found->key == key ? found : nullptr;
}

}  // namespace wt::kafka

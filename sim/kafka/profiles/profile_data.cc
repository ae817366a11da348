// What brokers of each release line were seen to advertise (4.0.2, 4.1.2, 4.2.2, 4.3.1, 4.4.0).
#include "sim/kafka/profiles/profile_data.h"

namespace wt::kafka {
namespace {

constexpr VersionRange kNo{};

// clang-format off
//  key, 4.0, 4.1, 4.2, 4.3, 4.4
constexpr ApiRow kRows[] = {
    {0, {{0, 12}, {0, 13}, {0, 13}, {0, 13}, {0, 13}}},  // Produce
    {1, {{4, 17}, {4, 18}, {4, 18}, {4, 18}, {4, 18}}},  // Fetch
    {2, {{1, 10}, {1, 10}, {1, 11}, {1, 11}, {1, 11}}},  // ListOffsets
    {3, {{0, 13}, {0, 13}, {0, 13}, {0, 13}, {0, 13}}},  // Metadata
    {8, {{2, 9}, {2, 9}, {2, 10}, {2, 10}, {2, 10}}},  // OffsetCommit
    {9, {{1, 9}, {1, 9}, {1, 10}, {1, 10}, {1, 10}}},  // OffsetFetch
    {10, {{0, 6}, {0, 6}, {0, 6}, {0, 6}, {0, 6}}},  // FindCoordinator
    {11, {{0, 9}, {0, 9}, {0, 9}, {0, 9}, {0, 9}}},  // JoinGroup
    {12, {{0, 4}, {0, 4}, {0, 4}, {0, 4}, {0, 4}}},  // Heartbeat
    {13, {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}}},  // LeaveGroup
    {14, {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}}},  // SyncGroup
    {15, {{0, 6}, {0, 6}, {0, 6}, {0, 6}, {0, 6}}},  // DescribeGroups
    {16, {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}}},  // ListGroups
    {17, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // SaslHandshake
    {18, {{0, 4}, {0, 4}, {0, 4}, {0, 4}, {0, 5}}},  // ApiVersions
    {19, {{2, 7}, {2, 7}, {2, 7}, {2, 7}, {2, 7}}},  // CreateTopics
    {20, {{1, 6}, {1, 6}, {1, 6}, {1, 6}, {1, 6}}},  // DeleteTopics
    {21, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // DeleteRecords
    {22, {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}}},  // InitProducerId
    {23, {{2, 4}, {2, 4}, {2, 4}, {2, 4}, {2, 4}}},  // OffsetForLeaderEpoch
    {24, {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}}},  // AddPartitionsToTxn
    {25, {{0, 4}, {0, 4}, {0, 4}, {0, 4}, {0, 4}}},  // AddOffsetsToTxn
    {26, {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}}},  // EndTxn
    {27, {{1, 1}, {1, 1}, {1, 2}, {1, 2}, {1, 2}}},  // WriteTxnMarkers
    {28, {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 6}}},  // TxnOffsetCommit
    {29, {{1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}},  // DescribeAcls
    {30, {{1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}},  // CreateAcls
    {31, {{1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}},  // DeleteAcls
    {32, {{1, 4}, {1, 4}, {1, 4}, {1, 4}, {1, 4}}},  // DescribeConfigs
    {33, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // AlterConfigs
    {34, {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}},  // AlterReplicaLogDirs
    {35, {{1, 4}, {1, 4}, {1, 4}, {1, 5}, {1, 5}}},  // DescribeLogDirs
    {36, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // SaslAuthenticate
    {37, {{0, 3}, {0, 3}, {0, 3}, {0, 3}, {0, 3}}},  // CreatePartitions
    {38, {{1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}},  // CreateDelegationToken
    {39, {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}},  // RenewDelegationToken
    {40, {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}},  // ExpireDelegationToken
    {41, {{1, 3}, {1, 3}, {1, 3}, {1, 3}, {1, 3}}},  // DescribeDelegationToken
    {42, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 3}}},  // DeleteGroups
    {43, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // ElectLeaders
    {44, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // IncrementalAlterConfigs
    {45, {{0, 0}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // AlterPartitionReassignments
    {46, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // ListPartitionReassignments
    {47, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // OffsetDelete
    {48, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // DescribeClientQuotas
    {49, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // AlterClientQuotas
    {50, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // DescribeUserScramCredentials
    {51, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // AlterUserScramCredentials
    {55, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // DescribeQuorum
    {57, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // UpdateFeatures
    {60, {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // DescribeCluster
    {61, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // DescribeProducers
    {64, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // UnregisterBroker
    {65, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // DescribeTransactions
    {66, {{0, 1}, {0, 2}, {0, 2}, {0, 2}, {0, 2}}},  // ListTransactions
    {68, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // ConsumerGroupHeartbeat
    {69, {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // ConsumerGroupDescribe
    {74, {{0, 0}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},  // ListConfigResources
    {75, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // DescribeTopicPartitions
    {76, {kNo, {1, 1}, {1, 1}, {1, 1}, {1, 1}}},  // ShareGroupHeartbeat
    {77, {kNo, {1, 1}, {1, 1}, {1, 1}, {1, 1}}},  // ShareGroupDescribe
    {78, {kNo, {1, 1}, {1, 2}, {1, 2}, {1, 2}}},  // ShareFetch
    {79, {kNo, {1, 1}, {1, 2}, {1, 2}, {1, 2}}},  // ShareAcknowledge
    {80, {{0, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 1}}},  // AddRaftVoter
    {81, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // RemoveRaftVoter
    {83, {kNo, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // InitializeShareGroupState
    {84, {kNo, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // ReadShareGroupState
    {85, {kNo, {0, 0}, {0, 1}, {0, 1}, {0, 1}}},  // WriteShareGroupState
    {86, {kNo, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // DeleteShareGroupState
    {87, {kNo, {0, 0}, {0, 1}, {0, 1}, {0, 1}}},  // ReadShareGroupStateSummary
    {88, {kNo, kNo, {0, 0}, {0, 0}, {0, 1}}},  // StreamsGroupHeartbeat
    {89, {kNo, kNo, {0, 0}, {0, 0}, {0, 1}}},  // StreamsGroupDescribe
    {90, {kNo, {0, 0}, {0, 1}, {0, 1}, {0, 1}}},  // DescribeShareGroupOffsets
    {91, {kNo, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // AlterShareGroupOffsets
    {92, {kNo, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},  // DeleteShareGroupOffsets
    {93, {kNo, kNo, kNo, kNo, {0, 0}}},  // StreamsGroupTopologyDescriptionUpdate
    {94, {kNo, kNo, kNo, kNo, {0, 0}}},  // UnregisterController
};
// clang-format on

}  // namespace

std::span<const ApiRow> api_rows() {
  return kRows;
}

}  // namespace wt::kafka

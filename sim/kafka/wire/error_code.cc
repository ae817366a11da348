#include "sim/kafka/wire/error_code.h"

#include <span>

namespace wt::kafka {
namespace {

struct Entry {
  ErrorCode code;
  std::string_view name;
  bool is_retriable = false;
};

// Ordered by code, without gaps, from -1 on.
constexpr Entry kEntries[] = {
    {ErrorCode::kUnknownServerError, "UNKNOWN_SERVER_ERROR"},
    {ErrorCode::kNone, "NONE"},
    {ErrorCode::kOffsetOutOfRange, "OFFSET_OUT_OF_RANGE"},
    {ErrorCode::kCorruptMessage, "CORRUPT_MESSAGE", true},
    {ErrorCode::kUnknownTopicOrPartition, "UNKNOWN_TOPIC_OR_PARTITION", true},
    {ErrorCode::kInvalidFetchSize, "INVALID_FETCH_SIZE"},
    {ErrorCode::kLeaderNotAvailable, "LEADER_NOT_AVAILABLE", true},
    {ErrorCode::kNotLeaderOrFollower, "NOT_LEADER_OR_FOLLOWER", true},
    {ErrorCode::kRequestTimedOut, "REQUEST_TIMED_OUT", true},
    {ErrorCode::kBrokerNotAvailable, "BROKER_NOT_AVAILABLE"},
    {ErrorCode::kReplicaNotAvailable, "REPLICA_NOT_AVAILABLE", true},
    {ErrorCode::kMessageTooLarge, "MESSAGE_TOO_LARGE"},
    {ErrorCode::kStaleControllerEpoch, "STALE_CONTROLLER_EPOCH"},
    {ErrorCode::kOffsetMetadataTooLarge, "OFFSET_METADATA_TOO_LARGE"},
    {ErrorCode::kNetworkException, "NETWORK_EXCEPTION", true},
    {ErrorCode::kCoordinatorLoadInProgress, "COORDINATOR_LOAD_IN_PROGRESS", true},
    {ErrorCode::kCoordinatorNotAvailable, "COORDINATOR_NOT_AVAILABLE", true},
    {ErrorCode::kNotCoordinator, "NOT_COORDINATOR", true},
    {ErrorCode::kInvalidTopicException, "INVALID_TOPIC_EXCEPTION"},
    {ErrorCode::kRecordListTooLarge, "RECORD_LIST_TOO_LARGE"},
    {ErrorCode::kNotEnoughReplicas, "NOT_ENOUGH_REPLICAS", true},
    {ErrorCode::kNotEnoughReplicasAfterAppend, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", true},
    {ErrorCode::kInvalidRequiredAcks, "INVALID_REQUIRED_ACKS"},
    {ErrorCode::kIllegalGeneration, "ILLEGAL_GENERATION"},
    {ErrorCode::kInconsistentGroupProtocol, "INCONSISTENT_GROUP_PROTOCOL"},
    {ErrorCode::kInvalidGroupId, "INVALID_GROUP_ID"},
    {ErrorCode::kUnknownMemberId, "UNKNOWN_MEMBER_ID"},
    {ErrorCode::kInvalidSessionTimeout, "INVALID_SESSION_TIMEOUT"},
    {ErrorCode::kRebalanceInProgress, "REBALANCE_IN_PROGRESS"},
    {ErrorCode::kInvalidCommitOffsetSize, "INVALID_COMMIT_OFFSET_SIZE"},
    {ErrorCode::kTopicAuthorizationFailed, "TOPIC_AUTHORIZATION_FAILED"},
    {ErrorCode::kGroupAuthorizationFailed, "GROUP_AUTHORIZATION_FAILED"},
    {ErrorCode::kClusterAuthorizationFailed, "CLUSTER_AUTHORIZATION_FAILED"},
    {ErrorCode::kInvalidTimestamp, "INVALID_TIMESTAMP"},
    {ErrorCode::kUnsupportedSaslMechanism, "UNSUPPORTED_SASL_MECHANISM"},
    {ErrorCode::kIllegalSaslState, "ILLEGAL_SASL_STATE"},
    {ErrorCode::kUnsupportedVersion, "UNSUPPORTED_VERSION"},
    {ErrorCode::kTopicAlreadyExists, "TOPIC_ALREADY_EXISTS"},
    {ErrorCode::kInvalidPartitions, "INVALID_PARTITIONS"},
    {ErrorCode::kInvalidReplicationFactor, "INVALID_REPLICATION_FACTOR"},
    {ErrorCode::kInvalidReplicaAssignment, "INVALID_REPLICA_ASSIGNMENT"},
    {ErrorCode::kInvalidConfig, "INVALID_CONFIG"},
    {ErrorCode::kNotController, "NOT_CONTROLLER", true},
    {ErrorCode::kInvalidRequest, "INVALID_REQUEST"},
    {ErrorCode::kUnsupportedForMessageFormat, "UNSUPPORTED_FOR_MESSAGE_FORMAT"},
    {ErrorCode::kPolicyViolation, "POLICY_VIOLATION"},
    {ErrorCode::kOutOfOrderSequenceNumber, "OUT_OF_ORDER_SEQUENCE_NUMBER"},
    {ErrorCode::kDuplicateSequenceNumber, "DUPLICATE_SEQUENCE_NUMBER"},
    {ErrorCode::kInvalidProducerEpoch, "INVALID_PRODUCER_EPOCH"},
    {ErrorCode::kInvalidTxnState, "INVALID_TXN_STATE"},
    {ErrorCode::kInvalidProducerIdMapping, "INVALID_PRODUCER_ID_MAPPING"},
    {ErrorCode::kInvalidTransactionTimeout, "INVALID_TRANSACTION_TIMEOUT"},
    {ErrorCode::kConcurrentTransactions, "CONCURRENT_TRANSACTIONS", true},
    {ErrorCode::kTransactionCoordinatorFenced, "TRANSACTION_COORDINATOR_FENCED"},
    {ErrorCode::kTransactionalIdAuthorizationFailed, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED"},
    {ErrorCode::kSecurityDisabled, "SECURITY_DISABLED"},
    {ErrorCode::kOperationNotAttempted, "OPERATION_NOT_ATTEMPTED"},
    {ErrorCode::kKafkaStorageError, "KAFKA_STORAGE_ERROR", true},
    {ErrorCode::kLogDirNotFound, "LOG_DIR_NOT_FOUND"},
    {ErrorCode::kSaslAuthenticationFailed, "SASL_AUTHENTICATION_FAILED"},
    {ErrorCode::kUnknownProducerId, "UNKNOWN_PRODUCER_ID"},
    {ErrorCode::kReassignmentInProgress, "REASSIGNMENT_IN_PROGRESS"},
    {ErrorCode::kDelegationTokenAuthDisabled, "DELEGATION_TOKEN_AUTH_DISABLED"},
    {ErrorCode::kDelegationTokenNotFound, "DELEGATION_TOKEN_NOT_FOUND"},
    {ErrorCode::kDelegationTokenOwnerMismatch, "DELEGATION_TOKEN_OWNER_MISMATCH"},
    {ErrorCode::kDelegationTokenRequestNotAllowed, "DELEGATION_TOKEN_REQUEST_NOT_ALLOWED"},
    {ErrorCode::kDelegationTokenAuthorizationFailed, "DELEGATION_TOKEN_AUTHORIZATION_FAILED"},
    {ErrorCode::kDelegationTokenExpired, "DELEGATION_TOKEN_EXPIRED"},
    {ErrorCode::kInvalidPrincipalType, "INVALID_PRINCIPAL_TYPE"},
    {ErrorCode::kNonEmptyGroup, "NON_EMPTY_GROUP"},
    {ErrorCode::kGroupIdNotFound, "GROUP_ID_NOT_FOUND"},
    {ErrorCode::kFetchSessionIdNotFound, "FETCH_SESSION_ID_NOT_FOUND", true},
    {ErrorCode::kInvalidFetchSessionEpoch, "INVALID_FETCH_SESSION_EPOCH", true},
    {ErrorCode::kListenerNotFound, "LISTENER_NOT_FOUND", true},
    {ErrorCode::kTopicDeletionDisabled, "TOPIC_DELETION_DISABLED"},
    {ErrorCode::kFencedLeaderEpoch, "FENCED_LEADER_EPOCH", true},
    {ErrorCode::kUnknownLeaderEpoch, "UNKNOWN_LEADER_EPOCH", true},
    {ErrorCode::kUnsupportedCompressionType, "UNSUPPORTED_COMPRESSION_TYPE"},
    {ErrorCode::kStaleBrokerEpoch, "STALE_BROKER_EPOCH"},
    {ErrorCode::kOffsetNotAvailable, "OFFSET_NOT_AVAILABLE", true},
    {ErrorCode::kMemberIdRequired, "MEMBER_ID_REQUIRED"},
    {ErrorCode::kPreferredLeaderNotAvailable, "PREFERRED_LEADER_NOT_AVAILABLE", true},
    {ErrorCode::kGroupMaxSizeReached, "GROUP_MAX_SIZE_REACHED"},
    {ErrorCode::kFencedInstanceId, "FENCED_INSTANCE_ID"},
    {ErrorCode::kEligibleLeadersNotAvailable, "ELIGIBLE_LEADERS_NOT_AVAILABLE", true},
    {ErrorCode::kElectionNotNeeded, "ELECTION_NOT_NEEDED", true},
    {ErrorCode::kNoReassignmentInProgress, "NO_REASSIGNMENT_IN_PROGRESS"},
    {ErrorCode::kGroupSubscribedToTopic, "GROUP_SUBSCRIBED_TO_TOPIC"},
    {ErrorCode::kInvalidRecord, "INVALID_RECORD"},
    {ErrorCode::kUnstableOffsetCommit, "UNSTABLE_OFFSET_COMMIT", true},
    {ErrorCode::kThrottlingQuotaExceeded, "THROTTLING_QUOTA_EXCEEDED", true},
    {ErrorCode::kProducerFenced, "PRODUCER_FENCED"},
    {ErrorCode::kResourceNotFound, "RESOURCE_NOT_FOUND"},
    {ErrorCode::kDuplicateResource, "DUPLICATE_RESOURCE"},
    {ErrorCode::kUnacceptableCredential, "UNACCEPTABLE_CREDENTIAL"},
    {ErrorCode::kInconsistentVoterSet, "INCONSISTENT_VOTER_SET"},
    {ErrorCode::kInvalidUpdateVersion, "INVALID_UPDATE_VERSION"},
    {ErrorCode::kFeatureUpdateFailed, "FEATURE_UPDATE_FAILED"},
    {ErrorCode::kPrincipalDeserializationFailure, "PRINCIPAL_DESERIALIZATION_FAILURE"},
    {ErrorCode::kSnapshotNotFound, "SNAPSHOT_NOT_FOUND"},
    {ErrorCode::kPositionOutOfRange, "POSITION_OUT_OF_RANGE"},
    {ErrorCode::kUnknownTopicId, "UNKNOWN_TOPIC_ID", true},
    {ErrorCode::kDuplicateBrokerRegistration, "DUPLICATE_BROKER_REGISTRATION"},
    {ErrorCode::kBrokerIdNotRegistered, "BROKER_ID_NOT_REGISTERED"},
    {ErrorCode::kInconsistentTopicId, "INCONSISTENT_TOPIC_ID", true},
    {ErrorCode::kInconsistentClusterId, "INCONSISTENT_CLUSTER_ID"},
    {ErrorCode::kTransactionalIdNotFound, "TRANSACTIONAL_ID_NOT_FOUND"},
    {ErrorCode::kFetchSessionTopicIdError, "FETCH_SESSION_TOPIC_ID_ERROR", true},
    {ErrorCode::kIneligibleReplica, "INELIGIBLE_REPLICA"},
    {ErrorCode::kNewLeaderElected, "NEW_LEADER_ELECTED"},
    {ErrorCode::kOffsetMovedToTieredStorage, "OFFSET_MOVED_TO_TIERED_STORAGE"},
    {ErrorCode::kFencedMemberEpoch, "FENCED_MEMBER_EPOCH"},
    {ErrorCode::kUnreleasedInstanceId, "UNRELEASED_INSTANCE_ID"},
    {ErrorCode::kUnsupportedAssignor, "UNSUPPORTED_ASSIGNOR"},
    {ErrorCode::kStaleMemberEpoch, "STALE_MEMBER_EPOCH"},
    {ErrorCode::kMismatchedEndpointType, "MISMATCHED_ENDPOINT_TYPE"},
    {ErrorCode::kUnsupportedEndpointType, "UNSUPPORTED_ENDPOINT_TYPE"},
    {ErrorCode::kUnknownControllerId, "UNKNOWN_CONTROLLER_ID"},
    {ErrorCode::kUnknownSubscriptionId, "UNKNOWN_SUBSCRIPTION_ID"},
    {ErrorCode::kTelemetryTooLarge, "TELEMETRY_TOO_LARGE"},
    {ErrorCode::kInvalidRegistration, "INVALID_REGISTRATION"},
    {ErrorCode::kTransactionAbortable, "TRANSACTION_ABORTABLE"},
    {ErrorCode::kInvalidRecordState, "INVALID_RECORD_STATE"},
    {ErrorCode::kShareSessionNotFound, "SHARE_SESSION_NOT_FOUND", true},
    {ErrorCode::kInvalidShareSessionEpoch, "INVALID_SHARE_SESSION_EPOCH", true},
    {ErrorCode::kFencedStateEpoch, "FENCED_STATE_EPOCH"},
    {ErrorCode::kInvalidVoterKey, "INVALID_VOTER_KEY"},
    {ErrorCode::kDuplicateVoter, "DUPLICATE_VOTER"},
    {ErrorCode::kVoterNotFound, "VOTER_NOT_FOUND"},
    {ErrorCode::kInvalidRegularExpression, "INVALID_REGULAR_EXPRESSION"},
    {ErrorCode::kRebootstrapRequired, "REBOOTSTRAP_REQUIRED"},
    {ErrorCode::kStreamsInvalidTopology, "STREAMS_INVALID_TOPOLOGY"},
    {ErrorCode::kStreamsInvalidTopologyEpoch, "STREAMS_INVALID_TOPOLOGY_EPOCH"},
    {ErrorCode::kStreamsTopologyFenced, "STREAMS_TOPOLOGY_FENCED"},
    {ErrorCode::kShareSessionLimitReached, "SHARE_SESSION_LIMIT_REACHED", true},
    {ErrorCode::kGroupDeletionFailed, "GROUP_DELETION_FAILED"},
    {ErrorCode::kStreamsTopologyDescriptionUpdateFailed, "STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED"},
    {ErrorCode::kControllerIdNotRegistered, "CONTROLLER_ID_NOT_REGISTERED"},
};

const Entry* find(ErrorCode code) {
  const int index = static_cast<int>(code) + 1;
  if (index < 0 || index >= static_cast<int>(std::size(kEntries))) return nullptr;
  return &kEntries[index];
}

}  // namespace

std::string_view error_name(ErrorCode code) {
  const Entry* entry = find(code);
  return entry != nullptr ? entry->name : std::string_view("UNKNOWN_ERROR_CODE");
}

std::optional<ErrorCode> error_from_name(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.code;
  }
  return std::nullopt;
}

bool is_retriable(ErrorCode code) {
  const Entry* entry = find(code);
  return entry != nullptr && entry->is_retriable;
}

}  // namespace wt::kafka

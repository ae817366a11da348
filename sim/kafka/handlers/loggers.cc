#include "sim/kafka/handlers/loggers.h"

#include <algorithm>

namespace wt::kafka {
namespace {

// Of a broker's own parts, where brokers of 4.3 and 4.4 have them alike, and those of Kafka's log
// configuration.
constexpr std::string_view kNames[] = {
    "LogFutureTimestampLogger",
    "kafka",
    "kafka.authorizer.logger",
    "kafka.coordinator.transaction.TransactionCoordinator",
    "kafka.coordinator.transaction.TransactionMarkerChannelManager",
    "kafka.log.LogCleaner",
    "kafka.network.ConnectionQuotas",
    "kafka.network.DataPlaneAcceptor",
    "kafka.network.Processor",
    "kafka.network.RequestChannel$",
    "kafka.network.SocketServer",
    "kafka.request.logger",
    "kafka.server.BrokerServer",
    "kafka.server.ConfigAdminManager",
    "kafka.server.ControllerApis",
    "kafka.server.ControllerServer",
    "kafka.server.KafkaApis",
    "kafka.server.KafkaRaftServer",
    "kafka.server.KafkaRequestHandler",
    "kafka.server.ReplicaManager",
    "kafka.server.SharedServer",
    "kafka.server.metadata.BrokerMetadataPublisher",
    "kafka.server.metadata.DynamicConfigPublisher",
    "kafka.server.share.ShareCoordinatorMetadataCacheHelperImpl",
    "kafka.server.share.SharePartitionManager",
    "org.apache.kafka",
    "org.apache.kafka.controller.AclControlManager",
    "org.apache.kafka.controller.BrokerHeartbeatManager",
    "org.apache.kafka.controller.ClientQuotaControlManager",
    "org.apache.kafka.controller.ClusterControlManager",
    "org.apache.kafka.controller.ConfigurationControlManager",
    "org.apache.kafka.controller.DelegationTokenControlManager",
    "org.apache.kafka.controller.EventPerformanceMonitor",
    "org.apache.kafka.controller.FeatureControlManager",
    "org.apache.kafka.controller.OffsetControlManager",
    "org.apache.kafka.controller.PeriodicTaskControlManager",
    "org.apache.kafka.controller.ProducerIdControlManager",
    "org.apache.kafka.controller.QuorumController",
    "org.apache.kafka.controller.ReplicationControlManager",
    "org.apache.kafka.controller.ScramControlManager",
    "org.apache.kafka.coordinator.common.runtime.CoordinatorLoaderImpl",
    "org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime",
    "org.apache.kafka.coordinator.common.runtime.MultiThreadedEventProcessor",
    "org.apache.kafka.coordinator.group.GroupConfig",
    "org.apache.kafka.coordinator.group.GroupCoordinatorConfig",
    "org.apache.kafka.coordinator.group.GroupCoordinatorService",
    "org.apache.kafka.coordinator.group.assignor.SimpleAssignor",
    "org.apache.kafka.coordinator.group.assignor.UniformAssignor",
    "org.apache.kafka.coordinator.share.ShareCoordinatorService",
    "org.apache.kafka.coordinator.transaction.RPCProducerIdManager",
    "org.apache.kafka.deferred.DeferredEventQueue",
    "org.apache.kafka.image.loader.MetadataBatchLoader",
    "org.apache.kafka.image.loader.MetadataLoader",
    "org.apache.kafka.image.publisher.BrokerRegistrationTracker",
    "org.apache.kafka.image.publisher.SnapshotEmitter",
    "org.apache.kafka.image.publisher.SnapshotGenerator",
    "org.apache.kafka.metadata.KRaftMetadataCache",
    "org.apache.kafka.metadata.ListenerInfo",
    "org.apache.kafka.metadata.properties.MetaPropertiesEnsemble",
    "org.apache.kafka.metadata.publisher.AclPublisher",
    "org.apache.kafka.metadata.publisher.FeaturesPublisher",
    "org.apache.kafka.queue.KafkaEventQueue",
    "org.apache.kafka.raft.CandidateState",
    "org.apache.kafka.raft.FileQuorumStateStore",
    "org.apache.kafka.raft.KafkaNetworkChannel",
    "org.apache.kafka.raft.KafkaRaftClient",
    "org.apache.kafka.raft.KafkaRaftClientDriver",
    "org.apache.kafka.raft.LeaderState",
    "org.apache.kafka.raft.ProspectiveState",
    "org.apache.kafka.raft.QuorumState",
    "org.apache.kafka.raft.UnattachedState",
    "org.apache.kafka.raft.internals.AddVoterHandler",
    "org.apache.kafka.raft.internals.DefaultRequestSender",
    "org.apache.kafka.raft.internals.KRaftControlRecordStateMachine",
    "org.apache.kafka.raft.internals.KafkaRaftLog",
    "org.apache.kafka.raft.internals.RecordsIterator",
    "org.apache.kafka.raft.internals.RemoveVoterHandler",
    "org.apache.kafka.raft.internals.UpdateVoterHandler",
    "org.apache.kafka.raft.internals.VoterSetHistory",
    "org.apache.kafka.server.AssignmentsManager",
    "org.apache.kafka.server.BrokerFeatures",
    "org.apache.kafka.server.BrokerLifecycleManager",
    "org.apache.kafka.server.ClientMetricsManager",
    "org.apache.kafka.server.DelayedActionQueue",
    "org.apache.kafka.server.FetchManager",
    "org.apache.kafka.server.FetchSessionCacheShard",
    "org.apache.kafka.server.NodeToControllerChannelManagerImpl",
    "org.apache.kafka.server.NodeToControllerRequestThread",
    "org.apache.kafka.server.config.ConfigSynonym",
    "org.apache.kafka.server.config.DynamicProducerStateManagerConfig",
    "org.apache.kafka.server.fault.LoggingFaultHandler",
    "org.apache.kafka.server.fault.ProcessTerminatingFaultHandler",
    "org.apache.kafka.server.logger.LoggingController",
    "org.apache.kafka.server.metrics.LinuxIoMetricsCollector",
    "org.apache.kafka.server.network.EndpointReadyFutures",
    "org.apache.kafka.server.purgatory.DelayedOperationPurgatory",
    "org.apache.kafka.server.quota.ClientQuotaManager",
    "org.apache.kafka.server.quota.ControllerMutationQuotaManager",
    "org.apache.kafka.server.share.persister.DefaultStatePersister",
    "org.apache.kafka.server.transaction.AddPartitionsToTxnManager",
    "org.apache.kafka.server.util.FileLock",
    "org.apache.kafka.server.util.KafkaScheduler",
    "org.apache.kafka.server.util.NetworkPartitionMetadataClient",
    "org.apache.kafka.snapshot.Snapshots",
    "org.apache.kafka.storage.internals.checkpoint.CheckpointFileWithFailureHandler",
    "org.apache.kafka.storage.internals.checkpoint.CleanShutdownFileHandler",
    "org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache",
    "org.apache.kafka.storage.internals.log.AbstractIndex",
    "org.apache.kafka.storage.internals.log.Cleaner",
    "org.apache.kafka.storage.internals.log.LocalLog",
    "org.apache.kafka.storage.internals.log.LogCleaner",
    "org.apache.kafka.storage.internals.log.LogDirFailureChannel",
    "org.apache.kafka.storage.internals.log.LogLoader",
    "org.apache.kafka.storage.internals.log.LogSegment",
    "org.apache.kafka.storage.internals.log.OffsetIndex",
    "org.apache.kafka.storage.internals.log.ProducerStateManager",
    "org.apache.kafka.storage.internals.log.TimeIndex",
    "org.apache.kafka.storage.internals.log.UnifiedLog",
    "org.apache.kafka.storage.internals.utils.Throttler",
    "org.apache.kafka.storage.log.metrics.BrokerTopicStats",
    "org.apache.kafka.timeline.SnapshotRegistry",
    "state.change.logger",
    "root"};
constexpr std::string_view kLevels[] = {"DEBUG", "ERROR", "FATAL", "INFO", "TRACE", "WARN"};
constexpr std::string_view kLevelsText = "DEBUG, ERROR, FATAL, INFO, TRACE, WARN";

enum class Operation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

bool exists(std::string_view logger) {
  return std::find(std::begin(kNames), std::end(kNames), logger) != std::end(kNames);
}

ErrorCode check_set(const std::string& logger, const std::string& level, std::string& why) {
  if (std::find(std::begin(kLevels), std::end(kLevels), level) != std::end(kLevels)) return ErrorCode::kNone;
  why = "Cannot set the log level of " + logger + " to " + level +
        " as it is not a supported log level. Valid log levels are " + std::string(kLevelsText);
  return ErrorCode::kInvalidConfig;
}

ErrorCode check(const IncrementalAlterConfigsRequest::AlterableConfig& change, std::string& why) {
  const auto operation = static_cast<Operation>(change.config_operation);
  switch (operation) {
    case Operation::set:
    case Operation::remove:
      if (!exists(change.name)) {
        why = "Logger " + change.name + " does not exist!";
        return ErrorCode::kInvalidConfig;
      }
      if (operation == Operation::set) return check_set(change.name, *change.value, why);
      if (change.name != Loggers::kRoot) return ErrorCode::kNone;
      why = "Removing the log level of the root logger is not allowed";
      return ErrorCode::kInvalidRequest;
    case Operation::append:
    case Operation::subtract:
      why = operation == Operation::append ? "APPEND" : "SUBTRACT";
      why += " operation is not allowed for the BROKER_LOGGER resource";
      return ErrorCode::kInvalidRequest;
  }
  why = "Unknown operation type " + std::to_string(change.config_operation) +
        " is not allowed for the BROKER_LOGGER resource";
  return ErrorCode::kInvalidRequest;
}

}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> Loggers::all() const {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  for (const std::string_view name : kNames) all.emplace_back(name, level(name));
  return all;
}

std::string_view Loggers::level(std::string_view logger) const {
  for (;;) {
    const auto own = levels_.find(logger);
    if (own != levels_.end()) return own->second;
    const std::size_t dot = logger.rfind('.');
    logger = dot == std::string_view::npos ? kRoot : logger.substr(0, dot);
  }
}

ErrorCode Loggers::alter(const std::vector<IncrementalAlterConfigsRequest::AlterableConfig>& changes,
                         bool validate_only, std::string& why) {
  for (const auto& change : changes) {
    const ErrorCode error = check(change, why);
    if (error != ErrorCode::kNone) return error;
  }
  if (validate_only) return ErrorCode::kNone;
  for (const auto& change : changes) {
    if (static_cast<Operation>(change.config_operation) == Operation::set) {
      levels_[change.name] = *change.value;
    } else {
      levels_.erase(change.name);
    }
  }
  return ErrorCode::kNone;
}

}  // namespace wt::kafka

// A cluster in the simulation and requests to group coordinators, without a client.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/kafka/groups/coordinator.h"
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/kafka/wire/messages/group_admin.h"
#include "sim/kafka/wire/messages/offsets.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::test {

inline cluster::ClusterOptions group_cluster(std::int32_t brokers = 3, std::int32_t partitions = 4) {
  cluster::ClusterOptions options;
  options.brokers = brokers;
  options.group_configs["offsets.topic.num.partitions"] = partitions;
  return options;
}

class GroupSim : public KafkaSim {
 public:
  explicit GroupSim(const cluster::ClusterOptions& options = group_cluster()) : KafkaSim(options) {
    create_topic("orders", 2);
    create_topic("other", 2);
    make_offsets_topic();
  }

  void make_offsets_topic() {
    auto connection = connect(cluster.broker_ids().front());
    kafka::FindCoordinatorRequest request;
    request.coordinator_keys = {"g"};
    call<kafka::FindCoordinatorResponse>(connection, 10, 4, request);
    settle();
  }
  void settle() {
    cluster.kernel().run_until_condition([this] { return cluster.settled(); },
                                         cluster.kernel().now() + kMinute_ns);
    cluster.kernel().run_ready();
  }

  // The compare-and-set after `skip` others takes effect and loses its answer; from then on the metadata
  // store refuses everything.
  void lose_outcome_after(std::uint64_t skip) {
    FaultRule lose;
    lose.point = "metadata.cas";
    lose.action = FaultAction::lose_answer;
    lose.skip = skip;
    lose.count = 1;
    FaultRule down;
    down.point = "metadata.*";
    down.action = FaultAction::refuse;
    down.skip = skip;
    REQUIRE(cluster.rules().add(lose).ok());
    REQUIRE(cluster.rules().add(down).ok());
  }

  std::int32_t partition_of(std::string_view group) const {
    const auto count = cluster.options().group_configs.at("offsets.topic.num.partitions");
    return kafka::group_partition(group, static_cast<std::int32_t>(count));
  }
  std::int32_t coordinator_of(std::string_view group) {
    return leader("__consumer_offsets", partition_of(group));
  }
  // Null while nobody serves the group.
  kafka::GroupShard* shard_of(std::string_view group) {
    kafka::GroupCoordinator* groups = cluster.group_coordinator(coordinator_of(group));
    kafka::ErrorCode code = kafka::ErrorCode::kNone;
    return groups == nullptr ? nullptr : groups->shard_of(group, code).get();
  }

  // A connection that stays, to a broker of choice.
  Connection& connection_to(std::int32_t broker) {
    auto found = connections_.find(broker);
    if (found != connections_.end()) take(found->second);
    if (found == connections_.end() || found->second.closed) {
      found = connections_.insert_or_assign(broker, connect(broker)).first;
    }
    return found->second;
  }

  static kafka::OffsetCommitRequest commit_request(
      const std::string& group, const std::string& topic,
      const std::vector<std::pair<std::int32_t, std::int64_t>>& offsets) {
    kafka::OffsetCommitRequest request;
    request.group_id = group;
    auto& wanted = request.topics.emplace_back();
    wanted.name = topic;
    for (const auto& [partition, offset] : offsets) {
      auto& entry = wanted.partitions.emplace_back();
      entry.partition_index = partition;
      entry.committed_offset = offset;
    }
    return request;
  }
  std::optional<kafka::OffsetCommitResponse> commit(const kafka::OffsetCommitRequest& request,
                                                    std::int32_t broker, kafka::Version version = 8) {
    return call<kafka::OffsetCommitResponse>(connection_to(broker), 8, version, request);
  }
  // The error of the first partition; nothing when there is no answer.
  std::optional<kafka::ErrorCode> commit(const std::string& group, const std::string& topic,
                                         std::int64_t offset, std::int32_t partition = 0) {
    const auto request = commit_request(group, topic, {{partition, offset}});
    const auto answer = commit(request, coordinator_of(group));
    if (!answer) return std::nullopt;
    return answer->topics.at(0).partitions.at(0).error_code;
  }

  std::optional<kafka::OffsetFetchResponse> fetch(const kafka::OffsetFetchRequest& request,
                                                  std::int32_t broker, kafka::Version version = 9) {
    return call<kafka::OffsetFetchResponse>(connection_to(broker), 9, version, request);
  }
  // All offsets of a group as its coordinator has them; nothing when it refuses.
  using Offsets = std::map<std::pair<std::string, std::int32_t>, std::int64_t>;
  std::optional<Offsets> offsets_of(const std::string& group) {
    kafka::OffsetFetchRequest request;
    auto& wanted = request.groups.emplace_back();
    wanted.group_id = group;
    wanted.topics.reset();
    const auto answer = fetch(request, coordinator_of(group));
    if (!answer || answer->groups.at(0).error_code != kafka::ErrorCode::kNone) return std::nullopt;
    Offsets offsets;
    for (const auto& topic : answer->groups.at(0).topics) {
      for (const auto& partition : topic.partitions) {
        offsets[{topic.name, partition.partition_index}] = partition.committed_offset;
      }
    }
    return offsets;
  }

  std::optional<kafka::ListGroupsResponse> list(std::int32_t broker,
                                                const kafka::ListGroupsRequest& request = {},
                                                kafka::Version version = 5) {
    return call<kafka::ListGroupsResponse>(connection_to(broker), 16, version, request);
  }
  kafka::ErrorCode delete_group(const std::string& group) {
    kafka::DeleteGroupsRequest request;
    request.groups_names = {group};
    const auto answer =
        call<kafka::DeleteGroupsResponse>(connection_to(coordinator_of(group)), 42, 2, request);
    return answer ? answer->results.at(0).error_code : kafka::ErrorCode::kUnknownServerError;
  }

 private:
  std::map<std::int32_t, Connection> connections_;
};

}  // namespace wt::test

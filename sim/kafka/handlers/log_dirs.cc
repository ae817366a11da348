// AlterReplicaLogDirs (34) and DescribeLogDirs (35).
//
// A broker has one log directory, which only is a name. The data of a partition is there once, in the shared
// storage; its bytes are counted at the leader, and the other replicas say that they hold none.
#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/controller/names.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/log_dir.h"
#include "sim/kafka/wire/messages/cluster.h"
#include "sim/kafka/wire/messages/replica_moves.h"

namespace wt::kafka {
namespace {

using Result = DescribeLogDirsResponse::DescribeLogDirsResult;

// A terabyte: no option sets it, and nothing runs into it.
constexpr std::int64_t kDisk_bytes = std::int64_t{1} << 40;
constexpr std::size_t kLongestName_bytes = 255;
constexpr std::size_t kMoveSuffix_bytes = 1 + 32 + 7;  // ".", a UUID in hexadecimal, "-future"

// Whether the request asks for this one.
bool is_wanted(const DescribeLogDirsRequest& request, const broker::PartitionIdentity& identity) {
  if (!request.topics) return true;
  return std::any_of(request.topics->begin(), request.topics->end(), [&identity](const auto& topic) {
    const auto& numbers = topic.partitions;
    return topic.topic == identity.topic &&
           std::find(numbers.begin(), numbers.end(), identity.index) != numbers.end();
  });
}

void add(const broker::Partition& partition, Result& result) {
  const broker::PartitionIdentity& identity = partition.identity();
  auto topic = std::find_if(result.topics.begin(), result.topics.end(),
                            [&identity](const auto& known) { return known.name == identity.topic; });
  if (topic == result.topics.end()) {
    topic = result.topics.emplace(result.topics.end());
    topic->name = identity.topic;
  }
  auto& answer = topic->partitions.emplace_back();
  answer.partition_index = identity.index;
  if (partition.role() == broker::Role::leader) answer.partition_size = partition.size_bytes();
}

// The order of the checks is Kafka's: the name, the directory, the replica.
ErrorCode check_move(const broker::Broker& broker, const std::string& path, const std::string& topic,
                     std::int32_t partition) {
  // A copy that is being moved has a folder of its own, and so a longer name.
  if (topic.size() + 1 + std::to_string(partition).size() + kMoveSuffix_bytes > kLongestName_bytes)
    return ErrorCode::kInvalidTopicException;
  if (path != log_dir_of(broker)) return ErrorCode::kLogDirNotFound;
  const broker::Found found = broker.find(topic, partition);
  return found.lookup == broker::Lookup::found ? ErrorCode::kNone : ErrorCode::kReplicaNotAvailable;
}

}  // namespace

Task<Reply> handle_alter_replica_log_dirs(RequestContext& context) {
  AlterReplicaLogDirsResponse response;
  for (const auto& dir : context.body<AlterReplicaLogDirsRequest>().dirs) {
    for (const auto& topic : dir.topics) {
      auto& results = response.results.emplace_back();
      results.topic_name = topic.name;
      for (const std::int32_t partition : topic.partitions) {
        auto& result = results.partitions.emplace_back();
        result.partition_index = partition;
        result.error_code = check_move(context.broker, dir.path, topic.name, partition);
      }
    }
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_describe_log_dirs(RequestContext& context) {
  const auto& request = context.body<DescribeLogDirsRequest>();
  DescribeLogDirsResponse response;
  Result& result = response.results.emplace_back();
  result.log_dir = log_dir_of(context.broker);
  result.total_bytes = kDisk_bytes;
  result.usable_bytes = kDisk_bytes;
  for (const auto& [key, partition] : context.broker.partitions()) {
    if (partition->role() == broker::Role::leader) result.usable_bytes -= partition->size_bytes();
    if (is_wanted(request, partition->identity())) add(*partition, result);
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

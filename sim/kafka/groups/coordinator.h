// The group coordinator of one broker: a shard for each partition of `__consumer_offsets` that it leads.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/kafka/groups/shard.h"

namespace wt::kafka {

// As Kafka spreads groups: Java's hash of the name, without its sign.
std::int32_t group_partition(std::string_view group, std::int32_t partitions);

class GroupCoordinator final : public ProcessPart, public controller::MetadataListener {
 public:
  GroupCoordinator(Process& process, broker::Broker& broker, const GroupCoordinatorOptions& options);
  ~GroupCoordinator() override;

  const GroupCoordinatorOptions& options() const noexcept { return options_; }
  const RecordCodec& codec() const noexcept { return codec_; }

  // Gives one operation to the group's shard and waits for the answer. `call` and `operation` must be
  // named by the caller before `co_await`.
  Task<GroupAnswer> run(const GroupCall& call, const GroupOperation& operation);

  // Null with a reason when this broker does not serve the group, or not yet.
  std::shared_ptr<GroupShard> shard_of(std::string_view group, ErrorCode& code) const;
  // By number of the partition; may hold shards that were stopped.
  const std::map<std::int32_t, std::shared_ptr<GroupShard>>& shards() const noexcept { return shards_; }
  // Those that serve or load, in the order in which a broker asks them for its groups.
  std::vector<std::shared_ptr<GroupShard>> listed_shards() const;

  // How many partitions the topic has, or will have.
  std::int32_t partition_count() const;
  // Has the controller create the topic, unless it is there or somebody asks already.
  void create_topic();

  void on_metadata(const controller::ImagePtr& before, const controller::ImagePtr& now,
                   const controller::RecordBatch& batch) override;

 private:
  void update_shards();
  void forget_topics(const controller::MetadataImage& before, const controller::RecordBatch& batch);
  Task<void> ask_for_topic();

  Process& process_;
  broker::Broker& broker_;
  GroupCoordinatorOptions options_;
  RecordCodec codec_;
  std::map<std::int32_t, std::shared_ptr<GroupShard>> shards_;
  std::size_t most_shards_ = 0;  // that there were at a time
  bool creating_ = false;
};

}  // namespace wt::kafka

// Looking at groups.
#include <set>

#include "sim/cluster/cluster.h"

namespace wt::cluster {
namespace {

GroupView to_view(const kafka::GroupShard& shard, const kafka::Group& group, std::int32_t broker) {
  GroupView view;
  view.group = group.id();
  view.kind = group.kind() == kafka::GroupKind::consumer ? "consumer" : "classic";
  view.state = group.state_name();
  view.protocol_type = group.protocol_type();
  view.coordinator = broker;
  view.members = group.member_views();
  const kafka::OffsetStore::Topics* topics = shard.offsets().find(group.id());
  if (topics == nullptr) return view;
  for (const auto& [topic, partitions] : *topics) {
    for (const auto& [partition, committed] : partitions) {
      GroupView::Offset& offset = view.offsets.emplace_back();
      offset.topic = topic;
      offset.partition = partition;
      offset.offset = committed.offset;
      offset.metadata = committed.metadata;
    }
  }
  return view;
}

}  // namespace

std::optional<GroupView> Cluster::group(std::string_view id) const {
  for (const BrokerSlot& broker : brokers_) {
    if (!alive(broker)) continue;
    kafka::ErrorCode code = kafka::ErrorCode::kNone;
    const auto shard = broker.groups->shard_of(id, code);
    const bool ready = shard != nullptr && shard->state() == kafka::GroupShard::State::ready;
    const kafka::Group* found = ready ? shard->find(id) : nullptr;
    if (found != nullptr) return to_view(*shard, *found, broker.id);
  }
  return std::nullopt;
}

std::vector<std::string> Cluster::groups() const {
  std::set<std::string> ids;
  for (const BrokerSlot& broker : brokers_) {
    if (!alive(broker)) continue;
    for (const auto& [number, shard] : broker.groups->shards()) {
      if (shard->state() != kafka::GroupShard::State::ready) continue;
      for (const auto& [id, group] : shard->groups()) ids.insert(id);
    }
  }
  return {ids.begin(), ids.end()};
}

}  // namespace wt::cluster

// Which brokers hold a new partition.
#include <algorithm>

#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

// Brokers by id, reordered so that neighbours are in different racks as far as possible.
std::vector<BrokerId> alternate_racks(const std::map<BrokerId, BrokerState>& brokers, bool active) {
  std::map<std::string, std::vector<BrokerId>> racks;
  std::size_t count = 0;
  for (const auto& [id, broker] : brokers) {
    if (broker.active() != active) continue;
    racks[broker.rack].push_back(id);
    ++count;
  }
  std::vector<BrokerId> order;
  for (std::size_t round = 0; order.size() < count; ++round) {
    for (const auto& [rack, ids] : racks) {
      if (round < ids.size()) order.push_back(ids[round]);
    }
  }
  return order;
}

// The first `factor` of these brokers, of which one is passed over while there is another in a rack that has
// fewer of the replicas. The first one is the leader, whatever its rack.
std::vector<BrokerId> spread_over_racks(std::vector<BrokerId> candidates, std::size_t factor,
                                        const std::map<BrokerId, BrokerState>& brokers) {
  std::vector<BrokerId> replicas;
  std::map<std::string, std::size_t> taken;
  while (replicas.size() < factor && !candidates.empty()) {
    const auto next = std::min_element(candidates.begin(), candidates.end(), [&](BrokerId a, BrokerId b) {
      return taken[brokers.at(a).rack] < taken[brokers.at(b).rack];
    });
    ++taken[brokers.at(*next).rack];
    replicas.push_back(*next);
    candidates.erase(next);
  }
  return replicas;
}

}  // namespace

Error Planner::place(std::int32_t partitions, std::int16_t factor, std::vector<Assignment>& out) {
  const auto refuse = [factor](const std::string& why) {
    return Error(ErrorCode::invalid_replication_factor,
                 "Unable to replicate the partition " + std::to_string(factor) + " time(s): " + why);
  };
  const std::size_t registered = image().brokers().size();
  if (static_cast<std::size_t>(factor) > registered) {
    return refuse("The target replication factor of " + std::to_string(factor) +
                  " cannot be reached because only " + std::to_string(registered) +
                  " broker(s) are registered or some brokers have all their log directories cordoned.");
  }
  const std::vector<BrokerId> active = alternate_racks(image().brokers(), true);
  const std::vector<BrokerId> fenced = alternate_racks(image().brokers(), false);
  if (active.empty())
    return refuse("All brokers are currently fenced or have all their log directories cordoned.");
  const std::size_t rounds_before = cursor_ / active.size();
  for (std::int32_t i = 0; i < partitions; ++i, ++cursor_) {
    // The leader moves on by one for each partition; after each round of the topic the others shift by one
    // more, so that the load of a broker that dies spreads, and every full round loads all brokers alike.
    const std::size_t leader = cursor_ % active.size();
    const std::size_t round = rounds_before + static_cast<std::size_t>(i) / active.size();
    std::vector<BrokerId> replicas = {active[leader]};
    for (std::size_t j = 0; j + 1 < active.size(); ++j) {
      const std::size_t step = 1 + (round + j) % (active.size() - 1);
      replicas.push_back(active[(leader + step) % active.size()]);
    }
    Assignment chosen =
        spread_over_racks(std::move(replicas), static_cast<std::size_t>(factor), image().brokers());
    for (std::size_t j = 0; j < fenced.size() && chosen.size() < static_cast<std::size_t>(factor); ++j)
      chosen.push_back(fenced[(cursor_ + j) % fenced.size()]);
    out.push_back(std::move(chosen));
  }
  return {};
}

}  // namespace wt::controller

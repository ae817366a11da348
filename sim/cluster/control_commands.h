// Commands that steer what clients meet: rules, coordinators, leaders, versions, the list of requests.
#pragma once

#include <string>
#include <string_view>

#include "sim/cluster/commands.h"
#include "sim/cluster/json_fields.h"

namespace wt::cluster {

struct ControlCommands {
  using Run = std::string (*)(Commands& commands, Fields& fields);
  // Null when there is no such command.
  static Run find(std::string_view name);

  static Cluster& cluster(Commands& commands) { return commands.cluster_; }
  // What follows at this instant belongs to the call.
  static std::string done(Commands& commands);

  static std::string add_rule(Commands& commands, Fields& fields);
  static std::string remove_rule(Commands& commands, Fields& fields);
  static std::string release_rule(Commands& commands, Fields& fields);
  static std::string remove_rules(Commands& commands, Fields& fields);
  static std::string move_coordinator(Commands& commands, Fields& fields);
  static std::string move_leaders(Commands& commands, Fields& fields);
  static std::string set_round_trip(Commands& commands, Fields& fields);
  static std::string set_api_versions(Commands& commands, Fields& fields);
  static std::string reset_api_versions(Commands& commands, Fields& fields);
  static std::string track_requests(Commands& commands, Fields& fields);
  static std::string clear_requests(Commands& commands, Fields& fields);

 private:
  // Asks for the moves, and answers once all have been made or refused.
  static std::string move_all(Commands& commands, const std::vector<controller::MoveLeader>& moves,
                              bool must_succeed);
};

// The internal topic whose partitions are the coordinators of that type ("group", "transaction"); empty for
// another type.
std::string_view coordinator_topic(std::string_view type);
// Of a key among so many.
std::int32_t coordinator_partition(std::string_view key, std::int32_t partitions);

}  // namespace wt::cluster

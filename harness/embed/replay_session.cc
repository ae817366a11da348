#include "harness/embed/replay_session.h"

namespace wt::harness {

StatusOr<ReplayResult> replay_session(JournalReader journal) {
  const StatusOr<cluster::ClusterOptions> options = cluster::options_from_json(journal.head().options_json);
  if (!options.ok()) return options.status();
  if (Status valid = cluster::validate(*options); !valid.ok()) return valid;
  SimulatedCluster simulated(*options);
  if (journal.head().listeners.empty()) simulated.start_without_listeners();
  return replay(std::move(journal), simulated);
}

}  // namespace wt::harness

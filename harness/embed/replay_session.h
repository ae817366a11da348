// Replaying a recording of a session: the cluster is made from the options in the recording's head.
#pragma once

#include "harness/embed/simulated_cluster.h"
#include "harness/journal/replay.h"

namespace wt::harness {

// InvalidArgument with a sentence when the head does not describe a cluster.
StatusOr<ReplayResult> replay_session(JournalReader journal);

}  // namespace wt::harness

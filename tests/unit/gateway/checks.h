// What every recorded run must satisfy.
#pragma once

#include <catch2/catch.hpp>

#include "tests/unit/gateway/rig.h"

namespace wt::harness {

// Twice replayed, in memory: the same bytes to every connection and the same trace.
inline void check_replay(const Rig& rig) {
  const ReplayResult first = rig.replayed();
  INFO((first.difference ? first.difference->text : std::string("equal")));
  CHECK(first.equal);
  CHECK(first.complete);
  CHECK(first.problem == "");
  const ReplayResult second = rig.replayed();
  CHECK(second.equal);
  CHECK(second.trace_hash == first.trace_hash);
  CHECK(first.trace_hash == rig.sim->kernel().trace().hash());
  CHECK(first.steps == rig.sim->kernel().steps());
}

}  // namespace wt::harness

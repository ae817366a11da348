#include <catch2/catch.hpp>

#include "tests/unit/gateway/rig.h"

using namespace wt;
using namespace wt::harness;

namespace {

void check_replay(const Rig& rig) {
  const ReplayResult first = rig.replayed();
  if (first.difference) INFO(first.difference->text);
  CHECK(first.equal);
  CHECK(first.complete);
  CHECK(first.problem == "");
  const ReplayResult second = rig.replayed();
  CHECK(second.trace_hash == first.trace_hash);
  CHECK(first.trace_hash == rig.sim->kernel().trace().hash());
  CHECK(first.steps == rig.sim->kernel().steps());
}

}  // namespace

TEST_CASE("an echo over real sockets is recorded and replayed") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  REQUIRE(rig.sim->addresses.size() == 3);
  {
    Client client(rig.port());
    CHECK(client.ask("e hello") == "e hello");
    CHECK(client.ask("d5 later") == "d5 later");
    const auto random = client.ask("x");
    REQUIRE(random);
    CHECK(random->size() > 1);
    Client other(rig.port(2));
    other.send("t20 slow");
    CHECK(other.ask("e quick") == "e quick");
    CHECK(other.receive() == "t20 slow");
  }
  rig.driver.stop();
  check_replay(rig);
}

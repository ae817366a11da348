#include <catch2/catch.hpp>

#include "tests/unit/stream/world.h"

namespace wt::stream {
namespace {

TEST_CASE("appends get consecutive offsets and ordinals and are read back") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  REQUIRE(stream);
  auto first = world.append(0, stream, "aaa", 3);
  auto second = world.append(0, stream, "bb", 2);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->ok());
  CHECK(first->start == 0);
  CHECK(first->end == 3);
  CHECK(second->start == 3);
  CHECK(second->end == 5);
  CHECK(second->ordinal_start == 1);
  CHECK(second->committed_end == 5);
  CHECK(second->cumulative_size_bytes == 5);
  CHECK(second->commit_version == 2);
  CHECK(world.contents(0, stream) == std::vector<std::string>{"aaa", "bb"});
  stream->drop_cache();
  CHECK(world.contents(0, stream) == std::vector<std::string>{"aaa", "bb"});
  REQUIRE(!world.kernel.finding());
}

}  // namespace
}  // namespace wt::stream

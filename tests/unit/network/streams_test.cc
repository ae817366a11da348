#include <catch2/catch.hpp>

#include "tests/unit/network/net.h"

using namespace wt;
using namespace wt::test;

namespace {

// Reads to the end; one line for each piece and one for how it ended.
Task<void> read_all(Process& process, ByteStream& stream, Lines& lines) {
  for (;;) {
    StatusOr<Slice> piece = co_await stream.read(process);
    if (!piece.ok()) {
      lines.push_back("reset");
      co_return;
    }
    if (piece->empty()) {
      lines.push_back("end");
      co_return;
    }
    lines.emplace_back(piece->text());
  }
}

Task<void> connect_to(Net& net, NodeId to, Lines& lines, std::optional<ByteStream>& out) {
  Process& process = net.process(1);
  StatusOr<ByteStream> stream = co_await net.streams.connect(process, 1, to, 100);
  if (stream.ok()) {
    lines.push_back("connected");
    out.emplace(std::move(*stream));
  } else {
    lines.push_back(stream.status().code() == StatusCode::kUnavailable ? "refused" : "deadline");
  }
}

Task<void> wait_drained(Process& process, ByteStream& stream, Lines& lines) {
  co_await stream.drained(process);
  lines.push_back("drained");
}

struct Pair {
  explicit Pair(Net& net) : keeper(net.process(2).emplace<Keeper>()) {
    net.streams.listen(2, net.process(2), keeper);
    Lines lines;
    net.process(1).spawn(connect_to(net, 2, lines, near));
    net.run(50);
    REQUIRE(lines == Lines{"connected"});
  }
  ByteStream& far() { return keeper.accepted.at(0); }
  Keeper& keeper;
  std::optional<ByteStream> near;
};

std::string text_of(const Streams::External& out) {
  return std::string(flatten(out.bytes).text());
}

}  // namespace

TEST_CASE("bytes arrive in order, then the end of the stream") {
  for (const DurationNs latency_ns : {0, 10}) {
    Net net(fixed_latency(latency_ns));
    Pair pair(net);
    Lines lines;
    net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
    pair.near->write(one_slice("one"));
    net.run(20);
    pair.near->write(one_slice("two"));
    pair.near->write({});
    pair.near->close();
    net.run(20);
    CHECK(lines == Lines{"one", "two", "end"});
    CHECK_FALSE(pair.far().open());
    pair.far().close();
    net.run(20);
    CHECK(net.streams.open_connections() == 0);
  }
}

TEST_CASE("a half-closed connection still carries the other direction") {
  Net net;
  Pair pair(net);
  Lines near_lines;
  net.process(1).spawn(read_all(net.process(1), *pair.near, near_lines));
  pair.near->shutdown_write();
  pair.near->write(one_slice("too late"));
  pair.far().write(one_slice("answer"));
  net.run(1);
  CHECK(near_lines == Lines{"answer"});
  CHECK(pair.far().open());
  CHECK(pair.far().readable_bytes() == 0);
}

TEST_CASE("a reset drops what was not read and ends both directions") {
  Net net;
  Pair pair(net);
  pair.near->write(one_slice("lost"));
  pair.near->reset();
  Lines lines;
  net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
  net.run(1);
  CHECK(lines == Lines{"reset"});
  CHECK_FALSE(pair.far().open());
  pair.far().write(one_slice("nowhere"));
  pair.far().close();
  CHECK(net.streams.open_connections() == 0);
}

TEST_CASE("a process that dies ends its connections in good order, whatever its destructors do") {
  struct ResetsInDestructor : ProcessPart {
    ~ResetsInDestructor() override {
      stream.write(one_slice("from the grave"));
      stream.reset();
    }
    ByteStream stream;
  };
  Net net(fixed_latency(10));
  Pair pair(net);
  auto& part = net.process(1).emplace<ResetsInDestructor>();
  part.stream = std::move(*pair.near);
  part.stream.write(one_slice("last words"));
  Lines lines;
  net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
  net.kernel.kill(net.process(1).id());
  net.run(100);
  CHECK(lines == Lines{"last words", "end"});
}

TEST_CASE("a node that vanishes says nothing and hears nothing") {
  Net net;
  Pair pair(net);
  Lines near_lines;
  Lines far_lines;
  net.process(1).spawn(read_all(net.process(1), *pair.near, near_lines));
  net.process(2).spawn(read_all(net.process(2), pair.far(), far_lines));
  net.run(1);
  net.streams.vanish(2);
  pair.far().write(one_slice("unheard"));
  pair.near->write(one_slice(std::string(1500, 'x')));
  net.run(1);
  CHECK(pair.near->congested());
  net.process(1).spawn(wait_drained(net.process(1), *pair.near, near_lines));
  net.kernel.kill(net.process(2).id());
  net.run(kHour_ns);
  CHECK(near_lines.empty());
  CHECK(far_lines.empty());
  CHECK(pair.near->open());
  CHECK(pair.near->congested());
}

TEST_CASE("connect: refused without a listener or by a fault, a time-out when it hangs or is cut") {
  Net net;
  Lines lines;
  std::optional<ByteStream> stream;
  net.process(1).spawn(connect_to(net, 2, lines, stream));
  net.run(1);
  CHECK(lines == Lines{"refused"});
  auto& keeper = net.process(2).emplace<Keeper>();
  net.streams.listen(2, net.process(2), keeper);
  net.streams.set_connect_fault(2, Streams::ConnectFault::refuse);
  net.process(1).spawn(connect_to(net, 2, lines, stream));
  net.run(1);
  CHECK(lines.back() == "refused");
  net.streams.set_connect_fault(2, Streams::ConnectFault::hang);
  net.process(1).spawn(connect_to(net, 2, lines, stream));
  net.run(99);
  CHECK(lines.size() == 2);
  net.run(1);
  CHECK(lines.back() == "deadline");
  net.streams.set_connect_fault(2, Streams::ConnectFault::none);
  net.links.block(1, 2);
  net.process(1).spawn(connect_to(net, 2, lines, stream));
  net.run(200);
  CHECK(lines == Lines{"refused", "refused", "deadline", "deadline"});
  CHECK(keeper.accepted.empty());
  // The attempt arrives after all; nobody waits any more, so the connection is closed.
  net.links.heal();
  net.run(1);
  REQUIRE(keeper.accepted.size() == 1);
  CHECK_FALSE(keeper.accepted[0].open());
  keeper.accepted.clear();
  CHECK(net.streams.open_connections() == 0);
}

TEST_CASE("an answer to connect that is lost, or that comes to a task that has gone, leaks no connection") {
  for (const bool lose : {true, false}) {
    Net net;
    Lines lines;
    std::optional<ByteStream> stream;
    auto& keeper = net.process(2).emplace<Keeper>();
    net.streams.listen(2, net.process(2), keeper);
    net.links.hold(2, 1);
    net.process(1).spawn(connect_to(net, 2, lines, stream));
    net.run(1);
    REQUIRE(net.links.held().size() == 1);
    if (lose) {
      net.links.discard(net.links.held()[0].id);
    } else {
      net.kernel.kill(net.process(1).id());
      net.links.stop_holding(2, 1);
    }
    net.links.stop_holding(2, 1);
    net.run(1000);
    REQUIRE(keeper.accepted.size() == 1);
    CHECK_FALSE(keeper.accepted[0].open());
    keeper.accepted.clear();
    CHECK(net.streams.open_connections() == 0);
  }
}

TEST_CASE("bytes let go in another order arrive in the order of sending; lost ones stop the rest") {
  Net net;
  Pair pair(net);
  Lines lines;
  net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
  net.links.hold(1, 2);
  for (const char* text : {"1", "2", "3"}) pair.near->write(one_slice(text));
  pair.near->close();
  auto held = net.links.held();
  REQUIRE(held.size() == 4);
  net.links.release(held[3].id);
  net.links.release(held[1].id);
  net.run(1);
  CHECK(lines.empty());
  net.links.release(held[0].id);
  net.run(1);
  CHECK(lines == Lines{"1", "2"});
  net.links.discard(held[2].id);
  net.links.stop_holding(1, 2);
  net.run(1000);
  CHECK(lines == Lines{"1", "2"});
}

TEST_CASE("a writer that waits goes on when the reader has taken enough") {
  Net net;
  Pair pair(net);
  Lines lines;
  pair.near->write(one_slice(std::string(600, 'a')));
  CHECK_FALSE(pair.near->congested());
  pair.near->write(one_slice(std::string(600, 'b')));
  CHECK(pair.near->congested());
  net.process(1).spawn(wait_drained(net.process(1), *pair.near, lines));
  net.run(1);
  CHECK(lines.empty());
  net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
  net.run(1);
  CHECK_FALSE(pair.near->congested());
  CHECK(std::count(lines.begin(), lines.end(), "drained") == 1);
}

TEST_CASE("closing an end wakes the tasks of its own process that wait on it") {
  Net net;
  Pair pair(net);
  Lines lines;
  net.process(1).spawn(read_all(net.process(1), *pair.near, lines));
  pair.near->write(one_slice(std::string(1500, 'x')));
  net.process(1).spawn(wait_drained(net.process(1), *pair.near, lines));
  net.run(1);
  CHECK(lines.empty());
  pair.near->close();
  net.run(1);
  CHECK(lines == Lines{"reset", "drained"});
  CHECK(net.process(1).task_count() == 0);
}

TEST_CASE("a program may die while it accepts, from inside and from outside") {
  struct Fragile final : ProcessPart, Acceptor {
    explicit Fragile(Process& owner) : process(owner) {}
    void on_accept(ByteStream stream) override {
      kept = std::move(stream);
      process.kernel().kill(process.id());
      count += 1;
    }
    Process& process;
    ByteStream kept;
    int count = 0;
  };
  for (const bool outside : {false, true}) {
    Net net;
    auto& fragile = net.process(2).emplace<Fragile>(net.process(2));
    net.streams.listen(2, net.process(2), fragile);
    Lines lines;
    std::optional<ByteStream> stream;
    if (outside) {
      const StatusOr<ConnectionId> id = net.streams.external_connect(3, 2);
      REQUIRE(id.ok());
      CHECK(net.streams.external_take(*id).ended);
    } else {
      net.process(1).spawn(connect_to(net, 2, lines, stream));
      net.run(1);
      REQUIRE(lines == Lines{"connected"});
      CHECK_FALSE(stream->open());
      stream.reset();
    }
    CHECK(net.links.process_at(2) == nullptr);
    CHECK(net.streams.open_connections() == 0);
    CHECK_FALSE(net.kernel.finding());
  }
}

TEST_CASE("two readers of one connection are a finding") {
  Net net;
  Pair pair(net);
  Lines lines;
  net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
  net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
  net.run(1);
  REQUIRE(net.kernel.finding());
  CHECK(net.kernel.finding()->check == "network.stream.reader");
  CHECK(net.kernel.finding()->process == "b");
}

TEST_CASE("the outside connects, writes, takes, blocks and ends") {
  Net net;
  CHECK_FALSE(net.streams.external_connect(3, 2).ok());
  auto& keeper = net.process(2).emplace<Keeper>();
  net.streams.listen(2, net.process(2), keeper);
  const StatusOr<ConnectionId> id = net.streams.external_connect(3, 2);
  REQUIRE(id.ok());
  ByteStream& stream = keeper.accepted.at(0);
  net.streams.external_write(*id, Slice::copy_of("hello"));
  CHECK(net.streams.external_backlog(*id) == 5);
  Lines lines;
  net.process(2).spawn(read_all(net.process(2), stream, lines));
  net.run(1);
  CHECK(lines == Lines{"hello"});
  CHECK(net.streams.external_backlog(*id) == 0);

  CHECK(net.streams.external_changed().empty());
  net.streams.external_blocked(*id, true);
  stream.write(one_slice(std::string(1500, 'x')));
  CHECK(net.streams.external_changed() == std::vector<ConnectionId>{*id});
  CHECK(text_of(net.streams.external_take(*id)).empty());
  CHECK(stream.congested());
  net.streams.external_blocked(*id, false);
  CHECK(net.streams.external_changed() == std::vector<ConnectionId>{*id});
  CHECK(text_of(net.streams.external_take(*id)) == std::string(1500, 'x'));
  CHECK_FALSE(stream.congested());

  net.streams.external_shutdown_write(*id);
  net.run(1);
  CHECK(lines == Lines{"hello", "end"});
  stream.write(one_slice("bye"));
  stream.close();
  CHECK(net.streams.external_changed() == std::vector<ConnectionId>{*id});
  const Streams::External last = net.streams.external_take(*id);
  CHECK(text_of(last) == "bye");
  CHECK(last.ended);
  CHECK_FALSE(last.reset);
  CHECK_FALSE(net.streams.exists(*id));
  CHECK(net.streams.external_take(*id).reset);
}

TEST_CASE("an outside client that resets is gone at once; bytes to a closed end are no backlog") {
  Net net;
  auto& keeper = net.process(2).emplace<Keeper>();
  net.streams.listen(2, net.process(2), keeper);
  const ConnectionId first = *net.streams.external_connect(3, 2);
  const ConnectionId second = *net.streams.external_connect(3, 2);
  net.streams.external_reset(first);
  Lines lines;
  net.process(2).spawn(read_all(net.process(2), keeper.accepted[0], lines));
  net.run(1);
  CHECK(lines == Lines{"reset"});
  net.streams.external_write(second, Slice::copy_of("unread"));
  keeper.accepted.clear();
  CHECK(net.streams.external_backlog(second) == 0);
  net.streams.external_write(second, Slice::copy_of("more"));
  CHECK(net.streams.external_backlog(second) == 0);
  CHECK(net.streams.external_take(second).ended);
  CHECK(net.streams.open_connections() == 0);
}

TEST_CASE("an outside client of a node that hangs is connected and never served; leaving ends it") {
  Net net;
  auto& keeper = net.process(2).emplace<Keeper>();
  net.streams.listen(2, net.process(2), keeper);
  net.streams.set_connect_fault(2, Streams::ConnectFault::hang);
  const ConnectionId id = *net.streams.external_connect(3, 2);
  CHECK(keeper.accepted.empty());
  net.streams.external_write(id, Slice::copy_of("hello"));
  CHECK(net.streams.external_backlog(id) == 5);
  net.streams.external_reset(id);
  CHECK(net.streams.open_connections() == 0);
}

TEST_CASE("handles may outlive the network, and the network its frames") {
  ByteStream kept;
  Lines lines;
  {
    Net net;
    Pair pair(net);
    net.process(2).spawn(read_all(net.process(2), pair.far(), lines));
    net.process(1).spawn(wait_drained(net.process(1), *pair.near, lines));
    net.run(1);
    lines.clear();
    kept = std::move(*pair.near);
  }
  CHECK_FALSE(kept.open());
  kept.write(one_slice("nowhere"));
  kept.close();
  CHECK(lines.empty());
}

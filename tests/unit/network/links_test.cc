#include <catch2/catch.hpp>

#include "tests/unit/network/net.h"

using namespace wt;
using namespace wt::test;

namespace {

void send(Net& net, Lines& lines, const std::string& text,
          Links::WhenBlocked when = Links::WhenBlocked::wait) {
  net.links.transmit(1, 2, "test.parcel"_label, when, [&lines, text] { lines.push_back(text); });
}

}  // namespace

TEST_CASE("a parcel takes the latency of its link, and parcels stay in order") {
  Net net(fixed_latency(10));
  Lines lines;
  send(net, lines, "1");
  net.links.set_latency(1, 2, fixed_latency(1));
  send(net, lines, "2");
  net.run(9);
  CHECK(lines.empty());
  net.run(1);
  CHECK(lines == Lines{"1", "2"});
  send(net, lines, "3");
  net.run(1);
  CHECK(lines.size() == 3);
}

TEST_CASE("a link that was clogged while parcels flew keeps their order") {
  Net net(fixed_latency(10));
  Lines lines;
  send(net, lines, "1");
  net.run(5);
  send(net, lines, "2");
  net.links.clog(1, 2);
  net.run(5);
  CHECK(lines.empty());
  net.links.unclog(1, 2);
  net.run(5);
  CHECK(lines.empty());
  net.run(5);
  CHECK(lines == Lines{"1", "2"});
}

TEST_CASE("what is sent while blocked stays behind what flew before") {
  Net net(fixed_latency(10));
  Lines lines;
  send(net, lines, "1");
  net.links.block(1, 2);
  send(net, lines, "2");
  net.run(10);
  CHECK(lines.empty());
  net.links.unblock(1, 2);
  CHECK_FALSE(net.links.clear(1, 2));
  net.run(100);
  CHECK(lines == Lines{"1", "2"});
}

TEST_CASE("a blocked link drops what cannot wait: sent, flying or standing") {
  Net net(fixed_latency(10));
  Lines lines;
  send(net, lines, "flying", Links::WhenBlocked::drop);
  net.links.clog(1, 2);
  send(net, lines, "standing", Links::WhenBlocked::drop);
  send(net, lines, "bytes");
  net.links.block(1, 2);
  send(net, lines, "sent", Links::WhenBlocked::drop);
  net.run(100);
  net.links.heal();
  net.run(100);
  CHECK(lines == Lines{"bytes"});
  CHECK(net.kernel.pending_events() == 0);
}

TEST_CASE("a partition cuts both directions between two groups and nothing else") {
  Net net;
  net.links.partition({1, 3}, {2});
  CHECK(net.links.is_blocked(1, 2));
  CHECK(net.links.is_blocked(2, 3));
  CHECK_FALSE(net.links.is_blocked(1, 3));
  net.links.heal();
  CHECK_FALSE(net.links.is_blocked(1, 2));
  CHECK(net.links.clear(1, 2));
}

TEST_CASE("held parcels wait for the test, which may reorder and lose them") {
  Net net;
  Lines lines;
  net.links.hold(1, 2);
  for (const char* text : {"1", "2", "3", "4"}) send(net, lines, text);
  net.run(100);
  CHECK(lines.empty());
  const auto held = net.links.held();
  REQUIRE(held.size() == 4);
  CHECK(held[0].kind == "test.parcel");
  CHECK(net.links.release(held[2].id));
  CHECK(net.links.discard(held[0].id));
  CHECK_FALSE(net.links.release(held[0].id));
  net.run(1);
  CHECK(lines == Lines{"3"});
  net.links.stop_holding(1, 2);
  send(net, lines, "5");
  net.run(1);
  CHECK(lines == Lines{"3", "2", "4", "5"});
  CHECK(net.links.clear(1, 2));
}

TEST_CASE("a link delivers in order whatever the order in which ready events run") {
  KernelOptions options;
  options.ready.order = ReadyOrder::random;
  Kernel kernel(options);
  Links links(kernel, {});
  links.add_node("a");
  links.add_node("b");
  std::vector<int> got;
  for (int i = 0; i < 50; ++i) {
    links.transmit(1, 2, "test.parcel"_label, Links::WhenBlocked::drop, [&got, i] { got.push_back(i); });
  }
  kernel.run_ready();
  REQUIRE(got.size() == 50);
  CHECK(std::is_sorted(got.begin(), got.end()));
}

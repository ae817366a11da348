// One connection against a model: whatever is done to the links, bytes arrive exactly once and in order,
// the end comes after all of them, and a reset ends it.
#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <optional>

#include "sim/kernel/kernel.h"
#include "sim/network/byte_stream.h"

using namespace wt;

namespace {

enum class Op : std::uint8_t {
  write,
  finish,
  reset,
  run,
  block,
  unblock,
  clog,
  unclog,
  hold,
  let_go,
  release,
  latency,
  pause,
  resume,
};

struct Command {
  Op op = Op::write;
  int side = 0;
  std::size_t amount = 0;
};

void showValue(const Command& command, std::ostream& out) {
  out << "{op " << static_cast<int>(command.op) << " side " << command.side << " amount " << command.amount
      << "}";
}

rc::Gen<Command> command_generator(bool with_reset) {
  std::vector<Op> ops{Op::write,   Op::write,   Op::write,  Op::finish, Op::run,  Op::run,
                      Op::block,   Op::unblock, Op::clog,   Op::unclog, Op::hold, Op::let_go,
                      Op::release, Op::pause,   Op::resume, Op::latency};
  if (with_reset) ops.push_back(Op::reset);
  return rc::gen::build<Command>(rc::gen::set(&Command::op, rc::gen::elementOf(ops)),
                                 rc::gen::set(&Command::side, rc::gen::inRange(0, 2)),
                                 rc::gen::set(&Command::amount, rc::gen::inRange<std::size_t>(0, 40)));
}

struct Keeper final : Acceptor {
  void on_accept(ByteStream accepted) override { stream = std::move(accepted); }
  ByteStream stream;
};

struct Side {
  ByteStream stream;
  std::string sent;      // by this side
  std::string received;  // from the other side
  bool finished = false;
  bool reset_by_us = false;
  bool saw_end = false;
  bool saw_reset = false;
};

Task<void> connect_to(Streams& streams, Process& process, Side& side) {
  StatusOr<ByteStream> stream = co_await streams.connect(process, 1, 2, kSecond_ns);
  if (stream.ok()) side.stream = std::move(*stream);
}

Task<void> read_all(Process& process, Side& side) {
  for (;;) {
    StatusOr<Slice> piece = co_await side.stream.read(process);
    if (!piece.ok()) {
      side.saw_reset = true;
      co_return;
    }
    if (piece->empty()) {
      side.saw_end = true;
      co_return;
    }
    side.received += piece->text();
  }
}

struct Bench {
  explicit Bench(ReadyOrder order)
      : kernel(options_of(order)), links(kernel, {}), streams(kernel, links, {}) {
    for (const char* name : {"near", "far"}) {
      const NodeId node = links.add_node(name);
      Process& process = kernel.create_process(name);
      links.attach(node, process);
    }
    streams.listen(2, *links.process_at(2), keeper);
    Process& near = *links.process_at(1);
    near.spawn(connect_to(streams, near, sides[0]));
    kernel.run_ready();
    sides[1].stream = std::move(keeper.stream);
    for (NodeId node = 1; node <= 2; ++node) {
      Process& process = *links.process_at(node);
      process.spawn(read_all(process, sides[node - 1]));
    }
  }
  static KernelOptions options_of(ReadyOrder order) {
    KernelOptions options;
    options.ready.order = order;
    return options;
  }

  void apply(const Command& command) {
    const NodeId from = static_cast<NodeId>(command.side + 1);
    const NodeId to = 3 - from;
    Side& side = sides[command.side];
    switch (command.op) {
      case Op::write:
        return write(side, command.amount);
      case Op::finish:
        side.stream.shutdown_write();
        side.finished = true;
        return;
      case Op::reset:
        return reset(side, command.side);
      case Op::run:
        return kernel.run_until(kernel.now() + static_cast<DurationNs>(command.amount));
      case Op::block:
        return links.block(from, to);
      case Op::unblock:
        return links.unblock(from, to);
      case Op::clog:
        return links.clog(from, to);
      case Op::unclog:
        return links.unclog(from, to);
      case Op::hold:
        return links.hold(from, to);
      case Op::let_go:
        return links.stop_holding(from, to);
      case Op::release:
        return release(command.amount);
      case Op::latency:
        return set_latency(from, to, static_cast<DurationNs>(command.amount));
      case Op::pause:
        return kernel.pause(links.process_at(from)->id());
      case Op::resume:
        return kernel.resume(links.process_at(from)->id());
    }
  }

  // Whatever has happened so far, nobody has read anything else than a prefix.
  void check_prefixes() const {
    for (int i = 0; i < 2; ++i) {
      const std::string& sent = sides[1 - i].sent;
      RC_ASSERT(sent.compare(0, sides[i].received.size(), sides[i].received) == 0);
      if (sides[i].saw_end) RC_ASSERT(sides[1 - i].finished && sides[i].received == sent);
      if (sides[i].saw_reset) RC_ASSERT(sides[0].reset_by_us || sides[1].reset_by_us);
    }
  }

  void let_everything_through() {
    for (NodeId node = 1; node <= 2; ++node) {
      links.stop_holding(node, 3 - node);
      kernel.resume(links.process_at(node)->id());
    }
    links.heal();
    kernel.run_until(kernel.now() + kSecond_ns);
  }

  Kernel kernel;
  Links links;
  Streams streams;
  Keeper keeper;
  Side sides[2];

 private:
  void write(Side& side, std::size_t size_bytes) {
    std::string text;
    for (std::size_t i = 0; i < size_bytes; ++i) {
      text += static_cast<char>(mix64(side.sent.size() + i) >> 56);
    }
    const Slice whole = Slice::copy_of(text);
    SliceList bytes;
    bytes.push_back(whole.sub(0, size_bytes / 3));
    bytes.push_back(whole.sub(size_bytes / 3, size_bytes - size_bytes / 3));
    side.stream.write(std::move(bytes));
    if (!side.finished) side.sent += text;
  }
  void reset(Side& side, int index) {
    if (!side.stream) return;
    side.stream.reset();
    sides[index].reset_by_us = true;
    side.finished = true;
  }
  void release(std::size_t which) {
    const auto held = links.held();
    if (!held.empty()) links.release(held[which % held.size()].id);
  }
  void set_latency(NodeId from, NodeId to, DurationNs base_ns) {
    LinkLatency latency;
    latency.base_ns = base_ns;
    latency.tail_mean_ns = 20;
    latency.tail_ppm = 300'000;
    links.set_latency(from, to, latency);
  }
};

using Commands = std::vector<Command>;

void check_run(ReadyOrder order, const Commands& commands) {
  Bench bench(order);
  for (const Command& command : commands) {
    bench.apply(command);
    bench.check_prefixes();
  }
  bench.let_everything_through();
  bench.check_prefixes();
  RC_ASSERT(!bench.kernel.finding());
  for (int i = 0; i < 2; ++i) {
    const Side& peer = bench.sides[1 - i];
    const bool reset = bench.sides[0].reset_by_us || bench.sides[1].reset_by_us;
    if (!reset) RC_ASSERT(bench.sides[i].received == peer.sent);
    if (!reset && peer.finished) RC_ASSERT(bench.sides[i].saw_end);
    // No reader waits for ever on a connection that was reset.
    if (reset) RC_ASSERT(bench.sides[i].saw_reset || bench.sides[i].saw_end);
  }
  for (Side& side : bench.sides) side.stream.close();
  bench.kernel.run_until(bench.kernel.now() + kSecond_ns);
  RC_ASSERT(bench.streams.open_connections() == 0u);
  RC_ASSERT(bench.kernel.pending_events() == 0u);
}

// Ten runs for each of RapidCheck's cases.
void check_runs(bool with_reset) {
  const auto order = *rc::gen::element(ReadyOrder::fifo, ReadyOrder::random, ReadyOrder::pct);
  const auto one_run = rc::gen::container<Commands>(command_generator(with_reset));
  const auto runs = *rc::gen::container<std::vector<Commands>>(10, one_run);
  for (const Commands& commands : runs) check_run(order, commands);
}

}  // namespace

TEST_CASE("bytes arrive exactly once and in order, and then the end, in every mix of faults") {
  CHECK(rc::check([] { check_runs(false); }));
}

TEST_CASE("a reset ends a connection in every mix of faults") {
  CHECK(rc::check([] { check_runs(true); }));
}

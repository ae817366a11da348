#include "tests/property/network/world.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "sim/kernel/sync.h"

namespace wt::test {
namespace {

// The n-th byte that is sent on any connection.
std::uint8_t byte_at(std::uint64_t position) {
  return static_cast<std::uint8_t>(mix64(position) >> 56);
}

}  // namespace

SliceList pattern(std::uint64_t from, std::size_t size_bytes, std::size_t cut) {
  SliceList list;
  std::vector<std::uint8_t> bytes(size_bytes);
  for (std::size_t i = 0; i < size_bytes; ++i) bytes[i] = byte_at(from + i);
  const Slice whole = Slice::copy_of(bytes);
  cut = std::min(cut, size_bytes);
  list.push_back(whole.sub(0, cut));
  list.push_back(whole.from(cut));
  return list;
}

void check_pattern(const Slice& bytes, std::uint64_t position) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    WT_INVARIANT(bytes.data()[i] == byte_at(position + i), "test.echo",
                 "wrong byte at " + std::to_string(position + i));
  }
}

namespace {

// Counts itself: lives on frames, so that a frame that is never destroyed shows.
class Live {
 public:
  explicit Live(std::int64_t& count) : count_(count) { ++count_; }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;
  ~Live() { --count_; }

 private:
  std::int64_t& count_;
};

// What runs on a server: echoes connections, one piece at a time through a lane; answers calls late.
class Server final : public ProcessPart, public Acceptor, public CallTarget {
 public:
  Server(World& world, Process& process, NodeId node)
      : world_(world), process_(process), node_(node), lane_(process), work_(process), opened_(process) {}
  ~Server() override;
  void on_accept(ByteStream stream) override;
  void on_call(NodeId from, CallId id, BodyPtr request) override;

  World& world_;
  Process& process_;
  NodeId node_;
  Lane lane_;
  Channel<CallId> work_;
  Gate opened_;
};

Server::~Server() {
  // All of it must act on nothing: the process is dead.
  lane_.held();
  process_.trace("test.server.gone"_label);
  world_.calls.reply(node_, 1, make_status(StatusCode::kInternal, "from beyond"));
}

Task<void> echo(Server& server, std::unique_ptr<ByteStream> stream) {
  World& world = server.world_;
  Process& process = server.process_;
  Live live(world.live);
  for (;;) {
    StatusOr<Slice> piece = co_await stream->read(process);
    if (!piece.ok() || piece->empty()) break;
    FaultSite site("kafka.request.received"_label);
    site.broker = static_cast<std::int32_t>(server.node_);
    site.connection = stream->id();
    const FaultDecision fault = co_await world.rules.at(process, site);
    if (fault.is(FaultAction::close)) co_return;
    if (fault.is(FaultAction::close_after)) {
      stream->reset();
      co_return;
    }
    Lane::Guard guard = co_await server.lane_.acquire();
    const std::int64_t think_ns = process.random("test.think"_label).between(0, 200);
    if (think_ns > 100) co_await process.sleep(think_ns * kMicrosecond_ns);
    guard.release();
    SliceList bytes;
    bytes.push_back(std::move(*piece));
    stream->write(std::move(bytes));
    co_await stream->drained(process);
  }
  stream->shutdown_write();
  co_await process.yield();
}

Task<void> answer_calls(Server& server) {
  Process& process = server.process_;
  Live live(server.world_.live);
  co_await server.opened_.wait();
  for (;;) {
    std::optional<CallId> id = co_await server.work_.pop();
    if (!id) co_return;
    const std::int64_t kind = process.random("test.answer"_label).between(0, 9);
    if (kind == 0) continue;  // never
    if (kind < 4) co_await process.sleep(kind * kMillisecond_ns, TimerKind::park);
    process.trace("test.answer"_label, *id);
    BodyPtr body = std::make_unique<Message<std::uint64_t>>(*id);
    server.world_.calls.reply(server.node_, *id, std::move(body));
  }
}

Task<void> watch_silence(Server& server) {
  Live live(server.world_.live);
  WaitQueue never(server.process_);
  for (;;) {
    const TimeNs deadline_ns = server.process_.now() + 7 * kMillisecond_ns;
    const bool notified = co_await never.wait_until(deadline_ns, TimerKind::silence);
    server.process_.trace("test.silence"_label, notified ? 1 : 0);
  }
}

void Server::on_accept(ByteStream stream) {
  process_.spawn(echo(*this, std::make_unique<ByteStream>(std::move(stream))));
}

void Server::on_call(NodeId, CallId id, BodyPtr) {
  opened_.open();
  work_.push(id);
}

Task<void> write_bytes(World& world, Process& process, ByteStream& stream, std::uint64_t total_bytes) {
  Live live(world.live);
  std::uint64_t sent = 0;
  RandomStream& random = process.random("test.write"_label);
  while (sent < total_bytes) {
    const auto size_bytes = static_cast<std::size_t>(random.between(1, 700));
    const auto cut = static_cast<std::size_t>(random.between(0, 700));
    stream.write(pattern(sent, size_bytes, cut));
    sent += size_bytes;
    if (random.chance_ppm(300'000)) co_await process.sleep(random.between(0, 400) * kMicrosecond_ns);
    co_await stream.drained(process);
  }
  stream.shutdown_write();
}

Task<void> use_stream(World& world, Process& process, NodeId from, NodeId to) {
  Live live(world.live);
  StatusOr<ByteStream> connected = co_await world.streams.connect(process, from, to, 5 * kMillisecond_ns);
  process.trace("test.connected"_label, connected.ok() ? 1 : 0);
  if (!connected.ok()) co_return;
  ByteStream stream = std::move(*connected);
  const auto total_bytes = static_cast<std::uint64_t>(process.random("test.size"_label).between(1, 6000));
  co_await write_bytes(world, process, stream, total_bytes);
  std::uint64_t position = 0;
  for (;;) {
    StatusOr<Slice> piece = co_await stream.read(process);
    if (!piece.ok() || piece->empty()) break;
    check_pattern(*piece, position);
    position += piece->size();
    world.echoed_bytes += piece->size();
  }
  process.trace("test.echoed"_label, position);
}

Task<void> use_calls(World& world, Process& process, NodeId from, std::uint64_t rounds) {
  Live live(world.live);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const bool durable = process.random("test.callee"_label).chance_ppm(500'000);
    CallOptions options;
    options.from = from;
    options.to = durable ? world.durable : world.nodes[i % kServers];
    options.timeout_ns = 4 * kMillisecond_ns;
    options.point = durable ? "metadata.cas"_label.info() : "objects.put"_label.info();
    BodyPtr request = std::make_unique<Message<std::uint64_t>>(i);
    StatusOr<BodyPtr> answer = co_await world.calls.call(process, options, std::move(request));
    process.trace("test.called"_label, static_cast<std::uint64_t>(answer.status().code()));
    if (answer.ok()) ++world.answers;
    if (process.random("test.callee"_label).chance_ppm(200'000)) co_await process.yield();
  }
}

Task<void> client(World& world, Process& process, NodeId node) {
  Live live(world.live);
  for (std::size_t round = 0; round < 6; ++round) {
    process.spawn(use_calls(world, process, node, 4));
    co_await use_stream(world, process, node, world.nodes[round % kServers]);
    const TimerKind kind = round % 2 == 0 ? TimerKind::protocol : TimerKind::silence;
    co_await process.sleep(kMillisecond_ns, kind);
  }
}

}  // namespace

void start_server(World& world, std::size_t index) {
  const NodeId node = world.nodes[index];
  Process& process = world.kernel.create_process("server-" + std::to_string(index));
  auto& server = process.emplace<Server>(world, process, node);
  world.links.attach(node, process);
  world.calls.serve(node, process, server);
  world.streams.listen(node, process, server);
  process.spawn(answer_calls(server));
  process.spawn(watch_silence(server));
}

void start_client(World& world, std::size_t index) {
  const NodeId node = world.nodes[kServers + index];
  Process& process = world.kernel.create_process("client-" + std::to_string(index));
  world.links.attach(node, process);
  process.spawn(client(world, process, node));
}

}  // namespace wt::test

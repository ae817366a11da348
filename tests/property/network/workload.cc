#include "tests/property/network/workload.h"

#include "sim/faults/rules.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/sync.h"
#include "sim/network/byte_stream.h"
#include "sim/network/calls.h"

namespace wt::test {
namespace {

constexpr std::size_t kServers = 3;
constexpr std::size_t kClients = 2;

// The n-th byte that is sent on any connection.
std::uint8_t byte_at(std::uint64_t position) {
  return static_cast<std::uint8_t>(mix64(position) >> 56);
}

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

class Counter final : public DurableService {
 public:
  StatusOr<BodyPtr> execute(NodeId, MessageBody& request) override {
    auto* typed = dynamic_cast<Message<std::uint64_t>*>(&request);
    WT_INVARIANT(typed != nullptr, "test.request", "a request of the wrong type");
    total_ += typed->value;
    return BodyPtr(std::make_unique<Message<std::uint64_t>>(total_));
  }

 private:
  std::uint64_t total_ = 0;
};

struct World;

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

struct World {
  explicit World(const KernelOptions& kernel_options, const LinkLatency& latency)
      : kernel(kernel_options),
        links(kernel, latency),
        rules(kernel),
        calls(kernel, links, rules),
        streams(kernel, links, StreamOptions{2000}) {}

  Kernel kernel;
  Links links;
  FaultRules rules;
  Calls calls;
  Streams streams;
  Counter counter;
  std::vector<NodeId> nodes;  // servers, clients, the durable service, the outside
  NodeId durable = 0;
  NodeId outside = 0;
  std::int64_t live = 0;
  std::uint64_t echoed_bytes = 0;
  std::uint64_t answers = 0;
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

void start_client(World& world, std::size_t index) {
  const NodeId node = world.nodes[kServers + index];
  Process& process = world.kernel.create_process("client-" + std::to_string(index));
  world.links.attach(node, process);
  process.spawn(client(world, process, node));
}

// The client outside: one connection at a time, driven from between the steps.
class Outside {
 public:
  explicit Outside(World& world) : world_(world) {}

  void turn(RandomStream& random) {
    if (id_ == 0) {
      const auto server = static_cast<std::size_t>(random.below(kServers));
      const StatusOr<ConnectionId> id = world_.streams.external_connect(world_.outside, world_.nodes[server]);
      if (id.ok()) id_ = *id;
      sent_ = received_ = 0;
      return;
    }
    switch (random.below(8)) {
      case 0:
        world_.streams.external_blocked(id_, true);
        break;
      case 1:
        world_.streams.external_shutdown_write(id_);
        break;
      case 2:
        if (random.chance_ppm(200'000)) leave();
        return;
      case 3:
        world_.streams.external_blocked(id_, false);
        break;
      default:
        write(random);
        break;
    }
    take();
  }
  void leave() {
    world_.streams.external_reset(id_);
    id_ = 0;
  }

 private:
  void write(RandomStream& random) {
    if (world_.streams.external_backlog(id_) > 4000) return;
    const auto size_bytes = static_cast<std::size_t>(random.between(1, 900));
    const SliceList bytes = pattern(sent_, size_bytes, size_bytes);
    world_.streams.external_write(id_, bytes[0]);
    sent_ += size_bytes;
  }
  void take() {
    for (const ConnectionId id : world_.streams.external_changed()) {
      const Streams::External out = world_.streams.external_take(id);
      for (const Slice& piece : out.bytes) {
        check_pattern(piece, received_);
        received_ += piece.size();
        world_.echoed_bytes += piece.size();
      }
      if (out.reset || (out.ended && !world_.streams.exists(id))) id_ = 0;
    }
  }

  World& world_;
  ConnectionId id_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

FaultRule random_rule(RandomStream& random) {
  static constexpr FaultAction kActions[] = {
      FaultAction::observe, FaultAction::delay,       FaultAction::hold,         FaultAction::refuse,
      FaultAction::pause,   FaultAction::lose_answer, FaultAction::lose_request, FaultAction::close,
      FaultAction::crash,   FaultAction::close_after};
  static constexpr std::string_view kPoints[] = {"metadata.cas", "objects.*", "kafka.request.received"};
  FaultRule rule;
  rule.action = kActions[random.below(std::size(kActions))];
  rule.point = std::string(kPoints[random.below(std::size(kPoints))]);
  rule.skip = random.below(3);
  rule.count = random.between(1, 3);
  rule.probability_ppm = random.chance_ppm(500'000) ? kPpmAlways : 400'000;
  rule.delay_ns = random.between(0, 2000) * kMicrosecond_ns;
  return rule;
}

// One random disturbance of links, processes, rules or clocks.
class Disturber {
 public:
  explicit Disturber(World& world) : world_(world) {}

  void disturb(RandomStream& random) {
    const NodeId from = world_.nodes[random.below(world_.nodes.size())];
    const NodeId to = world_.nodes[random.below(world_.nodes.size())];
    const std::uint64_t what = random.below(20);
    if (what < 9) return disturb_links(what, from, to, random);
    if (what < 13) return disturb_processes(what, random);
    if (what < 16) return disturb_rules(random);
    disturb_rest(what, from, random);
  }

 private:
  void disturb_links(std::uint64_t what, NodeId from, NodeId to, RandomStream& random) {
    Links& links = world_.links;
    const std::vector<Links::HeldParcel> held = links.held();
    switch (what) {
      case 0:
        links.block(from, to);
        break;
      case 1:
        links.unblock(from, to);
        break;
      case 2:
        links.clog(from, to);
        break;
      case 3:
        links.unclog(from, to);
        break;
      case 4:
        links.hold(from, to);
        break;
      case 5:
        links.heal();
        break;
      case 6:
        links.stop_holding(from, to);
        break;
      case 7:
        if (!held.empty()) links.release(held[random.below(held.size())].id);
        break;
      default:
        if (!held.empty() && random.chance_ppm(300'000)) links.discard(held.back().id);
        break;
    }
  }

  void disturb_processes(std::uint64_t what, RandomStream& random) {
    const auto server = static_cast<std::size_t>(random.below(kServers));
    Process* process = world_.links.process_at(world_.nodes[server]);
    if (process == nullptr) return start_server(world_, server);
    switch (what) {
      case 9:
        world_.kernel.kill(process->id());
        break;
      case 10:
        world_.kernel.pause(process->id());
        break;
      default:
        world_.kernel.resume(process->id());
        break;
    }
  }

  void disturb_rules(RandomStream& random) {
    const std::vector<FaultRules::RuleState> rules = world_.rules.all();
    if (rules.size() < 3) {
      (void)world_.rules.add(random_rule(random));
    } else if (random.chance_ppm(500'000)) {
      world_.rules.release(rules.front().id);
    } else {
      world_.rules.remove(rules.front().id);
    }
  }

  void disturb_rest(std::uint64_t what, NodeId node, RandomStream& random) {
    Kernel& kernel = world_.kernel;
    const std::vector<ConnectionId> connections = world_.streams.connections_of(node);
    const std::vector<Kernel::Parked> parked = kernel.parked();
    switch (what) {
      case 16:
        kernel.run_until(kernel.now() + 20 * kMillisecond_ns, SilenceClock::stands);
        break;
      case 17:
        if (!parked.empty()) kernel.expire_park(parked.front().id);
        break;
      case 18:
        if (!connections.empty()) world_.streams.reset_connection(connections.front());
        break;
      default:
        if (random.chance_ppm(200'000)) world_.streams.vanish(node);
        world_.streams.set_connect_fault(node, static_cast<Streams::ConnectFault>(random.below(3)));
        break;
    }
  }

  World& world_;
};

void execute(World& world, FaultAction action, const FaultSite& site) {
  Process* process = world.links.process_at(static_cast<NodeId>(site.broker < 0 ? 0 : site.broker));
  if (process == nullptr) return;
  if (action == FaultAction::crash) world.kernel.kill(process->id());
  if (action == FaultAction::pause) world.kernel.pause(process->id());
}

KernelOptions kernel_options(const WorkloadOptions& options) {
  static constexpr ReadyOrder kOrders[] = {ReadyOrder::fifo, ReadyOrder::random, ReadyOrder::pct};
  KernelOptions kernel;
  kernel.seed = options.seed;
  kernel.trace_ring_records = 64;
  kernel.ready.order = kOrders[options.seed % 3];
  kernel.ready.pct_horizon_steps = 2000;
  if (options.replay_choices) {
    kernel.ready.order = ReadyOrder::scripted;
    kernel.ready.script = options.choices;
  }
  return kernel;
}

LinkLatency latency_of(std::uint64_t seed) {
  LinkLatency latency;
  if (seed % 4 == 0) return latency;
  latency.base_ns = static_cast<DurationNs>(seed % 7) * 50 * kMicrosecond_ns;
  latency.tail_mean_ns = 300 * kMicrosecond_ns;
  latency.tail_ppm = 200'000;
  return latency;
}

void suicide(void* kernel, std::uint64_t process) {
  static_cast<Kernel*>(kernel)->kill(static_cast<ProcessId>(process));
}

// Runs steps until `limit_ns`, killing where the options say so.
void run_to(World& world, const WorkloadOptions& options, TimeNs limit_ns) {
  Kernel& kernel = world.kernel;
  for (;;) {
    if (options.kill_step >= 0 && kernel.steps() == static_cast<std::uint64_t>(options.kill_step)) {
      if (!options.kill_from_inside) {
        kernel.kill(options.kill_process);
      } else if (kernel.process(options.kill_process) != nullptr) {
        kernel.schedule_now(options.kill_process, &suicide, &kernel, options.kill_process);
      }
    }
    if (!kernel.step(limit_ns)) break;
  }
  kernel.run_until(limit_ns);
}

void tear_down(World& world, Outside& outside) {
  world.rules.remove_all();
  for (const NodeId from : world.nodes) {
    for (const NodeId to : world.nodes) world.links.stop_holding(from, to);
  }
  world.links.heal();
  outside.leave();
  for (ProcessId id = 1; id < 200; ++id) world.kernel.kill(id);
  world.kernel.run_until(world.kernel.now() + kHour_ns);
}

}  // namespace

WorkloadResult run_workload(const WorkloadOptions& options) {
  World world(kernel_options(options), latency_of(options.seed));
  for (std::size_t i = 0; i < kServers + kClients; ++i) {
    world.nodes.push_back(world.links.add_node("node-" + std::to_string(i)));
  }
  world.durable = world.links.add_node("durable");
  world.outside = world.links.add_node("outside");
  world.nodes.push_back(world.durable);
  world.nodes.push_back(world.outside);
  world.calls.serve(world.durable, world.counter);
  world.rules.set_executor([&world](FaultAction action, const FaultSite& site, const FaultRule&) {
    execute(world, action, site);
  });
  if (options.arm_idle_rule) {
    FaultRule idle;
    idle.point = "*";
    idle.action = FaultAction::crash;
    idle.topic = "no such topic";
    (void)world.rules.add(idle);
  }
  for (std::size_t i = 0; i < kServers; ++i) start_server(world, i);
  for (std::size_t i = 0; i < kClients; ++i) start_client(world, i);

  RandomStream random(fold64(options.seed, hash_text("test.disturb")));
  Outside outside(world);
  Disturber disturber(world);
  for (std::uint32_t i = 0; i < options.disturbances; ++i) {
    run_to(world, options, world.kernel.now() + random.between(0, 1500) * kMicrosecond_ns);
    world.kernel.guarded([&] { outside.turn(random); });
    if (random.chance_ppm(500'000)) disturber.disturb(random);
  }
  run_to(world, options, world.kernel.now() + 20 * kMillisecond_ns);
  tear_down(world, outside);

  WorkloadResult result;
  result.hash = world.kernel.trace().hash();
  result.steps = world.kernel.steps();
  result.draws = world.kernel.total_draws();
  if (world.kernel.finding()) {
    result.finding = world.kernel.finding()->check + ": " + world.kernel.finding()->message;
  }
  result.pending_events = world.kernel.pending_events();
  result.parked = world.kernel.parked().size();
  result.connections = world.streams.open_connections();
  result.calls = world.calls.pending();
  result.held_parcels = world.links.held().size();
  result.live_frames = world.live;
  result.echoed_bytes = world.echoed_bytes;
  result.answers = world.answers;
  result.choices = world.kernel.ready_choices();
  return result;
}

std::uint64_t run_workload(std::uint64_t seed) {
  WorkloadOptions options;
  options.seed = seed;
  return run_workload(options).hash;
}

}  // namespace wt::test

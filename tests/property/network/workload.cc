#include "tests/property/network/workload.h"

#include "tests/property/network/world.h"

namespace wt::test {
namespace {

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

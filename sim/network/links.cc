#include "sim/network/links.h"

#include <algorithm>
#include <utility>

namespace wt {

NodeId Links::add_node(std::string name) {
  names_.push_back(std::move(name));
  processes_.push_back(0);
  return static_cast<NodeId>(names_.size());
}

std::string_view Links::node_name(NodeId node) const {
  return node > 0 && node <= names_.size() ? std::string_view(names_[node - 1]) : std::string_view("?");
}

void Links::attach(NodeId node, Process& process) {
  WT_INVARIANT(node > 0 && node <= names_.size(), "network.node", "no node " + std::to_string(node));
  processes_[node - 1] = process.id();
}

Process* Links::process_at(NodeId node) const {
  if (node == 0 || node > processes_.size()) return nullptr;
  return kernel_.process(processes_[node - 1]);
}

const Links::Link* Links::find(NodeId from, NodeId to) const {
  auto found = links_.find({from, to});
  return found == links_.end() ? nullptr : &found->second;
}

void Links::set_latency(NodeId from, NodeId to, const LinkLatency& latency) {
  Link& target = link(from, to);
  target.latency = latency;
  target.has_latency = true;
}

void Links::block(NodeId from, NodeId to) {
  Link& target = link(from, to);
  target.blocked = true;
  kernel_.record(0, "network.block"_label, from, to);
  drop_queued(target);
}

void Links::unblock(NodeId from, NodeId to) {
  Link& target = link(from, to);
  if (!std::exchange(target.blocked, false)) return;
  kernel_.record(0, "network.unblock"_label, from, to);
  restart(target);
}

void Links::clog(NodeId from, NodeId to) {
  link(from, to).clogged = true;
  kernel_.record(0, "network.clog"_label, from, to);
}

void Links::unclog(NodeId from, NodeId to) {
  Link& target = link(from, to);
  if (!std::exchange(target.clogged, false)) return;
  kernel_.record(0, "network.unclog"_label, from, to);
  restart(target);
}

void Links::partition(const std::vector<NodeId>& group, const std::vector<NodeId>& others) {
  for (const NodeId a : group) {
    for (const NodeId b : others) {
      if (a == b) continue;
      block(a, b);
      block(b, a);
    }
  }
}

void Links::heal() {
  std::vector<LinkKey> keys;
  for (const auto& [key, state] : links_) keys.push_back(key);
  for (const auto& [from, to] : keys) {
    unblock(from, to);
    unclog(from, to);
  }
}

void Links::hold(NodeId from, NodeId to) {
  link(from, to).held = true;
}

void Links::stop_holding(NodeId from, NodeId to) {
  link(from, to).held = false;
  std::vector<std::uint64_t> mine;
  for (const std::uint64_t id : held_) {
    const Parcel& one = parcel(id);
    if (one.from == from && one.to == to) mine.push_back(id);
  }
  for (const std::uint64_t id : mine) release(id);
}

std::vector<Links::HeldParcel> Links::held() const {
  std::vector<HeldParcel> all;
  for (const std::uint64_t id : held_) {
    const Parcel& one = parcel(id);
    all.push_back({id, one.from, one.to, one.kind->name});
  }
  return all;
}

bool Links::release(std::uint64_t id) {
  if (std::erase(held_, id) == 0) return false;
  dispatch(id, parcel(id));
  return true;
}

bool Links::discard(std::uint64_t id) {
  if (std::erase(held_, id) == 0) return false;
  parcels_.take(id);
  return true;
}

bool Links::is_blocked(NodeId from, NodeId to) const {
  const Link* state = find(from, to);
  return state != nullptr && state->blocked;
}

bool Links::clear(NodeId from, NodeId to) const {
  const Link* state = find(from, to);
  if (state == nullptr) return default_latency_.is_zero();
  if (state->blocked || state->clogged || state->held || !state->queue.empty()) return false;
  return state->has_latency ? state->latency.is_zero() : default_latency_.is_zero();
}

void Links::transmit(NodeId from, NodeId to, Label kind, WhenBlocked when_blocked, Deliver deliver) {
  Link& path = link(from, to);
  if (path.blocked && when_blocked == WhenBlocked::drop) {
    kernel_.record(0, "network.dropped"_label, from, to, kind.hash());
    return;
  }
  const std::uint64_t id = next_parcel_++;
  Parcel& sent = parcels_.add(id);
  sent.path = &path;
  sent.from = from;
  sent.to = to;
  sent.kind = kind.info();
  sent.when_blocked = when_blocked;
  sent.deliver = std::move(deliver);
  if (path.held) {
    held_.push_back(id);
    return;
  }
  dispatch(id, sent);
}

void Links::drop(std::uint64_t id) {
  const Parcel lost = parcels_.take(id);
  kernel_.record(0, "network.dropped"_label, lost.from, lost.to, lost.kind->hash);
}

// What a link that has just been blocked holds back from parcels that cannot wait.
void Links::drop_queued(Link& path) {
  std::vector<std::uint64_t> lost;
  std::erase_if(path.queue, [this, &lost](std::uint64_t id) {
    const Parcel& one = parcel(id);
    const bool drops = one.when_blocked == WhenBlocked::drop && one.state != Parcel::State::flying;
    if (drops) lost.push_back(id);
    return drops;
  });
  for (const std::uint64_t id : lost) drop(id);
}

void Links::dispatch(std::uint64_t id, Parcel& sent) {
  Link& path = *sent.path;
  if (path.blocked && sent.when_blocked == WhenBlocked::drop) {
    drop(id);
    return;
  }
  path.queue.push_back(id);
  if (!path.blocked && !path.clogged) launch(id, sent);
}

void Links::launch(std::uint64_t id, Parcel& sent) {
  Link& path = *sent.path;
  const LinkLatency& latency = path.has_latency ? path.latency : default_latency_;
  DurationNs delay_ns = latency.base_ns;
  if (latency.tail_ppm > 0) {
    RandomStream& random = kernel_.random("network.latency"_label);
    if (random.chance_ppm(latency.tail_ppm)) {
      delay_ns = saturating_add(delay_ns, random.exponential(latency.tail_mean_ns));
    }
  }
  const TimeNs due_ns = std::max(saturating_add(kernel_.now(), delay_ns), path.last_due_ns);
  path.last_due_ns = due_ns;
  sent.state = Parcel::State::flying;
  schedule_arrival(due_ns, id);
}

void Links::schedule_arrival(TimeNs due_ns, std::uint64_t id) {
  if (due_ns <= kernel_.now()) {
    kernel_.schedule_now(0, &Links::arrive_event, this, id);
  } else {
    kernel_.schedule_at(0, due_ns, TimerKind::protocol, &Links::arrive_event, this, id);
  }
}

// Sends what was stopped once more.
void Links::restart(Link& path) {
  if (path.blocked || path.clogged) return;
  for (const std::uint64_t id : path.queue) {
    Parcel& queued = parcel(id);
    if (queued.state == Parcel::State::stopped) launch(id, queued);
  }
  // What it had landed behind may have been dropped.
  if (!path.queue.empty() && parcel(path.queue.front()).state == Parcel::State::landed) {
    schedule_arrival(kernel_.now(), path.queue.front());
  }
}

void Links::arrive_event(void* links, std::uint64_t id) {
  auto& self = *static_cast<Links*>(links);
  Parcel* arrived = self.parcels_.find(id);
  if (arrived == nullptr) return;
  Link& path = *arrived->path;
  if (path.blocked && arrived->when_blocked == WhenBlocked::drop) {
    std::erase(path.queue, id);
    self.drop(id);
  } else {
    // Blocked or clogged while in flight: it does not arrive.
    arrived->state = path.blocked || path.clogged ? Parcel::State::stopped : Parcel::State::landed;
  }
  self.deliver_first(path);
}

// One parcel an event. A later one that has landed before its predecessor gets an event of its own.
void Links::deliver_first(Link& path) {
  if (path.blocked || path.clogged || path.queue.empty()) return;
  const std::uint64_t first = path.queue.front();
  if (parcel(first).state != Parcel::State::landed) return;
  Parcel landed = parcels_.take(first);
  path.queue.pop_front();
  if (!path.queue.empty() && parcel(path.queue.front()).state == Parcel::State::landed) {
    schedule_arrival(kernel_.now(), path.queue.front());
  }
  landed.deliver();
}

}  // namespace wt

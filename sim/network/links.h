// Nodes and the links between them.
//
// A node is a machine with a name that outlives the processes on it. Everything that goes from one
// node to another is a parcel on the directed link between them. A link delivers in the order of
// sending. It can be slow (base latency plus an exponential tail), clogged (nothing arrives until it is
// unclogged), blocked (a one-way partition), or held (the test releases parcels by hand, in any order;
// the order of release then counts as the order of sending).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/lookup_map.h"

namespace wt {

// From 1; 0 is no node.
using NodeId = std::uint32_t;

struct LinkLatency {
  DurationNs base_ns = 0;       // of every parcel
  DurationNs tail_mean_ns = 0;  // mean of an exponential addition …
  std::uint32_t tail_ppm = 0;   // … that this share of the parcels has
  bool is_zero() const noexcept { return base_ns == 0 && tail_ppm == 0; }
};

class Links {
 public:
  Links(Kernel& kernel, const LinkLatency& default_latency)
      : kernel_(kernel), default_latency_(default_latency) {}
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  NodeId add_node(std::string name);
  std::string_view node_name(NodeId node) const;
  std::size_t node_count() const noexcept { return names_.size(); }

  // The process that lives on the node now, or null. Detaches by itself when the process dies.
  void attach(NodeId node, Process& process);
  Process* process_at(NodeId node) const;

  void set_default_latency(const LinkLatency& latency) { default_latency_ = latency; }
  void set_latency(NodeId from, NodeId to, const LinkLatency& latency);

  // One direction; call twice for both. A blocked link drops parcels that cannot wait (calls), whether
  // they are sent, arrive or stand there while it is blocked; bytes of streams wait, as they would in a
  // sender's socket.
  void block(NodeId from, NodeId to);
  void unblock(NodeId from, NodeId to);
  void clog(NodeId from, NodeId to);
  void unclog(NodeId from, NodeId to);
  // Cuts every link between the two groups, in both directions.
  void partition(const std::vector<NodeId>& group, const std::vector<NodeId>& others);
  // Unblocks and unclogs everything.
  void heal();

  // From now on parcels on the link wait for release().
  void hold(NodeId from, NodeId to);
  void stop_holding(NodeId from, NodeId to);  // and lets all go
  struct HeldParcel {
    std::uint64_t id;
    NodeId from;
    NodeId to;
    std::string_view kind;
  };
  std::vector<HeldParcel> held() const;
  bool release(std::uint64_t parcel);
  // Loses a held parcel. A stream that loses bytes delivers nothing that was sent after them.
  bool discard(std::uint64_t parcel);

  bool is_blocked(NodeId from, NodeId to) const;
  // No latency, nothing in flight, nothing in the way: what is sent now may arrive at once.
  bool clear(NodeId from, NodeId to) const;

  enum class WhenBlocked : std::uint8_t { drop, wait };
  // Runs once, or is destroyed when the parcel is lost.
  using Deliver = absl::AnyInvocable<void()>;
  // Sends a parcel; `deliver` runs as an event of the world when it arrives, unless it was dropped.
  void transmit(NodeId from, NodeId to, Label kind, WhenBlocked when_blocked, Deliver deliver);

 private:
  struct Link;
  struct Parcel {
    Link* path = nullptr;
    NodeId from = 0;
    NodeId to = 0;
    const LabelInfo* kind = nullptr;
    WhenBlocked when_blocked = WhenBlocked::drop;
    enum class State : std::uint8_t { stopped, flying, landed } state = State::stopped;
    Deliver deliver;
  };
  struct Link {
    LinkLatency latency;
    bool has_latency = false;
    bool blocked = false;
    bool clogged = false;
    bool held = false;
    TimeNs last_due_ns = 0;
    // Parcels on the link in order of sending; only the first one can be delivered. Those that were
    // stopped by a block or clog start again when it ends.
    std::deque<std::uint64_t> queue;
  };
  using LinkKey = std::pair<NodeId, NodeId>;

  const Link* find(NodeId from, NodeId to) const;
  Link& link(NodeId from, NodeId to) { return links_[{from, to}]; }
  // Of a parcel that is known.
  Parcel& parcel(std::uint64_t id) { return *parcels_.find(id); }
  const Parcel& parcel(std::uint64_t id) const { return *parcels_.find(id); }
  void dispatch(std::uint64_t id, Parcel& parcel);
  void launch(std::uint64_t id, Parcel& parcel);
  void restart(Link& link);
  void drop_queued(Link& link);
  void drop(std::uint64_t id);
  void deliver_first(Link& link);
  void schedule_arrival(TimeNs due_ns, std::uint64_t id);
  static void arrive_event(void* links, std::uint64_t id);

  Kernel& kernel_;
  LinkLatency default_latency_;
  std::vector<std::string> names_;
  std::vector<ProcessId> processes_;
  std::map<LinkKey, Link> links_;  // parcels point into it: no link goes
  LookupMap<std::uint64_t, Parcel> parcels_;
  std::vector<std::uint64_t> held_;
  std::uint64_t next_parcel_ = 1;
};

}  // namespace wt

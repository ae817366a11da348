// Events ordered by (time, sequence): a 4-ary heap over a slab of nodes, with O(1) cancel.
//
// A node is referred to by an EventId that carries a generation, so that a stale id is harmless.
// Queues hold (slot, sequence) pairs: a pair whose node has gone, or has moved to another queue, is a
// tombstone; a heap sweeps its tombstones out when they are the majority.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel/time.h"

namespace wt {

// Who waits, for what: how a timer behaves when a test skips time (docs/clock.md).
enum class TimerKind : std::uint8_t {
  protocol,  // transaction, retention, lock, …: virtual clock only
  silence,   // session, idle connection, …: an outside client's silence; stands still during a jump
  park,      // somebody outside waits for this answer: fetch wait, time-out of a request
};

struct EventId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0 is never a live generation
  explicit operator bool() const noexcept { return generation != 0; }
  friend bool operator==(EventId, EventId) = default;
};

using EventFunction = void (*)(void* context, std::uint64_t argument);

enum class EventState : std::uint8_t { free, timed, silent, ready, paused };

// A place in a queue.
struct EventRef {
  std::uint32_t slot;
  std::uint64_t sequence;
};

struct EventNode {
  TimeNs due_ns = 0;           // in the clock of its queue
  std::uint64_t sequence = 0;  // order of scheduling, unique in a run
  EventFunction run = nullptr;
  void* context = nullptr;
  std::uint64_t argument = 0;
  std::uint32_t process = 0;  // dropped unrun when this process is dead; 0: the world
  std::uint32_t generation = 0;
  EventState state = EventState::free;
  TimerKind kind = TimerKind::protocol;
};

// The slab: stable slots for nodes.
class EventSlab {
 public:
  std::uint32_t allocate();
  void release(std::uint32_t slot) noexcept;
  EventNode& operator[](std::uint32_t slot) noexcept { return nodes_[slot]; }
  // The node of a live id, or null.
  EventNode* find(EventId id) noexcept {
    if (id.generation == 0 || id.slot >= nodes_.size()) return nullptr;
    EventNode& node = nodes_[id.slot];
    return node.generation == id.generation && node.state != EventState::free ? &node : nullptr;
  }
  // Whether a queue's pair still stands for a node that waits in that queue.
  bool waits(std::uint32_t slot, std::uint64_t sequence, EventState state) const noexcept {
    return nodes_[slot].sequence == sequence && nodes_[slot].state == state;
  }
  std::size_t live() const noexcept { return nodes_.size() - free_.size(); }

 private:
  std::vector<EventNode> nodes_;
  std::vector<std::uint32_t> free_;
};

// Heap of slots by (due, sequence); its nodes are in state `state`.
class EventHeap {
 public:
  EventHeap(EventSlab& slab, EventState state) : slab_(slab), state_(state) {}

  void push(std::uint32_t slot);
  // Slot of the earliest live event after dropping tombstones, or -1 when there is none.
  std::int64_t peek();
  void pop();
  TimeNs top_due() const noexcept { return entries_.front().due_ns; }
  std::uint64_t top_sequence() const noexcept { return entries_.front().sequence; }
  // Called after a node of this heap was released or moved elsewhere.
  void on_removed();
  std::size_t size() const noexcept { return entries_.size() - tombstones_; }

 private:
  struct Entry {
    TimeNs due_ns;
    std::uint64_t sequence;
    std::uint32_t slot;
  };
  static bool before(const Entry& a, const Entry& b) noexcept {
    return a.due_ns != b.due_ns ? a.due_ns < b.due_ns : a.sequence < b.sequence;
  }
  void sift_up(std::size_t at) noexcept;
  void sift_down(std::size_t at) noexcept;
  void sweep();

  EventSlab& slab_;
  EventState state_;
  std::vector<Entry> entries_;
  std::size_t tombstones_ = 0;
};

}  // namespace wt

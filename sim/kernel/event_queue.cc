#include "sim/kernel/event_queue.h"

#include <algorithm>

namespace wt {
namespace {
constexpr std::size_t kArity = 4;
constexpr std::size_t kSweepFloor = 1024;  // below this many tombstones sweeping does not pay
}  // namespace

std::uint32_t EventSlab::allocate() {
  std::uint32_t slot = 0;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  EventNode& node = nodes_[slot];
  if (++node.generation == 0) node.generation = 1;
  return slot;
}

void EventSlab::release(std::uint32_t slot) noexcept {
  nodes_[slot].state = EventState::free;
  free_.push_back(slot);
}

void EventHeap::push(std::uint32_t slot) {
  const EventNode& node = slab_[slot];
  entries_.push_back({node.due_ns, node.sequence, slot});
  sift_up(entries_.size() - 1);
}

std::int64_t EventHeap::peek() {
  while (!entries_.empty()) {
    const Entry& top = entries_.front();
    if (slab_.waits(top.slot, top.sequence, state_)) return top.slot;
    --tombstones_;
    pop();
  }
  return -1;
}

void EventHeap::pop() {
  entries_.front() = entries_.back();
  entries_.pop_back();
  if (!entries_.empty()) sift_down(0);
}

void EventHeap::on_removed() {
  ++tombstones_;
  if (tombstones_ > kSweepFloor && tombstones_ * 2 > entries_.size()) sweep();
}

void EventHeap::sweep() {
  std::erase_if(entries_,
                [this](const Entry& entry) { return !slab_.waits(entry.slot, entry.sequence, state_); });
  tombstones_ = 0;
  for (std::size_t i = entries_.size() / kArity + 1; i-- > 0;) {
    if (i < entries_.size()) sift_down(i);
  }
}

void EventHeap::sift_up(std::size_t at) noexcept {
  const Entry moving = entries_[at];
  while (at > 0) {
    const std::size_t parent = (at - 1) / kArity;
    if (!before(moving, entries_[parent])) break;
    entries_[at] = entries_[parent];
    at = parent;
  }
  entries_[at] = moving;
}

void EventHeap::sift_down(std::size_t at) noexcept {
  const Entry moving = entries_[at];
  const std::size_t size = entries_.size();
  for (;;) {
    const std::size_t first = at * kArity + 1;
    if (first >= size) break;
    std::size_t best = first;
    const std::size_t last = std::min(first + kArity, size);
    for (std::size_t child = first + 1; child < last; ++child) {
      if (before(entries_[child], entries_[best])) best = child;
    }
    if (!before(entries_[best], moving)) break;
    entries_[at] = entries_[best];
    at = best;
  }
  entries_[at] = moving;
}

}  // namespace wt

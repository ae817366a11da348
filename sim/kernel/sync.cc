#include "sim/kernel/sync.h"

#include "sim/kernel/kernel.h"

namespace wt {

WaitQueue::~WaitQueue() {
  // A frame of a dying process can outlive this queue when both are locals of one frame tree.
  while (first_ != nullptr) unlink(*first_);
}

WaitQueue::Awaiter WaitQueue::wait() {
  return Awaiter(*this, kNever_ns, TimerKind::protocol, 0);
}
WaitQueue::Awaiter WaitQueue::wait_until(TimeNs deadline_ns, TimerKind kind, std::uint64_t park_tag) {
  return Awaiter(*this, deadline_ns, kind, park_tag);
}

void WaitQueue::notify_one() {
  if (first_ == nullptr) return;
  Awaiter& waiter = *first_;
  unlink(waiter);
  waiter.notified_ = true;
  waiter.wake();
}

void WaitQueue::notify_all() {
  while (first_ != nullptr) notify_one();
}

void WaitQueue::unlink(Awaiter& waiter) noexcept {
  if (!waiter.linked_) return;
  (waiter.previous_ != nullptr ? waiter.previous_->next_ : first_) = waiter.next_;
  (waiter.next_ != nullptr ? waiter.next_->previous_ : last_) = waiter.previous_;
  waiter.previous_ = waiter.next_ = nullptr;
  waiter.linked_ = false;
}

WaitQueue::Awaiter::~Awaiter() {
  if (linked_) queue_.unlink(*this);
  process_.cancel(timer_);
  process_.cancel(wake_event_);
}

void WaitQueue::Awaiter::await_suspend(std::coroutine_handle<> frame) {
  frame_ = frame;
  previous_ = queue_.last_;
  (queue_.last_ != nullptr ? queue_.last_->next_ : queue_.first_) = this;
  queue_.last_ = this;
  linked_ = true;
  if (deadline_ns_ != kNever_ns)
    timer_ = process_.schedule_at(deadline_ns_, kind_, &Awaiter::on_deadline, this, 0, park_tag_);
}

void WaitQueue::Awaiter::on_deadline(void* waiter, std::uint64_t) {
  auto& self = *static_cast<Awaiter*>(waiter);
  self.timer_ = {};
  if (self.linked_) self.queue_.unlink(self);
  self.process_.kernel().resume(self.frame_);
}

void WaitQueue::Awaiter::wake() {
  process_.cancel(timer_);
  wake_event_ = process_.resume_soon(frame_);
}

// Registered while it waits. When it was granted the lane but is destroyed before it ran, it passes
// the lane on.
class Lane::Ticket {
 public:
  explicit Ticket(Lane& lane) : wake(lane.process_), lane_(&lane) { lane.waiting_.push_back(this); }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;
  ~Ticket() {
    if (lane_ == nullptr) return;
    if (granted_) {
      lane_->granted_ = nullptr;
      lane_->release();
    } else {
      std::erase(lane_->waiting_, this);
    }
  }

  bool granted() const noexcept { return granted_; }
  void grant() {
    granted_ = true;
    lane_->granted_ = this;
    wake.notify_all();
  }
  // The task runs and takes over what it was granted: the lane, or null when it has gone.
  Lane* take() noexcept {
    if (lane_ != nullptr) lane_->granted_ = nullptr;
    return std::exchange(lane_, nullptr);
  }
  void lane_gone() noexcept { lane_ = nullptr; }

  WaitQueue wake;

 private:
  Lane* lane_;
  bool granted_ = false;
};

Lane::~Lane() {
  for (Ticket* ticket : waiting_) ticket->lane_gone();
  if (granted_ != nullptr) granted_->lane_gone();
  if (holder_ != nullptr) holder_->lane_ = nullptr;
}

Task<Lane::Guard> Lane::acquire() {
  if (!held_) {
    held_ = true;
    co_return Guard(this);
  }
  Ticket ticket(*this);
  while (!ticket.granted()) co_await ticket.wake.wait();
  Lane* taken = ticket.take();
  co_return Guard(taken);
}

// With somebody waiting the lane stays held and is handed over, so that nobody slips in between.
void Lane::release() noexcept {
  holder_ = nullptr;
  if (waiting_.empty()) {
    held_ = false;
    return;
  }
  Ticket& next = *waiting_.front();
  waiting_.pop_front();
  next.grant();
}

}  // namespace wt

// Waiting inside one process: WaitQueue, Lane, Channel, Gate.
//
// Nothing here crosses a process. A waiter that is destroyed, because its process died or because
// its parent was cancelled, unlinks itself. An object that is destroyed first lets its waiters go:
// they are never woken, and their guards act on nothing. One that a waiter was just woken for must
// live until that waiter has run.
#pragma once

#include <coroutine>
#include <deque>
#include <optional>
#include <utility>

#include "sim/kernel/process.h"

namespace wt {

// FIFO of suspended frames. The condition that they wait for belongs to the caller:
// `while (!ready()) co_await queue.wait();`
class WaitQueue {
 public:
  explicit WaitQueue(Process& process) : process_(process) {}
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;
  // Waiters must be gone: they live in frames, which are destroyed before the objects they wait on.
  ~WaitQueue();

  class Awaiter;
  // True when notified.
  Awaiter wait();
  // False when the deadline came first.
  Awaiter wait_until(TimeNs deadline_ns, TimerKind kind = TimerKind::protocol, std::uint64_t park_tag = 0);

  void notify_one();
  void notify_all();
  bool empty() const noexcept { return first_ == nullptr; }
  Process& process() const noexcept { return process_; }

 private:
  void unlink(Awaiter& waiter) noexcept;

  Process& process_;
  Awaiter* first_ = nullptr;
  Awaiter* last_ = nullptr;
};

class [[nodiscard]] WaitQueue::Awaiter {
 public:
  Awaiter(WaitQueue& queue, TimeNs deadline_ns, TimerKind kind, std::uint64_t park_tag)
      : queue_(queue),
        process_(queue.process_),
        deadline_ns_(deadline_ns),
        park_tag_(park_tag),
        kind_(kind) {}
  Awaiter(const Awaiter&) = delete;
  Awaiter& operator=(const Awaiter&) = delete;
  ~Awaiter();

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> frame);
  bool await_resume() const noexcept { return notified_; }

 private:
  friend class WaitQueue;
  static void on_deadline(void* waiter, std::uint64_t);
  void wake();

  WaitQueue& queue_;  // may be gone when this is no longer linked
  Process& process_;  // outlives every frame of it
  TimeNs deadline_ns_;
  std::uint64_t park_tag_;
  TimerKind kind_;
  std::coroutine_handle<> frame_;
  Awaiter* previous_ = nullptr;
  Awaiter* next_ = nullptr;
  bool linked_ = false;
  bool notified_ = false;
  EventId timer_;
  EventId wake_event_;
};

// One holder at a time, first come first served: the serial lane of a stream.
class Lane {
 public:
  explicit Lane(Process& process) : process_(process) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane();

  // Releases the lane when destroyed. Movable.
  class Guard {
   public:
    Guard() = default;
    explicit Guard(Lane* lane) noexcept { hold(lane); }
    Guard(Guard&& other) noexcept { hold(std::exchange(other.lane_, nullptr)); }
    Guard& operator=(Guard&& other) noexcept {
      if (this == &other) return *this;
      release();
      hold(std::exchange(other.lane_, nullptr));
      return *this;
    }
    ~Guard() { release(); }
    void release() noexcept {
      if (lane_ != nullptr) std::exchange(lane_, nullptr)->release();
    }
    explicit operator bool() const noexcept { return lane_ != nullptr; }

   private:
    friend class Lane;
    void hold(Lane* lane) noexcept {
      lane_ = lane;
      if (lane_ != nullptr) lane_->holder_ = this;
    }
    Lane* lane_ = nullptr;
  };

  Task<Guard> acquire();
  bool held() const noexcept { return held_; }
  std::size_t waiting() const noexcept { return waiting_.size(); }

 private:
  // A task that waits for the lane; on its frame.
  class Ticket;
  void release() noexcept;

  Process& process_;
  std::deque<Ticket*> waiting_;
  Ticket* granted_ = nullptr;  // was handed the lane and has not run yet
  Guard* holder_ = nullptr;
  bool held_ = false;
};

// Queue between tasks of one process. push never blocks: bound what you push.
template <class T>
class Channel {
 public:
  explicit Channel(Process& process) : readers_(process) {}

  void push(T value) {
    items_.push_back(std::move(value));
    readers_.notify_one();
  }
  // After this, pop returns what is left and then nothing.
  void close() {
    closed_ = true;
    readers_.notify_all();
  }
  Task<std::optional<T>> pop() {
    while (items_.empty() && !closed_) co_await readers_.wait();
    if (items_.empty()) co_return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    co_return item;
  }
  std::size_t size() const noexcept { return items_.size(); }

 private:
  WaitQueue readers_;
  std::deque<T> items_;
  bool closed_ = false;
};

// Opened once; waiting on an open gate does not suspend.
class Gate {
 public:
  explicit Gate(Process& process) : waiting_(process) {}
  void open() {
    open_ = true;
    waiting_.notify_all();
  }
  bool is_open() const noexcept { return open_; }
  Task<void> wait() {
    while (!open_) co_await waiting_.wait();
  }

 private:
  WaitQueue waiting_;
  bool open_ = false;
};

}  // namespace wt

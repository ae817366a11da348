// A simulated process: an id, a set of running tasks and the objects that they work on.
//
// Processes crash for real. Kernel::kill marks the process dead, which turns its send, schedule,
// wake and trace into no-ops; then its frames are destroyed, newest first, and after them the
// objects it owns. Destructors run but act on nothing. A frame that is running is never destroyed:
// a process that kills itself dies when the running frame has suspended.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/kernel/event_queue.h"
#include "sim/kernel/label.h"
#include "sim/kernel/task.h"
#include "sim/kernel/time.h"

namespace wt {

class Kernel;
class RandomStream;

// Never reused in a run; 0 is the world outside all processes.
using ProcessId = std::uint32_t;

// Base of objects that live and die with a process.
class ProcessPart {
 public:
  virtual ~ProcessPart() = default;
};

class Process {
 public:
  Process(Kernel& kernel, ProcessId id, std::string name)
      : kernel_(kernel), id_(id), name_(std::move(name)) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  Kernel& kernel() const noexcept { return kernel_; }
  ProcessId id() const noexcept { return id_; }
  const std::string& name() const noexcept { return name_; }
  bool alive() const noexcept { return alive_; }
  TimeNs now() const noexcept;

  // Starts a root task; it first runs as an event of its own. Ignored in a dead process.
  void spawn(Task<void> task);
  // Root tasks that have not ended.
  std::size_t task_count() const noexcept { return root_count_; }

  // Builds an object that the process owns; destroyed after all frames, newest first.
  template <class Part, class... Arguments>
  Part& emplace(Arguments&&... arguments) {
    auto part = std::make_unique<Part>(std::forward<Arguments>(arguments)...);
    Part& reference = *part;
    parts_.push_back(std::move(part));
    return reference;
  }

  void trace(Label label, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0);
  RandomStream& random(Label name);

  // Runs `run(context, argument)` at or after the given time; dropped when the process dies.
  EventId schedule_at(TimeNs due_ns, TimerKind kind, EventFunction run, void* context,
                      std::uint64_t argument = 0, std::uint64_t park_tag = 0);
  EventId schedule_now(EventFunction run, void* context, std::uint64_t argument = 0);
  // Resumes a suspended frame of this process as an event of its own.
  EventId resume_soon(std::coroutine_handle<> frame);
  void cancel(EventId& id);

  // `co_await process.sleep(5 * kSecond_ns)`.
  class SleepAwaiter;
  SleepAwaiter sleep(DurationNs duration_ns, TimerKind kind = TimerKind::protocol,
                     std::uint64_t park_tag = 0);
  SleepAwaiter sleep_until(TimeNs due_ns, TimerKind kind = TimerKind::protocol, std::uint64_t park_tag = 0);
  // Lets everything else that is ready run first.
  SleepAwaiter yield();

 private:
  friend class Kernel;
  friend void task_detail::set_next(Process&, std::coroutine_handle<>) noexcept;
  friend void task_detail::root_finished(task_detail::PromiseBase&) noexcept;

  void unlink_root(task_detail::PromiseBase& promise) noexcept;
  // Destroys frames newest first, then parts newest first.
  void destroy_contents() noexcept;

  Kernel& kernel_;
  ProcessId id_;
  std::string name_;
  bool alive_ = true;
  task_detail::PromiseBase* first_root_ = nullptr;
  task_detail::PromiseBase* last_root_ = nullptr;
  std::size_t root_count_ = 0;
  std::vector<std::unique_ptr<ProcessPart>> parts_;
};

class Process::SleepAwaiter {
 public:
  SleepAwaiter(Process& process, TimeNs due_ns, TimerKind kind, std::uint64_t park_tag, bool now)
      : process_(process), due_ns_(due_ns), park_tag_(park_tag), kind_(kind), now_(now) {}
  SleepAwaiter(const SleepAwaiter&) = delete;
  SleepAwaiter& operator=(const SleepAwaiter&) = delete;
  ~SleepAwaiter() { process_.cancel(event_); }
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> frame);
  void await_resume() noexcept {}

 private:
  Process& process_;
  TimeNs due_ns_;
  std::uint64_t park_tag_;
  TimerKind kind_;
  bool now_;
  EventId event_;
};

}  // namespace wt

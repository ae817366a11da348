#include "sim/kernel/process.h"

#include "sim/kernel/kernel.h"

namespace wt {

Process::~Process() {
  destroy_contents();
}

void Process::spawn(Task<void> task) {
  if (!alive_) return;
  auto handle = task.release();
  task_detail::PromiseBase& promise = handle.promise();
  promise.process = this;
  promise.previous_root = last_root_;
  (last_root_ != nullptr ? last_root_->next_root : first_root_) = &promise;
  last_root_ = &promise;
  ++root_count_;
  resume_soon(handle);
}

void Process::unlink_root(task_detail::PromiseBase& promise) noexcept {
  (promise.previous_root != nullptr ? promise.previous_root->next_root : first_root_) = promise.next_root;
  (promise.next_root != nullptr ? promise.next_root->previous_root : last_root_) = promise.previous_root;
  promise.previous_root = promise.next_root = nullptr;
  --root_count_;
}

void Process::destroy_contents() noexcept {
  while (last_root_ != nullptr) {
    task_detail::PromiseBase& promise = *last_root_;
    unlink_root(promise);
    promise.self.destroy();
  }
  while (!parts_.empty()) parts_.pop_back();
}

void Process::trace(Label label, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (alive_) kernel_.record(id_, label, a, b, c);
}

RandomStream& Process::random(Label name) {
  return kernel_.random(name);
}

EventId Process::schedule_at(TimeNs due_ns, TimerKind kind, EventFunction run, void* context,
                             std::uint64_t argument, std::uint64_t park_tag) {
  if (!alive_) return {};
  return kernel_.schedule_at(id_, due_ns, kind, run, context, argument, park_tag);
}

EventId Process::schedule_now(EventFunction run, void* context, std::uint64_t argument) {
  if (!alive_) return {};
  return kernel_.schedule_now(id_, run, context, argument);
}

EventId Process::resume_soon(std::coroutine_handle<> frame) {
  if (!alive_) return {};
  return kernel_.schedule_now(id_, &Kernel::resume_event, frame.address(),
                              reinterpret_cast<std::uintptr_t>(&kernel_));
}

void Process::cancel(EventId& id) {
  kernel_.cancel(id);
}

Process::SleepAwaiter Process::sleep(DurationNs duration_ns, TimerKind kind, std::uint64_t park_tag) {
  return SleepAwaiter(*this, saturating_add(now(), duration_ns > 0 ? duration_ns : 0), kind, park_tag, false);
}
Process::SleepAwaiter Process::sleep_until(TimeNs due_ns, TimerKind kind, std::uint64_t park_tag) {
  return SleepAwaiter(*this, due_ns, kind, park_tag, false);
}
Process::SleepAwaiter Process::yield() {
  return SleepAwaiter(*this, now(), TimerKind::protocol, 0, true);
}

void Process::SleepAwaiter::await_suspend(std::coroutine_handle<> frame) {
  if (now_) {
    event_ = process_.resume_soon(frame);
    return;
  }
  event_ = process_.schedule_at(due_ns_, kind_, &Kernel::resume_event, frame.address(),
                                reinterpret_cast<std::uintptr_t>(&process_.kernel()), park_tag_);
}

}  // namespace wt

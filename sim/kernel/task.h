// Task<T>: a coroutine that runs inside one simulated process.
//
// Tasks are lazy and structured: `co_await child()` runs the child in the parent's process; the
// parent owns it, and destroying the parent destroys the child. Process::spawn starts a root task.
// Cancelling is destruction: every awaiter unlinks itself in its destructor.
//
// await_suspend here never resumes or destroys anything: it names the next handle, and the kernel's
// loop resumes it. (g++ 12 overflows the stack with symmetric transfer in unoptimised and sanitizer
// builds.) A coroutine takes aggregates by const reference, because g++ 12 destroys by-value
// aggregate parameters twice; coroutine_traits below refuses them. docs/decisions/ has the list of
// shapes that it miscompiles; the source test looks for them.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "sim/kernel/finding.h"
#include "sim/kernel/frame_pool.h"

namespace wt {

class Process;
template <class T>
class Task;

namespace task_detail {

struct PromiseBase;

// Names the handle that the kernel's loop resumes when the running frame has suspended.
void set_next(Process& process, std::coroutine_handle<> next) noexcept;
// The root task has run to its end: the loop destroys it.
void root_finished(PromiseBase& promise) noexcept;

struct PromiseBase {
  Process* process = nullptr;
  std::coroutine_handle<> continuation;  // null in a root task
  std::exception_ptr exception;
  // Root tasks of a process form a list in order of spawning.
  PromiseBase* previous_root = nullptr;
  PromiseBase* next_root = nullptr;
  std::coroutine_handle<> self;

  static void* operator new(std::size_t size_bytes) { return allocate_frame(size_bytes); }
  static void operator delete(void* frame, std::size_t size_bytes) noexcept { free_frame(frame, size_bytes); }

  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { exception = std::current_exception(); }

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> finished) const noexcept {
      PromiseBase& promise = finished.promise();
      if (promise.continuation) {
        set_next(*promise.process, promise.continuation);
      } else {
        root_finished(promise);
      }
    }
    void await_resume() const noexcept {}
  };
  FinalAwaiter final_suspend() noexcept { return {}; }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  Task<T> get_return_object() noexcept;
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() {
    if (exception) std::rethrow_exception(exception);
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object() noexcept;
  void return_void() noexcept {}
  void take() {
    if (exception) std::rethrow_exception(exception);
  }
};

}  // namespace task_detail

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = task_detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  explicit Task(Handle handle) noexcept : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  class Awaiter {
   public:
    explicit Awaiter(Handle child) noexcept : child_(child) {}
    bool await_ready() const noexcept { return false; }
    template <class ParentPromise>
    void await_suspend(std::coroutine_handle<ParentPromise> parent) noexcept {
      child_.promise().process = parent.promise().process;
      child_.promise().continuation = parent;
      task_detail::set_next(*child_.promise().process, child_);
    }
    T await_resume() { return child_.promise().take(); }

   private:
    Handle child_;
  };
  Awaiter operator co_await() && noexcept { return Awaiter(handle_); }
  Awaiter operator co_await() & noexcept { return Awaiter(handle_); }

  // Gives the frame away; the caller destroys it.
  Handle release() noexcept { return std::exchange(handle_, nullptr); }

 private:
  Handle handle_;
};

namespace task_detail {

template <class T>
Task<T> Promise<T>::get_return_object() noexcept {
  auto handle = std::coroutine_handle<Promise<T>>::from_promise(*this);
  self = handle;
  return Task<T>(handle);
}
inline Task<void> Promise<void>::get_return_object() noexcept {
  auto handle = std::coroutine_handle<Promise<void>>::from_promise(*this);
  self = handle;
  return Task<void>(handle);
}

template <class Parameter>
inline constexpr bool kSafeParameter =
    std::is_reference_v<Parameter> || !std::is_class_v<Parameter> || !std::is_aggregate_v<Parameter>;

}  // namespace task_detail
}  // namespace wt

template <class T, class... Parameters>
struct std::coroutine_traits<wt::Task<T>, Parameters...> {
  static_assert((wt::task_detail::kSafeParameter<Parameters> && ...),
                "a coroutine takes aggregates by const reference (g++ 12 destroys them twice)");
  using promise_type = wt::task_detail::Promise<T>;
};

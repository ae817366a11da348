// Templates of driver.h: calls from other threads.
#pragma once

#include "harness/gateway/driver.h"

namespace wt::harness {

// Waits for an answer of the driver; on the thread that pumps, by pumping.
template <class Future>
void Driver::await(Future& future) {
  using namespace std::chrono_literals;
  if (options_.drive == Drive::caller && owner_.load() == std::this_thread::get_id()) {
    while (future.wait_for(0s) != std::future_status::ready && pump(kMillisecond_ns)) {
    }
    if (future.wait_for(0s) != std::future_status::ready) mailbox_.close();
  }
  future.wait();
}

template <class Work>
auto Driver::call(Work work) {
  using Result = std::invoke_result_t<Work&>;
  constexpr bool kVoid = std::is_void_v<Result>;
  using Answer = std::conditional_t<kVoid, Status, StatusOr<std::conditional_t<kVoid, int, Result>>>;
  const auto run = [](auto&& invoke) -> Answer {
    if constexpr (kVoid) {
      invoke();
      return ok_status();
    } else {
      return Answer(invoke());
    }
  };
  if (inside()) return run(work);
  auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
  std::future<Result> future = task->get_future();
  if (!submit([task] { (*task)(); }))
    return Answer(make_status(StatusCode::kUnavailable, "the driver has stopped"));
  task.reset();
  await(future);
  try {
    return run([&future] { return future.get(); });
  } catch (const std::future_error&) {
    return Answer(make_status(StatusCode::kUnavailable, "the driver has stopped"));
  }
}

}  // namespace wt::harness

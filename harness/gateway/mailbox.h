// Work for the driver's thread, from any thread, in order.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace wt::harness {

class Mailbox {
 public:
  using Work = std::function<void()>;

  // False once it was closed: the work will never run.
  bool put(Work work) {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    waiting_.push_back(std::move(work));
    return true;
  }
  std::vector<Work> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, {});
  }
  bool empty() const {
    const std::lock_guard lock(mutex_);
    return waiting_.empty();
  }
  // What is still in it is dropped; whoever waits for it learns that.
  void close() {
    std::vector<Work> dropped;
    const std::lock_guard lock(mutex_);
    closed_ = true;
    dropped.swap(waiting_);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Work> waiting_;
  bool closed_ = false;
};

}  // namespace wt::harness

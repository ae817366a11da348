#include <utility>

#include "sim/network/byte_stream.h"

namespace wt {

// Waits for the answer to one attempt to connect, or for its time-out.
class Streams::ConnectAwaiter {
 public:
  ConnectAwaiter(Streams& streams, Process& process, std::uint64_t attempt, DurationNs timeout_ns)
      : streams_(streams), process_(process), attempt_(attempt), timeout_ns_(timeout_ns) {
    streams_.connecting_[attempt_] = this;
  }
  ConnectAwaiter(const ConnectAwaiter&) = delete;
  ConnectAwaiter& operator=(const ConnectAwaiter&) = delete;
  ~ConnectAwaiter() {
    streams_.connecting_.erase(attempt_);
    process_.cancel(event_);
  }
  bool await_ready() const noexcept { return finished_; }
  void await_suspend(std::coroutine_handle<> frame) {
    frame_ = frame;
    event_ = process_.schedule_at(
        saturating_add(process_.now(), timeout_ns_), TimerKind::protocol,
        [](void* awaiter, std::uint64_t) {
          auto& self = *static_cast<ConnectAwaiter*>(awaiter);
          self.event_ = {};
          self.streams_.connecting_.erase(self.attempt_);
          self.process_.kernel().resume(self.frame_);
        },
        this);
  }
  StatusOr<ByteStream> await_resume() { return std::move(result_); }
  void finish(StatusOr<ByteStream> result) {
    result_ = std::move(result);
    finished_ = true;
    streams_.connecting_.erase(attempt_);
    if (!frame_) return;
    process_.cancel(event_);
    event_ = process_.resume_soon(frame_);
  }

 private:
  Streams& streams_;
  Process& process_;
  std::uint64_t attempt_;
  DurationNs timeout_ns_;
  bool finished_ = false;
  std::coroutine_handle<> frame_;
  EventId event_;
  StatusOr<ByteStream> result_ = make_status(StatusCode::kDeadlineExceeded, "no answer to connect in time");
};

Task<StatusOr<ByteStream>> Streams::connect(Process& process, NodeId from, NodeId to, DurationNs timeout_ns) {
  const std::uint64_t attempt = next_connect_++;
  ConnectAwaiter answer(*this, process, attempt, timeout_ns);
  const ProcessId connecting = process.id();
  if (process.alive()) {
    links_.transmit(from, to, "network.connect"_label, Links::WhenBlocked::wait,
                    [this, attempt, from, to, connecting] { accept_connect(attempt, from, to, connecting); });
  }
  StatusOr<ByteStream> stream = co_await answer;
  co_return stream;
}

void Streams::accept_connect(std::uint64_t attempt, NodeId from, NodeId to, ProcessId connecting) {
  const auto fault = connect_faults_.find(to);
  const ConnectFault mode = fault == connect_faults_.end() ? ConnectFault::none : fault->second;
  if (mode == ConnectFault::hang) return;
  Acceptor* acceptor = mode == ConnectFault::refuse ? nullptr : acceptor_at(to);
  // The connecting end travels with the answer: whoever drops the answer closes it.
  StatusOr<ByteStream> answer = make_status(StatusCode::kUnavailable, "connection refused");
  if (acceptor != nullptr && kernel_.process(connecting) != nullptr) {
    const ConnectionId id = create(from, connecting, to, listeners_[to].process);
    answer = ByteStream(this, id, 0);
    hand_over(*acceptor, id);
  }
  links_.transmit(to, from, "network.connected"_label, Links::WhenBlocked::wait,
                  [this, attempt, answer = std::move(answer)]() mutable {
                    const auto found = connecting_.find(attempt);
                    if (found != connecting_.end()) {
                      found->second->finish(std::move(answer));
                    } else {
                      answer = make_status(StatusCode::kCancelled, "nobody waits any more");
                    }
                  });
}

}  // namespace wt

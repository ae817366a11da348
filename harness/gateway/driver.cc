#include "harness/gateway/driver.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace wt::harness {

namespace {

constexpr DurationNs kNoLimit_ns = -1;

// Signals are for the host's own threads. Those that a fault of this thread raises stay deliverable.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
      sigdelset(&all, signal);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

DurationNs shorter(DurationNs a_ns, DurationNs b_ns) {
  if (a_ns < 0) return b_ns;
  return b_ns < 0 ? a_ns : std::min(a_ns, b_ns);
}

}  // namespace

Driver::Driver(Simulated& simulated, const DriverOptions& options, WallClock& wall, Recorder* recorder)
    : options_(options),
      wall_(wall),
      recorder_(recorder),
      boundary_(simulated, *this, options.output_window_bytes),
      kernel_(simulated.kernel()),
      streams_(simulated.streams()),
      pacer_(options.clock, options.rate, wall, kernel_.now()),
      parks_(options.park_release_wall_ns) {
  boundary_.set_interrupt(&stopping_);
}

Driver::~Driver() {
  stop();
  if (spare_descriptor_ >= 0) ::close(spare_descriptor_);  // it was never started
}

// --- life ---

Status Driver::start() {
  if (started_ || stopping_)
    return make_status(StatusCode::kFailedPrecondition, "the driver was started before");
  if (options_.listen && options_.clock == ClockMode::virtual_time) {
    return make_status(
        StatusCode::kInvalidArgument,
        "a virtual clock jumps to the next event, so that an outside client could never answer "
        "in time: listen with the clock mode flow or frozen");
  }
  if (!(options_.rate > 0)) return make_status(StatusCode::kInvalidArgument, "the rate must be positive");
  if (Status opened = poller_.open(); !opened.ok()) return opened;
  spare_descriptor_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  boundary_.refresh_listeners();
  for (std::size_t i = 0; options_.listen && i < boundary_.listeners().size(); ++i) {
    if (Status opened = open_listener(i); !opened.ok()) return opened;
  }
  if (recorder_ != nullptr) recorder_->start(kernel_, journal_head());
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    boundary_.simulated().set_address(i, addresses_[i].host, addresses_[i].port);
  }
  poll_listening();
  started_ = true;
  owner_.store(std::this_thread::get_id());
  if (options_.drive == Drive::thread) {
    owner_.store({});
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { run_thread(); });
  }
  return ok_status();
}

Status Driver::open_listener(std::size_t index) {
  const std::uint16_t port = index < options_.ports.size() ? options_.ports[index] : std::uint16_t{0};
  StatusOr<std::unique_ptr<Listener>> listener = Listener::bind(index, options_.host, port);
  if (!listener.ok()) return listener.status();
  // A port that cannot be listened on is an error now, not when the broker comes up.
  if (Status listens = (*listener)->listen(poller_); !listens.ok()) return listens;
  const std::lock_guard lock(addresses_mutex_);
  addresses_.push_back({boundary_.listeners()[index].name, options_.host, (*listener)->port()});
  listeners_.push_back(std::move(*listener));
  return ok_status();
}

JournalHead Driver::journal_head() const {
  JournalHead head;
  head.options_json = options_.options_json;
  head.clock = options_.clock;
  head.output_window_bytes = options_.output_window_bytes;
  head.listeners = addresses_;
  return head;
}

void Driver::run_thread() {
  owner_.store(std::this_thread::get_id());
  while (!stopping_.load(std::memory_order_relaxed)) turn(kNoLimit_ns);
  finish();
}

void Driver::stop() {
  if (!started_) return;
  stopping_.store(true);
  poller_.wake();
  if (thread_.joinable()) thread_.join();
  if (options_.drive == Drive::caller) finish();
  started_ = false;
}

bool Driver::pump(DurationNs at_most_wall_ns) {
  if (!started_ || stopping_.load() || in_turn_) return false;
  turn(std::max<DurationNs>(0, at_most_wall_ns));
  return true;
}

// The end of the run, on the driver's thread.
void Driver::finish() {
  mailbox_.close();
  watchers_.clear();
  if (recorder_ != nullptr && !over_) {
    if (jump_interrupted_) {
      recorder_->flush();  // without an end: what was jumped over is not in the recording
    } else {
      recorder_->finish();
    }
  }
  over_ = true;
  for (auto& [id, connection] : connections_) connection->close();
  connections_.clear();
  dropped_.clear();
  listeners_.clear();
  if (spare_descriptor_ >= 0) ::close(std::exchange(spare_descriptor_, -1));
}

// A violated invariant: the run is over, its recording complete. Clients see their connections break
// instead of waiting for answers that will never come; questions are still answered.
void Driver::on_finding() {
  over_ = true;
  if (recorder_ != nullptr) recorder_->finish();
  stop_listening();
  for (auto& [id, connection] : connections_) connection->close();
  dirty_.clear();
  touched_.clear();
  paused_.clear();
  inputs_.clear();
  caught_up_.clear();
  connections_.clear();
  stats_.open_connections = 0;
}

void Driver::stop_listening() {
  for (auto& listener : listeners_) listener->stop(poller_);
}

// --- one turn ---

void Driver::turn(DurationNs at_most_wall_ns) {
  in_turn_ = true;
  ++stats_.turns;
  const std::span<const Poller::Ready> ready = wait_for_sockets(longest_wait(at_most_wall_ns));
  boundary_.run_to(pacer_.target(kernel_.now()));
  run_mailbox();
  if (!over_ && !kernel_.finding()) {
    if (options_.clock == ClockMode::frozen) release_parks(false);
    gather(ready);
    give_inputs();
    if (options_.clock == ClockMode::frozen) release_parks(true);
    if (kernel_.finding()) stop_listening();  // before any client can see the end of the run
    work_off_outputs();
    check_backlogs();
  }
  end_turn();
  in_turn_ = false;
}

DurationNs Driver::longest_wait(DurationNs at_most_wall_ns) {
  if (!mailbox_.empty() || outputs_left() || stopping_.load()) return 0;
  DurationNs wait_ns = at_most_wall_ns;
  if (options_.clock == ClockMode::flow) {
    TimeNs due_ns = over_ ? kNever_ns : kernel_.next_due();
    for (const Watcher& watcher : watchers_) due_ns = std::min(due_ns, watcher.deadline_ns);
    wait_ns = shorter(wait_ns, pacer_.wall_until(due_ns));
  }
  if (options_.clock == ClockMode::frozen) {
    std::int64_t due_wall_ns = over_ ? kNever_ns : parks_.next_wall_ns();
    for (const Watcher& watcher : watchers_) due_wall_ns = std::min(due_wall_ns, watcher.deadline_ns);
    if (due_wall_ns != kNever_ns) {
      wait_ns = shorter(wait_ns, std::max<DurationNs>(0, due_wall_ns - wall_.monotonic_ns()));
    }
  }
  return wait_ns;
}

void Driver::end_turn() {
  if (recorder_ != nullptr && !over_) recorder_->checkpoints();
  if (kernel_.finding() && !over_) on_finding();
  poll_listening();
  check_watchers();
  for (const auto& done : after_turn_) done();
  after_turn_.clear();
  dropped_.clear();
}

void Driver::check_watchers() {
  if (watchers_.empty()) return;
  const TimeNs now_ns = options_.clock == ClockMode::frozen ? wall_.monotonic_ns() : kernel_.now();
  std::erase_if(watchers_, [&](const Watcher& watcher) {
    bool holds = false;
    try {
      holds = watcher.done();
    } catch (...) {  // the caller's own: it is thrown there
      watcher.result->set_exception(std::current_exception());
      return true;
    }
    const bool late = now_ns >= watcher.deadline_ns || kernel_.finding().has_value();
    if (holds || late) watcher.result->set_value(holds);
    return holds || late;
  });
}

// Ports of brokers that went down refuse from now on; those that came back listen again.
void Driver::poll_listening() {
  if (over_) return;
  for (auto& listener : listeners_) {
    const bool wanted = boundary_.simulated().listening(listener->index());
    if (wanted == listener->listening()) continue;
    if (wanted) {
      (void)listener->listen(poller_);
    } else {
      listener->stop(poller_);
    }
  }
}

std::vector<ListenerAddress> Driver::addresses() const {
  const std::lock_guard lock(addresses_mutex_);
  return addresses_;
}

DriverStats Driver::stats() {
  StatusOr<DriverStats> stats = call([this] { return stats_; });
  return stats.ok() ? *stats : stats_;
}

}  // namespace wt::harness

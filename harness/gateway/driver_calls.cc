#include "harness/gateway/driver.h"

namespace wt::harness {

bool Driver::inside() const {
  return owner_.load() == std::this_thread::get_id() && in_turn_;
}

bool Driver::submit(Mailbox::Work work) {
  if (!mailbox_.put(std::move(work))) return false;
  poller_.wake();
  return true;
}

void Driver::begin_batch() {
  if (recorder_ != nullptr) recorder_->begin_batch();
}

void Driver::run_mailbox() {
  for (Mailbox::Work& work : mailbox_.take()) {
    work();
    work = nullptr;
  }
}

bool Driver::post(std::function<void()> work) {
  return submit(std::move(work));
}

// --- calls that change the simulation ---

StatusOr<std::string> Driver::execute(std::string request) {
  auto stopped = make_status(StatusCode::kUnavailable, "the driver has stopped");
  if (inside())
    return make_status(StatusCode::kFailedPrecondition, "a call from inside a call would never end");
  auto result = std::make_shared<std::promise<StatusOr<std::string>>>();
  std::future<StatusOr<std::string>> future = result->get_future();
  if (!submit([this, request = std::move(request), result] { do_execute(request, *result); })) return stopped;
  result.reset();
  await(future);
  try {
    return future.get();
  } catch (const std::future_error&) {
    return stopped;
  }
}

void Driver::do_execute(const std::string& request, std::promise<StatusOr<std::string>>& result) {
  if (over_) {
    result.set_value(make_status(StatusCode::kFailedPrecondition, "a finding has ended the run"));
    return;
  }
  begin_batch();
  if (recorder_ != nullptr) {
    recorder_->input(EntryKind::execute, 0,
                     {reinterpret_cast<const std::uint8_t*>(request.data()), request.size()});
    recorder_->flush();
  }
  std::string answer = boundary_.execute(request);
  if (recorder_ != nullptr) recorder_->executed(answer);
  add_listeners();
  boundary_.settle();
  auto promise = std::make_shared<std::promise<StatusOr<std::string>>>(std::move(result));
  after_turn_.push_back([promise, answer = std::move(answer)] { promise->set_value(answer); });
}

// Listeners that the call has added.
void Driver::add_listeners() {
  if (!options_.listen) return;
  for (std::size_t i = listeners_.size(); i < boundary_.listeners().size(); ++i) {
    if (!open_listener(i).ok()) return;  // tried again after the next call
    AddressPayload payload;
    payload.listener = i;
    payload.address = addresses_[i];
    if (recorder_ != nullptr) recorder_->input_of(EntryKind::address, payload);
    boundary_.simulated().set_address(i, addresses_[i].host, addresses_[i].port);
  }
}

Status Driver::advance(DurationNs by_ns, bool silence_counts) {
  if (inside())
    return make_status(StatusCode::kFailedPrecondition, "a call from inside a call would never end");
  auto result = std::make_shared<std::promise<Status>>();
  std::future<Status> future = result->get_future();
  const bool taken = submit([this, by_ns, silence_counts, result] {
    Status status;
    if (over_) {
      status = make_status(StatusCode::kFailedPrecondition, "a finding has ended the run");
    } else {
      do_advance(by_ns, silence_counts);
      if (jump_interrupted_)
        status = make_status(StatusCode::kCancelled, "the driver stopped during the jump");
    }
    after_turn_.push_back([result, status] { result->set_value(status); });
  });
  auto stopped = make_status(StatusCode::kUnavailable, "the driver has stopped");
  if (!taken) return stopped;
  result.reset();
  await(future);
  try {
    return future.get();
  } catch (const std::future_error&) {
    return stopped;
  }
}

void Driver::do_advance(DurationNs by_ns, bool silence_counts) {
  begin_batch();
  if (recorder_ != nullptr) {
    AdvancePayload payload;
    payload.by_ns = by_ns;
    payload.silence_counts = silence_counts;
    recorder_->input_of(EntryKind::advance, payload);
    recorder_->flush();
  }
  const TimeNs before_ns = kernel_.now();
  boundary_.advance(by_ns, silence_counts);
  pacer_.jumped(kernel_.now() - before_ns);
  if (boundary_.interrupted()) jump_interrupted_ = true;
}

StatusOr<bool> Driver::wait_until(std::function<bool()> done, DurationNs timeout_ns) {
  if (inside())
    return make_status(StatusCode::kFailedPrecondition, "a call from inside a call would never end");
  auto result = std::make_shared<std::promise<bool>>();
  std::future<bool> future = result->get_future();
  const bool taken = submit([this, done = std::move(done), timeout_ns, result] {
    if (options_.clock == ClockMode::virtual_time) {
      try {
        const bool holds = boundary_.run_until(done, saturating_add(kernel_.now(), timeout_ns));
        after_turn_.push_back([result, holds] { result->set_value(holds); });
      } catch (...) {
        result->set_exception(std::current_exception());
      }
      return;
    }
    const TimeNs now_ns = options_.clock == ClockMode::frozen ? wall_.monotonic_ns() : kernel_.now();
    watchers_.push_back({done, saturating_add(now_ns, timeout_ns), result});
  });
  auto stopped = make_status(StatusCode::kUnavailable, "the driver has stopped");
  if (!taken) return stopped;
  result.reset();
  await(future);
  try {
    return future.get();
  } catch (const std::future_error&) {
    return stopped;
  }
}

// --- parked requests under a frozen clock ---

void Driver::release_parks(bool only_queued) {
  constexpr int kMostRounds = 1000;  // pipelined requests can park one after the other
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<std::uint64_t> ids = only_queued ? ParkWatch::queued_behind(boundary_.simulated())
                                                       : parks_.expired(kernel_, wall_.monotonic_ns());
    if (ids.empty()) break;
    begin_batch();
    for (const std::uint64_t id : ids) {
      ParkExpiredPayload payload;
      payload.id = id;
      if (recorder_ != nullptr) recorder_->input_of(EntryKind::park_expired, payload);
    }
    for (const std::uint64_t id : ids) boundary_.park_expired(id);
    boundary_.settle();
    if (!only_queued) break;
  }
  if (only_queued) (void)parks_.expired(kernel_, wall_.monotonic_ns());  // begins to count for new ones
}

}  // namespace wt::harness

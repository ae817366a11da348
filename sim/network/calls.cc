#include "sim/network/calls.h"

#include <utility>

namespace wt {

Calls::Calls(Kernel& kernel, Links& links, FaultRules& rules)
    : kernel_(kernel), links_(links), rules_(rules) {
  death_callback_ = kernel_.on_death([this](ProcessId id) {
    std::erase_if(served_, [id](const auto& entry) { return entry.second.process == id; });
    std::erase_if(deliveries_, [id](const auto& entry) { return entry.second.process == id; });
  });
}

Calls::~Calls() {
  kernel_.shut_down();
  kernel_.forget_death(death_callback_);
}

void Calls::serve(NodeId node, Process& process, CallTarget& target) {
  served_[node] = Served{process.id(), &target, nullptr};
}

void Calls::serve(NodeId node, DurableService& service) {
  served_[node] = Served{0, nullptr, &service};
}

// Waits for the answer to one call, or for its time-out.
class Calls::AnswerAwaiter {
 public:
  AnswerAwaiter(Calls& calls, Process& process, CallId id, DurationNs timeout_ns)
      : calls_(calls), process_(process), id_(id), timeout_ns_(timeout_ns) {}
  AnswerAwaiter(const AnswerAwaiter&) = delete;
  AnswerAwaiter& operator=(const AnswerAwaiter&) = delete;
  ~AnswerAwaiter() {
    process_.cancel(timer_);
    process_.cancel(wake_);
    calls_.pending_.erase(id_);
  }
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> frame) {
    frame_ = frame;
    timer_ = process_.schedule_at(saturating_add(process_.now(), timeout_ns_), TimerKind::protocol,
                                  &AnswerAwaiter::on_timeout, this);
  }
  StatusOr<BodyPtr> await_resume() { return std::move(answer_); }

  void finish(StatusOr<BodyPtr> answer) {
    answer_ = std::move(answer);
    calls_.pending_.erase(id_);
    process_.cancel(timer_);
    // The frame may have run on at once, and this with it be gone.
    const EventId event = process_.kernel().resume_in(process_, frame_);
    if (event) wake_ = event;
  }

 private:
  static void on_timeout(void* awaiter, std::uint64_t) {
    auto& self = *static_cast<AnswerAwaiter*>(awaiter);
    self.timer_ = {};
    self.calls_.pending_.erase(self.id_);
    self.process_.kernel().resume(self.frame_);
  }

  Calls& calls_;
  Process& process_;
  CallId id_;
  DurationNs timeout_ns_;
  std::coroutine_handle<> frame_;
  EventId timer_;
  EventId wake_;
  StatusOr<BodyPtr> answer_ = make_status(StatusCode::kDeadlineExceeded, "no answer in time");
};

Task<StatusOr<BodyPtr>> Calls::call(Process& caller, const CallOptions& options, BodyPtr request) {
  FaultDecision fault;
  if (options.point != nullptr) {
    FaultSite site{Label(options.point)};
    site.broker = options.broker;
    site.topic = options.topic;
    site.partition = options.partition;
    fault = co_await rules_.at(caller, site);
  }
  if (fault.is(FaultAction::refuse))
    co_return make_status(StatusCode::kUnavailable, "refused by a fault rule");

  const auto served = served_.find(options.to);
  const bool lose_answer = fault.is(FaultAction::lose_answer);
  // A process that has died in this very event sends nothing more.
  const bool sends = caller.alive() && !fault.is(FaultAction::lose_request);
  const bool direct = sends && served != served_.end() && served->second.service != nullptr && !lose_answer &&
                      links_.clear(options.from, options.to) && links_.clear(options.to, options.from);
  if (direct) {
    StatusOr<BodyPtr> answer = served->second.service->execute(options.from, *request);
    co_return answer;
  }

  const CallId id = next_call_++;
  AnswerAwaiter answer(*this, caller, id, options.timeout_ns);
  pending_.emplace(id, Pending(options.from, &answer));
  if (sends) {
    const NodeId from = options.from;
    const NodeId to = options.to;
    auto shared = std::make_shared<BodyPtr>(std::move(request));
    links_.transmit(
        from, to, "network.call"_label, Links::WhenBlocked::drop,
        [this, from, to, id, lose_answer, shared] { arrive(from, to, id, lose_answer, std::move(*shared)); });
  }
  StatusOr<BodyPtr> result = co_await answer;
  co_return result;
}

void Calls::arrive(NodeId from, NodeId to, CallId id, bool lose_answer, BodyPtr request) {
  const auto found = served_.find(to);
  if (found == served_.end()) {
    send_answer(to, from, id, make_status(StatusCode::kUnavailable, "connection refused"));
    return;
  }
  if (found->second.service != nullptr) {
    StatusOr<BodyPtr> answer = found->second.service->execute(from, *request);
    if (!lose_answer) send_answer(to, from, id, std::move(answer));
    return;
  }
  Process* process = kernel_.process(found->second.process);
  if (process == nullptr) return;
  // The answer to a call that nobody waits for goes nowhere.
  const auto pending = pending_.find(id);
  if (pending != pending_.end() && !lose_answer) pending->second.reached = process->id();
  // As an event of the target's process, so that a pause stops it and a violation names it.
  deliveries_.emplace(id, Delivery{process->id(), found->second.target, from, std::move(request)});
  process->schedule_now(&Calls::deliver_event, this, id);
}

void Calls::deliver_event(void* calls, std::uint64_t id) {
  auto& self = *static_cast<Calls*>(calls);
  auto node = self.deliveries_.extract(id);
  if (node.empty()) return;
  Delivery& delivery = node.mapped();
  delivery.target->on_call(delivery.from, id, std::move(delivery.request));
}

void Calls::reply(NodeId node, CallId id, StatusOr<BodyPtr> answer) {
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  const ProcessId reached = std::exchange(found->second.reached, 0);
  if (kernel_.process(reached) == nullptr) return;
  send_answer(node, found->second.from, id, std::move(answer));
}

void Calls::send_answer(NodeId from, NodeId to, CallId id, StatusOr<BodyPtr> answer) {
  auto shared = std::make_shared<StatusOr<BodyPtr>>(std::move(answer));
  links_.transmit(from, to, "network.answer"_label, Links::WhenBlocked::drop,
                  [this, id, shared] { finish(id, std::move(*shared)); });
}

void Calls::finish(CallId id, StatusOr<BodyPtr> answer) {
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  found->second.awaiter->finish(std::move(answer));
}

}  // namespace wt

#include "sim/network/calls.h"

#include <algorithm>
#include <utility>

namespace wt {

// A request on its way.
struct Calls::Request {
  NodeId from = 0;
  NodeId to = 0;
  CallId id = 0;
  bool lose_answer = false;
  BodyPtr body;
};

Calls::Calls(Kernel& kernel, Links& links, FaultRules& rules)
    : kernel_(kernel), links_(links), rules_(rules) {
  death_callback_ = kernel_.on_death([this](ProcessId id) {
    std::erase_if(served_, [id](const auto& entry) { return entry.second.process == id; });
    std::erase_if(deliveries_, [id](const Delivery& delivery) { return delivery.process == id; });
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
    self.answer_ = make_status(StatusCode::kDeadlineExceeded, "no answer in time");
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
  StatusOr<BodyPtr> answer_;
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
  Pending waiting;
  waiting.from = options.from;
  waiting.awaiter = &answer;
  pending_.insert(id, waiting);
  if (sends) {
    Request sent{options.from, options.to, id, lose_answer, std::move(request)};
    // Over a clear link it is there already; what answers is an event of its own, after this frame waits.
    const bool reaches_process =
        served != served_.end() && kernel_.process(served->second.process) != nullptr;
    if (reaches_process && links_.clear(options.from, options.to)) {
      arrive(sent);
    } else {
      links_.transmit(options.from, options.to, "network.call"_label, Links::WhenBlocked::drop,
                      [this, parcel = std::make_unique<Request>(std::move(sent))] { arrive(*parcel); });
    }
  }
  StatusOr<BodyPtr> result = co_await answer;
  co_return result;
}

void Calls::arrive(Request& request) {
  const CallId id = request.id;
  const auto found = served_.find(request.to);
  if (found == served_.end()) {
    send_answer(request.to, request.from, id, make_status(StatusCode::kUnavailable, "connection refused"));
    return;
  }
  if (found->second.service != nullptr) {
    StatusOr<BodyPtr> answer = found->second.service->execute(request.from, *request.body);
    if (!request.lose_answer) send_answer(request.to, request.from, id, std::move(answer));
    return;
  }
  Process* process = kernel_.process(found->second.process);
  if (process == nullptr) return;
  // The answer to a call that nobody waits for goes nowhere.
  Pending* pending = pending_.find(id);
  if (pending != nullptr && !request.lose_answer) pending->reached = process->id();
  // As an event of the target's process, so that a pause stops it and a violation names it.
  Delivery& delivery = deliveries_.emplace_back();
  delivery.id = id;
  delivery.process = process->id();
  delivery.target = found->second.target;
  delivery.from = request.from;
  delivery.request = std::move(request.body);
  process->schedule_now(&Calls::deliver_event, this, id);
}

void Calls::deliver_event(void* calls, std::uint64_t id) {
  auto& self = *static_cast<Calls*>(calls);
  const auto found = std::find_if(self.deliveries_.begin(), self.deliveries_.end(),
                                  [id](const Delivery& delivery) { return delivery.id == id; });
  if (found == self.deliveries_.end()) return;
  Delivery delivery = std::move(*found);
  self.deliveries_.erase(found);
  delivery.target->on_call(delivery.from, id, std::move(delivery.request));
}

void Calls::reply(NodeId node, CallId id, StatusOr<BodyPtr> answer) {
  Pending* pending = pending_.find(id);
  if (pending == nullptr) return;
  const ProcessId reached = std::exchange(pending->reached, 0);
  if (kernel_.process(reached) == nullptr) return;
  send_answer(node, pending->from, id, std::move(answer));
}

void Calls::send_answer(NodeId from, NodeId to, CallId id, StatusOr<BodyPtr> answer) {
  if (links_.clear(from, to)) {
    finish(id, std::move(answer));
    return;
  }
  links_.transmit(from, to, "network.answer"_label, Links::WhenBlocked::drop,
                  [this, id, answer = std::move(answer)]() mutable { finish(id, std::move(answer)); });
}

void Calls::finish(CallId id, StatusOr<BodyPtr> answer) {
  const Pending* pending = pending_.find(id);
  if (pending != nullptr) pending->awaiter->finish(std::move(answer));
}

}  // namespace wt

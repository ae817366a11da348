#include "sim/controller/controller.h"

#include <utility>

#include "sim/controller/planner.h"

namespace wt::controller {

Controller::Controller(Process& process, Calls& calls, FaultRules& rules, const ControllerOptions& options)
    : process_(process),
      calls_(calls),
      rules_(rules),
      options_(options),
      image_(std::make_shared<MetadataImage>()),
      queue_(process),
      waiting_changed_(process) {}

Controller::~Controller() = default;

void Controller::start() {
  calls_.serve(options_.node, process_, *this);
  process_.spawn(run());
  process_.spawn(watch_sessions());
  process_.spawn(watch_fetches());
  if (options_.auto_leader_rebalance) process_.spawn(watch_balance());
}

ActivationReport Controller::activation() const {
  return activation_report(*image_, live(), options_.activation_brokers);
}

std::vector<BrokerId> Controller::live_brokers() const {
  const std::set<BrokerId> ids = live();
  return {ids.begin(), ids.end()};
}

void Controller::broker_died(BrokerId broker) {
  auto work = std::make_unique<Work>(Job::broker_died);
  work->broker = broker;
  if (active_) declare_dead(broker);
  push(std::move(work));
}

void Controller::push(std::unique_ptr<Work> work) {
  queue_.push(std::move(work));
}

void Controller::push_activation() {
  if (image_->activation() == nullptr) push(std::make_unique<Work>(Job::activate));
}

void Controller::on_call(NodeId, CallId id, BodyPtr request) {
  if (active_) {
    // Polls wait beside the queue, and a heartbeat counts when it comes, not when its turn comes.
    if (const auto* fetch = message_cast<FetchMetadata>(request.get())) {
      on_fetch(id, fetch->value);
      return;
    }
    if (const auto* beat = message_cast<BrokerHeartbeat>(request.get())) {
      touch(beat->value.broker, beat->value.broker_epoch);
      if (answer_at_once(id, *request)) return;
    }
  }
  if (queue_.size() >= options_.max_queued_requests) {
    calls_.reply(options_.node, id, make_status(StatusCode::kUnavailable, "the controller is busy"));
    return;
  }
  auto work = std::make_unique<Work>(Job::request);
  work->call = id;
  work->request = std::move(request);
  push(std::move(work));
}

// A request that finds nobody before it and changes nothing: as good as every heartbeat.
bool Controller::answer_at_once(CallId id, MessageBody& request) {
  if (working_ || queue_.size() > 0) return false;
  Planner planner(options_, image_, process_.random("controller.topic.ids"_label), placement_cursor_);
  BodyPtr answer = plan(planner, request);
  if (!planner.records().empty()) return false;
  note_contact(request, answer.get());
  calls_.reply(options_.node, id, std::move(answer));
  return true;
}

Task<void> Controller::run() {
  co_await load();
  for (;;) {
    std::optional<std::unique_ptr<Work>> work = co_await queue_.pop();
    if (!work) co_return;
    working_ = true;
    co_await process_work(**work);
    working_ = false;
  }
}

Task<void> Controller::process_work(Work& work) {
  if (work.request != nullptr) {
    if (const auto* fetch = message_cast<FetchMetadata>(work.request.get())) {
      on_fetch(work.call, fetch->value);
      co_return;
    }
  }
  if (work.job == Job::activate) co_await await_steady_brokers();
  Planner planner(options_, image_, process_.random("controller.topic.ids"_label), placement_cursor_);
  BodyPtr answer;
  if (work.job == Job::request) {
    answer = plan(planner, *work.request);
  } else {
    plan_job(planner, work);
  }
  const bool changed = !planner.records().empty();
  if (changed) {
    const bool committed = co_await commit(planner);
    if (!committed) {
      // Somebody else wrote the log: this request had no effect, and the caller may send it again.
      if (work.job == Job::request) {
        calls_.reply(options_.node, work.call,
                     make_status(StatusCode::kUnavailable, "another controller has taken over"));
      }
      co_await load();
      co_return;
    }
  }
  if (work.job != Job::request) co_return;
  note_contact(*work.request, answer.get());
  if (answer == nullptr) {
    calls_.reply(options_.node, work.call,
                 make_status(StatusCode::kInvalidArgument, "the controller does not know this request"));
    co_return;
  }
  calls_.reply(options_.node, work.call, std::move(answer));
}

// What a broker's own request, now answered, says about its session.
void Controller::note_contact(const MessageBody& request, const MessageBody* answer) {
  if (const auto* to_register = message_cast<RegisterBroker>(&request)) {
    const auto* response = message_cast<RegisterBroker::Response>(answer);
    if (!response->value.error.ok()) return;
    const BrokerId broker = to_register->value.broker;
    if (!declared_dead(broker, response->value.broker_epoch)) dead_.erase(broker);
    touch(broker, response->value.broker_epoch);
  } else if (const auto* beat = message_cast<BrokerHeartbeat>(&request)) {
    // It came while the log was being read.
    if (!has_session(beat->value.broker)) touch(beat->value.broker, beat->value.broker_epoch);
  }
}

namespace {

// Plans the request if it is a `Request`; the answer goes to `answer`.
template <class Request, class Plan>
bool plan_if(MessageBody& request, BodyPtr& answer, Plan&& plan) {
  const auto* message = message_cast<Request>(&request);
  if (message == nullptr) return false;
  answer = std::make_unique<Message<typename Request::Response>>(plan(message->value));
  return true;
}

}  // namespace

BodyPtr Controller::plan(Planner& planner, MessageBody& request) {
  BodyPtr answer;
  const auto simply = [&planner](const auto& r) { return planner.plan(r); };
  const bool known =
      plan_if<BrokerHeartbeat>(request, answer,
                               [&](const BrokerHeartbeat& r) {
                                 auto response = planner.plan(r, declared_dead(r.broker, r.broker_epoch));
                                 response.controller_epoch = epoch_;
                                 return response;
                               }) ||
      plan_if<RegisterBroker>(request, answer,
                              [&](const RegisterBroker& r) {
                                const BrokerState* known_broker = image_->broker(r.broker);
                                const bool dead = known_broker != nullptr &&
                                                  declared_dead(r.broker, known_broker->broker_epoch);
                                auto response = planner.plan(r, has_session(r.broker), dead);
                                response.controller_epoch = epoch_;
                                return response;
                              }) ||
      plan_if<CreateTopics>(request, answer, simply) || plan_if<DeleteTopics>(request, answer, simply) ||
      plan_if<CreatePartitions>(request, answer, simply) ||
      plan_if<IncrementalAlterConfigs>(request, answer, simply) ||
      plan_if<AlterConfigs>(request, answer, simply) || plan_if<UpdateFeatures>(request, answer, simply) ||
      plan_if<AlterClientQuotas>(request, answer, simply) ||
      plan_if<AlterPartitionReassignments>(request, answer, simply) ||
      plan_if<DescribeQuorum>(request, answer, [this](const DescribeQuorum&) { return describe_quorum(); }) ||
      plan_if<AlterTopicProperties>(request, answer, simply) ||
      plan_if<ElectLeaders>(request, answer, simply) || plan_if<MoveLeader>(request, answer, simply) ||
      plan_if<AllocateProducerIds>(request, answer, simply) ||
      plan_if<AlterUserScram>(request, answer, simply) || plan_if<UnregisterBroker>(request, answer, simply);
  return known ? std::move(answer) : nullptr;
}

// The set of live brokers that activation is decided on; taken again when one goes meanwhile.
Task<void> Controller::await_steady_brokers() {
  if (image_->activation() != nullptr) co_return;
  std::set<BrokerId> seen;
  do {
    seen = live();
    FaultSite site("controller.activation.snapshot"_label);
    co_await rules_.at(process_, site);
  } while (seen != live());
}

void Controller::plan_job(Planner& planner, const Work& work) {
  switch (work.job) {
    case Job::broker_died:
    case Job::session_expired:
      if (session_ends(work)) planner.fence(work.broker);
      break;
    case Job::rebalance:
      planner.rebalance();
      break;
    case Job::activate:
      if (image_->activation() == nullptr) planner.activate(live());
      break;
    case Job::request:
      break;
  }
}

Task<void> Controller::watch_balance() {
  for (;;) {
    co_await process_.sleep(options_.leader_imbalance_check_ns);
    if (active_) push(std::make_unique<Work>(Job::rebalance));
  }
}

}  // namespace wt::controller

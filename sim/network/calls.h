// Calls between nodes: one request, one answer, a time-out.
//
// Only messages cross processes. A caller holds a call id, never a handle of the other side, and an
// answer to a process that has died is dropped. Two kinds of callee:
//   - a DurableService executes a request at once and is never killed; when nothing on the way needs
//     time, the whole call takes no event at all;
//   - a CallTarget belongs to a process and answers when it likes, with Calls::reply.
//
// What a failed call says: Unavailable, the request had no effect (nobody listened, or a rule refused
// it); DeadlineExceeded, no answer came in time, and the request may or may not have taken effect.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "sim/faults/rules.h"
#include "sim/kernel/lookup_map.h"
#include "sim/kernel/status.h"
#include "sim/kernel/task.h"
#include "sim/network/links.h"

namespace wt {

// Base of requests and answers. It says itself what it carries: message_cast below costs one comparison.
class MessageBody {
 public:
  MessageBody(const MessageBody&) = delete;
  MessageBody& operator=(const MessageBody&) = delete;
  virtual ~MessageBody() = default;
  // Only to be compared: each type of value has an address of its own.
  const char* type() const noexcept { return type_; }

 protected:
  explicit MessageBody(const char* type) noexcept : type_(type) {}

 private:
  const char* type_;
};
using BodyPtr = std::unique_ptr<MessageBody>;

template <class Value>
inline constexpr char kMessageType = 0;

// A value as a message.
template <class Value>
struct Message final : MessageBody {
  explicit Message(Value v) : MessageBody(&kMessageType<Value>), value(std::move(v)) {}
  Value value;
};

// The body as a message of that value, or null when it is null or carries something else.
template <class Value>
const Message<Value>* message_cast(const MessageBody* body) noexcept {
  return body != nullptr && body->type() == &kMessageType<Value> ? static_cast<const Message<Value>*>(body)
                                                                 : nullptr;
}
template <class Value>
Message<Value>* message_cast(MessageBody* body) noexcept {
  return const_cast<Message<Value>*>(message_cast<Value>(static_cast<const MessageBody*>(body)));
}

using CallId = std::uint64_t;

class CallTarget {
 public:
  virtual ~CallTarget() = default;
  // Runs as an event of the target's process. Answer with Calls::reply, now or later, at most once.
  virtual void on_call(NodeId from, CallId id, BodyPtr request) = 0;
};

class DurableService {
 public:
  virtual ~DurableService() = default;
  // Executes and answers; must not call back, schedule or kill.
  virtual StatusOr<BodyPtr> execute(NodeId from, MessageBody& request) = 0;
};

struct CallOptions {
  NodeId from = 0;
  NodeId to = 0;
  DurationNs timeout_ns = 0;
  const LabelInfo* point = nullptr;  // fault point of this kind of call
  std::int32_t broker = -1;          // of the caller, for rules
  std::string_view topic;            // what the call is about, for rules
  std::int32_t partition = -1;
};

class Calls {
 public:
  Calls(Kernel& kernel, Links& links, FaultRules& rules);
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  // Ends all processes, whose frames may wait here.
  ~Calls();

  // The target is part of `process` and is forgotten when it dies.
  void serve(NodeId node, Process& process, CallTarget& target);
  // The service outlives every call.
  void serve(NodeId node, DurableService& service);

  // The options must stay valid until the call ends (name them before `co_await`).
  Task<StatusOr<BodyPtr>> call(Process& caller, const CallOptions& options, BodyPtr request);
  // Answers a call that reached a CallTarget of `node`. Unknown and answered ids are ignored, and so is
  // every answer once the process that the call had reached is dead.
  void reply(NodeId node, CallId id, StatusOr<BodyPtr> answer);

  std::size_t pending() const noexcept { return pending_.size(); }

 private:
  class AnswerAwaiter;
  struct Pending {
    NodeId from = 0;        // the caller
    ProcessId reached = 0;  // the process that may answer
    AnswerAwaiter* awaiter = nullptr;
  };
  struct Served {
    ProcessId process = 0;
    CallTarget* target = nullptr;
    DurableService* service = nullptr;
  };

  struct Delivery {
    CallId id = 0;
    ProcessId process = 0;
    CallTarget* target = nullptr;
    NodeId from = 0;
    BodyPtr request;
  };
  struct Request;
  static void deliver_event(void* calls, std::uint64_t id);
  void arrive(Request& request);
  void send_answer(NodeId from, NodeId to, CallId id, StatusOr<BodyPtr> answer);
  void finish(CallId id, StatusOr<BodyPtr> answer);

  Kernel& kernel_;
  Links& links_;
  FaultRules& rules_;
  std::map<NodeId, Served> served_;
  LookupMap<CallId, Pending> pending_;
  // Arrived at a process, not yet taken by it: as good as empty, and taken in about this order.
  std::deque<Delivery> deliveries_;
  CallId next_call_ = 1;
  std::uint64_t death_callback_ = 0;
};

// The typed form: `Request` has a member type `Response`.
template <class Request>
Task<StatusOr<typename Request::Response>> typed_call(Calls& calls, Process& caller,
                                                      const CallOptions& options,
                                                      std::unique_ptr<Message<Request>> request) {
  using Response = typename Request::Response;
  BodyPtr body = std::move(request);
  StatusOr<BodyPtr> answer = co_await calls.call(caller, options, std::move(body));
  if (!answer.ok()) co_return answer.status();
  auto* typed = message_cast<Response>(answer->get());
  WT_INVARIANT(typed != nullptr, "network.call.type", "an answer has the wrong type");
  co_return std::move(typed->value);
}

}  // namespace wt

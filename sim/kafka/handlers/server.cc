#include "sim/kafka/handlers/server.h"

#include <utility>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/partial_answer.h"
#include "sim/kafka/handlers/request_names.h"
#include "sim/kafka/handlers/sasl.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/profiles/release_profile.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

FaultSite site_of(const RequestContext& context, Label point, const FaultNames& names) {
  FaultSite site(point);
  site.broker = context.broker.id();
  site.client_id = context.client_id;
  site.api_key = context.request.api->key;
  site.api_version = context.version();
  site.connection = context.connection.id;
  site.names = &names;
  return site;
}

// How a client begins that speaks TLS to a listener without it: a handshake record of version 3.x.
constexpr std::int64_t kTlsHandshake = 0x1603;

// API and version as one number, for the trace.
std::int64_t call_of(std::int16_t api_key, Version version) {
  return (std::int64_t{api_key} << 16) | static_cast<std::uint16_t>(version);
}

}  // namespace

// Closes a connection on which nothing came or went for too long. Silence of an outside client: the clock
// that stands still while a test skips time.
class KafkaServer::IdleWatch {
 public:
  IdleWatch(Process& process, Streams& streams, ConnectionId connection, DurationNs max_idle_ns)
      : process_(process), streams_(streams), connection_(connection), max_idle_ns_(max_idle_ns) {
    arm();
  }
  IdleWatch(const IdleWatch&) = delete;
  IdleWatch& operator=(const IdleWatch&) = delete;
  ~IdleWatch() { process_.cancel(timer_); }

  // Something came or went: the time begins again.
  void touch() {
    if (armed_ns_ == process_.now()) return;
    process_.cancel(timer_);
    arm();
  }

 private:
  void arm() {
    armed_ns_ = process_.now();
    timer_ = process_.schedule_at(saturating_add(armed_ns_, max_idle_ns_), TimerKind::silence,
                                  &IdleWatch::fire, this);
  }
  static void fire(void* watch, std::uint64_t) {
    auto& self = *static_cast<IdleWatch*>(watch);
    self.timer_ = {};
    self.process_.trace("kafka.connection.idle"_label, self.connection_);
    self.streams_.reset_connection(self.connection_);
  }

  Process& process_;
  Streams& streams_;
  ConnectionId connection_;
  DurationNs max_idle_ns_;
  TimeNs armed_ns_ = 0;
  EventId timer_;
};

class KafkaServer::Reading {
 public:
  Reading(KafkaServer& server, ConnectionId connection, const FrameBuffer& frames)
      : server_(server), connection_(connection) {
    server_.reading_[connection] = &frames;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { server_.reading_.erase(connection_); }

 private:
  KafkaServer& server_;
  ConnectionId connection_;
};

KafkaServer::KafkaServer(Process& process, broker::Broker& broker, KafkaService& service,
                         const ServerOptions& options)
    : process_(process), broker_(broker), service_(service), options_(options) {}

std::size_t KafkaServer::read_ahead_bytes(ConnectionId connection) const {
  const auto found = reading_.find(connection);
  return found == reading_.end() ? 0 : found->second->buffered_bytes();
}

void KafkaServer::on_accept(ByteStream stream) {
  if (connections_ >= options_.max_connections) {
    process_.trace("kafka.connection.limit"_label, stream.id(), connections_);
    return;  // closed by its destructor
  }
  process_.spawn(serve(std::move(stream), Place(connections_)));
}

Task<void> KafkaServer::serve(ByteStream stream, [[maybe_unused]] Place place) {
  ConnectionState connection;
  connection.id = stream.id();
  if (service_.options().sasl) connection.sasl = std::make_unique<SaslSession>(*service_.options().sasl);
  IdleWatch idle(process_, broker_.streams(), connection.id, options_.max_idle_ns);
  FrameBuffer frames(options_.max_request_bytes);
  const Reading reading(*this, connection.id, frames);
  for (;;) {
    if (connection.sasl) {
      frames.set_max_frame_bytes(connection.sasl->complete() ? options_.max_request_bytes
                                                             : connection.sasl->settings().max_receive_bytes);
    }
    FrameBuffer::State state = frames.state();
    while (state == FrameBuffer::State::incomplete) {
      StatusOr<Slice> bytes = co_await stream.read(process_);
      if (!bytes.ok() || bytes->empty()) co_return;
      frames.feed(std::move(*bytes));
      state = frames.state();
    }
    if (state == FrameBuffer::State::bad_length) {
      const bool tls = frames.claimed_bytes() >> 16 == kTlsHandshake;
      refuse(connection, tls ? "kafka.refused.tls"_label : "kafka.refused.length"_label,
             frames.claimed_bytes());
      co_return;
    }
    const Slice frame = frames.pop();
    idle.touch();
    const bool go_on = co_await handle_frame(stream, connection, frame);
    if (!go_on) co_return;
    idle.touch();
    if (stream.congested()) co_await stream.drained(process_);
  }
}

void KafkaServer::refuse(const ConnectionState& connection, Label why, std::int64_t detail) {
  process_.trace(why, connection.id, static_cast<std::uint64_t>(detail));
  service_.log_refusal(why.name(), connection.id, detail);
}

bool KafkaServer::takes_api_versions(Version version) const {
  const Controls* controls = service_.controls();
  return is_supported(service_.profile(), kApiVersionsKey, version) &&
         (controls == nullptr || controls->api_caps.allows(kApiVersionsKey, version));
}

SaslSession::Admission KafkaServer::admission(const ConnectionState& connection,
                                              const RequestPrefix& prefix) {
  using Admission = SaslSession::Admission;
  if (!connection.sasl) return Admission::pass;
  const Admission admission = connection.sasl->admit(prefix.api_key, process_.now());
  const std::int64_t call = call_of(prefix.api_key, prefix.api_version);
  if (admission == Admission::unauthenticated)
    refuse(connection, "kafka.refused.unauthenticated"_label, call);
  if (admission == Admission::expired) refuse(connection, "kafka.refused.session_expired"_label, call);
  if (admission == Admission::wrong_state) refuse(connection, "kafka.refused.sasl_state"_label, call);
  return admission;
}

Task<bool> KafkaServer::handle_bare_message(ByteStream& stream, ConnectionState& connection,
                                            const Slice& message) {
  SaslAnswer answer = co_await answer_sasl_message(process_, broker_, service_, connection, message);
  if (answer.code != ErrorCode::kNone) co_return false;
  std::string frame(4, '\0');
  for (int i = 0; i < 4; ++i) frame[i] = static_cast<char>(answer.bytes.size() >> (24 - 8 * i));
  frame += answer.bytes;
  stream.write(SliceList{Slice::copy_of(frame)});
  co_return true;
}

// Whether this release takes such a request; else the refusal is logged.
bool KafkaServer::is_taken(const ConnectionState& connection, const RequestPrefix& prefix) {
  const Controls* controls = service_.controls();
  const bool capped = controls != nullptr && !controls->api_caps.allows(prefix.api_key, prefix.api_version);
  if (!capped && service_.takes(prefix.api_key, prefix.api_version)) return true;
  refuse(connection, "kafka.refused.version"_label, call_of(prefix.api_key, prefix.api_version));
  return false;
}

Task<bool> KafkaServer::handle_frame(ByteStream& stream, ConnectionState& connection, const Slice& frame) {
  if (connection.sasl && connection.sasl->awaits_bare_message()) {
    const bool go_on = co_await handle_bare_message(stream, connection, frame);
    co_return go_on;
  }
  const std::optional<RequestPrefix> prefix = read_request_prefix(frame.bytes());
  if (!prefix) {
    refuse(connection, "kafka.refused.header"_label, static_cast<std::int64_t>(frame.size()));
    co_return false;
  }
  using Admission = SaslSession::Admission;
  const Admission admitted = admission(connection, *prefix);
  if (admitted == Admission::unauthenticated || admitted == Admission::expired) co_return false;
  if (prefix->api_key == kApiVersionsKey && admitted == Admission::pass &&
      !takes_api_versions(prefix->api_version)) {
    co_return send_unsupported_version(stream, *prefix);
  }
  if (!is_taken(connection, *prefix)) co_return false;
  DecodeLimits limits;
  limits.max_memory_bytes = options_.max_decoded_bytes;
  limits.allow_trailing_bytes = true;
  StatusOr<Request> request = decode_request(frame, limits);
  if (!request.ok()) {
    refuse(connection, "kafka.refused.body"_label, call_of(prefix->api_key, prefix->api_version));
    co_return false;
  }
  const std::string_view client_id =
      request->header.client_id ? std::string_view(*request->header.client_id) : std::string_view();
  RequestContext context{process_, broker_, service_, connection, *request, client_id};
  process_.trace("kafka.request"_label, connection.id,
                 static_cast<std::uint64_t>(call_of(prefix->api_key, prefix->api_version)),
                 static_cast<std::uint32_t>(prefix->correlation_id));
  note(context);
  if (admitted == Admission::wrong_state) {
    const Reply wrong = error_reply(context, ErrorCode::kIllegalSaslState);
    if (wrong.kind == Reply::Kind::answer) send(stream, context, wrong);
    co_return false;
  }
  const bool go_on = co_await handle_request(stream, context);
  co_return go_on;
}

// For the operator's list; leaves no mark in the run.
void KafkaServer::note(const RequestContext& context) {
  Controls* controls = service_.controls();
  if (controls == nullptr || !controls->requests.on()) return;
  SeenRequest seen;
  seen.time_ns = process_.now();
  seen.broker = broker_.id();
  seen.connection = context.connection.id;
  seen.api_key = context.request.api->key;
  seen.api_version = context.version();
  seen.correlation_id = context.request.header.correlation_id;
  seen.client_id = context.client_id;
  FaultNames names = names_in(context);
  if (!names.partitions.empty()) {
    seen.topic = std::move(names.partitions.front().topic);
    seen.partition = names.partitions.front().partition;
  }
  if (!names.groups.empty()) seen.group = std::move(names.groups.front());
  if (!names.transactional_ids.empty()) seen.transactional_id = std::move(names.transactional_ids.front());
  controls->requests.add(std::move(seen));
}

// Between the two fault points of every request. Rules may come while a request is served.
Task<bool> KafkaServer::handle_request(ByteStream& stream, RequestContext& context) {
  const FaultRules& rules = broker_.rules();
  FaultNames names;
  FaultDecision before;
  const bool watched = !rules.empty();
  if (watched) {
    names = names_in(context);
    const FaultSite received = site_of(context, "kafka.request.received"_label, names);
    before = co_await broker_.rules().at(process_, received);
    if (before.is(FaultAction::close)) co_return false;
    if (before.is(FaultAction::drop_request)) co_return true;
  }
  Reply reply;
  if (before.is(FaultAction::answer)) {
    reply = co_await refuse_part(context, before, names);
  } else {
    reply = co_await run_handler(context);
  }
  FaultDecision after;
  if (!rules.empty()) {
    if (!watched) names = names_in(context);
    const FaultSite answered = site_of(context, "kafka.request.answered"_label, names);
    after = co_await broker_.rules().at(process_, answered);
    // The work is done.
    if (after.is(FaultAction::answer)) after.action = FaultAction::answer_after;
  }
  for (const FaultDecision* fault : {&before, &after}) {
    if (fault->is(FaultAction::drop_answer) || fault->is(FaultAction::drop_request)) co_return true;
    if (fault->is(FaultAction::close_after) || fault->is(FaultAction::close)) co_return false;
    if (fault->is(FaultAction::answer_after)) {
      reply = is_partial(context, *fault) ? with_errors(context, *fault, names, std::move(reply))
                                          : error_reply(context, static_cast<ErrorCode>(fault->error_code));
    }
  }
  if (reply.kind == Reply::Kind::close) co_return false;
  const bool sent = reply.kind == Reply::Kind::none || send(stream, context, reply);
  co_return sent && !reply.last;
}

// An error instead of the work, for all of the request or for the partitions that the rule means.
Task<Reply> KafkaServer::refuse_part(RequestContext& context, const FaultDecision& fault,
                                     const FaultNames& names) {
  if (!is_partial(context, fault)) co_return error_reply(context, static_cast<ErrorCode>(fault.error_code));
  Reply reply;
  const std::optional<Request> rest = without_faulty(context, fault);
  if (rest) {
    RequestContext narrowed{context.process,    context.broker, context.service,
                            context.connection, *rest,          context.client_id};
    reply = co_await run_handler(narrowed);
  }
  if (reply.kind == Reply::Kind::close) co_return reply;
  co_return with_errors(context, fault, names, std::move(reply));
}

Task<Reply> KafkaServer::run_handler(RequestContext& context) {
  const Handler handler = find_handler(context.request.api->key);
  if (handler == nullptr) {
    // In the profile's list, not built yet: the client is told that it cannot have it.
    refuse(context.connection, "kafka.refused.unimplemented"_label, context.request.api->key);
    co_return error_reply(context, ErrorCode::kUnsupportedVersion);
  }
  Reply reply = co_await handler(context);
  co_return reply;
}

bool KafkaServer::send_unsupported_version(ByteStream& stream, const RequestPrefix& prefix) {
  ApiVersionsResponse response = api_versions_unsupported(service_.profile());
  if (service_.controls() != nullptr) service_.controls()->api_caps.apply(response);
  StatusOr<SliceList> bytes =
      encode_response(*find_api(kApiVersionsKey), 0, prefix.correlation_id, &response);
  WT_INVARIANT(bytes.ok(), "kafka.encode", "the answer to an unknown ApiVersions version cannot be encoded");
  stream.write(std::move(*bytes));
  return true;
}

// An answer that does not fit its version is a bug of ours, but a client provoked it: it costs that client
// its connection, never the run. Tests look for this refusal.
bool KafkaServer::send(ByteStream& stream, const RequestContext& context, const Reply& reply) {
  WT_INVARIANT(static_cast<bool>(reply.body), "kafka.reply", "a handler gave no answer");
  EncodeOptions options;
  options.length_prefix = true;
  options.inline_below_bytes = kCopyBelow_bytes;
  StatusOr<SliceList> bytes =
      encode_response(*context.request.api, context.version(), context.request.header.correlation_id,
                      reply.body.object(), options);
  if (!bytes.ok()) {
    const std::int64_t what = call_of(context.request.api->key, context.version());
    process_.trace("kafka.refused.unencodable"_label, context.connection.id,
                   static_cast<std::uint64_t>(what));
    service_.log_refusal("kafka.refused.unencodable: " + std::string(context.request.api->name) +
                             " version " + std::to_string(context.version()) + ": " +
                             std::string(message_of(bytes.status())),
                         context.connection.id, what);
    return false;
  }
  process_.trace("kafka.answer"_label, context.connection.id,
                 static_cast<std::uint64_t>(context.request.api->key), total_size(*bytes));
  stream.write(std::move(*bytes));
  return true;
}

}  // namespace wt::kafka

#include "harness/embed/cluster_impl.h"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "sim/cluster/json_fields.h"

namespace wavetank {
inline namespace v1 {

Error::Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
Error::Error(const Error&) noexcept = default;
Error::~Error() = default;

namespace detail {
namespace {

// Whether this thread runs a predicate now.
thread_local bool in_predicate = false;

class InPredicate {
 public:
  InPredicate() { in_predicate = true; }
  InPredicate(const InPredicate&) = delete;
  InPredicate& operator=(const InPredicate&) = delete;
  ~InPredicate() { in_predicate = false; }
};

ErrorCode code_from_name(std::string_view name) {
  if (name == "not_found") return ErrorCode::not_found;
  if (name == "already_exists") return ErrorCode::already_exists;
  if (name == "timed_out") return ErrorCode::timed_out;
  if (name == "finding") return ErrorCode::finding;
  if (name == "stopped") return ErrorCode::stopped;
  return ErrorCode::invalid_argument;
}

// Throws the error in an answer.
json::object unwrap(const std::string& answer) {
  boost::system::error_code problem;
  json::value value = json::parse(answer, problem);
  json::object* object = problem ? nullptr : value.if_object();
  if (object == nullptr) throw Error(ErrorCode::stopped, "The cluster gave no answer.");
  const json::value* error = object->if_contains("error");
  if (error == nullptr || !error->is_object()) return std::move(*object);
  const std::string code(wt::cluster::view(error->get_object().at("code").as_string()));
  throw Error(code_from_name(code),
              std::string(wt::cluster::view(error->get_object().at("message").as_string())));
}

void print_finding(const Finding& finding) {
  std::fprintf(stderr, "wavetank: an invariant was violated and nobody asked: %s: %s (step %llu)\n",
               finding.check.c_str(), finding.message.c_str(), static_cast<unsigned long long>(finding.step));
}

}  // namespace

ClusterImpl::ClusterImpl(const Options& options) : options_(options) {
  check_callable(true);
  wt::StatusOr<std::unique_ptr<wt::harness::Session>> session =
      wt::harness::Session::start(to_session_options(options));
  if (!session.ok()) raise(session.status());
  session_ = std::move(*session);
}

ClusterImpl::~ClusterImpl() {
  if (session_ == nullptr) return;
  try {
    const std::optional<Finding> left = finding(false);
    if (left && !finding_read_) print_finding(*left);
  } catch (...) {
    std::fputs("wavetank: a finding could not be read\n", stderr);
  }
  session_->stop();
}

void ClusterImpl::raise(const wt::Status& status) {
  ErrorCode code = ErrorCode::stopped;
  if (status.code() == wt::StatusCode::kInvalidArgument) code = ErrorCode::invalid_argument;
  if (status.code() == wt::StatusCode::kFailedPrecondition) code = ErrorCode::finding;
  if (status.code() == wt::StatusCode::kDeadlineExceeded) code = ErrorCode::timed_out;
  throw Error(code, std::string(wt::message_of(status)));
}

void ClusterImpl::check_callable(bool looking) {
  if (in_predicate) {
    throw Error(ErrorCode::would_deadlock,
                "A predicate of wait_until() cannot call the cluster: use its view.");
  }
  if (looking || session_ == nullptr) return;
  if (const std::optional<Finding> found = finding(false)) {
    throw Error(ErrorCode::finding, "An invariant was violated: " + found->message);
  }
}

json::object ClusterImpl::tell(const json::object& request) {
  check_callable(true);
  return unwrap(session_->execute(json::serialize(request)));
}

json::object ClusterImpl::ask(const json::object& question) {
  check_callable(false);
  return unwrap(session_->query(json::serialize(question)));
}

json::object ClusterImpl::ask(const char* what) {
  json::object question;
  question["get"] = what;
  return ask(question);
}

bool ClusterImpl::wait_until(const std::function<bool(const View&)>& predicate, Duration timeout,
                             bool reports) {
  check_callable(false);
  ViewImpl view(session_->simulated());
  std::exception_ptr thrown;
  const auto done = [&] {
    const InPredicate marker;
    try {
      return predicate(view.view());
    } catch (...) {
      thrown = std::current_exception();
      return true;
    }
  };
  const wt::StatusOr<bool> holds = session_->driver().wait_until(done, to_duration_ns(timeout));
  if (!holds.ok()) raise(holds.status());
  if (thrown) std::rethrow_exception(thrown);
  if (*holds) return true;
  check_callable(false);
  if (reports && options_.print_timeouts) {
    const double waited = std::chrono::duration<double>(timeout).count();
    std::fprintf(stderr, "wavetank: wait_until() gave up after %.3f s: %s", waited,
                 session_->waiting_report().c_str());
  }
  return false;
}

std::optional<Finding> ClusterImpl::finding(bool read) {
  const auto look = [this] { return session_->simulated().kernel().finding(); };
  const wt::StatusOr<std::optional<wt::Finding>> answer = session_->driver().call(look);
  const std::optional<wt::Finding> found = answer.ok() ? *answer : look();
  if (!found) return std::nullopt;
  if (read) finding_read_ = true;
  Finding out;
  out.check = found->check;
  out.message = found->message;
  out.step = found->step;
  out.time = to_time_point(found->time_ns);
  out.last_events = found->last_events;
  return out;
}

// --- conversions ---

TimePoint to_time_point(wt::TimeNs time_ns) {
  return TimePoint(Duration(time_ns));
}

wt::DurationNs to_duration_ns(Duration duration) {
  return std::max<wt::DurationNs>(0, duration.count());
}

Partition to_partition(const wt::cluster::PartitionView& view) {
  Partition out;
  out.topic = view.topic;
  out.partition = view.partition;
  out.topic_id = view.topic_id;
  out.leader = view.leader;
  out.leader_epoch = view.leader_epoch;
  out.log_start = view.log_start;
  out.leo = view.leo;
  out.hw = view.hw;
  out.lso = view.lso;
  out.isr.assign(view.isr.begin(), view.isr.end());
  out.replicas.assign(view.replicas.begin(), view.replicas.end());
  out.writable = view.writable;
  return out;
}

Group to_group(const wt::cluster::GroupView& view) {
  Group out;
  out.id = view.group;
  out.kind = view.kind;
  out.state = view.state;
  out.protocol_type = view.protocol_type;
  out.coordinator = view.coordinator;
  for (const auto& member : view.members) {
    out.members.push_back({member.member_id, member.instance_id.value_or(""), member.client_id});
  }
  for (const auto& offset : view.offsets) {
    out.offsets.push_back({offset.topic, offset.partition, offset.offset, offset.metadata});
  }
  return out;
}

BrokerStatus to_status(wt::cluster::BrokerStatus status) {
  switch (status) {
    case wt::cluster::BrokerStatus::running:
      return BrokerStatus::running;
    case wt::cluster::BrokerStatus::paused:
      return BrokerStatus::paused;
    case wt::cluster::BrokerStatus::down:
      break;
  }
  return BrokerStatus::down;
}

namespace {

void take_security(const Options& options, wt::harness::SessionOptions& out) {
  using Protocol = wt::cluster::SecurityProtocol;
  wt::cluster::SecurityOptions& security = out.cluster.security;
  if (options.security_protocol == SecurityProtocol::sasl_plaintext)
    security.protocol = Protocol::sasl_plaintext;
  if (options.security_protocol == SecurityProtocol::ssl) security.protocol = Protocol::ssl;
  if (options.security_protocol == SecurityProtocol::sasl_ssl) security.protocol = Protocol::sasl_ssl;
  security.mechanisms = options.sasl_mechanisms;
  security.users = options.sasl_users;
  security.max_reauth_ns = to_duration_ns(options.sasl_session_lifetime);
  out.tls.certificate_file = options.tls.certificate_file;
  out.tls.key_file = options.tls.key_file;
  out.tls.client_ca_file = options.tls.client_ca_file;
  if (options.tls.client_auth == ClientAuth::requested)
    out.tls.client_auth = wt::harness::ClientAuth::requested;
  if (options.tls.client_auth == ClientAuth::required)
    out.tls.client_auth = wt::harness::ClientAuth::required;
}

}  // namespace

wt::harness::SessionOptions to_session_options(const Options& options) {
  wt::harness::SessionOptions out;
  take_security(options, out);
  out.cluster.seed = options.seed;
  out.cluster.brokers = options.brokers;
  out.cluster.first_broker_id = options.first_broker_id;
  out.cluster.cluster_id = options.cluster_id;
  if (!options.profile.empty()) out.cluster.profile = options.profile;
  for (const auto& [name, level] : options.features) {
    out.cluster.features[name] = static_cast<std::int16_t>(std::clamp(level, -1, 32'767));
  }
  out.cluster.advertise_only_implemented = options.advertise_only_implemented;
  out.cluster.default_partitions = options.default_partitions;
  out.cluster.default_replication_factor = static_cast<std::int16_t>(options.default_replication_factor);
  out.cluster.auto_create_topics = options.auto_create_topics;
  out.cluster.single_replica = options.single_replica;
  out.cluster.crash_by_session = options.crash_by_session;
  out.real_delays = options.real_delays;
  out.rate = options.rate;
  out.ports = options.ports;
  out.drive = options.drive == Drive::caller ? wt::harness::Drive::caller : wt::harness::Drive::thread;
  if (options.clock == Clock::frozen) out.clock = wt::harness::ClockMode::frozen;
  if (options.clock == Clock::virtual_time) out.clock = wt::harness::ClockMode::virtual_time;
  using Where = wt::harness::RecordingOptions::Where;
  out.recording.limit_bytes = options.recording.limit_bytes;
  out.recording.path = options.recording.path;
  if (options.recording.where == Recording::Where::off) out.recording.where = Where::off;
  if (options.recording.where == Recording::Where::file) out.recording.where = Where::file;
  for (const auto& [key, value] : options.broker_configs) {
    if (wt::Status applied = wt::harness::apply_broker_config(out, key, value); !applied.ok()) {
      ClusterImpl::raise(applied);
    }
  }
  for (const std::string& key : out.without_effect) {
    std::fprintf(stderr, "wavetank: the broker config '%s' has no effect here\n", key.c_str());
  }
  return out;
}

}  // namespace detail

// --- View ---

TimePoint View::now() const {
  return detail::to_time_point(impl_.cluster().kernel().now());
}

bool View::has_topic(std::string_view topic) const {
  return impl_.cluster().partition(topic, 0).has_value();
}

Partition View::partition(std::string_view topic, int number) const {
  const auto view = impl_.cluster().partition(topic, number);
  if (view) return detail::to_partition(*view);
  Partition none;
  none.topic = std::string(topic);
  none.partition = number;
  return none;
}

Group View::group(std::string_view id) const {
  const auto view = impl_.cluster().group(id);
  if (view) return detail::to_group(*view);
  Group none;
  none.id = std::string(id);
  return none;
}

BrokerStatus View::broker(int id) const {
  return detail::to_status(impl_.cluster().status(id));
}

std::uint64_t View::hits(const Rule& rule) const {
  const auto state = impl_.cluster().rules().state(rule.id());
  return state ? state->hits : 0;
}

std::uint64_t View::holding(const Rule& rule) const {
  const auto state = impl_.cluster().rules().state(rule.id());
  return state ? state->holding : 0;
}

std::size_t View::connections() const {
  return impl_.cluster().streams().open_connections();
}

}  // namespace v1
}  // namespace wavetank

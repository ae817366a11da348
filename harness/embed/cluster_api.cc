// Cluster of the public interface.
#include "harness/embed/cluster_impl.h"
#include "harness/embed/replay_session.h"
#include "sim/cluster/json_fields.h"

namespace wavetank {
inline namespace v1 {

namespace json = wt::cluster::json;

namespace {

std::string string_of(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains({name.data(), name.size()});
  return value != nullptr && value->is_string() ? std::string(wt::cluster::view(value->get_string()))
                                                : std::string();
}

json::object call(std::string_view name) {
  json::object request;
  request["do"] = json::string(name.data(), name.size());
  return request;
}

json::object on_broker(std::string_view name, int broker) {
  json::object request = call(name);
  request["broker"] = broker;
  return request;
}

[[noreturn]] void no_broker(int id) {
  throw Error(ErrorCode::not_found, "There is no broker " + std::to_string(id) + ".");
}

void check_recording(const wt::Status& status) {
  if (status.ok()) return;
  const bool none = status.code() == wt::StatusCode::kFailedPrecondition;
  throw Error(none ? ErrorCode::not_found : ErrorCode::incomplete, std::string(wt::message_of(status)));
}

Replay to_replay(const wt::StatusOr<wt::harness::JournalReader>& opened) {
  Replay out;
  if (!opened.ok()) {
    out.text = std::string(wt::message_of(opened.status()));
    return out;
  }
  const wt::StatusOr<wt::harness::ReplayResult> result = wt::harness::replay_session(*opened);
  if (!result.ok()) {
    out.text = std::string(wt::message_of(result.status()));
    return out;
  }
  out.equal = result->equal;
  out.complete = result->complete;
  out.hash = result->trace_hash;
  out.events = result->steps;
  out.text = result->difference ? result->difference->text : result->problem;
  return out;
}

}  // namespace

Cluster::Cluster(const Options& options) : impl_(std::make_shared<detail::ClusterImpl>(options)) {}
Cluster::~Cluster() = default;

// --- where clients connect ---

std::string Cluster::kafka_bootstrap() const {
  return impl_->session().bootstrap();
}

std::string Cluster::tls_ca_file() const {
  const wt::harness::TlsFiles* files = impl_->session().tls_files();
  return files == nullptr ? std::string() : files->ca();
}

std::string Cluster::tls_client_file() const {
  const wt::harness::TlsFiles* files = impl_->session().tls_files();
  return files == nullptr ? std::string() : files->client();
}

std::string Cluster::broker_address(int id) const {
  for (const wt::harness::BrokerAddress& address : impl_->session().addresses()) {
    if (address.broker == id) return address.address;
  }
  no_broker(id);
}

std::vector<int> Cluster::brokers() const {
  std::vector<int> ids;
  for (const wt::harness::BrokerAddress& address : impl_->session().addresses())
    ids.push_back(address.broker);
  return ids;
}

// --- topics ---

void Cluster::create_topic(const std::string& name, const TopicSpec& spec) {
  json::object request = call("create_topic");
  request["name"] = name;
  request["partitions"] = spec.partitions;
  request["replication_factor"] = spec.replication_factor;
  json::object configs;
  for (const auto& [key, value] : spec.configs) configs[key] = value;
  if (!configs.empty()) request["configs"] = std::move(configs);
  impl_->tell(request);
}

void Cluster::delete_topic(const std::string& name) {
  json::object request = call("delete_topic");
  request["name"] = name;
  impl_->tell(request);
}

std::vector<std::string> Cluster::topics() const {
  std::vector<std::string> names;
  const json::object answer = impl_->ask("topics");
  for (const json::value& topic : answer.at("topics").as_array())
    names.push_back(string_of(topic.as_object(), "name"));
  return names;
}

Partition Cluster::partition(const std::string& topic, int number) const {
  impl_->check_callable(false);
  wt::harness::Session& session = impl_->session();
  const auto look = [&] { return session.simulated().cluster().partition(topic, number); };
  const auto view = session.driver().call(look);
  if (!view.ok()) detail::ClusterImpl::raise(view.status());
  if (*view) return detail::to_partition(**view);
  throw Error(ErrorCode::not_found,
              "There is no partition " + std::to_string(number) + " of a topic '" + topic + "'.");
}

// --- groups ---

std::vector<std::string> Cluster::groups() const {
  impl_->check_callable(false);
  wt::harness::Session& session = impl_->session();
  const auto ids = session.driver().call([&] { return session.simulated().cluster().groups(); });
  if (!ids.ok()) detail::ClusterImpl::raise(ids.status());
  return *ids;
}

Group Cluster::group(const std::string& id) const {
  impl_->check_callable(false);
  wt::harness::Session& session = impl_->session();
  const auto view = session.driver().call([&] { return session.simulated().cluster().group(id); });
  if (!view.ok()) detail::ClusterImpl::raise(view.status());
  if (*view) return detail::to_group(**view);
  throw Error(ErrorCode::not_found, "There is no group '" + id + "'.");
}

// --- processes ---

void Cluster::crash(int broker) {
  impl_->tell(on_broker("crash_broker", broker));
}
void Cluster::stop(int broker) {
  impl_->tell(on_broker("stop_broker", broker));
}
void Cluster::restart(int broker) {
  impl_->tell(on_broker("restart_broker", broker));
}
void Cluster::pause(int broker) {
  impl_->tell(on_broker("pause_broker", broker));
}
void Cluster::resume(int broker) {
  impl_->tell(on_broker("resume_broker", broker));
}
void Cluster::crash_controller() {
  impl_->tell(call("crash_controller"));
}
void Cluster::restart_controller() {
  impl_->tell(call("restart_controller"));
}

BrokerStatus Cluster::broker_status(int broker) const {
  impl_->check_callable(false);
  wt::harness::Session& session = impl_->session();
  if (!session.simulated().cluster().has_broker(broker)) no_broker(broker);
  const auto status = session.driver().call([&] { return session.simulated().cluster().status(broker); });
  if (!status.ok()) detail::ClusterImpl::raise(status.status());
  return detail::to_status(*status);
}

void Cluster::move_leader(const std::string& topic, int partition, int to) {
  json::object request = call("move_leader");
  request["topic"] = topic;
  request["partition"] = partition;
  request["to"] = to;
  impl_->tell(request);
}

// --- time ---

TimePoint Cluster::now() const {
  impl_->check_callable(true);
  return detail::to_time_point(impl_->session().now());
}

void Cluster::advance(Duration by, Silence silence) {
  impl_->check_callable(true);
  if (wt::Status moved = impl_->session().advance(by.count(), silence == Silence::counts); !moved.ok()) {
    detail::ClusterImpl::raise(moved);
  }
}

bool Cluster::wait_until(const std::function<bool(const View&)>& predicate, Duration timeout) {
  return impl_->wait_until(predicate, timeout, true);
}

std::string Cluster::waiting_report() const {
  impl_->check_callable(true);
  return impl_->session().waiting_report();
}

void Cluster::pump(Duration at_most) {
  impl_->check_callable(true);
  if (impl_->options().drive != Drive::caller) {
    throw Error(ErrorCode::invalid_argument,
                "pump() is for clusters with Drive::caller; this one has a thread.");
  }
  impl_->session().driver().pump(detail::to_duration_ns(at_most));
}

// --- faults ---

RuleBuilder Cluster::on(std::string_view point) {
  return RuleBuilder(impl_, point);
}

std::vector<std::string> Cluster::points() const {
  std::vector<std::string> names;
  const json::object answer = impl_->ask("points");
  for (const json::value& point : answer.at("points").as_array()) {
    names.emplace_back(wt::cluster::view(point.as_string()));
  }
  return names;
}

void Cluster::remove_rules() {
  impl_->tell(call("remove_rules"));
}

void Cluster::reset_connection(std::uint64_t connection) {
  json::object request = call("reset_connection");
  request["connection"] = connection;
  impl_->tell(request);
}

// --- JSON ---

std::string Cluster::execute(std::string_view request) {
  impl_->check_callable(true);
  return impl_->session().execute(std::string(request));
}

std::string Cluster::query(std::string_view request) const {
  impl_->check_callable(true);
  return impl_->session().query(std::string(request));
}

// --- what happened ---

std::optional<Finding> Cluster::finding() const {
  impl_->check_callable(true);
  return impl_->finding(true);
}

std::vector<Refusal> Cluster::refusals() const {
  std::vector<Refusal> refusals;
  const json::object answer = impl_->ask("refusals");
  for (const json::value& item : answer.at("refusals").as_array()) {
    const json::object& from = item.as_object();
    Refusal refusal;
    refusal.broker = from.at("broker").to_number<int>();
    refusal.connection = from.at("connection").to_number<std::uint64_t>();
    refusal.why = string_of(from, "why");
    refusal.detail = from.at("detail").to_number<std::int64_t>();
    refusal.time = detail::to_time_point(from.at("time_ns").to_number<std::int64_t>());
    refusals.push_back(std::move(refusal));
  }
  return refusals;
}

std::uint64_t Cluster::trace_hash() const {
  impl_->check_callable(true);
  return impl_->session().trace_hash();
}

std::string Cluster::recording_path() const {
  const wt::harness::RecordingOptions& recording = impl_->session().recording();
  return recording.where == wt::harness::RecordingOptions::Where::file ? recording.path : std::string();
}

std::string Cluster::recording() const {
  impl_->check_callable(true);
  (void)impl_->session().flush_recording();
  return std::string(impl_->session().recorded().text());
}

void Cluster::flush_recording() {
  impl_->check_callable(true);
  check_recording(impl_->session().flush_recording());
}

void Cluster::stop_recording() {
  impl_->check_callable(true);
  check_recording(impl_->session().stop_recording());
}

Replay replay_file(const std::string& path) {
  return to_replay(wt::harness::JournalReader::open_file(path));
}

Replay replay_bytes(std::string_view recording) {
  return to_replay(wt::harness::JournalReader::open(wt::Slice::copy_of(recording)));
}

}  // namespace v1
}  // namespace wavetank

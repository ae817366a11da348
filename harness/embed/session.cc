#include "harness/embed/session.h"

#include "sim/cluster/json_fields.h"

namespace wt::harness {
namespace {

constexpr DurationNs kStartLimit_ns = 60 * kSecond_ns;
constexpr DurationNs kFrozenStep_ns = kMillisecond_ns;

// Between machines of one data centre: half a millisecond, now and then some more.
LinkLatency real_link_latency() {
  LinkLatency latency;
  latency.base_ns = 500 * kMicrosecond_ns;
  latency.tail_mean_ns = 2 * kMillisecond_ns;
  latency.tail_ppm = 20'000;
  return latency;
}

SessionOptions prepared(SessionOptions options) {
  if (options.clock != ClockMode::virtual_time) {
    options.cluster.epoch_ns = starting_epoch_ns(options.clock, system_wall_clock());
  }
  if (options.real_delays && options.cluster.link_latency.is_zero()) {
    options.cluster.link_latency = real_link_latency();
  }
  // Kafka waits so that more members can come to a new group, and so that many changes make one assignment.
  if (!options.real_delays) {
    options.cluster.group_configs.try_emplace("group.initial.rebalance.delay.ms", 0);
    options.cluster.group_configs.try_emplace("group.consumer.assignment.interval.ms", 0);
  }
  return options;
}

std::string error_of_status(const Status& status) {
  const bool finding = status.code() == StatusCode::kFailedPrecondition;
  return cluster::error_answer(finding ? "finding" : "stopped", message_of(status));
}

}  // namespace

Session::Session(SessionOptions options)
    : options_(prepared(std::move(options))), simulated_(options_.cluster) {}

Session::~Session() {
  stop();
}

StatusOr<std::unique_ptr<Session>> Session::start(SessionOptions options) {
  if (Status valid = cluster::validate(options.cluster); !valid.ok()) return valid;
  std::unique_ptr<Session> session(new Session(std::move(options)));
  if (Status begun = session->begin(); !begun.ok()) return begun;
  return session;
}

Status Session::begin() {
  RecorderOptions recorder;
  recorder.limit_bytes = options_.recording.limit_bytes;
  if (options_.recording.where == RecordingOptions::Where::memory) {
    buffer_ = std::make_shared<MemorySink::Buffer>();
    recorder_ = std::make_unique<Recorder>(std::make_unique<MemorySink>(buffer_), recorder);
  } else if (options_.recording.where == RecordingOptions::Where::file) {
    StatusOr<std::unique_ptr<FileSink>> file = FileSink::create(options_.recording.path);
    if (!file.ok()) return file.status();
    recorder_ = std::make_unique<Recorder>(std::move(*file), recorder);
  }
  DriverOptions driver;
  driver.clock = options_.clock;
  driver.rate = options_.rate;
  driver.drive = options_.drive;
  driver.listen = options_.clock != ClockMode::virtual_time;
  driver.ports = options_.ports;
  driver.max_connections = options_.cluster.max_connections;
  driver.options_json = cluster::to_json(simulated_.cluster().options());
  if (Status tls = begin_tls(driver); !tls.ok()) return tls;
  driver_ = std::make_unique<Driver>(simulated_, driver, system_wall_clock(), recorder_.get());
  if (!driver.listen) simulated_.start_without_listeners();
  if (Status started = driver_->start(); !started.ok()) return started;
  const std::vector<ListenerAddress> listening = driver_->addresses();
  const std::vector<std::int32_t> ids = simulated_.cluster().broker_ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    BrokerAddress address;
    address.broker = ids[i];
    if (i < listening.size()) address.address = listening[i].host + ":" + std::to_string(listening[i].port);
    addresses_.push_back(std::move(address));
  }
  if (Status settled = settle(); !settled.ok()) return settled;
  return set_broker_configs();
}

Status Session::begin_tls(DriverOptions& driver) {
  if (!options_.cluster.security.tls() || !driver.listen) return ok_status();
  StatusOr<std::shared_ptr<TlsContext>> context = TlsContext::create(options_.tls);
  if (!context.ok()) return context.status();
  driver.tls = *context;
  if ((*context)->certificates().ca.empty()) return ok_status();
  StatusOr<std::unique_ptr<TlsFiles>> files = TlsFiles::write((*context)->certificates());
  if (!files.ok()) return files.status();
  tls_files_ = std::move(*files);
  return ok_status();
}

// The simulation's refusals and those of the gateway, which it knows nothing of.
std::string Session::with_turned_away(const std::string& refusals) const {
  StatusOr<cluster::json::object> answer = cluster::parse_object(refusals);
  cluster::json::value* list = answer.ok() ? answer->if_contains("refusals") : nullptr;
  if (list == nullptr || !list->is_array()) return refusals;
  const std::vector<std::int32_t> ids = simulated_.cluster().broker_ids();
  for (const TurnedAway& away : driver_->turned_away()) {
    cluster::json::object item;
    item["broker"] = away.listener < ids.size() ? ids[away.listener] : -1;
    item["connection"] = away.connection;
    item["why"] = away.why;
    item["detail"] = 0;
    item["time_ns"] = away.time_ns;
    list->get_array().emplace_back(std::move(item));
  }
  return cluster::json::serialize(*answer);
}

// Waits until clients can be served. A frozen clock is moved on where links take time.
Status Session::settle() {
  const auto settled = [this] { return simulated_.cluster().settled(); };
  if (options_.clock == ClockMode::frozen) {
    for (DurationNs spent_ns = 0; spent_ns < kStartLimit_ns; spent_ns += kFrozenStep_ns) {
      const StatusOr<bool> there = driver_->wait_until(settled, 0);
      if (!there.ok()) return there.status();
      if (*there) return ok_status();
      if (Status moved = driver_->advance(kFrozenStep_ns); !moved.ok()) return moved;
    }
  } else {
    const StatusOr<bool> there = driver_->wait_until(settled, kStartLimit_ns);
    if (!there.ok()) return there.status();
    if (*there) return ok_status();
  }
  return make_status(StatusCode::kDeadlineExceeded, "The cluster did not become ready.\n" + waiting_report());
}

Status Session::set_broker_configs() {
  if (options_.broker_configs.empty()) return ok_status();
  cluster::json::object request;
  request["do"] = "set_configs";
  request["type"] = "broker";
  cluster::json::object configs;
  for (const auto& [key, value] : options_.broker_configs) configs[key] = value;
  request["configs"] = std::move(configs);
  const std::string answer = execute(cluster::json::serialize(request));
  const StatusOr<cluster::json::object> parsed = cluster::parse_object(answer);
  if (parsed.ok() && parsed->contains("ok")) return ok_status();
  return make_status(StatusCode::kInvalidArgument, "The broker configs were refused: " + answer);
}

void Session::stop() {
  if (driver_ != nullptr) driver_->stop();
}

std::string Session::bootstrap() const {
  std::string text;
  for (const BrokerAddress& address : addresses_) {
    if (address.address.empty()) continue;
    if (!text.empty()) text += ",";
    text += address.address;
  }
  return text;
}

std::string Session::execute(std::string request, DurationNs wait_ns) {
  StatusOr<std::string> answer = driver_->execute(std::move(request));
  if (!answer.ok()) return error_of_status(answer.status());
  return finish_pending(std::move(*answer), wait_ns);
}

std::string Session::query(std::string request) {
  StatusOr<std::string> answer = driver_->call([&] {
    std::string said = simulated_.query(request);
    return driver_->turned_away().empty() ? said : with_turned_away(said);
  });
  return answer.ok() ? std::move(*answer) : error_of_status(answer.status());
}

// Answers of the controller can take virtual time: waits until they are there.
std::string Session::finish_pending(std::string answer, DurationNs wait_ns) {
  const StatusOr<cluster::json::object> parsed = cluster::parse_object(answer);
  if (!parsed.ok()) return answer;
  const cluster::json::value* pending = parsed->if_contains("pending");
  if (pending == nullptr || !pending->is_number()) return answer;
  const std::string operation = cluster::json::serialize(*pending);
  const std::string question = R"({"get":"operation","id":)" + operation + "}";
  std::string latest;
  const StatusOr<bool> there = driver_->wait_until(
      [&] {
        latest = simulated_.query(question);
        return latest.find("\"pending\":") == std::string::npos;
      },
      options_.clock == ClockMode::flow
          ? static_cast<DurationNs>(static_cast<double>(wait_ns) * options_.rate)
          : wait_ns);
  if (!there.ok()) return error_of_status(there.status());
  if (*there) return latest;
  const std::string_view why = options_.clock == ClockMode::frozen
                                   ? " The clock is frozen and the answer takes virtual time: advance it."
                                   : "";
  return cluster::error_answer(
      "timed_out", "The call has no answer yet; it is operation " + operation + "." + std::string(why));
}

Status Session::advance(DurationNs by_ns, bool silence_counts) {
  if (by_ns < 0) return make_status(StatusCode::kInvalidArgument, "Time does not go back.");
  return driver_->advance(by_ns, silence_counts);
}

TimeNs Session::now() {
  const StatusOr<TimeNs> now_ns = driver_->call([&] { return simulated_.kernel().now(); });
  return now_ns.ok() ? *now_ns : simulated_.kernel().now();
}

std::uint64_t Session::trace_hash() {
  const StatusOr<std::uint64_t> hash = driver_->call([&] { return simulated_.kernel().trace().hash(); });
  return hash.ok() ? *hash : simulated_.kernel().trace().hash();
}

// --- recording ---

Slice Session::recorded() const {
  return buffer_ == nullptr ? Slice() : buffer_->copy();
}

Status Session::flush_recording() {
  if (recorder_ == nullptr)
    return make_status(StatusCode::kFailedPrecondition, "This cluster is not recorded.");
  const auto flush = [this] {
    recorder_->flush();
    return recorder_->status();
  };
  const StatusOr<Status> status = driver_->call(flush);
  return status.ok() ? *status : status.status();
}

Status Session::recording_problem() {
  if (recorder_ == nullptr) return ok_status();
  Status problem;
  const Status asked = driver_->call([&] { problem = recorder_->status(); });
  return asked.ok() ? problem : recorder_->status();  // nobody writes after the end of the driver
}

Status Session::stop_recording() {
  if (recorder_ == nullptr)
    return make_status(StatusCode::kFailedPrecondition, "This cluster is not recorded.");
  const auto finish = [this] {
    recorder_->finish();
    return recorder_->status();
  };
  const StatusOr<Status> status = driver_->call(finish);
  return status.ok() ? *status : status.status();
}

}  // namespace wt::harness

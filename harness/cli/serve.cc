// `wavetank serve`
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>

#include "harness/cli/commands.h"
#include "harness/control/http_server.h"
#include "harness/control/session_backend.h"
#include "sim/cluster/json_fields.h"

namespace wt::harness::cli {
namespace {

namespace json = cluster::json;

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

int failed(std::string_view sentence) {
  std::fprintf(stderr, "wavetank: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
  return 1;
}

Status create_topics(Session& session, const std::vector<TopicArgument>& topics) {
  for (const TopicArgument& topic : topics) {
    json::object request;
    request["do"] = "create_topic";
    request["name"] = topic.name;
    if (topic.partitions > 0) request["partitions"] = topic.partitions;
    if (topic.replication_factor > 0) request["replication_factor"] = topic.replication_factor;
    const std::string answer = session.execute(json::serialize(request));
    const StatusOr<json::object> parsed = cluster::parse_object(answer);
    if (parsed.ok() && parsed->contains("ok")) continue;
    return make_status(StatusCode::kInvalidArgument,
                       "Cannot create the topic '" + topic.name + "': " + answer);
  }
  return ok_status();
}

// Whole or not at all, so that whoever waits for the file never reads half of it.
bool write_ready_file(const std::string& path, const std::string& line) {
  const std::string scratch = path + ".new";
  {
    std::ofstream file(scratch, std::ios::trunc);
    file << line << "\n";
    if (!file.flush()) return false;
  }
  return std::rename(scratch.c_str(), path.c_str()) == 0;
}

// Looks now and then whether there is something to tell, without ever waiting for the cluster: it may be in
// the middle of a long jump when the signal to end comes.
class Lookout {
 public:
  explicit Lookout(Session& session) : session_(session) {}

  // Prints what was found, and asks again.
  void look() {
    if (asked_ && !seen_->ready.load()) return;
    if (asked_) tell();
    seen_ = std::make_shared<Seen>();
    asked_ = session_.driver().post([seen = seen_, &session = session_] { take(session, *seen); });
  }
  // After the session has stopped.
  void look_last() {
    seen_ = std::make_shared<Seen>();
    take(session_, *seen_);
    tell();
  }
  bool found_nothing() const noexcept { return !finding_told_; }

 private:
  struct Seen {
    std::optional<Finding> finding;
    Status recording;
    std::map<ConnectionId, std::string> confused;  // clients that speak another protocol than the listener
    std::atomic<bool> ready = false;
  };

  static void take(Session& session, Seen& seen) {
    seen.finding = session.simulated().kernel().finding();
    seen.recording = session.recording_problem();
    cluster::Cluster& simulated = session.simulated().cluster();
    for (const std::int32_t id : simulated.broker_ids()) {
      const kafka::KafkaService* const service = simulated.kafka_service(id);
      if (service == nullptr) continue;
      for (const kafka::RefusedRequest& refused : service->refusals()) {
        if (refused.why != "kafka.refused.tls") continue;
        seen.confused[refused.connection] =
            "a client speaks TLS to the plaintext listener of broker " + std::to_string(id);
      }
    }
    const std::vector<std::int32_t> ids = simulated.broker_ids();
    for (const TurnedAway& away : session.driver().turned_away()) {
      const std::string broker = away.listener < ids.size() ? std::to_string(ids[away.listener]) : "?";
      seen.confused[away.connection] =
          away.why == "gateway.refused.plain_text"
              ? "a client speaks plain text to the TLS listener of broker " + broker
              : "a client failed at the TLS listener of broker " + broker + " (" + away.why + ")";
    }
    seen.ready.store(true);
  }
  void tell() {
    for (const auto& [connection, sentence] : seen_->confused) {
      if (told_.size() < kMostTold && told_.insert(connection).second)
        std::fprintf(stderr, "wavetank: %s\n", sentence.c_str());
    }
    if (seen_->finding && !std::exchange(finding_told_, true)) {
      const Finding& found = *seen_->finding;
      std::string text = "an invariant was violated: " + found.check + ": " + found.message;
      if (!found.last_events.empty()) text += "\nthe last events:\n" + found.last_events;
      (void)failed(text);
    }
    if (!seen_->recording.ok() && !std::exchange(recording_told_, true)) {
      (void)failed("the recording is partial: " + std::string(message_of(seen_->recording)));
    }
  }

  Session& session_;
  std::shared_ptr<Seen> seen_;
  bool asked_ = false;
  static constexpr std::size_t kMostTold = 10'000;
  std::set<ConnectionId> told_;
  bool finding_told_ = false;
  bool recording_told_ = false;
};

}  // namespace

void block_signals() {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

bool wait_for_end(Session& session) {
  const sigset_t signals = ending_signals();
  Lookout lookout(session);
  for (;;) {
    const timespec a_moment{0, 200'000'000};
    const int got = sigtimedwait(&signals, nullptr, &a_moment);
    if (got == SIGTERM || got == SIGINT) break;
    lookout.look();  // and goes on after a finding, so that it can be looked at
  }
  session.stop();  // writes the end of the recording
  lookout.look_last();
  return lookout.found_nothing();
}

std::string ready_line(Session& session, const std::string& control_url) {
  json::object out;
  out["kafka"] = session.bootstrap();
  out["control"] = control_url;
  json::array brokers;
  for (const BrokerAddress& address : session.addresses()) {
    json::object broker;
    broker["id"] = address.broker;
    broker["address"] = address.address;
    brokers.emplace_back(std::move(broker));
  }
  out["brokers"] = std::move(brokers);
  if (session.recording().where == RecordingOptions::Where::file) {
    out["recording"] = session.recording().path;
  } else {
    out["recording"] = nullptr;
  }
  if (session.options().cluster.security.protocol != cluster::SecurityProtocol::plaintext) {
    const std::string_view name = cluster::protocol_name(session.options().cluster.security.protocol);
    out["security_protocol"] = json::string_view(name.data(), name.size());
  }
  if (const TlsFiles* files = session.tls_files()) {
    out["tls_ca"] = files->ca();
    out["tls_client"] = files->client();
  }
  out["seed"] = session.options().cluster.seed;
  return json::serialize(out);
}

int serve(const ServeArguments& arguments) {
  for (const std::string& key : arguments.session.without_effect) {
    std::fprintf(stderr, "wavetank: the broker config '%s' has no effect here\n", key.c_str());
  }
  block_signals();
  StatusOr<std::unique_ptr<Session>> started = Session::start(arguments.session);
  if (!started.ok()) {
    (void)failed(message_of(started.status()));
    return started.status().code() == StatusCode::kInvalidArgument ? kExitUsage : 1;
  }
  Session& session = **started;
  if (Status created = create_topics(session, arguments.topics); !created.ok()) {
    (void)failed(message_of(created));
    return kExitUsage;
  }
  SessionBackend backend(session);
  HttpServerOptions http;
  http.port = arguments.control_port;
  StatusOr<std::unique_ptr<HttpServer>> control = HttpServer::start(backend, http);
  if (!control.ok()) return failed(message_of(control.status()));
  const std::string line = ready_line(session, (*control)->url());
  if (!arguments.ready_file.empty() && !write_ready_file(arguments.ready_file, line)) {
    return failed("Cannot write the file '" + arguments.ready_file + "'.");
  }
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  const bool fine = wait_for_end(session);  // the session has ended: calls of the control API wait no more
  (*control)->stop();
  return fine ? 0 : 1;
}

}  // namespace wt::harness::cli

// `wavetank serve`
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

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

bool finding_reported(Session& session) {
  const StatusOr<json::object> answer = cluster::parse_object(session.query(R"({"get":"finding"})"));
  if (!answer.ok()) return false;
  const json::value* finding = answer->if_contains("finding");
  if (finding == nullptr || !finding->is_object()) return false;
  const json::object& found = finding->get_object();
  std::string text = "an invariant was violated: ";
  text += cluster::view(found.at("check").as_string());
  text += ": ";
  text += cluster::view(found.at("message").as_string());
  if (const json::value* events = found.if_contains("last_events");
      events != nullptr && events->is_string()) {
    text += "\nthe last events:\n" + std::string(cluster::view(events->get_string()));
  }
  (void)failed(text);
  return true;
}

}  // namespace

void block_signals() {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

bool wait_for_end(Session& session) {
  const sigset_t signals = ending_signals();
  bool reported = false;
  for (;;) {
    const timespec a_moment{0, 200'000'000};
    const int got = sigtimedwait(&signals, nullptr, &a_moment);
    if (got == SIGTERM || got == SIGINT) return !reported;
    if (!reported) reported = finding_reported(session);  // and goes on, so that it can be looked at
  }
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
  out["seed"] = session.options().cluster.seed;
  return json::serialize(out);
}

int serve(const ServeArguments& arguments) {
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
  const bool fine = wait_for_end(session);
  session.stop();  // before the control API, whose calls may wait for the cluster
  (*control)->stop();
  return fine ? 0 : 1;
}

}  // namespace wt::harness::cli

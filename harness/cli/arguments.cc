#include "harness/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <charconv>

namespace wt::harness::cli {
namespace {

// What the flags of `serve` say, before it is put together.
struct ServeFlags {
  std::int32_t brokers = 3;
  std::int32_t first_broker_id = 1;
  std::uint16_t port = 0;
  std::uint16_t control_port = 0;
  std::uint64_t seed = 1;
  std::string clock = "flow";
  double rate = 1.0;
  std::int32_t partitions = 1;
  bool auto_create = true;
  std::vector<std::string> settings;
  std::vector<std::string> features;
  std::vector<std::string> topics;
  std::string record;
  bool no_record = false;
  std::string profile;
  std::string cluster_id;
  bool advertise_only_implemented = false;
  bool crash_by_session = false;
  bool real_delays = false;
  std::string ready_file;
  std::string protocol = "PLAINTEXT";
  std::vector<std::string> mechanisms;
  std::vector<std::string> users;
  TlsOptions tls;
  std::string client_auth = "none";
};

constexpr const char* kServeExamples =
    "Examples:\n"
    "  wavetank serve --topic orders:3:3\n"
    "  wavetank serve --brokers 1 --port 9092 --control-port 8080\n"
    "  wavetank serve --clock frozen --record run.wtj\n"
    "  wavetank serve --security-protocol SASL_SSL --sasl-user alice:secret\n"
    "  wavetank serve --set num.partitions=6 --set auto.create.topics.enable=false\n"
    "\n"
    "The first line on standard output is one JSON object with all addresses; it is there once clients\n"
    "can connect. SIGTERM and SIGINT end the program and complete the recording.";

constexpr const char* kReplayExamples =
    "Examples:\n"
    "  wavetank replay run.wtj\n"
    "  wavetank replay run.wtj --json\n"
    "\n"
    "Exit code 0: all came out as recorded; the hash is printed. 3: something differs; the first\n"
    "difference is printed. 4: the recording is damaged, partial or not there.";

constexpr const char* kDemoExamples =
    "Examples:\n"
    "  wavetank demo          the story, then the cluster serves until Ctrl-C\n"
    "  wavetank demo --once   the story only; exit code 1 when something was not as promised";

constexpr const char* kInspectExamples =
    "Examples:\n"
    "  wavetank inspect run.wtj\n"
    "  wavetank inspect run.wtj --most 20";

void add_security(CLI::App& app, ServeFlags& flags) {
  app.add_option("--security-protocol", flags.protocol, "How clients connect")
      ->check(CLI::IsMember({"PLAINTEXT", "SASL_PLAINTEXT", "SSL", "SASL_SSL"}))
      ->capture_default_str();
  app.add_option("--sasl-user", flags.users, "A user, NAME:PASSWORD (repeatable)");
  app.add_option("--sasl-mechanisms", flags.mechanisms,
                 "Of PLAIN,SCRAM-SHA-256,SCRAM-SHA-512; all by default")
      ->delimiter(',');
  app.add_option("--tls-cert", flags.tls.certificate_file,
                 "Server certificate (PEM); made at the start by default");
  app.add_option("--tls-key", flags.tls.key_file, "Its key (PEM)");
  app.add_option("--tls-ca", flags.tls.client_ca_file, "Who signs the certificates of clients (PEM)");
  app.add_option("--tls-client-auth", flags.client_auth, "Whether clients are asked for certificates")
      ->check(CLI::IsMember({"none", "requested", "required"}))
      ->capture_default_str();
}

Status take_security(const ServeFlags& flags, SessionOptions& session) {
  cluster::SecurityOptions& security = session.cluster.security;
  const StatusOr<cluster::SecurityProtocol> protocol = cluster::protocol_from_name(flags.protocol);
  if (!protocol.ok()) return protocol.status();
  security.protocol = *protocol;
  security.mechanisms = flags.mechanisms;
  for (const std::string& user : flags.users) {
    if (Status added = cluster::add_user(security, user); !added.ok()) return added;
  }
  session.tls = flags.tls;
  if (flags.client_auth == "requested") session.tls.client_auth = ClientAuth::requested;
  if (flags.client_auth == "required") session.tls.client_auth = ClientAuth::required;
  return ok_status();
}

void add_serve(CLI::App& app, ServeFlags& flags) {
  app.footer(kServeExamples);
  app.add_option("--brokers", flags.brokers, "Number of brokers")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--first-broker-id", flags.first_broker_id, "Id of the first broker; the others follow")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--port", flags.port,
                 "Port of the first broker, the others on the next ones; 0: any free ports")
      ->capture_default_str();
  app.add_option("--control-port", flags.control_port, "Port of the control API; 0: any free one")
      ->capture_default_str();
  app.add_option("--seed", flags.seed, "Seed of everything random")->capture_default_str();
  app.add_option("--clock", flags.clock,
                 "flow: time follows the wall clock; frozen: it moves on advance only")
      ->check(CLI::IsMember({"flow", "frozen"}))
      ->capture_default_str();
  app.add_option("--rate", flags.rate, "How much faster than the wall clock time flows")
      ->check(CLI::Range(0.001, 1'000'000.0))
      ->capture_default_str();
  app.add_option("--partitions", flags.partitions, "Partitions of a topic that is created without a count")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_flag("--auto-create,!--no-auto-create", flags.auto_create, "Create topics when they are first used")
      ->capture_default_str();
  app.add_option("--set", flags.settings, "A broker config, KEY=VALUE as in server.properties (repeatable)");
  app.add_option("--feature", flags.features,
                 "A level of a feature to begin with, NAME=LEVEL such as group.version=0 (repeatable)");
  app.add_option("--topic", flags.topics,
                 "A topic to begin with, NAME[:PARTITIONS[:REPLICATION]] (repeatable)");
  auto* record = app.add_option("--record", flags.record, "Write the recording to this file");
  app.add_flag("--no-record", flags.no_record, "Record nothing")->excludes(record);
  app.add_option("--profile", flags.profile, "Release to behave like, such as kafka-4.4");
  app.add_option("--cluster-id", flags.cluster_id, "Cluster id; drawn from the seed by default");
  app.add_flag("--advertise-only-implemented", flags.advertise_only_implemented,
               "Tell clients only of the APIs that there are");
  app.add_flag("--crash-by-session", flags.crash_by_session,
               "A crashed broker is missed when its session expires, not at once");
  app.add_flag("--real-delays", flags.real_delays, "Links between brokers and services take time");
  add_security(app, flags);
  app.add_option("--ready-file", flags.ready_file, "Write the first line of output to this file as well");
}

bool is_bare_topic_name(const std::string& name) {
  return !name.empty() && name.size() <= 249;
}

// The cluster's options are checked later: here it is only about the form.
Status take_feature(const std::string& text, cluster::ClusterOptions& options) {
  const std::size_t equals = text.find('=');
  const std::string level = equals == std::string::npos ? "" : text.substr(equals + 1);
  std::int16_t number = 0;
  const auto [end, error] = std::from_chars(level.data(), level.data() + level.size(), number);
  if (equals == 0 || error != std::errc() || end != level.data() + level.size()) {
    return make_status(StatusCode::kInvalidArgument, "--feature: '" + text + "' is not NAME=LEVEL.");
  }
  options.features[text.substr(0, equals)] = number;
  return ok_status();
}

StatusOr<ServeArguments> serve_arguments(const ServeFlags& flags) {
  ServeArguments out;
  cluster::ClusterOptions& cluster = out.session.cluster;
  cluster.seed = flags.seed;
  cluster.brokers = flags.brokers;
  cluster.first_broker_id = flags.first_broker_id;
  cluster.cluster_id = flags.cluster_id;
  cluster.default_partitions = flags.partitions;
  cluster.auto_create_topics = flags.auto_create;
  cluster.advertise_only_implemented = flags.advertise_only_implemented;
  cluster.crash_by_session = flags.crash_by_session;
  if (!flags.profile.empty()) cluster.profile = flags.profile;
  out.session.real_delays = flags.real_delays;
  out.session.clock = flags.clock == "frozen" ? ClockMode::frozen : ClockMode::flow;
  out.session.rate = flags.rate;
  if (flags.port != 0) {
    if (flags.port + flags.brokers - 1 > 65'535) {
      return make_status(StatusCode::kInvalidArgument,
                         "--port: there are not enough ports above it for all brokers.");
    }
    for (std::int32_t i = 0; i < flags.brokers; ++i)
      out.session.ports.push_back(static_cast<std::uint16_t>(flags.port + i));
  }
  out.session.recording.where = RecordingOptions::Where::off;
  if (!flags.record.empty()) {
    out.session.recording.where = RecordingOptions::Where::file;
    out.session.recording.path = flags.record;
    out.session.recording.limit_bytes = kDefaultJournalLimit_bytes;
  }
  if (Status taken = take_security(flags, out.session); !taken.ok()) return taken;
  for (const std::string& setting : flags.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      return make_status(StatusCode::kInvalidArgument, "--set: '" + setting + "' is not KEY=VALUE.");
    }
    Status applied = apply_broker_config(out.session, setting.substr(0, equals), setting.substr(equals + 1));
    if (!applied.ok()) return make_status(applied.code(), "--set: " + std::string(message_of(applied)));
  }
  for (const std::string& feature : flags.features) {
    if (Status taken = take_feature(feature, cluster); !taken.ok()) return taken;
  }
  for (const std::string& topic : flags.topics) {
    StatusOr<TopicArgument> parsed = parse_topic(topic);
    if (!parsed.ok()) return parsed.status();
    out.topics.push_back(std::move(*parsed));
  }
  out.control_port = flags.control_port;
  out.ready_file = flags.ready_file;
  if (Status valid = cluster::validate(cluster); !valid.ok()) return valid;
  return out;
}

Arguments usage_error(std::string sentence) {
  Arguments out;
  out.exit_code = kExitUsage;
  out.error = "wavetank: " + std::move(sentence) + "\nRun 'wavetank --help' for what there is.\n";
  return out;
}

}  // namespace

StatusOr<TopicArgument> parse_topic(const std::string& text) {
  const auto bad = [&](const std::string& why) {
    return make_status(StatusCode::kInvalidArgument, "--topic: '" + text + "': " + why);
  };
  TopicArgument topic;
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t colon; (colon = text.find(':', from)) != std::string::npos; from = colon + 1) {
    parts.push_back(text.substr(from, colon - from));
  }
  parts.push_back(text.substr(from));
  if (parts.size() > 3) return bad("write NAME[:PARTITIONS[:REPLICATION]].");
  if (!is_bare_topic_name(parts[0])) return bad("the name is empty or too long.");
  topic.name = parts[0];
  std::int32_t* const numbers[] = {&topic.partitions, &topic.replication_factor};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    std::int32_t& number = *numbers[i - 1];
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || end != part.data() + part.size() || number < 1) {
      return bad("'" + part + "' is no positive number.");
    }
  }
  return topic;
}

Arguments parse_arguments(std::vector<std::string> arguments) {
  CLI::App app("A Kafka cluster in one process, with a clock and faults that the test owns.", "wavetank");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n  wavetank demo\n  wavetank serve --topic orders:3:3\n  wavetank replay run.wtj\n"
      "\n'wavetank COMMAND --help' explains a command.");
  ServeFlags serve;
  Arguments out;
  CLI::App& serve_app =
      *app.add_subcommand("serve", "Run a cluster for clients to connect to, with a control API");
  add_serve(serve_app, serve);
  CLI::App& replay_app = *app.add_subcommand("replay", "Repeat a recorded run without sockets and compare");
  replay_app.footer(kReplayExamples);
  replay_app.add_option("file", out.replay.file, "The recording")->required();
  replay_app.add_flag("--json", out.replay.json, "Answer as one JSON object");
  CLI::App& demo_app = *app.add_subcommand("demo", "Play a short story that shows what Wavetank does");
  demo_app.footer(kDemoExamples);
  demo_app.add_flag("--once", out.demo.once, "End after the story");
  CLI::App& inspect_app = *app.add_subcommand("inspect", "Print the entries of a recording as text");
  inspect_app.footer(kInspectExamples);
  inspect_app.add_option("file", out.inspect.file, "The recording")->required();
  inspect_app.add_option("--most", out.inspect.most, "Print at most so many entries");
  CLI::App& version_app = *app.add_subcommand("version", "Print the version");
  version_app.footer("Examples:\n  wavetank version");
  if (arguments.size() == 1 && arguments.front() == "--version") arguments.front() = "version";
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    out.out = chosen.empty() ? app.help() : chosen.front()->help("wavetank");
    return out;
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  if (serve_app.parsed()) {
    StatusOr<ServeArguments> parsed = serve_arguments(serve);
    if (!parsed.ok()) return usage_error(std::string(message_of(parsed.status())));
    out.serve = std::move(*parsed);
    out.command = Arguments::Command::serve;
  }
  if (replay_app.parsed()) out.command = Arguments::Command::replay;
  if (demo_app.parsed()) out.command = Arguments::Command::demo;
  if (inspect_app.parsed()) out.command = Arguments::Command::inspect;
  if (version_app.parsed()) out.command = Arguments::Command::version;
  return out;
}

}  // namespace wt::harness::cli

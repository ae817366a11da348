#include "harness/cli/arguments.h"

#include <catch2/catch.hpp>

using namespace wt;
using namespace wt::harness;
using namespace wt::harness::cli;

namespace {

Arguments parse(std::vector<std::string> arguments) {
  return parse_arguments(std::move(arguments));
}

}  // namespace

TEST_CASE("serve without flags is three brokers on any ports with a clock that flows, unrecorded") {
  const Arguments out = parse({"serve"});
  REQUIRE(out.command == Arguments::Command::serve);
  const SessionOptions& session = out.serve.session;
  CHECK(session.cluster.brokers == 3);
  CHECK(session.cluster.auto_create_topics);
  CHECK(session.clock == ClockMode::flow);
  CHECK(session.ports.empty());
  CHECK(session.recording.where == RecordingOptions::Where::off);
  CHECK(out.serve.control_port == 0);
}

TEST_CASE("the flags of serve say what the options say") {
  const Arguments out = parse({"serve",
                               "--brokers",
                               "2",
                               "--first-broker-id",
                               "10",
                               "--port",
                               "9092",
                               "--control-port",
                               "8080",
                               "--seed",
                               "18446744073709551615",
                               "--clock",
                               "frozen",
                               "--rate",
                               "2.5",
                               "--partitions",
                               "4",
                               "--no-auto-create",
                               "--topic",
                               "a:3:2",
                               "--topic",
                               "b",
                               "--record",
                               "run.wtj",
                               "--profile",
                               "kafka-4.2",
                               "--advertise-only-implemented",
                               "--ready-file",
                               "ready"});
  REQUIRE(out.command == Arguments::Command::serve);
  const SessionOptions& session = out.serve.session;
  CHECK(session.cluster.brokers == 2);
  CHECK(session.cluster.first_broker_id == 10);
  CHECK(session.cluster.seed == 18446744073709551615ULL);
  CHECK(session.cluster.default_partitions == 4);
  CHECK_FALSE(session.cluster.auto_create_topics);
  CHECK(session.cluster.profile == "kafka-4.2");
  CHECK(session.cluster.advertise_only_implemented);
  CHECK(session.clock == ClockMode::frozen);
  CHECK(session.rate == 2.5);
  CHECK(session.ports == std::vector<std::uint16_t>{9092, 9093});
  CHECK(session.recording.where == RecordingOptions::Where::file);
  CHECK(session.recording.path == "run.wtj");
  CHECK(out.serve.control_port == 8080);
  CHECK(out.serve.ready_file == "ready");
  REQUIRE(out.serve.topics.size() == 2);
  CHECK(out.serve.topics[0].partitions == 3);
  CHECK(out.serve.topics[0].replication_factor == 2);
  CHECK(out.serve.topics[1].partitions == -1);
}

TEST_CASE("--set takes broker configs as a properties file has them") {
  const Arguments out =
      parse({"serve", "--set", "num.partitions=6", "--set", "auto.create.topics.enable=false", "--set",
             "default.replication.factor=2", "--set", "broker.session.timeout.ms=18000", "--set",
             "log.retention.ms=60000", "--set", "group.initial.rebalance.delay.ms=3000", "--set",
             "group.max.size=10", "--set", "producer.id.expiration.check.interval.ms=500", "--set",
             "group.coordinator.rebalance.protocols=classic, share"});
  REQUIRE(out.command == Arguments::Command::serve);
  const SessionOptions& session = out.serve.session;
  CHECK(session.cluster.default_partitions == 6);
  CHECK_FALSE(session.cluster.auto_create_topics);
  CHECK(session.cluster.default_replication_factor == 2);
  CHECK(session.cluster.broker_session_timeout_ns == 18 * kSecond_ns);
  CHECK(session.cluster.producer_expiry_check_ns == 500 * kMillisecond_ns);
  CHECK(session.cluster.group_configs ==
        std::map<std::string, std::int64_t>{{"group.coordinator.rebalance.protocols", 9},
                                            {"group.initial.rebalance.delay.ms", 3'000},
                                            {"group.max.size", 10}});
  CHECK(session.broker_configs == std::map<std::string, std::string>{{"log.retention.ms", "60000"}});
}

TEST_CASE("--feature takes levels that the cluster begins with") {
  const Arguments out = parse({"serve", "--feature", "group.version=0", "--feature", "metadata.version=30"});
  REQUIRE(out.command == Arguments::Command::serve);
  CHECK(out.serve.session.cluster.features ==
        std::map<std::string, std::int16_t>{{"group.version", 0}, {"metadata.version", 30}});
  CHECK(parse({"serve", "--feature", "no.such=1"}).error.find("has no feature 'no.such'; it has:") !=
        std::string::npos);
  CHECK(parse({"serve", "--feature", "group.version=2"})
            .error.find("The feature 'group.version' has the levels 0 to 1, not 2.") != std::string::npos);
}

TEST_CASE("flags that cannot be are refused with a sentence and exit code 2") {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"explode"},
      {"serve", "--brokers", "0"},
      {"serve", "--brokers", "many"},
      {"serve", "--nonsense"},
      {"serve", "--clock", "virtual"},
      {"serve", "--port", "70000"},
      {"serve", "--port", "65535", "--brokers", "2"},
      {"serve", "--rate", "0"},
      {"serve", "--topic", ":3"},
      {"serve", "--topic", "a:0"},
      {"serve", "--topic", "a:1:1:1"},
      {"serve", "--topic", "a:x"},
      {"serve", "--set", "num.partitions"},
      {"serve", "--set", "num.partitions=-3"},
      {"serve", "--set", "no.such.config=1"},
      {"serve", "--set", "log.retention.ms=soon"},
      {"serve", "--set", "auto.create.topics.enable=perhaps"},
      {"serve", "--set", "group.coordinator.rebalance.protocols=consumer"},
      {"serve", "--set", "group.coordinator.rebalance.protocols=classic,classic"},
      {"serve", "--set", "group.coordinator.rebalance.protocols="},
      {"serve", "--set", "group.consumer.migration.policy=perhaps"},
      {"serve", "--feature", "group.version"},
      {"serve", "--feature", "=1"},
      {"serve", "--feature", "group.version=one"},
      {"serve", "--feature", "group.version=40000"},
      {"serve", "--feature", "metadata.version=0"},
      {"serve", "--feature", "share.version=2", "--profile", "kafka-4.3"},
      {"serve", "--profile", "kafka-0.8"},
      {"serve", "--record", "x", "--no-record"},
      {"replay"},
      {"replay", "a", "b"},
  };
  for (const std::vector<std::string>& arguments : wrong) {
    std::string line;
    for (const std::string& argument : arguments) line += argument + " ";
    INFO(line);
    const Arguments out = parse(arguments);
    CHECK(out.command == Arguments::Command::none);
    CHECK(out.exit_code == kExitUsage);
    CHECK(out.error.find("wavetank: ") == 0);
    CHECK(out.error.size() > 20);
  }
}

TEST_CASE("every command has help with examples") {
  for (const char* command : {"serve", "replay", "demo", "inspect", "version"}) {
    const Arguments out = parse({command, "--help"});
    INFO(command);
    CHECK(out.command == Arguments::Command::none);
    CHECK(out.exit_code == 0);
    CHECK(out.out.find("Examples:") != std::string::npos);
    CHECK(out.out.find(std::string("wavetank ") + command) != std::string::npos);
  }
  CHECK(parse({"--help"}).out.find("demo") != std::string::npos);
}

TEST_CASE("the other commands") {
  CHECK(parse({"demo"}).command == Arguments::Command::demo);
  CHECK(parse({"demo", "--once"}).demo.once);
  CHECK(parse({"replay", "x", "--json"}).replay.json);
  CHECK(parse({"replay", "x"}).replay.file == "x");
  CHECK(parse({"inspect", "x", "--most", "3"}).inspect.most == 3);
  CHECK(parse({"version"}).command == Arguments::Command::version);
  CHECK(parse({"--version"}).command == Arguments::Command::version);
}

TEST_CASE("the flags of serve say how clients connect") {
  const Arguments out = parse({"serve", "--security-protocol", "SASL_SSL", "--sasl-user", "alice:won:der",
                               "--sasl-mechanisms", "PLAIN,SCRAM-SHA-512", "--tls-client-auth", "required",
                               "--set", "connections.max.reauth.ms=60000"});
  REQUIRE(out.command == Arguments::Command::serve);
  const SessionOptions& session = out.serve.session;
  CHECK(session.cluster.security.protocol == cluster::SecurityProtocol::sasl_ssl);
  CHECK(session.cluster.security.users == std::map<std::string, std::string>{{"alice", "won:der"}});
  CHECK(session.cluster.security.mechanisms == std::vector<std::string>{"PLAIN", "SCRAM-SHA-512"});
  CHECK(session.cluster.security.max_reauth_ns == kMinute_ns);
  CHECK(session.tls.client_auth == ClientAuth::required);
  CHECK(parse({"serve", "--security-protocol", "SASL_SSL"}).exit_code == kExitUsage);
  CHECK(parse({"serve", "--sasl-user", "alice:wonder"}).exit_code == kExitUsage);
  CHECK(parse({"serve", "--security-protocol", "SASL_PLAINTEXT", "--sasl-user", "alice"}).exit_code ==
        kExitUsage);
}

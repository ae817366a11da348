// Logging in on a SASL listener. What is expected here was seen at a real broker of release 4.4.
#include <catch2/catch.hpp>

#include "sim/kafka/wire/messages/configs.h"
#include "sim/kafka/wire/messages/scram_credentials.h"
#include "tests/unit/kafka_handlers/sasl_client.h"

using namespace wt;
using namespace wt::kafka;
using kafka::sasl::Mechanism;
using test::KafkaSim;
using test::sasl_cluster;
using test::SaslClient;

namespace {

using Names = std::vector<std::string>;
const Names kAll = {"PLAIN", "SCRAM-SHA-512", "SCRAM-SHA-256"};
const std::string kAlice = std::string("\0alice\0wonder", 13);

std::string last_refusal(KafkaSim& sim) {
  const auto& refusals = sim.cluster.kafka_service(1)->refusals();
  return refusals.empty() ? "" : refusals.back().why;
}

cluster::ClusterOptions with_lifetime(DurationNs lifetime_ns) {
  cluster::ClusterOptions options = sasl_cluster();
  options.security.max_reauth_ns = lifetime_ns;
  return options;
}

void log_in(SaslClient& client, std::int64_t lifetime_ms) {
  REQUIRE(client.handshake("PLAIN")->error_code == ErrorCode::kNone);
  const auto answer = client.plain("alice", "wonder");
  REQUIRE(answer);
  REQUIRE(answer->error_code == ErrorCode::kNone);
  REQUIRE(answer->session_lifetime_ms == lifetime_ms);
}

}  // namespace

TEST_CASE("A client logs in with PLAIN and then works") {
  KafkaSim sim(sasl_cluster());
  SaslClient client(sim);
  const auto version = GENERATE(as<Version>(), 0, 1, 2);
  REQUIRE(client.api_versions(3)->error_code == ErrorCode::kNone);
  const auto hello = client.handshake("PLAIN");
  REQUIRE(hello);
  CHECK(hello->error_code == ErrorCode::kNone);
  CHECK(hello->mechanisms == kAll);
  const auto answer = client.plain("alice", "wonder", version);
  REQUIRE(answer);
  CHECK(answer->error_code == ErrorCode::kNone);
  CHECK(answer->error_message == "");
  CHECK(answer->auth_bytes.empty());
  CHECK(answer->session_lifetime_ms == 0);
  CHECK(client.works());
  CHECK(client.api_versions(4)->error_code == ErrorCode::kNone);
  // There is no second time without a lifetime.
  CHECK(client.plain("alice", "wonder")->error_code == ErrorCode::kIllegalSaslState);
  const auto again = client.handshake("PLAIN");
  CHECK(again->error_code == ErrorCode::kIllegalSaslState);
  CHECK(again->mechanisms.empty());
  CHECK(client.works());
  CHECK(sim.finding() == "");
}

TEST_CASE("A client logs in with SCRAM and then works") {
  KafkaSim sim(sasl_cluster());
  const auto mechanism = GENERATE(Mechanism::scram_sha_256, Mechanism::scram_sha_512);
  SaslClient client(sim);
  const auto answer = client.scram(mechanism, "bob", "builder");
  REQUIRE(answer);
  CHECK(answer->error_code == ErrorCode::kNone);
  CHECK(answer->auth_bytes.text().substr(0, 2) == "v=");
  CHECK(client.works());
}

TEST_CASE("A wrong password is told, then the connection ends") {
  KafkaSim sim(sasl_cluster());
  SaslClient client(sim);
  SECTION("PLAIN") {
    client.handshake("PLAIN");
    const auto answer = client.plain("alice", "wander");
    REQUIRE(answer);
    CHECK(answer->error_code == ErrorCode::kSaslAuthenticationFailed);
    CHECK(answer->error_message == "Authentication failed: Invalid username or password");
  }
  SECTION("SCRAM") {
    const auto answer = client.scram(Mechanism::scram_sha_256, "alice", "wander");
    REQUIRE(answer);
    CHECK(answer->error_code == ErrorCode::kSaslAuthenticationFailed);
    CHECK(answer->error_message ==
          "Authentication failed during authentication due to invalid credentials with SASL mechanism "
          "SCRAM-SHA-256");
  }
  SECTION("SCRAM, nobody of that name") {
    const auto answer = client.scram(Mechanism::scram_sha_512, "ghost", "wander");
    REQUIRE(answer);
    CHECK(answer->error_message ==
          "Authentication failed during authentication due to invalid credentials with SASL mechanism "
          "SCRAM-SHA-512");
  }
  CHECK(client.closed());
  CHECK(last_refusal(sim) == "kafka.refused.credentials");
}

TEST_CASE("A mechanism that is not there is told with the list, then the connection ends") {
  cluster::ClusterOptions options = sasl_cluster();
  options.security.mechanisms = {"SCRAM-SHA-256"};
  KafkaSim sim(options);
  const auto version = GENERATE(as<Version>(), 0, 1);
  SaslClient client(sim);
  const auto answer = client.handshake("PLAIN", version);
  REQUIRE(answer);
  CHECK(answer->error_code == ErrorCode::kUnsupportedSaslMechanism);
  CHECK(answer->mechanisms == Names{"SCRAM-SHA-256"});
  CHECK(client.closed());
  CHECK(last_refusal(sim) == "kafka.refused.mechanism");
}

TEST_CASE("Before it has logged in a client may ask for little") {
  KafkaSim sim(sasl_cluster());
  SaslClient client(sim);
  SECTION("no other request") {
    CHECK_FALSE(client.metadata());
    CHECK(last_refusal(sim) == "kafka.refused.unauthenticated");
  }
  SECTION("no message before its mechanism") {
    CHECK_FALSE(client.authenticate(kAlice));
  }
  SECTION("ApiVersions once") {
    CHECK(client.api_versions());
    CHECK_FALSE(client.api_versions());
  }
  SECTION("ApiVersions of a version that is not there does not count") {
    REQUIRE(client.api_versions(4));
    SaslClient other(sim);
    RequestHeader header;
    ByteWriter out;
    out.i16(kApiVersionsKey);
    out.i16(99);
    out.i32(1);
    out.i16(-1);
    const Slice body = Slice::copy_of(out.take());
    ByteWriter length;
    length.i32(static_cast<std::int32_t>(body.size()));
    sim.send_bytes(other.connection(), flatten(SliceList{Slice::copy_of(length.take()), body}));
    const auto answer = sim.receive_as<ApiVersionsResponse>(other.connection(), kApiVersionsKey, 0);
    REQUIRE(answer);
    CHECK(answer->error_code == ErrorCode::kUnsupportedVersion);
    CHECK(other.api_versions(3)->error_code == ErrorCode::kNone);
    CHECK(other.handshake("PLAIN")->error_code == ErrorCode::kNone);
    return;
  }
  SECTION("between handshake and message nothing else, and that is told") {
    REQUIRE(client.handshake("PLAIN")->error_code == ErrorCode::kNone);
    SECTION("ApiVersions") {
      CHECK(client.api_versions()->error_code == ErrorCode::kIllegalSaslState);
    }
    SECTION("handshake") {
      const auto answer = client.handshake("PLAIN");
      CHECK(answer->error_code == ErrorCode::kIllegalSaslState);
      CHECK(answer->mechanisms.empty());
    }
    SECTION("Metadata") {
      CHECK(client.metadata());
    }
    CHECK(client.closed());
    CHECK(last_refusal(sim) == "kafka.refused.sasl_state");
  }
  CHECK(client.closed());
  CHECK(sim.finding() == "");
}

TEST_CASE("After a handshake of version 0 messages come without requests") {
  KafkaSim sim(sasl_cluster());
  SaslClient client(sim);
  REQUIRE(client.handshake("PLAIN", 0)->error_code == ErrorCode::kNone);
  SECTION("the right password") {
    // The answer is an empty frame, which a frame buffer of ours does not take.
    ByteWriter out;
    out.i32(static_cast<std::int32_t>(kAlice.size()));
    sim.send_bytes(client.connection(),
                   flatten(SliceList{Slice::copy_of(out.take()), Slice::copy_of(kAlice)}));
    sim.cluster.kernel().run_ready();
    CHECK(flatten(sim.cluster.streams().external_take(client.connection().id).bytes).text() ==
          std::string_view("\0\0\0\0", 4));
    CHECK(client.works());
  }
  SECTION("a wrong one is not answered") {
    CHECK_FALSE(client.bare(std::string("\0alice\0wander", 13)));
    CHECK(client.closed());
  }
  SECTION("a request is no message") {
    CHECK_FALSE(client.plain("alice", "wonder"));
    CHECK(client.closed());
  }
}

TEST_CASE("A frame before logging in is small") {
  KafkaSim sim(sasl_cluster());
  SaslClient client(sim);
  const auto [size_bytes, closes] = GENERATE(table<std::int32_t, bool>({{524'288, false}, {524'289, true}}));
  SECTION("at first") {}
  SECTION("after the handshake") {
    client.handshake("PLAIN");
  }
  ByteWriter out;
  out.i32(size_bytes);
  sim.send_bytes(client.connection(), Slice::copy_of(out.take()));
  CHECK(client.closed() == closes);
}

TEST_CASE("A session with a lifetime is renewed on the same connection") {
  KafkaSim sim(with_lifetime(10 * kMinute_ns));
  SaslClient client(sim);
  log_in(client, 600'000);
  SECTION("also at once, but then not again within a second") {
    log_in(client, 600'000);
    CHECK(client.handshake("PLAIN")->error_code == ErrorCode::kIllegalSaslState);
    CHECK(client.plain("alice", "wonder")->error_code == ErrorCode::kIllegalSaslState);
    CHECK(client.works());
    sim.run(kSecond_ns);
    log_in(client, 600'000);
  }
  SECTION("and then lives longer") {
    sim.run(6 * kMinute_ns);
    log_in(client, 600'000);
    sim.run(6 * kMinute_ns);
    CHECK(client.works());
  }
  SECTION("also when its time is over") {
    sim.run(9 * kMinute_ns);
    CHECK(client.works());  // so that the connection is not idle
    sim.run(2 * kMinute_ns);
    log_in(client, 600'000);
    CHECK(client.works());
  }
  SECTION("or its next request closes the connection") {
    sim.run(9 * kMinute_ns);
    CHECK(client.works());
    sim.run(kMinute_ns);
    CHECK(client.works());  // to the last instant
    sim.run(1);
    CHECK_FALSE(client.closed());
    CHECK_FALSE(client.metadata());
    CHECK(client.closed());
    CHECK(last_refusal(sim) == "kafka.refused.session_expired");
  }
}

TEST_CASE("Logging in again must be the same user in the same way") {
  KafkaSim sim(with_lifetime(kHour_ns));
  SaslClient client(sim);
  log_in(client, 3'600'000);
  SECTION("another user") {
    client.handshake("PLAIN");
    const auto answer = client.plain("bob", "builder");
    REQUIRE(answer);
    CHECK(answer->error_code == ErrorCode::kSaslAuthenticationFailed);
    CHECK(answer->error_message ==
          "Cannot change principals during re-authentication from User.alice: User.bob");
  }
  SECTION("another mechanism fails at the first message") {
    CHECK(client.handshake("SCRAM-SHA-256")->error_code == ErrorCode::kNone);
    CHECK_FALSE(client.authenticate("n,,n=alice,r=x"));
  }
  SECTION("a mechanism that is not there fails at once") {
    CHECK_FALSE(client.handshake("NOPE"));
  }
  SECTION("a wrong password") {
    client.handshake("PLAIN");
    CHECK(client.plain("alice", "x")->error_message == "Authentication failed: Invalid username or password");
  }
  SECTION("something else in between") {
    client.handshake("PLAIN");
    CHECK(client.api_versions()->error_code == ErrorCode::kIllegalSaslState);
  }
  CHECK(client.closed());
}

TEST_CASE("A failed renewal of SCRAM says so") {
  KafkaSim sim(with_lifetime(kHour_ns));
  SaslClient client(sim);
  CHECK(client.scram(Mechanism::scram_sha_256, "alice", "wonder")->session_lifetime_ms == 3'600'000);
  CHECK(client.scram(Mechanism::scram_sha_256, "alice", "wander")->error_message ==
        "Authentication failed during re-authentication due to invalid credentials with SASL mechanism "
        "SCRAM-SHA-256");
}

TEST_CASE("A fault can refuse a client that has proved who it is") {
  KafkaSim sim(sasl_cluster());
  SECTION("with an answer") {
    sim.do_command(R"({"do":"add_rule","point":"kafka.sasl.authenticated","action":"answer",)"
                   R"("error_code":58,"count":1})");
    SaslClient refused(sim);
    refused.handshake("PLAIN");
    CHECK(refused.plain("alice", "wonder")->error_code == ErrorCode::kSaslAuthenticationFailed);
    CHECK(refused.closed());
  }
  SECTION("without one") {
    sim.do_command(R"({"do":"add_rule","point":"kafka.sasl.authenticated","action":"close","count":1})");
    SaslClient refused(sim);
    refused.handshake("PLAIN");
    CHECK_FALSE(refused.plain("alice", "wonder"));
  }
  SaslClient next(sim);
  log_in(next, 0);
}

TEST_CASE("Users that a client adds can log in with SCRAM") {
  KafkaSim sim(sasl_cluster());
  SaslClient admin(sim);
  log_in(admin, 0);
  AlterUserScramCredentialsRequest request;
  auto& carol = request.upsertions.emplace_back();
  carol.name = "carol";
  carol.mechanism = controller::kScramSha512;
  carol.iterations = 8192;
  carol.salt = Slice::copy_of(std::string_view("salt"));
  carol.salted_password =
      Slice::copy_of(kafka::sasl::pbkdf2(kafka::sasl::Digest::sha512, "secret", "salt", 8192));
  auto& keyless = request.upsertions.emplace_back();
  keyless.name = "keyless";
  keyless.mechanism = controller::kScramSha256;
  keyless.iterations = 4096;
  const auto altered = sim.call<AlterUserScramCredentialsResponse>(admin.connection(), 51, 0, request);
  REQUIRE(altered);
  REQUIRE(altered->results.size() == 2);
  CHECK(altered->results[0].error_code == ErrorCode::kNone);
  CHECK_FALSE(altered->results[0].error_message);
  CHECK(altered->results[1].error_code == ErrorCode::kUnknownServerError);

  DescribeUserScramCredentialsRequest wanted;
  for (const char* name : {"carol", "alice", "ghost", "alice"}) wanted.users->emplace_back().name = name;
  const auto described = sim.call<DescribeUserScramCredentialsResponse>(admin.connection(), 50, 0, wanted);
  REQUIRE(described);
  REQUIRE(described->results.size() == 3);
  REQUIRE(described->results[0].credential_infos.size() == 1);
  CHECK(described->results[0].credential_infos[0].iterations == 8192);
  CHECK(described->results[0].error_message == "");
  CHECK(described->results[1].error_code == ErrorCode::kDuplicateResource);
  CHECK(described->results[2].error_message ==
        "Attempt to describe a user credential that does not exist: ghost");
  wanted.users.reset();
  CHECK(sim.call<DescribeUserScramCredentialsResponse>(admin.connection(), 50, 0, wanted)->results.size() ==
        3);

  SaslClient login(sim);
  CHECK(login.scram(Mechanism::scram_sha_512, "carol", "secret")->error_code == ErrorCode::kNone);
  CHECK(login.works());
  SaslClient other(sim);
  CHECK(other.scram(Mechanism::scram_sha_256, "carol", "secret")->error_code ==
        ErrorCode::kSaslAuthenticationFailed);
}

TEST_CASE("TLS on a listener without it is recognised") {
  KafkaSim sim(sasl_cluster());
  SaslClient client(sim);
  sim.send_bytes(client.connection(), Slice::copy_of(std::string_view("\x16\x03\x01\x02\x00\x01", 6)));
  CHECK(client.closed());
  CHECK(last_refusal(sim) == "kafka.refused.tls");
}

TEST_CASE("Two runs draw the same nonces, another seed draws others") {
  const auto nonce = [](std::uint64_t seed) {
    cluster::ClusterOptions options = sasl_cluster();
    options.seed = seed;
    KafkaSim sim(options);
    SaslClient client(sim);
    client.handshake("SCRAM-SHA-256");
    return std::string(client.authenticate("n,,n=alice,r=x")->auth_bytes.text());
  };
  CHECK(nonce(1) == nonce(1));
  CHECK(nonce(1) != nonce(2));
}

TEST_CASE("The listeners of a broker are told with their security protocol") {
  KafkaSim sim(sasl_cluster());
  SaslClient client(sim);
  log_in(client, 0);
  DescribeConfigsRequest request;
  auto& resource = request.resources.emplace_back();
  resource.resource_type = 4;  // a broker
  resource.resource_name = "1";
  resource.configuration_keys = Names{"listeners"};
  const auto answer = sim.call<DescribeConfigsResponse>(client.connection(), 32, 4, request);
  REQUIRE(answer);
  REQUIRE(answer->results.size() == 1);
  REQUIRE(answer->results[0].configs.size() == 1);
  CHECK(answer->results[0].configs[0].value.value_or("").rfind("SASL_PLAINTEXT://", 0) == 0);
}

TEST_CASE("Options without sense are refused with a sentence") {
  cluster::ClusterOptions options = sasl_cluster();
  SECTION("no user") {
    options.security.users.clear();
  }
  SECTION("users without SASL") {
    options.security.protocol = cluster::SecurityProtocol::ssl;
  }
  SECTION("a mechanism that is not there") {
    options.security.mechanisms = {"GSSAPI"};
  }
  SECTION("an empty password") {
    options.security.users["x"] = "";
  }
  CHECK_FALSE(cluster::validate(options).ok());
}

TEST_CASE("The options of a recording bring the users back") {
  const auto copy = cluster::options_from_json(cluster::to_json(with_lifetime(kHour_ns)));
  REQUIRE(copy.ok());
  CHECK(copy->security.users == sasl_cluster().security.users);
  CHECK(copy->security.protocol == cluster::SecurityProtocol::sasl_plaintext);
  CHECK(copy->security.max_reauth_ns == kHour_ns);
}

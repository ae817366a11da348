#include <catch2/catch.hpp>

#include <sys/resource.h>

#include <filesystem>

#include "tests/unit/gateway/checks.h"

using namespace wt;
using namespace wt::harness;

TEST_CASE("connections over the limit are turned away, the others are served") {
  DriverOptions options;
  options.max_connections = 2;
  Rig rig(options);
  REQUIRE(rig.driver.start().ok());
  Client first(rig.port());
  Client second(rig.port());
  CHECK(first.ask("e") == "e");
  CHECK(second.ask("e") == "e");
  Client third(rig.port());
  CHECK_FALSE(third.receive());
  CHECK(rig.driver.stats().connections_turned_away == 1);
  second.close();
  REQUIRE(
      rig.driver.wait_until([&] { return rig.sim->streams().open_connections() == 1; }, kSecond_ns).value());
  Client fourth(rig.port());
  CHECK(fourth.ask("e") == "e");
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("without free descriptors a connection is closed and the gateway lives on") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  Client before(rig.port());
  CHECK(before.ask("e") == "e");
  Client late;
  const int free_descriptor = ::dup(0);
  REQUIRE(free_descriptor >= 0);
  ::close(free_descriptor);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit low{static_cast<rlim_t>(free_descriptor + 1), limit.rlim_max};  // one for the client
  ::setrlimit(RLIMIT_NOFILE, &low);
  late.connect(rig.port());
  CHECK_FALSE(late.receive());
  CHECK(before.ask("e alive") == "e alive");
  ::setrlimit(RLIMIT_NOFILE, &limit);
  CHECK(rig.driver.stats().connections_turned_away >= 1);
  REQUIRE(late.connect(rig.port()));
  CHECK(late.ask("e") == "e");
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("a port that is in use is a clear error") {
  Rig holder;
  REQUIRE(holder.driver.start().ok());
  DriverOptions options;
  options.ports = {0, holder.port()};
  Rig rig(options);
  const Status status = rig.driver.start();
  CHECK(status.code() == StatusCode::kAlreadyExists);
  CHECK(message_of(status).find(std::to_string(holder.port())) != std::string_view::npos);
  options.ports = {};
  options.host = "localhost";
  Rig unnamed(options);
  CHECK(unnamed.driver.start().code() == StatusCode::kInvalidArgument);
}

TEST_CASE("a driver that could not start leaves no descriptor behind") {
  Rig holder;
  REQUIRE(holder.driver.start().ok());
  DriverOptions options;
  options.ports = {holder.port()};
  const auto open_descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    Rig second(options);
    CHECK_FALSE(second.driver.start().ok());
  }
  CHECK(open_descriptors() == before);
}

TEST_CASE("ports can be chosen") {
  std::uint16_t port = 0;
  {
    Rig probe;
    REQUIRE(probe.driver.start().ok());
    port = probe.port();
    Client client(port);
    CHECK(client.ask("e") == "e");
  }
  DriverOptions options;
  options.ports = {port};
  Rig rig(options);
  REQUIRE(rig.driver.start().ok());  // although connections of the one before linger
  CHECK(rig.port() == port);
  Client client(port);
  CHECK(client.ask("e") == "e");
}

TEST_CASE("a recording that reaches its limit ends there and says so; the run goes on") {
  RecorderOptions recorder;
  recorder.limit_bytes = 20'000;
  Rig rig({}, {}, system_wall_clock(), recorder);
  REQUIRE(rig.driver.start().ok());
  Client client(rig.port());
  const std::string request = "e" + std::string(1000, 'q');
  for (int i = 0; i < 50; ++i) CHECK(client.ask(request) == request);
  rig.driver.stop();
  CHECK_FALSE(rig.recorder.intact());
  CHECK(rig.recorder.status().code() == StatusCode::kResourceExhausted);
  CHECK(rig.buffer->size_bytes() <= 20'000);
  CHECK(rig.buffer->size_bytes() > 15'000);
  const ReplayResult result = rig.replayed();
  CHECK(result.equal);  // as far as it goes
  CHECK_FALSE(result.complete);
  CHECK(result.problem.find("limit") != std::string::npos);
}

TEST_CASE("a driver without a recorder serves") {
  EchoOptions echo;
  EchoSimulated sim(echo);
  Driver driver(sim, {}, system_wall_clock(), nullptr);
  REQUIRE(driver.start().ok());
  Client client(driver.addresses().at(0).port);
  CHECK(client.ask("e") == "e");
  CHECK(driver.execute("crash 0").value() == "crashed");
  CHECK_FALSE(client.receive());
}

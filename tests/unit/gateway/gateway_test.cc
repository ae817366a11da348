#include <catch2/catch.hpp>

#include <signal.h>

#include "tests/unit/gateway/checks.h"

using namespace wt;
using namespace wt::harness;

TEST_CASE("an echo over real sockets is recorded and replayed") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  REQUIRE(rig.sim->addresses.size() == 3);
  CHECK(rig.sim->addresses[1] == "127.0.0.1:" + std::to_string(rig.port(1)));
  {
    Client client(rig.port());
    CHECK(client.ask("e hello") == "e hello");
    CHECK(client.ask("d5 later") == "d5 later");
    const auto random = client.ask("x");
    REQUIRE(random);
    CHECK(random->size() > 1);
    Client other(rig.port(2));
    other.send("t20 slow");
    CHECK(other.ask("e quick") == "e quick");
    CHECK(other.receive() == "t20 slow");
  }
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("requests cut anywhere are answered, and the cuts are recorded") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  Client client(rig.port());
  RandomStream random(99);
  std::string requests;
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    const std::string text = "e" + std::string(random.below(400), static_cast<char>('a' + i % 26));
    requests += framed(text);
  }
  expected = requests;
  for (std::size_t at = 0; at < requests.size();) {
    const std::size_t size_bytes = std::min<std::size_t>(1 + random.below(300), requests.size() - at);
    client.send_raw(std::string_view(requests).substr(at, size_bytes));
    at += size_bytes;
    if (at % 16 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(client.receive_raw(expected.size()) == expected);
  rig.driver.stop();
  CHECK(rig.count(EntryKind::bytes) > 3);
  check_replay(rig);
}

TEST_CASE("either side can end a connection, half of it or all at once") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  Client half(rig.port());
  half.send("d20 last words");
  half.half_close();
  CHECK(half.receive() == "d20 last words");
  CHECK_FALSE(half.receive());

  Client told(rig.port());
  CHECK(told.ask("h") == "h");
  CHECK_FALSE(told.receive());
  told.send("e nobody answers");  // may be sent all the same
  told.close();

  Client closed(rig.port());
  closed.send("e first");
  closed.send("c");
  CHECK(closed.receive() == "e first");
  CHECK_FALSE(closed.receive());
  CHECK(closed.error() == 0);

  Client broken(rig.port());
  broken.send("r");
  CHECK_FALSE(broken.receive());
  CHECK(broken.error() == ECONNRESET);

  Client rude(rig.port());
  CHECK(rude.ask("e") == "e");
  rude.reset();
  half.close();
  REQUIRE(rig.driver.wait_until([&] { return rig.sim->streams().open_connections() == 0; }, 10 * kSecond_ns)
              .value());
  CHECK(rig.driver.stats().open_connections == 0);
  rig.driver.stop();
  CHECK(rig.count(EntryKind::half_close) >= 2);
  CHECK(rig.count(EntryKind::reset) >= 1);
  check_replay(rig);
}

TEST_CASE("a slow reader holds the simulation back, loses nothing and does not fill memory") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  Client client(rig.port());
  constexpr std::size_t kTotal_bytes = 30 * 1024 * 1024;
  client.send("b" + std::to_string(kTotal_bytes / 1024));
  Client other(rig.port());
  CHECK(other.ask("e not held up") == "e not held up");
  // Waits for the client: the process has not been able to write everything.
  CHECK(other.ask("d100") == "d100");
  CHECK(rig.driver.stats().sent_bytes < kTotal_bytes / 2);
  const std::string all = client.receive_raw(kTotal_bytes);
  CHECK(all.size() == kTotal_bytes);
  CHECK(all.substr(26 * 1024, 4) == "aaaa");
  CHECK(client.ask("e") == "e");
  rig.driver.stop();
  CHECK(rig.count(EntryKind::output_unblocked) >= 5);
  check_replay(rig);
}

TEST_CASE("a client that is ahead of the simulation is not read from") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  Client client(rig.port());
  client.send("g300");
  std::thread sender([&client] {
    const std::string request = framed("e" + std::string(65535, 'z'));
    for (int i = 0; i < 200; ++i) client.send_raw(request);
  });
  Client other(rig.port());
  CHECK(other.ask("d100") == "d100");
  const std::uint64_t received_bytes = rig.driver.stats().received_bytes;
  CHECK(received_bytes > 1024 * 1024);
  CHECK(received_bytes < 2 * 1024 * 1024);
  CHECK(client.receive_raw(200 * 65540).size() == 200 * 65540);
  sender.join();
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("two hundred connections, one thread") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  std::vector<Client> clients;
  for (std::size_t i = 0; i < 200; ++i) clients.emplace_back(rig.port(i % 3));
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < clients.size(); ++i)
      clients[i].send((i % 7 == 0 ? "d3 " : "e ") + std::to_string(i));
    for (std::size_t i = clients.size(); i-- > 0;) {
      CHECK(clients[i].receive() == (i % 7 == 0 ? "d3 " : "e ") + std::to_string(i));
    }
  }
  CHECK(rig.driver.stats().connections_accepted == 200);
  clients.clear();
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("a crashed broker's port refuses, and serves again after a restart") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  const std::uint16_t port = rig.port(1);
  Client client(port);
  CHECK(client.ask("e") == "e");
  CHECK(rig.driver.execute("crash 1").value() == "crashed");
  CHECK_FALSE(client.receive());
  CHECK_FALSE(client.connect(port));
  CHECK(client.error() == ECONNREFUSED);
  Client elsewhere(rig.port(0));
  CHECK(elsewhere.ask("e others live") == "e others live");
  // Nobody else gets the port meanwhile.
  CHECK(Listener::bind(0, "127.0.0.1", port).status().code() == StatusCode::kAlreadyExists);
  CHECK(rig.driver.execute("restart 1").value() == "started");
  REQUIRE(client.connect(port));
  CHECK(client.ask("e again") == "e again");
  CHECK(rig.port(1) == port);
  rig.driver.stop();
  CHECK(rig.count(EntryKind::execute) == 2);
  check_replay(rig);
}

TEST_CASE("listeners can be added by a call") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  CHECK(rig.driver.execute("add").value() == "added");
  REQUIRE(rig.driver.addresses().size() == 4);
  CHECK(rig.sim->addresses[3] == "127.0.0.1:" + std::to_string(rig.port(3)));
  Client client(rig.port(3));
  CHECK(client.ask("e new") == "e new");
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("a violated invariant ends the run: clients see it, the recording has it") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  Client client(rig.port());
  SECTION("in an event") {
    client.send("i");
  }
  SECTION("in a call") {
    CHECK(rig.driver.execute("break").ok());
  }
  SECTION("as an exception of a call") {
    CHECK(rig.driver.execute("throw").ok());
  }
  CHECK_FALSE(client.receive());
  CHECK_FALSE(client.connect(rig.port()));
  CHECK(rig.driver.execute("count").status().code() == StatusCode::kFailedPrecondition);
  CHECK(rig.driver.advance(kSecond_ns).code() == StatusCode::kFailedPrecondition);
  CHECK(rig.driver.call([&] { return rig.sim->kernel().finding()->check; }).ok());
  CHECK_FALSE(rig.driver.wait_until([] { return false; }, kHour_ns).value());
  const std::uint64_t turns = rig.driver.stats().turns;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK(rig.driver.stats().turns < turns + 10);  // idle, not spinning
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("calls come from any thread, and end with the driver") {
  Rig rig;
  REQUIRE(rig.driver.start().ok());
  const std::thread::id driver_thread = rig.driver.call([] { return std::this_thread::get_id(); }).value();
  CHECK(driver_thread != std::this_thread::get_id());
  sigset_t mask;
  CHECK(rig.driver.call([&mask] { pthread_sigmask(SIG_SETMASK, nullptr, &mask); }).ok());
  CHECK(sigismember(&mask, SIGTERM) == 1);
  CHECK(sigismember(&mask, SIGSEGV) == 0);
  CHECK(rig.driver.call([&] { return rig.driver.call([] { return 41; }).value() + 1; }).value() == 42);
  CHECK(rig.driver.call([&] { return rig.driver.execute("count").status().code(); }).value() ==
        StatusCode::kFailedPrecondition);
  std::vector<std::thread> threads;
  threads.reserve(8);
  std::atomic<int> sum = 0;
  std::atomic<int> answered = 0;  // Catch's checks are for one thread
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) sum += rig.driver.call([] { return 1; }).value();
      if (rig.driver.execute("count").value() == "0") ++answered;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(sum == 400);
  CHECK(answered == 8);
  CHECK_THROWS_AS(rig.driver.call([]() -> int { throw std::runtime_error("mine"); }), std::runtime_error);
  CHECK_THROWS_AS(rig.driver.wait_until([]() -> bool { throw std::runtime_error("mine"); }, kHour_ns),
                  std::runtime_error);
  // A call that waits when the driver stops is answered.
  Status told;
  std::thread waiting([&] { told = rig.driver.wait_until([] { return false; }, kHour_ns).status(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  rig.driver.stop();
  waiting.join();
  CHECK(told.code() == StatusCode::kUnavailable);
  CHECK(rig.driver.call([] { return 1; }).status().code() == StatusCode::kUnavailable);
  CHECK(rig.driver.execute("count").status().code() == StatusCode::kUnavailable);
  CHECK_FALSE(rig.driver.post([] {}));
  check_replay(rig);
}

#include <catch2/catch.hpp>

#include "tests/unit/gateway/checks.h"

using namespace wt;
using namespace wt::harness;

namespace {

DriverOptions by_hand(ClockMode clock) {
  DriverOptions options;
  options.clock = clock;
  options.drive = Drive::caller;
  return options;
}

void pump(Driver& driver) {
  // Loopback sockets are quick but not instant.
  for (int i = 0; i < 5; ++i) REQUIRE(driver.pump(2 * kMillisecond_ns));
}

bool nothing_to_read(const Client& client) {
  char byte = 0;
  return ::recv(client.descriptor(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0;
}

}  // namespace

TEST_CASE("flow: time follows the wall clock in whole milliseconds, and a gap counts as 250 ms") {
  FakeWall wall;
  Rig rig(by_hand(ClockMode::flow), {}, wall);
  REQUIRE(rig.driver.start().ok());
  const TimeNs start_ns = rig.sim->kernel().now();
  CHECK(start_ns == 1'700'000'000'123'000'000);
  wall.now_ns += 7'900'000;
  pump(rig.driver);
  CHECK(rig.sim->kernel().now() == start_ns + 7 * kMillisecond_ns);

  Client client(rig.port());
  client.send("d300 answer");
  pump(rig.driver);
  wall.now_ns += 10 * kSecond_ns;  // a debugger
  pump(rig.driver);
  CHECK(rig.sim->kernel().now() == start_ns + 257 * kMillisecond_ns);
  CHECK(nothing_to_read(client));
  wall.now_ns += 50 * kMillisecond_ns;
  pump(rig.driver);
  CHECK(client.receive() == "d300 answer");

  // A jump is added, and following goes on behind it.
  CHECK(rig.driver.advance(kHour_ns).ok());
  wall.now_ns += 3 * kMillisecond_ns;
  pump(rig.driver);
  CHECK(rig.sim->kernel().now() == start_ns + kHour_ns + 310 * kMillisecond_ns);
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("flow: the rate stretches time") {
  FakeWall wall;
  DriverOptions options = by_hand(ClockMode::flow);
  options.rate = 10;
  Rig rig(options, {}, wall);
  REQUIRE(rig.driver.start().ok());
  const TimeNs start_ns = rig.sim->kernel().now();
  wall.now_ns += 100 * kMillisecond_ns;
  pump(rig.driver);
  CHECK(rig.sim->kernel().now() == start_ns + kSecond_ns);
}

TEST_CASE("frozen: time moves only when asked, and silence stands still meanwhile") {
  FakeWall wall;
  Rig rig(by_hand(ClockMode::frozen), {}, wall);
  REQUIRE(rig.driver.start().ok());
  const TimeNs start_ns = rig.sim->kernel().now();
  Client waits(rig.port());
  Client silent(rig.port());
  waits.send("d600000 transaction");
  silent.send("s45000 session");
  pump(rig.driver);
  wall.now_ns += kHour_ns;
  pump(rig.driver);
  CHECK(rig.sim->kernel().now() == start_ns);
  CHECK(rig.driver.advance(15 * kMinute_ns).ok());
  CHECK(rig.sim->kernel().now() == start_ns + 15 * kMinute_ns);
  CHECK(waits.receive() == "d600000 transaction");
  CHECK(nothing_to_read(silent));
  CHECK(rig.driver.advance(45 * kSecond_ns, true).ok());
  CHECK(silent.receive() == "s45000 session");
  waits.send("e still open");
  pump(rig.driver);
  CHECK(waits.receive() == "e still open");
  // Nonsense durations neither go back nor overflow.
  CHECK(rig.driver.advance(-kHour_ns).ok());
  CHECK(rig.sim->kernel().now() == start_ns + 15 * kMinute_ns + 45 * kSecond_ns);
  CHECK(rig.driver.advance(kNever_ns).ok());
  CHECK(rig.sim->kernel().now() == kNever_ns);
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("frozen: a parked request is let go after at most 100 ms of real time") {
  FakeWall wall;
  Rig rig(by_hand(ClockMode::frozen), {}, wall);
  REQUIRE(rig.driver.start().ok());
  const TimeNs start_ns = rig.sim->kernel().now();
  Client patient(rig.port());
  Client hasty(rig.port());
  patient.send("p5000 long poll");
  hasty.send("p20 short poll");
  pump(rig.driver);
  wall.now_ns += 19 * kMillisecond_ns;
  pump(rig.driver);
  CHECK(nothing_to_read(hasty));
  wall.now_ns += 1 * kMillisecond_ns;
  pump(rig.driver);
  CHECK(hasty.receive() == "p20 short poll");
  wall.now_ns += 79 * kMillisecond_ns;
  pump(rig.driver);
  CHECK(nothing_to_read(patient));
  wall.now_ns += 1 * kMillisecond_ns;
  pump(rig.driver);
  CHECK(patient.receive() == "p5000 long poll");

  // At once when another request of the same connection waits behind it.
  patient.send("p5000 again");
  hasty.send("p5000 of another");
  pump(rig.driver);
  CHECK(nothing_to_read(patient));
  patient.send("e behind");
  pump(rig.driver);
  CHECK(patient.receive() == "p5000 again");
  CHECK(patient.receive() == "e behind");
  CHECK(nothing_to_read(hasty));
  CHECK(rig.sim->kernel().now() == start_ns);
  rig.driver.stop();
  CHECK(rig.count(EntryKind::park_expired) == 3);
  check_replay(rig);
}

TEST_CASE("frozen: pipelined long polls answer each other without delay") {
  FakeWall wall;
  Rig rig(by_hand(ClockMode::frozen), {}, wall);
  REQUIRE(rig.driver.start().ok());
  Client client(rig.port());
  for (int i = 0; i < 20; ++i) client.send("p5000 " + std::to_string(i));
  pump(rig.driver);
  for (int i = 0; i < 19; ++i) REQUIRE(client.receive() == "p5000 " + std::to_string(i));
  CHECK(nothing_to_read(client));
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("frozen: with a real clock and a thread a parked request comes back by itself") {
  DriverOptions options;
  options.clock = ClockMode::frozen;
  Rig rig(options);
  REQUIRE(rig.driver.start().ok());
  Client client(rig.port());
  CHECK(client.ask("p60000") == "p60000");
  CHECK(rig.driver.wait_until([&] { return rig.sim->requests == 1; }, kSecond_ns).value());
  CHECK_FALSE(rig.driver.wait_until([] { return false; }, 30 * kMillisecond_ns).value());
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("frozen: after a finding nothing spins for a request that was parked") {
  DriverOptions options;
  options.clock = ClockMode::frozen;
  Rig rig(options);
  REQUIRE(rig.driver.start().ok());
  Client parked(rig.port());
  Client bad(rig.port());
  parked.send("p60000");
  CHECK(rig.driver.wait_until([&] { return rig.sim->kernel().parked_count() == 1; }, kSecond_ns).value());
  bad.send("i");
  CHECK_FALSE(bad.receive());
  std::this_thread::sleep_for(std::chrono::milliseconds(110));  // the park's time is over
  const std::uint64_t turns = rig.driver.stats().turns;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK(rig.driver.stats().turns < turns + 10);
  rig.driver.stop();
  check_replay(rig);
}

TEST_CASE("virtual: refuses sockets, and time jumps while somebody waits") {
  DriverOptions options = by_hand(ClockMode::virtual_time);
  {
    Rig rig(options);
    const Status refused = rig.driver.start();
    CHECK(refused.code() == StatusCode::kInvalidArgument);
  }
  options.listen = false;
  Rig rig(options);
  REQUIRE(rig.driver.start().ok());
  CHECK(rig.sim->kernel().now() == kDefaultEpoch_ns);
  bool rang = false;
  rig.sim->kernel().schedule_at(
      0, kDefaultEpoch_ns + kHour_ns, TimerKind::protocol,
      [](void* flag, std::uint64_t) { *static_cast<bool*>(flag) = true; }, &rang, 0);
  CHECK(rig.driver.wait_until([&] { return rang; }, kDay_ns).value());
  CHECK(rig.sim->kernel().now() == kDefaultEpoch_ns + kHour_ns);
  CHECK_FALSE(rig.driver.wait_until([] { return false; }, kDay_ns).value());
  CHECK(rig.sim->kernel().now() == kDefaultEpoch_ns + kHour_ns + kDay_ns);
}

TEST_CASE("a long jump can be interrupted, and its recording is partial") {
  DriverOptions options;
  options.clock = ClockMode::frozen;
  EchoOptions echo;
  Rig rig(options, echo);
  struct Ticker {
    Kernel& kernel;
    static void tick(void* self, std::uint64_t) {
      Kernel& kernel = static_cast<Ticker*>(self)->kernel;
      kernel.schedule_at(0, kernel.now() + kMillisecond_ns, TimerKind::protocol, &Ticker::tick, self, 0);
    }
  } ticker{rig.sim->kernel()};
  Ticker::tick(&ticker, 0);
  REQUIRE(rig.driver.start().ok());
  Status told;
  std::thread jumper([&] { told = rig.driver.advance(1'000'000 * kHour_ns); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  rig.driver.stop();
  jumper.join();
  CHECK(told.code() == StatusCode::kCancelled);
  StatusOr<JournalReader> reader = JournalReader::open(rig.buffer->copy());
  REQUIRE(reader.ok());
  Entry entry;
  while (reader->next(entry)) CHECK(entry.kind != EntryKind::end);
  CHECK_FALSE(reader->complete());
}

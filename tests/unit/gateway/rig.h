// An echo simulation behind real sockets, recorded into memory, and its replay.
#pragma once

#include <memory>

#include "harness/gateway/driver.h"
#include "harness/journal/replay.h"
#include "tests/unit/gateway/client.h"
#include "tests/unit/gateway/echo.h"

namespace wt::harness {

// A wall clock that moves when the test says so.
class FakeWall final : public WallClock {
 public:
  std::int64_t monotonic_ns() override { return now_ns.load(); }
  TimeNs unix_ns() override { return 1'700'000'000'123'456'789 + now_ns.load(); }
  std::atomic<std::int64_t> now_ns = 0;
};

struct Rig {
  explicit Rig(const DriverOptions& driver_options = {}, EchoOptions echo_options = {},
               WallClock& wall = system_wall_clock(), const RecorderOptions& recorder_options = {})
      : echo(with_epoch(echo_options, driver_options.clock, wall)),
        sim(std::make_unique<EchoSimulated>(echo)),
        buffer(std::make_shared<MemorySink::Buffer>()),
        recorder(std::make_unique<MemorySink>(buffer), recorder_options),
        driver(*sim, driver_options, wall, &recorder) {}

  static EchoOptions with_epoch(EchoOptions options, ClockMode mode, WallClock& wall) {
    options.epoch_ns = starting_epoch_ns(mode, wall);
    return options;
  }
  std::uint16_t port(std::size_t listener = 0) { return driver.addresses().at(listener).port; }
  // What was recorded, over a fresh simulation.
  ReplayResult replayed() const {
    EchoSimulated fresh(echo);
    StatusOr<JournalReader> reader = JournalReader::open(buffer->copy());
    return reader.ok() ? replay(std::move(*reader), fresh) : ReplayResult();
  }
  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    StatusOr<JournalReader> reader = JournalReader::open(buffer->copy());
    Entry entry;
    while (reader.ok() && reader->next(entry)) all.push_back(entry);
    return all;
  }
  std::size_t count(EntryKind kind) const {
    std::size_t count = 0;
    for (const Entry& entry : entries()) count += entry.kind == kind;
    return count;
  }

  EchoOptions echo;
  std::unique_ptr<EchoSimulated> sim;
  std::shared_ptr<MemorySink::Buffer> buffer;
  Recorder recorder;
  Driver driver;
};

}  // namespace wt::harness

#include <catch2/catch.hpp>

#include <cstdio>

#include "harness/journal/trace_window.h"
#include "tests/unit/gateway/checks.h"

using namespace wt;
using namespace wt::harness;

namespace {

// Two connections; the second one asks `odd` between harmless questions.
void run_session(Rig& rig, const std::string& odd) {
  REQUIRE(rig.driver.start().ok());
  Client first(rig.port());
  CHECK(first.ask("e one") == "e one");
  Client second(rig.port(1));
  CHECK(second.ask("e 123") == "e 123");
  CHECK(second.ask(odd));
  CHECK(second.ask("e 456") == "e 456");
  CHECK(first.ask("d2 two") == "d2 two");
  rig.driver.stop();
}

}  // namespace

TEST_CASE("an answer that depends on something outside is found, with connection and offset") {
  RecorderOptions recorder;
  const bool in_full = GENERATE(false, true);
  recorder.outputs = in_full ? OutputDetail::bytes : OutputDetail::hashes;
  EchoSimulated::outside_counter = 0;
  Rig rig({}, {}, system_wall_clock(), recorder);
  run_session(rig, "n count ");
  const ReplayResult result = rig.replayed();
  REQUIRE(result.difference);
  CHECK_FALSE(result.equal);
  CHECK_FALSE(result.complete);
  CHECK(result.difference->kind == DifferenceKind::output);
  CHECK(result.difference->connection == 2);
  const std::size_t answer_bytes = framed("e 123").size();
  CHECK(result.difference->offset_bytes == answer_bytes + (in_full ? framed("n count ").size() : 0));
  CHECK(result.difference->size_bytes == (in_full ? 1 : framed("n count 1").size()));
  CHECK(result.difference->text.find("connection 2") != std::string::npos);
}

TEST_CASE("another course inside is found although every answer is the same, and named to the event") {
  EchoSimulated::outside_counter = 0;
  Rig rig;
  TraceWindow recorded(rig.sim->kernel(), 0, ~0ULL);
  rig.sim->kernel().trace().observe(&recorded);
  run_session(rig, "q");
  const ReplayResult result = rig.replayed();
  REQUIRE(result.difference);
  CHECK(result.difference->kind == DifferenceKind::inside);
  CHECK(result.difference->to_step - result.difference->from_step < 20);

  EchoSimulated fresh(rig.echo);
  TraceWindow replayed(fresh.kernel(), 0, ~0ULL);
  ReplayOptions options;
  options.trace = &replayed;
  (void)replay(std::move(*JournalReader::open(rig.buffer->copy())), fresh, options);
  const std::optional<TraceDifference> event = first_difference(recorded, replayed);
  REQUIRE(event);
  CHECK(event->step >= result.difference->from_step);
  CHECK(event->step <= result.difference->to_step);
  CHECK(event->first.find("echo.outside 1") != std::string::npos);
  CHECK(event->second.find("echo.outside 3") != std::string::npos);
}

TEST_CASE("a recording does not fit a simulation with other options") {
  Rig rig;
  run_session(rig, "x");
  EchoOptions other = rig.echo;
  other.seed += 1;
  EchoSimulated fresh(other);
  const ReplayResult result = replay(std::move(*JournalReader::open(rig.buffer->copy())), fresh);
  REQUIRE(result.difference);
  CHECK(result.difference->kind == DifferenceKind::unusable);
  // The seed alone would not show in a run that draws nothing; the head does not match all the same.
  CHECK(result.entries == 0);
}

TEST_CASE("slow links inside do not disturb the order of record and replay") {
  EchoOptions echo;
  echo.latency_ns = 700 * kMicrosecond_ns;
  Rig rig({}, echo);
  run_session(rig, "t3 overtaken");
  check_replay(rig);
}

TEST_CASE("a recording cut off anywhere is read up to there and never counts as complete") {
  Rig rig;
  run_session(rig, "x");
  const Slice whole = rig.buffer->copy();
  const std::size_t all_entries = rig.entries().size();
  std::size_t last_entries = 0;
  for (std::size_t size_bytes = 0; size_bytes <= whole.size(); ++size_bytes) {
    StatusOr<JournalReader> reader = JournalReader::open(whole.sub(0, size_bytes));
    if (!reader.ok()) continue;
    std::size_t entries = 0;
    Entry entry;
    while (reader->next(entry)) ++entries;
    CHECK(entries >= last_entries);
    last_entries = entries;
    if (size_bytes < whole.size()) {
      CHECK_FALSE(reader->complete());
      CHECK(reader->problem() != "");
    } else {
      CHECK(reader->complete());
      CHECK(entries == all_entries);
    }
  }
  EchoSimulated fresh(rig.echo);
  const ReplayResult result = replay(std::move(*JournalReader::open(whole.sub(0, whole.size() - 1))), fresh);
  CHECK(result.equal);
  CHECK_FALSE(result.complete);
}

TEST_CASE("a recording goes to a file while the run goes on") {
  const std::string path(WT_BUILD_DIR "/gateway_test.journal");
  {
    StatusOr<std::unique_ptr<FileSink>> sink = FileSink::create(path);
    REQUIRE(sink.ok());
    EchoOptions echo;
    EchoSimulated sim(echo);
    Recorder recorder(std::move(*sink), {});
    DriverOptions options;
    options.options_json = R"({"brokers":3})";
    Driver driver(sim, options, system_wall_clock(), &recorder);
    REQUIRE(driver.start().ok());
    Client client(driver.addresses().at(0).port);
    CHECK(client.ask("e to disk") == "e to disk");
    driver.stop();
  }
  StatusOr<JournalReader> reader = JournalReader::open_file(path);
  REQUIRE(reader.ok());
  CHECK(reader->head().options_json == R"({"brokers":3})");
  CHECK(reader->head().listeners.size() == 3);
  CHECK(reader->head().compiler.size() > 4);
  CHECK(reader->head().code_version != "");
  EchoSimulated fresh(EchoOptions{});
  CHECK(replay(std::move(*reader), fresh).complete);
  std::remove(path.c_str());
  CHECK(FileSink::create("/nonexistent/folder/file").status().code() == StatusCode::kUnavailable);
  CHECK(JournalReader::open_file(path).status().code() == StatusCode::kNotFound);
}

#include <catch2/catch.hpp>

#include "harness/journal/output_hash.h"
#include "harness/journal/payloads.h"
#include "harness/journal/reader.h"
#include "harness/journal/writer.h"

using namespace wt;
using namespace wt::harness;

namespace {

JournalHead some_head() {
  JournalHead head;
  head.code_version = "1.2.3";
  head.library_versions = "zstd 1.5.4";
  head.compiler = "g++ 12";
  head.seed = 0xFEDCBA9876543210ULL;
  head.options_json = R"({"brokers":3})";
  head.epoch_ns = 1'700'000'000 * kSecond_ns;
  head.start_step = 17;
  head.clock = ClockMode::frozen;
  head.output_window_bytes = 4096;
  head.listeners = {{"kafka:1", "127.0.0.1", 9092}, {"pulsar:1", "127.0.0.1", 6650}};
  return head;
}

Entry entry_of(EntryKind kind, std::uint64_t step, TimeNs time_ns, std::uint64_t connection,
               std::string_view text) {
  Entry entry;
  entry.kind = kind;
  entry.step = step;
  entry.time_ns = time_ns;
  entry.connection = connection;
  entry.payload = Slice::copy_of(text);
  return entry;
}

struct Written {
  std::shared_ptr<MemorySink::Buffer> buffer = std::make_shared<MemorySink::Buffer>();
  JournalWriter writer;
  explicit Written(std::uint64_t limit_bytes = kDefaultJournalLimit_bytes)
      : writer(std::make_unique<MemorySink>(buffer), limit_bytes) {
    writer.start(some_head());
  }
  JournalReader reader() const { return std::move(*JournalReader::open(buffer->copy())); }
};

template <class Payload>
Payload round_trip(const Payload& payload) {
  ByteWriter out;
  encode(out, payload);
  Payload again;
  REQUIRE(decode(out.view(), again));
  for (std::size_t size_bytes = 0; size_bytes < out.size(); ++size_bytes) {
    Payload cut;
    CHECK_FALSE(decode(out.view().first(size_bytes), cut));
  }
  out.u8(0);
  Payload longer;
  CHECK_FALSE(decode(out.view(), longer));
  return again;
}

// A sink whose disk is full after some bytes.
class FullDisk final : public JournalSink {
 public:
  Status write(std::span<const std::uint8_t> bytes) override {
    written_bytes += bytes.size();
    return written_bytes > 300 ? make_status(StatusCode::kUnavailable, "disk full") : ok_status();
  }
  std::size_t written_bytes = 0;
};

}  // namespace

TEST_CASE("head and entries come back as they were written, in whatever frames") {
  Written written;
  std::vector<Entry> entries;
  const TimeNs start_ns = some_head().epoch_ns;
  for (std::uint64_t i = 0; i < 100; ++i) {
    Entry entry = entry_of(i % 3 == 0 ? EntryKind::bytes : EntryKind::half_close, 17 + i * i,
                           start_ns + static_cast<TimeNs>(i / 2) * kHour_ns, i % 5,
                           i % 3 == 0 ? std::string(i * 50, 'x') : "");
    entry.first_of_batch = i % 4 == 0;
    entry.trace_hash_low = entry.first_of_batch ? 0xDEAD0000U + static_cast<std::uint32_t>(i) : 0;
    entry.sequence = i;
    entries.push_back(entry);
    written.writer.append(entry);
    if (i % 7 == 0) written.writer.flush();
  }
  written.writer.append(entry_of(EntryKind::end, 1 << 20, kNever_ns, 0, ""));
  written.writer.flush();
  JournalReader reader = written.reader();
  CHECK(reader.head() == some_head());
  Entry entry;
  for (const Entry& expected : entries) {
    REQUIRE(reader.next(entry));
    CHECK(entry.sequence == expected.sequence);
    CHECK(entry.step == expected.step);
    CHECK(entry.time_ns == expected.time_ns);
    CHECK(entry.kind == expected.kind);
    CHECK(entry.first_of_batch == expected.first_of_batch);
    CHECK(entry.trace_hash_low == expected.trace_hash_low);
    CHECK(entry.connection == expected.connection);
    CHECK(entry.payload == expected.payload);
  }
  REQUIRE(reader.next(entry));
  CHECK(entry.kind == EntryKind::end);
  CHECK(entry.time_ns == kNever_ns);
  CHECK_FALSE(reader.next(entry));
  CHECK(reader.complete());
}

TEST_CASE("nothing is written after the end, and a recording without one is partial") {
  Written written;
  written.writer.append(entry_of(EntryKind::bytes, 20, some_head().epoch_ns, 1, "a"));
  written.writer.flush();
  Entry entry;
  {
    JournalReader reader = written.reader();
    CHECK(reader.next(entry));
    CHECK_FALSE(reader.next(entry));
    CHECK_FALSE(reader.complete());
    CHECK(reader.problem() == "the recording has no end");
  }
  written.writer.append(entry_of(EntryKind::end, 20, some_head().epoch_ns, 0, ""));
  written.writer.append(entry_of(EntryKind::bytes, 21, some_head().epoch_ns, 1, "late"));
  written.writer.flush();
  JournalReader reader = written.reader();
  while (reader.next(entry)) CHECK(entry.payload.text() != "late");
  CHECK(reader.complete());
}

TEST_CASE("a damaged byte is noticed, wherever it is") {
  Written written;
  for (std::uint64_t i = 0; i < 5; ++i) {
    written.writer.append(entry_of(EntryKind::bytes, 20 + i, some_head().epoch_ns, 1, "payload"));
    written.writer.flush();
  }
  written.writer.append(entry_of(EntryKind::end, 30, some_head().epoch_ns, 0, ""));
  written.writer.flush();
  const Slice whole = written.buffer->copy();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::uint8_t> bytes(whole.data(), whole.data() + whole.size());
    bytes[at] ^= 0x10;
    StatusOr<JournalReader> reader = JournalReader::open(Slice::copy_of(bytes));
    if (!reader.ok()) continue;
    Entry entry;
    while (reader->next(entry)) {
    }
    CHECK_FALSE(reader->complete());
    CHECK(reader->problem() != "");
  }
}

TEST_CASE("the limit ends a recording with a marker, within the limit") {
  Written written(8192);
  for (std::uint64_t i = 0; i < 100; ++i) {
    written.writer.append(entry_of(EntryKind::bytes, 20 + i, some_head().epoch_ns, 1, std::string(500, 'y')));
    if (i % 3 == 0) written.writer.flush();
  }
  written.writer.append(entry_of(EntryKind::end, 200, some_head().epoch_ns, 0, ""));
  written.writer.flush();
  CHECK_FALSE(written.writer.intact());
  CHECK(written.buffer->size_bytes() <= 8192);
  JournalReader reader = written.reader();
  Entry entry;
  EntryKind last = EntryKind::end;
  std::size_t entries = 0;
  while (reader.next(entry)) {
    last = entry.kind;
    ++entries;
  }
  CHECK(last == EntryKind::overflow);
  CHECK(entries > 10);
  CHECK_FALSE(reader.complete());
}

TEST_CASE("a sink that fails makes the recording partial and harms nothing else") {
  auto sink = std::make_unique<FullDisk>();
  FullDisk& disk = *sink;
  JournalWriter writer(std::move(sink), 1 << 20);
  writer.start(some_head());
  for (std::uint64_t i = 0; i < 100; ++i) {
    writer.append(entry_of(EntryKind::bytes, 20 + i, some_head().epoch_ns, 1, std::string(50, 'y')));
    writer.flush();
  }
  CHECK_FALSE(writer.intact());
  CHECK(message_of(writer.status()) == "disk full");
  CHECK(disk.written_bytes < 500);  // not tried again and again
}

TEST_CASE("what is no recording is refused") {
  CHECK(JournalReader::open({}).status().code() == StatusCode::kInvalidArgument);
  CHECK(JournalReader::open(Slice::copy_of("WTJOURN2 of another format")).status().code() ==
        StatusCode::kInvalidArgument);
  CHECK(JournalReader::open(Slice::copy_of(kJournalMagic)).status().code() == StatusCode::kInvalidArgument);
}

TEST_CASE("payloads come back as they were, and no prefix of one is taken for it") {
  CHECK(round_trip(some_head()) == some_head());
  AdvancePayload advance;
  advance.by_ns = -5;
  advance.silence_counts = true;
  CHECK(round_trip(advance).by_ns == -5);
  CHECK(round_trip(advance).silence_counts);
  AcceptPayload accept;
  accept.listener = 300;
  CHECK(round_trip(accept).listener == 300);
  ExecutedPayload executed;
  executed.result_hash = ~0ULL;
  CHECK(round_trip(executed).result_hash == ~0ULL);
  ParkExpiredPayload park;
  park.id = 1ULL << 63;
  CHECK(round_trip(park).id == 1ULL << 63);
  AddressPayload address;
  address.listener = 7;
  address.address = {"kafka:7", "127.0.0.1", 65535};
  CHECK(round_trip(address).address == address.address);
  OutputPayload output;
  output.marks = {{1, 100, 5}, {7, 1ULL << 40, 6}};
  CHECK(round_trip(output).marks[1].connection == 7);
  CHECK(round_trip(output).marks[1].size_bytes == 1ULL << 40);
  Checkpoint checkpoint;
  checkpoint.step = 1000;
  checkpoint.digest = 3;
  CHECK(round_trip(checkpoint).step == 1000);
  EndPayload end;
  end.finding = "kafka.hw.monotonic";
  end.outputs = {{1, 2, 3}, {4, 5, 6}};
  CHECK(round_trip(end).outputs == end.outputs);
  CHECK(round_trip(end).finding == end.finding);
}

TEST_CASE("the hash of an output does not depend on how it was cut") {
  const std::string text(100'000, 'h');
  OutputHashes once;
  OutputHashes cut;
  const ConnectionOutput whole = once.update(1, {Slice::copy_of(text)});
  ConnectionOutput last;
  for (std::size_t at = 0; at < text.size(); at += 777)
    last = cut.update(1, {Slice::copy_of(text.substr(at, 777))});
  CHECK(whole == last);
  CHECK(whole.total_bytes == text.size());
  CHECK(whole.hash != once.update(2, {Slice::copy_of(text.substr(1))}).hash);
  once.finish(1);
  const std::vector<ConnectionOutput> all = once.all();
  REQUIRE(all.size() == 2);
  CHECK(all[0] == whole);
  // The state is used again for another connection, from the start.
  CHECK(once.update(3, {Slice::copy_of(text)}).hash == whole.hash);
}

TEST_CASE("an entry is printed with its number, step, time and kind") {
  Entry entry = entry_of(EntryKind::bytes, 42, 1'500'000'000, 3, "abc");
  entry.sequence = 12;
  CHECK(to_text(entry, 0) == "#12 step 42 +1.500000000s bytes connection 3, 3 bytes");
  entry = entry_of(EntryKind::execute, 42, 0, 0, "crash 1");
  CHECK(to_text(entry, 0) == "#0 step 42 +0.000000000s execute crash 1");
}

// Reading: positions, boundary modes, limits, repair of the index, damage.
#include <catch2/catch.hpp>

#include "sim/formats/batch_header.h"
#include "sim/stream/records.h"
#include "tests/unit/stream/world.h"

namespace wt::stream {
namespace {

using Texts = std::vector<std::string>;

// Entries [0,3) "aaaa", [3,5) "bbbb", [5,9) "cccc"; ordinals 0, 1 and 2..5.
struct Log {
  Log() : stream(world.lead(0, 1)) {
    std::vector<formats::Entry> entries = one("aaaa", 3);
    entries.push_back(make_entry("bbbb", 2));
    REQUIRE(world.run(0, stream->append(std::move(entries)))->ok());
    REQUIRE(world.run(0, stream->append(one("cccc", 4, 4)))->ok());
  }
  ReadResult read(const ReadRequest& request) {
    auto result = world.run(0, stream->read(request));
    REQUIRE(result);
    REQUIRE(result->ok());
    return **result;
  }
  World world;
  StreamPtr stream;
};

Texts texts_of(const ReadResult& result) {
  Texts texts;
  for (const StoredEntry& entry : result.entries) texts.emplace_back(entry.entry.payload.text());
  return texts;
}

TEST_CASE("positions answer the same from memory and from the object store") {
  for (const bool cached : {true, false}) {
    DYNAMIC_SECTION((cached ? "cached" : "cold")) {
      Log log;
      if (!cached) log.stream->drop_cache();
      const auto read_at = [&](std::int64_t from, Coordinate coordinate, Boundary boundary) {
        if (!cached) log.stream->drop_cache();
        ReadRequest request;
        request.from = from;
        request.coordinate = coordinate;
        request.boundary = boundary;
        return log.read(request);
      };
      const auto containing = Boundary::kContainingEntry;
      CHECK(texts_of(read_at(0, Coordinate::kOffset, containing)) == Texts{"aaaa", "bbbb", "cccc"});
      CHECK(texts_of(read_at(2, Coordinate::kOffset, containing)) == Texts{"aaaa", "bbbb", "cccc"});
      CHECK(texts_of(read_at(4, Coordinate::kOffset, containing)) == Texts{"bbbb", "cccc"});
      CHECK(texts_of(read_at(8, Coordinate::kOffset, containing)) == Texts{"cccc"});
      CHECK(read_at(9, Coordinate::kOffset, containing).outcome == ReadOutcome::kEndOfStream);
      CHECK(read_at(4, Coordinate::kOffset, Boundary::kExactStart).outcome == ReadOutcome::kNotAtStart);
      CHECK(texts_of(read_at(5, Coordinate::kOffset, Boundary::kExactStart)) == Texts{"cccc"});
      CHECK(texts_of(read_at(1, Coordinate::kOrdinal, Boundary::kExactStart)) == Texts{"bbbb", "cccc"});
      CHECK(texts_of(read_at(4, Coordinate::kOrdinal, containing)) == Texts{"cccc"});
      CHECK(read_at(4, Coordinate::kOrdinal, Boundary::kExactStart).outcome == ReadOutcome::kNotAtStart);
      CHECK(read_at(6, Coordinate::kOrdinal, containing).outcome == ReadOutcome::kEndOfStream);
      const ReadResult all = read_at(0, Coordinate::kOffset, containing);
      CHECK(all.entries[1].start() == 3);
      CHECK(all.entries[1].ordinal == 1);
      CHECK(all.entries[2].start() == 5);
      CHECK(all.entries[2].ordinal == 2);
      CHECK(all.entries[2].ordinal_end() == 6);
      CHECK(all.committed_end == 9);
    }
  }
}

TEST_CASE("limits: bytes, entries, high watermark, a first entry that is too large") {
  for (const bool cached : {true, false}) {
    DYNAMIC_SECTION((cached ? "cached" : "cold")) {
      Log log;
      if (!cached) log.stream->drop_cache();
      ReadRequest request;
      request.max_bytes = 7;
      CHECK(texts_of(log.read(request)) == Texts{"aaaa"});
      request.max_bytes = 8;
      CHECK(texts_of(log.read(request)) == Texts{"aaaa", "bbbb"});
      request.max_bytes = 3;
      CHECK(texts_of(log.read(request)) == Texts{"aaaa"});
      request.first_overflow = FirstOverflow::kStrict;
      CHECK(log.read(request).outcome == ReadOutcome::kLimitTooSmall);
      request = ReadRequest();
      request.max_entries = 2;
      CHECK(texts_of(log.read(request)) == Texts{"aaaa", "bbbb"});
      request = ReadRequest();
      request.offset_limit = 5;
      CHECK(texts_of(log.read(request)) == Texts{"aaaa", "bbbb"});
      request.from = 5;
      CHECK(log.read(request).outcome == ReadOutcome::kEndOfStream);
    }
  }
}

TEST_CASE("what is read shares the memory of what was appended") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  const std::string large(5000, 'x');
  std::vector<formats::Entry> entries = one(large);
  const std::uint8_t* appended = entries[0].payload.data();
  REQUIRE(world.run(0, stream->append(std::move(entries)))->ok());
  for (const bool cached : {true, false}) {
    if (!cached) stream->drop_cache();
    const ReadRequest request;
    auto result = world.run(0, stream->read(request));
    REQUIRE((*result)->entries.size() == 1);
    CHECK((*result)->entries[0].entry.payload.data() == appended);
  }
}

TEST_CASE("a missing or damaged index record is repaired from the commits") {
  for (const char* damage : {"missing", "damaged"}) {
    for (const std::int64_t end : {1, 3, 5}) {
      DYNAMIC_SECTION(damage << " " << end) {
        World world;
        StreamPtr stream = world.lead(0, 1);
        for (const char* text : {"a", "b", "c", "d", "e"}) REQUIRE(world.append(0, stream, text)->ok());
        const std::string key = StreamKeys("c1", stream->id()).index(end);
        const auto original = world.metadata.find(key);
        REQUIRE(original);
        if (std::string_view(damage) == "missing") {
          world.metadata.remove(key);
        } else {
          world.metadata.overwrite(key, payload_of("nonsense"));
        }
        stream->drop_cache();
        CHECK(world.contents(0, stream) == Texts{"a", "b", "c", "d", "e"});
        REQUIRE(world.metadata.find(key));
        CHECK(world.metadata.find(key)->value == original->value);
        CHECK(!world.kernel.finding());
      }
    }
  }
}

TEST_CASE("a repair over its budget is an error that gets smaller, not an end") {
  World world;
  world.limits.repair_commits = 3;
  StreamPtr stream = world.lead(0, 1);
  for (int i = 0; i < 10; ++i) REQUIRE(world.append(0, stream, "x")->ok());
  for (const auto& item : world.metadata.items("c1/i/")) world.metadata.remove(item.key);
  stream->drop_cache();
  const ReadRequest request;
  int unavailable = 0;
  for (;;) {
    auto result = world.run(0, stream->read(request));
    REQUIRE(result);
    if (result->ok()) break;
    CHECK(result->status().code() == StatusCode::kUnavailable);
    REQUIRE(++unavailable < 10);
  }
  CHECK(unavailable == 3);
  CHECK(world.contents(0, stream).size() == 10);
}

TEST_CASE("overlapping index records are a finding") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  REQUIRE(world.append(0, stream, "a", 2)->ok());
  REQUIRE(world.append(0, stream, "b", 2)->ok());
  const StreamKeys keys("c1", stream->id());
  // A second record that ends between the two.
  auto record = decode_commit(world.metadata.find(keys.index(2))->value.text());
  REQUIRE(record.ok());
  record->end = 3;
  world.metadata.overwrite(keys.index(3), encode_commit(*record));
  stream->drop_cache();
  const ReadRequest request;
  world.process(0).spawn([](StreamPtr target, const ReadRequest& wanted) -> Task<void> {
    const auto result = co_await target->read(wanted);
    (void)result;  // the finding is what matters
  }(stream, request));
  world.kernel.run_ready();
  REQUIRE(world.kernel.finding());
  CHECK(world.kernel.finding()->check == "stream.index.dense");
}

TEST_CASE("damaged and missing objects are reported, never served") {
  for (const bool lose : {true, false}) {
    World world;
    StreamPtr stream = world.lead(0, 1);
    REQUIRE(world.append(0, stream, "payload")->ok());
    const auto object = world.objects.items("c1/w/").at(0);
    const std::uint64_t step = lose ? object.size_bytes : 1;
    for (std::uint64_t at = 0; at < object.size_bytes; at += step) {
      if (lose) {
        world.objects.remove(object.key);
      } else {
        REQUIRE(world.objects.damage(object.key, at));
      }
      stream->drop_cache();
      const ReadRequest request;
      auto result = world.run(0, stream->read(request));
      REQUIRE(result);
      CHECK(result->status().code() == StatusCode::kDataLoss);
      if (!lose) REQUIRE(world.objects.damage(object.key, at));  // the bit back
    }
    CHECK(!world.kernel.finding());
  }
}

TEST_CASE("a Kafka batch is proved by its own checksum") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  formats::Entry entry;
  const std::string bytes = [] {
    std::string batch(70, '\0');
    for (std::size_t i = formats::kBatchAttributesAt; i < batch.size(); ++i) batch[i] = static_cast<char>(i);
    const std::uint32_t crc =
        formats::crc32c({reinterpret_cast<const std::uint8_t*>(batch.data()) + formats::kBatchAttributesAt,
                         batch.size() - formats::kBatchAttributesAt});
    for (int i = 0; i < 4; ++i)
      batch[formats::kBatchCrcAt + static_cast<std::size_t>(i)] = static_cast<char>(crc >> (24 - 8 * i));
    return batch;
  }();
  entry.payload = payload_of(bytes);
  entry.header.record_count = 5;
  entry.header.leader_epoch = 3;
  entry.header.producer_id = 77;
  entry.header.producer_epoch = 2;
  entry.header.base_sequence = 9;
  entry.header.transactional = true;
  entry.header.max_timestamp = 1234;
  std::vector<formats::Entry> entries;
  entries.push_back(entry);
  REQUIRE(world.run(0, stream->append(std::move(entries)))->ok());
  stream->drop_cache();
  const ReadRequest request;
  auto result = world.run(0, stream->read(request));
  REQUIRE(result->ok());
  CHECK((*result)->entries.at(0).entry.header == entry.header);
  CHECK((*result)->entries.at(0).entry.payload == entry.payload);
  const auto object = world.objects.items("c1/w/").at(0);
  for (std::uint64_t at = 0; at < object.size_bytes; ++at) {
    REQUIRE(world.objects.damage(object.key, at));
    stream->drop_cache();
    auto damaged = world.run(0, stream->read(request));
    CHECK(damaged->status().code() == StatusCode::kDataLoss);
    REQUIRE(world.objects.damage(object.key, at));
  }
}

TEST_CASE("the cache is bounded and what left it is read from the object store") {
  World world;
  world.limits.tail_cache_bytes = 10;
  StreamPtr stream = world.lead(0, 1);
  Texts expected;
  for (int i = 0; i < 20; ++i) {
    expected.push_back("text" + std::to_string(i));
    REQUIRE(world.append(0, stream, expected.back())->ok());
  }
  CHECK(stream->cached_entries() == 1);
  CHECK(world.contents(0, stream) == expected);
}

TEST_CASE("a reader sees what was committed when it last read the head") {
  World world;
  StreamPtr writer = world.lead(0, 1);
  REQUIRE(world.append(0, writer, "a")->ok());
  StreamStorage& storage = world.start(1);
  const OpenRequest request = open_request(0);
  auto opened = world.run(1, storage.open_reader(request));
  REQUIRE(opened->ok());
  StreamPtr reader = **opened;
  REQUIRE(world.append(0, writer, "b")->ok());
  CHECK(world.contents(1, reader) == Texts{"a"});
  REQUIRE(world.run(1, reader->refresh())->ok());
  CHECK(world.contents(1, reader) == Texts{"a", "b"});
  CHECK(world.append(1, reader, "c")->status.code() == StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace wt::stream

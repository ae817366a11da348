// Frames that Apache Kafka's own client library (4.4.0) read, wrote again byte for byte, and printed
// as the same JSON: golden_frames.tsv holds name, version, bytes in hex and the JSON text.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "sim/kafka/wire/api.h"
#include "sim/kafka/wire/codec.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/messages/headers.h"
#include "sim/kafka/wire/schema_text.h"

namespace wt::kafka {
namespace {

const std::map<std::string, const Table*>& tables() {
  static const auto all = [] {
    std::map<std::string, const Table*> by_name;
    by_name["RequestHeader"] = &RequestHeader::kTable;
    by_name["ResponseHeader"] = &ResponseHeader::kTable;
    for (const ApiSpec& api : all_apis()) {
      by_name[api.request->name] = api.request;
      by_name[api.response->name] = api.response;
    }
    return by_name;
  }();
  return all;
}

struct Golden {
  std::string name;
  int version = 0;
  std::string hex;
  std::string json;
};

std::vector<Golden> golden_frames() {
  std::ifstream in(WT_SOURCE_DIR "/tests/unit/kafka_wire/golden_frames.tsv");
  std::vector<Golden> frames;
  std::string version;
  for (Golden golden; std::getline(in, golden.name, '\t') && std::getline(in, version, '\t') &&
                      std::getline(in, golden.hex, '\t') && std::getline(in, golden.json);) {
    golden.version = std::stoi(version);
    frames.push_back(golden);
  }
  return frames;
}

Slice from_hex(std::string_view hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return Slice::copy_of(bytes);
}

TEST_CASE("frames known to Apache Kafka decode, print, and encode to the same bytes") {
  std::map<std::string, std::set<int>> seen;
  for (const Golden& golden : golden_frames()) {
    INFO(golden.name << " v" << golden.version << " " << golden.hex);
    const auto found = tables().find(golden.name);
    REQUIRE(found != tables().end());
    const Table& table = *found->second;
    const auto version = static_cast<Version>(golden.version);
    seen[golden.name].insert(golden.version);
    const Slice bytes = from_hex(golden.hex);
    const auto message = decode_any(table, bytes, version);
    REQUIRE(message.ok());
    CHECK(schema::to_text(table, message->object(), version) == golden.json);
    const auto again = encode_any(table, message->object(), version);
    REQUIRE(again.ok());
    CHECK(flatten(*again) == bytes);

    AnyMessage from_text(table);
    REQUIRE(from_json(table, from_text.object(), golden.json).ok());
    CHECK(schema::equal(table, from_text.object(), message->object(), version));
  }
  // Every version of every message is there.
  for (const auto& [name, table] : tables()) {
    INFO(name);
    CHECK(static_cast<int>(seen[name].size()) == table->versions.last - table->versions.first + 1);
  }
}

}  // namespace
}  // namespace wt::kafka

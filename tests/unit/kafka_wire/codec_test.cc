// What a peer sees of the codec: exact bytes, shared slices, and refusals that name the field.
#include <catch2/catch.hpp>

#include "sim/formats/byte_writer.h"
#include "sim/kafka/wire/frame.h"
#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/produce.h"

namespace wt::kafka {
namespace {

std::vector<std::uint8_t> to_bytes(const SliceList& slices) {
  const Slice whole = flatten(slices);
  return {whole.bytes().begin(), whole.bytes().end()};
}
using Bytes = std::vector<std::uint8_t>;
Slice slice(const Bytes& bytes) {
  return Slice::copy_of(bytes);
}

template <class T>
std::string decode_error(const Bytes& bytes, Version version, const DecodeLimits& limits = {}) {
  const auto message = decode<T>(slice(bytes), version, limits);
  return message.ok() ? "" : std::string(message.status().message());
}

TEST_CASE("a classic and a flexible message have the documented bytes") {
  MetadataRequest request;
  request.topics = std::vector<MetadataRequest::MetadataRequestTopic>(1);
  request.topics->front().name = "ab";
  CHECK(to_bytes(*encode(request, 1)) == Bytes{0, 0, 0, 1, 0, 2, 'a', 'b'});
  // Version 9: compact array (1 + 1), compact string (2 + 1), the topic's tags, three flags, tags.
  CHECK(to_bytes(*encode(request, 9)) == Bytes{2, 3, 'a', 'b', 0, 1, 0, 0, 0});
  request.topics.reset();
  CHECK(to_bytes(*encode(request, 1)) == Bytes{0xFF, 0xFF, 0xFF, 0xFF});
  CHECK(to_bytes(*encode(request, 9)) == Bytes{0, 1, 0, 0, 0});
}

TEST_CASE("the client id stays a classic string in the flexible header") {
  RequestHeader header;
  header.request_api_key = 3;
  header.request_api_version = 9;
  header.correlation_id = 7;
  header.client_id = "c";
  const Part part{&RequestHeader::kTable, &header, 2, true};
  CHECK(to_bytes(*encode_parts({&part, 1})) == Bytes{0, 3, 0, 9, 0, 0, 0, 7, 0, 1, 'c', 0});
}

TEST_CASE("ApiVersions is answered with the oldest header in every version") {
  const ApiSpec* api = find_api(kApiVersionsKey);
  ApiVersionsResponse body;
  body.error_code = ErrorCode::kUnsupportedVersion;
  for (Version version = 0; version <= 5; ++version) {
    const Bytes bytes = to_bytes(*encode_response(*api, version, 9, &body, {}));
    CHECK(Bytes(bytes.begin(), bytes.begin() + 6) == Bytes{0, 0, 0, 9, 0, 35});
  }
  const ApiSpec* metadata = find_api(3);
  CHECK(metadata->response_header_version(8) == 0);
  CHECK(metadata->response_header_version(9) == 1);
}

FetchResponse response_with(const SliceList& records) {
  FetchResponse response;
  response.responses.resize(1);
  response.responses[0].topic = "t";
  response.responses[0].partitions.resize(1);
  response.responses[0].partitions[0].records = records;
  return response;
}

TEST_CASE("records pass through encoding and decoding without a copy") {
  const Slice first = slice(Bytes(5000, 1));
  const Slice second = slice(Bytes(3000, 2));
  const FetchResponse response = response_with({first, second});
  const auto frame = encode_response(*find_api(1), 12, 77, &response);
  REQUIRE(frame.ok());
  REQUIRE(frame->size() == 4);  // head, two batches, tail
  CHECK((*frame)[1].data() == first.data());
  CHECK((*frame)[2].data() == second.data());

  const Slice whole = flatten(*frame);
  const Slice body = whole.from(4);
  const auto decoded = decode_response(*find_api(1), 12, body);
  REQUIRE(decoded.ok());
  CHECK(decoded->header.correlation_id == 77);
  const auto* got = decoded->body.get<FetchResponse>();
  REQUIRE(got != nullptr);
  const auto& records = *got->responses[0].partitions[0].records;
  REQUIRE(records.size() == 1);
  CHECK(records[0].size() == 8000);
  CHECK(records[0].data() > whole.data());
  CHECK(records[0].data() < whole.data() + whole.size());
}

TEST_CASE("the length prefix counts everything behind it, and small records can be inlined") {
  const FetchResponse response = response_with({slice(Bytes(300, 1))});
  const auto apart = encode(response, 12, {.length_prefix = true});
  const auto inlined = encode(response, 12, {.length_prefix = true, .inline_below_bytes = 301});
  REQUIRE(apart->size() == 3);
  REQUIRE(inlined->size() == 1);
  const Bytes bytes = to_bytes(*apart);
  CHECK(bytes == to_bytes(*inlined));
  CHECK(bytes.size() - 4 == (static_cast<std::size_t>(bytes[2]) << 8 | bytes[3]));
}

TEST_CASE("no records, empty records and null records differ where they should") {
  ProduceRequest request;
  request.topic_data.resize(1);
  request.topic_data[0].partition_data.resize(1);
  auto& records = request.topic_data[0].partition_data[0].records;
  records.reset();
  const auto null_again = decode<ProduceRequest>(flatten(*encode(request, 9)), 9);
  CHECK_FALSE(null_again->topic_data[0].partition_data[0].records.has_value());
  records.emplace();
  const auto empty_again = decode<ProduceRequest>(flatten(*encode(request, 9)), 9);
  REQUIRE(empty_again->topic_data[0].partition_data[0].records.has_value());
  CHECK(empty_again->topic_data[0].partition_data[0].records->empty());
}

TEST_CASE("a value that the version cannot say is refused, unless it may be dropped") {
  FetchRequest request;
  request.rack_id = "r";  // ignorable, from 11 on
  CHECK(encode(request, 4).ok());
  request.topics.resize(1);
  request.topics[0].partitions.resize(2);
  request.topics[0].partitions[1].last_fetched_epoch = 3;  // from 12 on
  const auto refused = encode(request, 11);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.status().message().find("topics[0].partitions[1].lastFetchedEpoch") !=
        absl::string_view::npos);
  CHECK(encode(request, 12).ok());

  MetadataRequest metadata;
  metadata.topics.reset();
  CHECK_FALSE(encode(metadata, 0).ok());  // null topics exist from 1 on
  CHECK_FALSE(encode(metadata, 99).ok());
  metadata.topics.emplace(1);
  metadata.topics->front().name = std::string(32768, 'x');
  CHECK_FALSE(encode(metadata, 1).ok());
  metadata.topics->clear();
  metadata.unknown_tags.push_back({7, slice({1})});
  CHECK_FALSE(encode(metadata, 8).ok());
  CHECK(encode(metadata, 9).ok());
}

TEST_CASE("decoding names the field that is wrong") {
  const Bytes null_name = {0, 0, 0, 1, 0xFF, 0xFF};
  CHECK(decode_error<MetadataRequest>(null_name, 1).find("topics[0].name: null") != std::string::npos);
  const Bytes negative = {0xFF, 0xFF, 0xFF, 0xFE};
  CHECK(decode_error<MetadataRequest>(negative, 1).find("topics: negative length -2") != std::string::npos);
  CHECK(decode_error<MetadataRequest>({0, 0, 0, 2, 0, 1, 'a'}, 1).find("topics[1].name") !=
        std::string::npos);
  CHECK(decode_error<MetadataRequest>({0xFF, 0xFF, 0xFF, 0xFF}, 0).find("topics: null") != std::string::npos);
  CHECK(decode_error<MetadataRequest>({0, 0, 0, 0, 9}, 1).find("1 bytes after") != std::string::npos);
  CHECK(decode_error<MetadataRequest>({1, 1, 0, 0}, 9).find("the bytes end here") != std::string::npos);
}

TEST_CASE("an array's length is believed only as far as the bytes and the limit go") {
  Bytes bytes = {0, 0, 0, 40};
  bytes.resize(4 + 60, 0);  // forty topics of at least two bytes need eighty
  CHECK(decode_error<MetadataRequest>(bytes, 1).find("40 elements do not fit") != std::string::npos);
  bytes.resize(4 + 80, 0);
  CHECK(decode_error<MetadataRequest>(bytes, 1).empty());
  const DecodeLimits tight{.max_memory_bytes = 40};
  CHECK(decode_error<MetadataRequest>(bytes, 1, tight).find("too many elements") != std::string::npos);
  CHECK_FALSE(decode_error<MetadataRequest>({0x7F, 0xFF, 0xFF, 0xFF}, 1).empty());
}

TEST_CASE("tags that nobody knows are kept in order; repeated or descending tags are errors") {
  const Bytes head = {1, 1, 0, 0};  // no topics, three flags
  const auto with = [&](Bytes tags) {
    Bytes all = head;
    all.insert(all.end(), tags.begin(), tags.end());
    return all;
  };
  const Bytes kept = with({2, 5, 1, 42, 0x80, 1, 0});
  const auto request = decode<MetadataRequest>(slice(kept), 9);
  REQUIRE(request.ok());
  REQUIRE(request->unknown_tags.size() == 2);
  CHECK(request->unknown_tags[1].tag == 128);
  CHECK(to_bytes(*encode(*request, 9)) == kept);
  CHECK(decode_error<MetadataRequest>(with({2, 5, 0, 5, 0}), 9).find("tags repeat or descend") !=
        std::string::npos);
  CHECK(decode_error<MetadataRequest>(with({2, 6, 0, 5, 0}), 9).find("tags repeat or descend") !=
        std::string::npos);
  CHECK(decode_error<MetadataRequest>(with({1, 5, 9}), 9).find("longer than the rest") != std::string::npos);
}

TEST_CASE("a known tagged field must be as long as its tag says") {
  FetchRequest request;
  request.replica_state.replica_id = 3;
  Bytes bytes = to_bytes(*encode(request, 15));
  CHECK(decode<FetchRequest>(slice(bytes), 15)->replica_state.replica_id == 3);
  // The tail: count 1, tag 1, size 13, replica id, epoch, tags of the struct.
  REQUIRE(bytes[bytes.size() - 14] == 13);
  bytes[bytes.size() - 14] = 14;
  bytes.push_back(0);
  CHECK(decode_error<FetchRequest>(bytes, 15).find("replicaState: not as long") != std::string::npos);
}

TEST_CASE("a tag of a later version is refused in an earlier one") {
  FetchRequest request;
  request.topics.resize(1);
  request.topics[0].partitions.resize(1);
  request.topics[0].partitions[0].high_watermark = 5;
  const Bytes bytes = to_bytes(*encode(request, 18));
  CHECK(decode<FetchRequest>(slice(bytes), 18).ok());
  CHECK(decode_error<FetchRequest>(bytes, 17).find("topics[0].partitions[0].highWatermark: tagged") !=
        std::string::npos);
}

// Each of these was sent to Apache Kafka 4.4.0, which answered.
TEST_CASE("reading like a broker forgives what Apache Kafka forgives") {
  DecodeLimits like_broker;
  like_broker.strictness = Strictness::kLikeBroker;
  const std::vector<std::pair<Version, Bytes>> forgiven = {
      {1, {0, 0, 0, 0, 9}},              // a byte too many
      {1, {0xFF, 0xFF, 0xFF, 0xFE}},     // length -2
      {9, {1, 0, 0, 0, 2, 5, 0, 5, 0}},  // a tag twice
      {9, {1, 0, 0, 0, 2, 6, 0, 5, 0}},  // tags descending
  };
  for (const auto& [version, bytes] : forgiven) {
    CHECK_FALSE(decode_error<MetadataRequest>(bytes, version).empty());
    CHECK(decode_error<MetadataRequest>(bytes, version, like_broker).empty());
  }
  // And these made it close the connection.
  CHECK_FALSE(decode_error<MetadataRequest>({0, 0, 0, 1, 0xFF, 0xFF}, 1, like_broker).empty());
  CHECK_FALSE(decode_error<MetadataRequest>({0xFF, 0xFF, 0xFF, 0xFF}, 0, like_broker).empty());
  CHECK_FALSE(decode_error<ApiVersionsRequest>({5, 't', 'e'}, 3, like_broker).empty());
}

TEST_CASE("tagged fields are sent only when they say something") {
  FetchRequest request;
  CHECK(to_bytes(*encode(request, 15)).back() == 0);
  request.cluster_id = "c";
  const Bytes bytes = to_bytes(*encode(request, 15));
  CHECK(Bytes(bytes.end() - 5, bytes.end()) == Bytes{1, 0, 2, 2, 'c'});
}

TEST_CASE("requests: header and body, unknown APIs and versions told apart from broken bytes") {
  RequestHeader header;
  header.request_api_key = 3;
  header.request_api_version = 12;
  header.correlation_id = 5;
  header.client_id.reset();
  MetadataRequest body;
  body.topics.reset();
  const Slice frame = flatten(*encode_request(*find_api(3), header, &body, {}));
  const auto request = decode_request(frame);
  REQUIRE(request.ok());
  CHECK(request->header.correlation_id == 5);
  CHECK_FALSE(request->header.client_id.has_value());
  CHECK(request->body.get<MetadataRequest>() != nullptr);
  CHECK(request->body.get<FetchRequest>() == nullptr);

  Bytes changed(frame.bytes().begin(), frame.bytes().end());
  changed[3] = 99;
  CHECK(decode_request(slice(changed)).status().code() == absl::StatusCode::kUnimplemented);
  changed[3] = 12;
  changed[1] = 127;
  CHECK(decode_request(slice(changed)).status().code() == absl::StatusCode::kUnimplemented);
  CHECK(read_request_prefix(slice(changed).bytes())->correlation_id == 5);
  changed[1] = 3;
  changed.push_back(0);
  CHECK(decode_request(slice(changed)).ok());  // as a broker reads
  CHECK(decode_request(slice({0, 3})).status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(decode_request(frame.sub(0, frame.size() - 1)).status().code() == absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace wt::kafka

// Messages as JSON text and back.
#include <catch2/catch.hpp>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/produce.h"
#include "sim/kafka/wire/schema_text.h"
#include "sim/kafka/wire/trace_text.h"

namespace wt::kafka {
namespace {

template <class T>
std::string text_of(const T& message, schema::Version version, const schema::TextOptions& options = {}) {
  return schema::to_text(T::kTable, &message, version, options);
}
template <class T>
std::string json_error(std::string_view json) {
  const auto message = from_json<T>(json);
  return message.ok() ? "" : std::string(message.status().message());
}

TEST_CASE("text shows the fields of the version, in order") {
  MetadataRequest request;
  request.topics->resize(1);
  request.topics->front().name = "a\"\n\xC3\xA9\xFF";
  CHECK(text_of(request, 1) == R"({"topics":[{"name":"a\"\u000a)"
                               "\xC3\xA9"
                               R"(\ufffd"}]})");
  CHECK(text_of(request, 4) == R"({"topics":[{"name":"a\"\u000a)"
                               "\xC3\xA9"
                               R"(\ufffd"}],"allowAutoTopicCreation":true})");
  request.topics.reset();
  CHECK(text_of(request, 1) == R"({"topics":null})");
}

TEST_CASE("a trace names error codes and sums records up") {
  FetchResponse response;
  response.error_code = ErrorCode::kFetchSessionIdNotFound;
  response.unknown_tags.push_back({9, Slice::copy_of("xyz")});
  CHECK(text_of(response, 13) ==
        R"({"throttleTimeMs":0,"errorCode":70,"sessionId":0,"responses":[],"_tags":{"9":"eHl6"}})");
  CHECK(trace_text(FetchResponse::kTable, &response, 13) ==
        R"({"throttleTimeMs":0,"errorCode":"FETCH_SESSION_ID_NOT_FOUND","sessionId":0,"responses":[],)"
        R"("_tags":{"9":{"bytes":3}}})");
}

TEST_CASE("a trace reads the head of each record batch") {
  ProduceRequest request;
  request.transactional_id = "tx";
  request.acks = -1;
  request.topic_data.resize(1);
  request.topic_data[0].name = "t";
  request.topic_data[0].partition_data.resize(1);
  std::vector<std::uint8_t> batch(61 + 10, 0);
  batch[11] = static_cast<std::uint8_t>(batch.size() - 12);  // length
  batch[16] = 2;                                             // magic
  batch[22] = 0x14;                                          // transactional, lz4 would be 3: none here
  batch[50] = 42;                                            // producer id
  batch[52] = 1;                                             // epoch
  batch[56] = 7;                                             // base sequence
  batch[60] = 3;                                             // records
  request.topic_data[0].partition_data[0].records = SliceList{Slice::copy_of(batch)};
  CHECK(
      trace_text(ProduceRequest::kTable, &request, 7) ==
      R"({"transactionalId":"tx","acks":-1,"timeoutMs":0,"topicData":[{"name":"t","partitionData":[{"index":0,)"
      R"("records":{"bytes":71,"batches":[{"baseOffset":0,"records":3,"producerId":42,"producerEpoch":1,)"
      R"("baseSequence":7,"transactional":true}]}}]}]})");
}

TEST_CASE("JSON fills a message; what is left out keeps its default") {
  const auto request = from_json<FetchRequest>(
      R"({"maxWaitMs": 500, "topics": [{"topicId": "AAAAAAAAAAAAAAAAAAAAAQ", "partitions": [{"fetchOffset": 9007199254740993}]}]})");
  REQUIRE(request.ok());
  CHECK(request->max_wait_ms == 500);
  CHECK(request->max_bytes == 0x7FFFFFFF);
  CHECK(request->topics[0].topic_id.bytes[15] == 1);
  CHECK(request->topics[0].partitions[0].fetch_offset == 9007199254740993);
  CHECK(from_json<FetchResponse>(R"({"errorCode": "FETCH_SESSION_ID_NOT_FOUND"})")->error_code ==
        ErrorCode::kFetchSessionIdNotFound);
  CHECK(from_json<FetchResponse>(R"({"errorCode": 70})")->error_code == ErrorCode::kFetchSessionIdNotFound);
}

TEST_CASE("JSON that does not fit is refused with the place") {
  CHECK(json_error<FetchRequest>("[").find("not JSON") != std::string::npos);
  CHECK(json_error<FetchRequest>(R"({"topics": [{"partitions": [{"nope": 1}]}]})")
            .find("topics[0].partitions[0]: ") != std::string::npos);
  CHECK(json_error<FetchRequest>(R"({"isolationLevel": 300})").find("isolationLevel") != std::string::npos);
  CHECK(json_error<FetchRequest>(R"({"maxWaitMs": "5"})").find("maxWaitMs") != std::string::npos);
  CHECK(json_error<FetchRequest>(R"({"maxWaitMs": null})").find("maxWaitMs: null") != std::string::npos);
  CHECK(json_error<FetchResponse>(R"({"errorCode": "NO_SUCH"})").find("errorCode") != std::string::npos);
  CHECK(json_error<FetchRequest>(R"({"topics": [{"topicId": "short"}]})").find("topics[0].topicId") !=
        std::string::npos);
}

}  // namespace
}  // namespace wt::kafka

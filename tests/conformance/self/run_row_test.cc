#include "tests/conformance/runner/run_row.h"

#include <catch2/catch.hpp>
#include <deque>

#include "sim/kafka/wire/frame.h"
#include "sim/kafka/wire/messages/producers.h"
#include "tests/conformance/runner/records.h"
#include "tests/conformance/runner/variables.h"

using namespace wt;
using namespace wt::conformance;

namespace {

// Answers InitProducerId with growing ids, and keeps what it was sent.
class IdTarget : public Target {
 public:
  int broker_count() const override { return 3; }
  std::int64_t now_ms() override { return now_ms_; }
  absl::Status send(const ConnectionId&, const SliceList& bytes) override {
    const Slice frame = flatten(bytes).from(4);
    const auto request = kafka::decode_request(frame);
    if (!request.ok()) return request.status();
    sent_.push_back(*request->body.get<kafka::InitProducerIdRequest>());
    kafka::InitProducerIdResponse answer;
    answer.error_code =
        sent_.size() <= failures_ ? kafka::ErrorCode::kCoordinatorLoadInProgress : kafka::ErrorCode::kNone;
    answer.producer_id = next_id_++;
    answer.producer_epoch = 0;
    const auto encoded = kafka::encode_response(*request->api, request->version(),
                                                request->header.correlation_id, &answer, {});
    if (!encoded.ok()) return encoded.status();
    if (!is_silent_)
      replies_.push_back({closes_ ? Reply::Kind::kClosed : Reply::Kind::kFrame, flatten(*encoded)});
    return absl::OkStatus();
  }
  Reply receive(const ConnectionId&, std::int64_t wait_ms) override {
    if (replies_.empty()) {
      now_ms_ += wait_ms;
      return {};
    }
    Reply reply = std::move(replies_.front());
    replies_.pop_front();
    return reply;
  }
  void close_all() override {}
  void sleep_ms(std::int64_t duration_ms) override { now_ms_ += duration_ms; }
  absl::Status crash_broker(int) override { return absl::UnimplementedError("cannot crash"); }
  absl::Status restart_broker(int) override { return absl::OkStatus(); }
  absl::Status move_leader(std::string_view, std::int32_t, int) override { return absl::OkStatus(); }

  std::vector<kafka::InitProducerIdRequest> sent_;
  std::int64_t next_id_ = 7;
  std::size_t failures_ = 0;
  bool closes_ = false;
  bool is_silent_ = false;

 private:
  std::int64_t now_ms_ = 1'600'000'000'000;
  std::deque<Reply> replies_;
};

Row row_of(std::string_view steps) {
  Row row;
  row.name = "test";
  row.source["steps"] = *parse_json(steps);
  return row;
}

RowResult run(std::string_view steps, IdTarget& target) {
  Row row = row_of(steps);
  return run_row(row, target, {});
}

constexpr std::string_view kGood =
    R"([{"api": "InitProducerId", "version": 4, "request": {"transactionalId": null},
  "expect": {"throttleTimeMs": 0, "errorCode": 0, "producerId": 7, "producerEpoch": 0}}])";

}  // namespace

TEST_CASE("a row whose answer is as expected is equal, any other names the field", "[conformance]") {
  IdTarget target;
  CHECK(run(kGood, target).outcome == Outcome::kEqual);
  const RowResult second = run(kGood, target);
  REQUIRE(second.outcome == Outcome::kDiffers);
  REQUIRE(second.differences.size() == 1);
  CHECK(second.differences[0].path() == "[0].producerId");
  CHECK(second.differences[0].difference.expected == "7");
  CHECK(second.differences[0].difference.got == "8");
}

TEST_CASE("a saved value goes into later requests and expectations", "[conformance]") {
  IdTarget target;
  const RowResult result = run(R"([
    {"api": "InitProducerId", "version": 4, "request": {}, "save": {"pid": "producerId"}, "expect": {"$partial": true}},
    {"api": "InitProducerId", "version": 4, "request": {"producerId": "${pid}", "producerEpoch": 0,
      "transactionalId": "x-${run}"}, "expect": {"$partial": true, "producerId": "${pid}"}}])",
                               target);
  REQUIRE(target.sent_.size() == 2);
  CHECK(target.sent_[1].producer_id == 7);
  CHECK(target.sent_[1].transactional_id == "x-r000000");
  REQUIRE(result.differences.size() == 1);
  CHECK(result.differences[0].path() == "[1].producerId");
}

TEST_CASE("until asks again; recording leaves volatile values open", "[conformance]") {
  IdTarget target;
  target.failures_ = 3;
  Row row = row_of(R"([{"api": "InitProducerId", "version": 4, "request": {}, "until": {"errorCode": 0}}])");
  run_row(row, target, {.record = true});
  CHECK(target.sent_.size() == 4);
  const json::value& expected = row.steps()[0].get_object()["expect"];
  CHECK(expected ==
        *parse_json(
            R"({"throttleTimeMs": 0, "errorCode": 0, "producerId": "$nonnegative", "producerEpoch": 0})"));
  CHECK(run_row(row, target, {}).outcome == Outcome::kEqual);
}

TEST_CASE("a closed connection and silence are answers too", "[conformance]") {
  IdTarget target;
  target.closes_ = true;
  CHECK(run(R"([{"api": "InitProducerId", "version": 4, "request": {}, "expect_close": true}])", target)
            .outcome == Outcome::kEqual);
  CHECK(run(kGood, target).outcome == Outcome::kDiffers);
  target.closes_ = false;
  CHECK(run(R"([{"api": "InitProducerId", "version": 4, "request": {}, "expect_close": true}])", target)
            .outcome == Outcome::kDiffers);
  target.is_silent_ = true;
  CHECK(run(R"([{"api": "InitProducerId", "version": 4, "request": {}, "expect_no_answer_ms": 50}])", target)
            .outcome == Outcome::kEqual);
  CHECK(run(kGood, target).outcome == Outcome::kDiffers);
}

TEST_CASE("what cannot be judged is not comparable", "[conformance]") {
  IdTarget target;
  CHECK(run(R"([{"do": "crash_broker", "broker": 2}])", target).outcome == Outcome::kNotComparable);
  CHECK(run(R"([{"api": "InitProducerId", "version": 4, "request": {}}])", target).outcome ==
        Outcome::kNotComparable);
}

TEST_CASE("a broken row is found without a target", "[conformance]") {
  CHECK(check_row(row_of(kGood)).ok());
  CHECK_FALSE(
      check_row(row_of(R"([{"api": "InitProducerId", "version": 4, "request": {"nonsense": 1}}])")).ok());
  CHECK_FALSE(check_row(row_of(R"([{"api": "Nonsense", "version": 4, "request": {}}])")).ok());
  CHECK_FALSE(
      check_row(row_of(R"([{"api": "InitProducerId", "version": 4, "request": {"producerId": "${x}"}}])"))
          .ok());
}

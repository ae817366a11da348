#include "tests/conformance/runner/exchange.h"

#include "absl/strings/str_cat.h"
#include "sim/formats/byte_reader.h"
#include "tests/conformance/runner/compare.h"
#include "tests/conformance/runner/message.h"
#include "tests/conformance/runner/records.h"

namespace wt::conformance {

absl::Status Exchange::send(const RequestStep& request, const ConnectionId& connection) {
  const auto api = api_by_name(request.api);
  if (!api.ok()) return api.status();
  RequestText header;
  header.api = *api;
  header.version = request.version;
  header.correlation_id = ++correlation_id_;
  header.client_id = request.client_id;
  const auto frame = encode_request_text(header, request.fields, row_time_ms_);
  if (!frame.ok()) return frame.status();
  absl::Status sent = target_.send(connection, *frame);
  if (sent.ok()) pending_[connection].push_back({*api, request.version, header.correlation_id});
  return sent;
}

absl::StatusOr<Answer> Exchange::receive(const ConnectionId& connection, std::int64_t wait_ms) {
  const Reply reply = target_.receive(connection, wait_ms);
  Answer answer{reply.kind, nullptr, ""};
  std::deque<Pending>& waiting = pending_[connection];
  if (reply.kind == Reply::Kind::kClosed) waiting.clear();
  if (reply.kind == Reply::Kind::kNothing && !waiting.empty()) waiting.back().was_silent = true;
  if (reply.kind != Reply::Kind::kFrame) return answer;
  ByteReader reader(reply.frame.bytes());
  const std::int32_t correlation_id = reader.i32();
  // What stayed silent may stay so, as a Produce with acks=0 does.
  while (!waiting.empty() && waiting.front().was_silent && waiting.front().correlation_id != correlation_id) {
    waiting.pop_front();
  }
  if (waiting.empty()) return absl::InternalError("an answer to no request");
  const Pending expected = waiting.front();
  waiting.pop_front();
  return decode(expected, reply.frame);
}

absl::StatusOr<Answer> Exchange::read(std::string_view api_name, std::int16_t version, const Slice& frame) {
  const auto api = api_by_name(api_name);
  if (!api.ok()) return api.status();
  ByteReader reader(frame.bytes());
  return decode({*api, version, reader.i32()}, frame);
}

absl::StatusOr<Answer> Exchange::decode(const Pending& expected, const Slice& frame) {
  ByteReader reader(frame.bytes());
  const std::int32_t correlation_id = reader.i32();
  if (correlation_id != expected.correlation_id) {
    return absl::InternalError(
        absl::StrCat("answer to request ", correlation_id, " instead of ", expected.correlation_id));
  }
  absl::StatusOr<json::value> message = decode_answer(*expected.api, expected.version, frame);
  if (!message.ok()) {
    return absl::InternalError(
        absl::StrCat("unreadable answer: ", message.status().message(), ": ", to_hex(frame.bytes())));
  }
  const std::string api = expected.api->name;
  return Answer{Reply::Kind::kFrame, in_row_order(*message, api), api};
}

absl::StatusOr<Slice> Exchange::ask_frame(int broker, const RequestStep& request) {
  const ConnectionId connection{"(runner)", broker};
  absl::Status sent = send(request, connection);
  if (!sent.ok()) return sent;
  Reply reply = target_.receive(connection, kAnswerWait_ms);
  pending_.erase(connection);
  if (reply.kind != Reply::Kind::kFrame) return absl::UnavailableError("no answer");
  return std::move(reply.frame);
}

absl::StatusOr<json::value> Exchange::ask(int broker, const RequestStep& request) {
  const absl::StatusOr<Slice> frame = ask_frame(broker, request);
  if (!frame.ok()) return frame.status();
  absl::StatusOr<Answer> answer = read(request.api, request.version, *frame);
  if (!answer.ok()) return answer.status();
  return std::move(answer->message);
}

}  // namespace wt::conformance

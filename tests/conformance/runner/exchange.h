// Requests to a target, and the answers that belong to them.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "sim/kafka/wire/api.h"
#include "tests/conformance/runner/json_text.h"
#include "tests/conformance/runner/target.h"

namespace wt::conformance {

// How an answer ended: a decoded message, a closed connection, or silence.
struct Answer {
  Reply::Kind kind = Reply::Kind::kNothing;
  json::value message;
  std::string api;
};

// One request of a row, its fields filled in.
struct RequestStep {
  std::string_view api;
  std::int16_t version = 0;
  json::value fields = json::object();
  std::optional<std::string> client_id = "conformance";
};

inline constexpr std::int64_t kAnswerWait_ms = 15'000;

class Exchange {
 public:
  Exchange(Target& target, std::int64_t row_time_ms) : target_(target), row_time_ms_(row_time_ms) {}
  Target& target() { return target_; }

  absl::Status send(const RequestStep& request, const ConnectionId& connection);
  // No answer will come to the last request.
  void expect_nothing(const ConnectionId& connection) { pending_[connection].pop_back(); }
  absl::StatusOr<Answer> receive(const ConnectionId& connection, std::int64_t wait_ms);
  // A frame that answers no request of send().
  static absl::StatusOr<Answer> read(std::string_view api, std::int16_t version, const Slice& frame);

  // One request and its answer, on a connection of the runner's own. Unavailable without an answer.
  absl::StatusOr<json::value> ask(int broker, const RequestStep& request);
  // The same, undecoded and without its length.
  absl::StatusOr<Slice> ask_frame(int broker, const RequestStep& request);

 private:
  struct Pending {
    const kafka::ApiSpec* api;
    std::int16_t version;
    std::int32_t correlation_id;
    bool was_silent = false;
  };
  static absl::StatusOr<Answer> decode(const Pending& expected, const Slice& frame);

  Target& target_;
  std::int64_t row_time_ms_;
  std::int32_t correlation_id_ = 100;
  std::map<ConnectionId, std::deque<Pending>> pending_;
};

}  // namespace wt::conformance

// Requests and answers of rows ↔ frames.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "sim/formats/slice.h"
#include "sim/kafka/wire/api.h"
#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

absl::StatusOr<const kafka::ApiSpec*> api_by_name(std::string_view name);

struct RequestText {
  const kafka::ApiSpec* api = nullptr;
  std::int16_t version = 0;
  std::int32_t correlation_id = 0;
  std::optional<std::string> client_id = "conformance";
};
// A whole frame, length first. `fields` may hold descriptions of records (records.h) and of group members'
// bytes (embedded.h).
absl::StatusOr<SliceList> encode_request_text(const RequestText& request, const json::value& fields,
                                              std::int64_t row_time_ms);
// A frame without its length. Records and members' bytes are described.
absl::StatusOr<json::value> decode_answer(const kafka::ApiSpec& api, std::int16_t version,
                                          const Slice& frame);

}  // namespace wt::conformance

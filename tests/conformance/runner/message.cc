#include "tests/conformance/runner/message.h"

#include "absl/strings/str_cat.h"
#include "sim/formats/base64.h"
#include "sim/kafka/wire/frame.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/schema_text.h"
#include "tests/conformance/runner/embedded.h"
#include "tests/conformance/runner/records.h"

namespace wt::conformance {

namespace {

// Record descriptions become base64, which is how messages read records.
absl::StatusOr<json::value> with_records_built(const json::value& value, std::int64_t row_time_ms) {
  if (value.is_array()) {
    json::array out;
    for (const json::value& inner : value.get_array()) {
      absl::StatusOr<json::value> built = with_records_built(inner, row_time_ms);
      if (!built.ok()) return built.status();
      out.push_back(*std::move(built));
    }
    return json::value(std::move(out));
  }
  if (!value.is_object()) return value;
  json::object out;
  for (const auto& [key, inner] : value.get_object()) {
    if (key == "records" && inner.is_object()) {
      const absl::StatusOr<Slice> records = build_records(inner, row_time_ms);
      if (!records.ok()) return records.status();
      out[key] = base64_encode(records->bytes(), Base64Alphabet::kStandard);
      continue;
    }
    absl::StatusOr<json::value> built = with_records_built(inner, row_time_ms);
    if (!built.ok()) return built.status();
    out[key] = *std::move(built);
  }
  return json::value(std::move(out));
}

void describe_all_records(json::value& value) {
  if (value.is_array()) {
    for (json::value& inner : value.get_array()) describe_all_records(inner);
    return;
  }
  if (!value.is_object()) return;
  for (auto& [key, inner] : value.get_object()) {
    if (key == "records" && inner.is_string()) {
      const auto bytes = base64_decode(view(inner.get_string()), Base64Alphabet::kStandard);
      inner = bytes ? describe_records(Slice::copy_of(*bytes)) : json::value("not base64");
      continue;
    }
    describe_all_records(inner);
  }
}

}  // namespace

absl::StatusOr<const kafka::ApiSpec*> api_by_name(std::string_view name) {
  for (const kafka::ApiSpec& api : kafka::all_apis()) {
    if (api.name == name) return &api;
  }
  return absl::NotFoundError(absl::StrCat("no API is called ", absl::string_view(name.data(), name.size())));
}

absl::StatusOr<SliceList> encode_request_text(const RequestText& request, const json::value& fields,
                                              std::int64_t row_time_ms) {
  const bool is_embedding = has_embedded(request.api->name);
  const absl::StatusOr<json::value> built =
      is_embedding ? with_embedded_built(fields) : with_records_built(fields, row_time_ms);
  if (!built.ok()) return built.status();
  schema::AnyMessage body(*request.api->request);
  const absl::Status read = kafka::from_json(*request.api->request, body.object(), json::serialize(*built));
  if (!read.ok()) return read;
  kafka::RequestHeader header;
  header.request_api_key = request.api->key;
  header.request_api_version = request.version;
  header.correlation_id = request.correlation_id;
  header.client_id = request.client_id;
  return kafka::encode_request(*request.api, header, body.object());
}

absl::StatusOr<json::value> decode_answer(const kafka::ApiSpec& api, std::int16_t version,
                                          const Slice& frame) {
  const absl::StatusOr<kafka::Response> response = kafka::decode_response(api, version, frame);
  if (!response.ok()) return response.status();
  absl::StatusOr<json::value> value =
      parse_json(schema::to_text(*api.response, response->body.object(), version));
  if (!value.ok()) return value.status();
  if (has_embedded(api.name)) {
    describe_embedded(*value);
  } else {
    describe_all_records(*value);
  }
  return value;
}

}  // namespace wt::conformance

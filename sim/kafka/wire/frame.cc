#include "sim/kafka/wire/frame.h"

#include "absl/strings/str_cat.h"
#include "sim/formats/byte_reader.h"

namespace wt::kafka {

std::optional<RequestPrefix> read_request_prefix(std::span<const std::uint8_t> frame) {
  ByteReader reader(frame);
  RequestPrefix prefix;
  prefix.api_key = reader.i16();
  prefix.api_version = reader.i16();
  prefix.correlation_id = reader.i32();
  if (!reader.ok()) return std::nullopt;
  return prefix;
}

absl::StatusOr<Request> decode_request(const Slice& frame, DecodeLimits limits) {
  limits.strictness = Strictness::kLikeBroker;
  const auto prefix = read_request_prefix(frame.bytes());
  if (!prefix) return absl::InvalidArgumentError("request without a header");
  Request request;
  request.api = find_api(prefix->api_key);
  if (request.api == nullptr || !request.api->versions().contains(prefix->api_version)) {
    return absl::UnimplementedError(absl::StrCat("API ", prefix->api_key, " version ", prefix->api_version));
  }
  const Version header_version = request.api->request_header_version(prefix->api_version);
  DecodeLimits header_limits = limits;
  header_limits.allow_trailing_bytes = true;
  const auto taken = decode_into(RequestHeader::kTable, &request.header, header_version, header_version >= 2,
                                 frame, header_limits);
  if (!taken.ok()) return taken.status();
  auto body = decode_any(*request.api->request, frame.from(*taken), prefix->api_version, limits);
  if (!body.ok()) return body.status();
  request.body = *std::move(body);
  return request;
}

absl::StatusOr<Response> decode_response(const ApiSpec& api, Version version, const Slice& frame,
                                         const DecodeLimits& limits) {
  Response response;
  const Version header_version = api.response_header_version(version);
  DecodeLimits header_limits = limits;
  header_limits.allow_trailing_bytes = true;
  const auto taken = decode_into(ResponseHeader::kTable, &response.header, header_version,
                                 header_version >= 1, frame, header_limits);
  if (!taken.ok()) return taken.status();
  auto body = decode_any(*api.response, frame.from(*taken), version, limits);
  if (!body.ok()) return body.status();
  response.body = *std::move(body);
  return response;
}

absl::StatusOr<SliceList> encode_request(const ApiSpec& api, const RequestHeader& header, const void* body,
                                         const EncodeOptions& options) {
  const Version version = header.request_api_version;
  if (!api.versions().contains(version)) {
    return absl::InvalidArgumentError(absl::StrCat(api.name, " has no version ", version));
  }
  const Version header_version = api.request_header_version(version);
  const Part parts[] = {{&RequestHeader::kTable, &header, header_version, header_version >= 2},
                        {api.request, body, version, api.is_flexible(version)}};
  return encode_parts(parts, options);
}

absl::StatusOr<SliceList> encode_response(const ApiSpec& api, Version version, std::int32_t correlation_id,
                                          const void* body, const EncodeOptions& options) {
  if (!api.versions().contains(version)) {
    return absl::InvalidArgumentError(absl::StrCat(api.name, " has no version ", version));
  }
  ResponseHeader header;
  header.correlation_id = correlation_id;
  const Version header_version = api.response_header_version(version);
  const Part parts[] = {{&ResponseHeader::kTable, &header, header_version, header_version >= 1},
                        {api.response, body, version, api.is_flexible(version)}};
  return encode_parts(parts, options);
}

}  // namespace wt::kafka

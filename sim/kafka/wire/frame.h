// Whole requests and responses: header and body together.
//
// A frame here is what follows the four-byte length on a connection.
#pragma once

#include "sim/kafka/wire/api.h"
#include "sim/kafka/wire/codec.h"
#include "sim/kafka/wire/messages/headers.h"

namespace wt::kafka {

// The start of every request, readable whatever its API and version.
struct RequestPrefix {
  std::int16_t api_key = 0;
  std::int16_t api_version = 0;
  std::int32_t correlation_id = 0;
};
std::optional<RequestPrefix> read_request_prefix(std::span<const std::uint8_t> frame);

struct Request {
  const ApiSpec* api = nullptr;
  RequestHeader header;
  AnyMessage body;
  Version version() const { return header.request_api_version; }
};
// Unimplemented for a key or version that has no definition (answer: close, or ApiVersions' v0 error);
// InvalidArgument for bytes that are not such a request (answer: close). Reads as a broker does, whatever
// `limits.strictness` says.
absl::StatusOr<Request> decode_request(const Slice& frame, DecodeLimits limits = {});

struct Response {
  ResponseHeader header;
  AnyMessage body;
};
absl::StatusOr<Response> decode_response(const ApiSpec& api, Version version, const Slice& frame,
                                         const DecodeLimits& limits = {});

// `body` is the struct of api.request or api.response.
absl::StatusOr<SliceList> encode_request(const ApiSpec& api, const RequestHeader& header, const void* body,
                                         const EncodeOptions& options = {.length_prefix = true});
absl::StatusOr<SliceList> encode_response(const ApiSpec& api, Version version, std::int32_t correlation_id,
                                          const void* body,
                                          const EncodeOptions& options = {.length_prefix = true});

}  // namespace wt::kafka

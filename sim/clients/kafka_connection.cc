#include "sim/clients/kafka_connection.h"

#include <limits>
#include <utility>

namespace wt::clients {

KafkaConnection::KafkaConnection(Process& process, Streams& streams, std::string client_id)
    : process_(process),
      streams_(streams),
      client_id_(std::move(client_id)),
      frames_(std::numeric_limits<std::int32_t>::max()) {}

Task<Status> KafkaConnection::connect(NodeId from, NodeId to, DurationNs timeout_ns) {
  StatusOr<ByteStream> stream = co_await streams_.connect(process_, from, to, timeout_ns);
  if (!stream.ok()) co_return stream.status();
  stream_ = std::move(*stream);
  frames_ = FrameBuffer(std::numeric_limits<std::int32_t>::max());
  co_return ok_status();
}

Status KafkaConnection::send_only(const kafka::ApiSpec& api, kafka::Version version, const void* body) {
  kafka::RequestHeader header;
  header.request_api_key = api.key;
  header.request_api_version = version;
  header.correlation_id = next_correlation_id_++;
  header.client_id = client_id_;
  StatusOr<SliceList> bytes = kafka::encode_request(api, header, body);
  if (!bytes.ok()) return bytes.status();
  stream_.write(std::move(*bytes));
  return ok_status();
}

void KafkaConnection::send_raw(Slice bytes) {
  SliceList list;
  list.push_back(std::move(bytes));
  stream_.write(std::move(list));
}

Task<StatusOr<Slice>> KafkaConnection::next_frame() {
  while (frames_.state() == FrameBuffer::State::incomplete) {
    StatusOr<Slice> bytes = co_await stream_.read(process_);
    if (!bytes.ok()) co_return bytes.status();
    if (bytes->empty()) co_return make_status(StatusCode::kUnavailable, "connection closed");
    frames_.feed(std::move(*bytes));
  }
  if (frames_.state() == FrameBuffer::State::bad_length) {
    co_return make_status(StatusCode::kDataLoss, "a frame has no valid length");
  }
  co_return frames_.pop();
}

Task<StatusOr<kafka::AnyMessage>> KafkaConnection::exchange(const kafka::ApiSpec& api, kafka::Version version,
                                                            const void* body) {
  const std::int32_t correlation_id = next_correlation_id_;
  const Status sent = send_only(api, version, body);
  if (!sent.ok()) co_return sent;
  for (;;) {
    StatusOr<Slice> frame = co_await next_frame();
    if (!frame.ok()) co_return frame.status();
    StatusOr<kafka::Response> response = kafka::decode_response(api, version, *frame);
    if (!response.ok()) co_return response.status();
    // The answer to an earlier request that nobody waits for any more.
    if (response->header.correlation_id != correlation_id) continue;
    co_return std::move(response->body);
  }
}

}  // namespace wt::clients

// One Kafka connection from inside the simulation: typed requests and answers.
#pragma once

#include <string>

#include "sim/kafka/wire/frame.h"
#include "sim/kernel/process.h"
#include "sim/network/byte_stream.h"
#include "sim/network/frame_buffer.h"

namespace wt::clients {

class KafkaConnection {
 public:
  KafkaConnection(Process& process, Streams& streams, std::string client_id);

  // Unavailable: refused. DeadlineExceeded: no answer.
  Task<Status> connect(NodeId from, NodeId to, DurationNs timeout_ns);
  bool connected() const { return stream_ && stream_.open(); }
  ConnectionId id() const noexcept { return stream_.id(); }
  void close() { stream_.close(); }

  // Sends and waits for the answer of that request. Unavailable: the connection ended first.
  Task<StatusOr<kafka::AnyMessage>> exchange(const kafka::ApiSpec& api, kafka::Version version,
                                             const void* body);
  // Sends what has no answer.
  Status send_only(const kafka::ApiSpec& api, kafka::Version version, const void* body);
  // Any bytes; and the next frame, whatever it is.
  void send_raw(Slice bytes);
  Task<StatusOr<Slice>> next_frame();

  // `Response` must be the answer to `Request`.
  template <class Response, class Request>
  Task<StatusOr<Response>> call(std::int16_t api_key, kafka::Version version, const Request& request) {
    const kafka::ApiSpec* api = kafka::find_api(api_key);
    StatusOr<kafka::AnyMessage> answer = co_await exchange(*api, version, &request);
    if (!answer.ok()) co_return answer.status();
    co_return std::move(*answer->get<Response>());
  }

 private:
  Process& process_;
  Streams& streams_;
  std::string client_id_;
  ByteStream stream_;
  FrameBuffer frames_;
  std::int32_t next_correlation_id_ = 1;
};

}  // namespace wt::clients

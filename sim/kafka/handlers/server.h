// Kafka connections of one broker: frames in, requests through their handlers, answers out.
//
// One request at a time per connection, as a real broker does it: the next one is not looked at
// before the answer is on its way. A client that sends what is no request gets its connection closed;
// nobody else notices.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "sim/faults/rules.h"
#include "sim/kafka/handlers/context.h"
#include "sim/kernel/process.h"
#include "sim/network/frame_buffer.h"

namespace wt::kafka {

struct ServerOptions {
  std::int64_t max_request_bytes = 104'857'600;         // socket.request.max.bytes
  DurationNs max_idle_ns = 10 * kMinute_ns;             // connections.max.idle.ms
  std::size_t max_connections = 10'000;                 // per broker; more are closed at once
  std::size_t max_decoded_bytes = 256UL * 1024 * 1024;  // of one request
};

class KafkaServer final : public ProcessPart, public Acceptor {
 public:
  KafkaServer(Process& process, broker::Broker& broker, KafkaService& service, const ServerOptions& options);

  void on_accept(ByteStream stream) override;
  std::size_t connections() const noexcept { return connections_; }
  // What was read from this connection and belongs to no request that was begun.
  std::size_t read_ahead_bytes(ConnectionId connection) const;

 private:
  class IdleWatch;
  // The frames of one connection, where read_ahead_bytes() finds them.
  class Reading;
  // One of the connections that a broker takes.
  class Place {
   public:
    explicit Place(std::size_t& taken) : taken_(&taken) { ++taken; }
    Place(Place&& other) noexcept : taken_(std::exchange(other.taken_, nullptr)) {}
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (taken_ != nullptr) --*taken_;
    }

   private:
    std::size_t* taken_;
  };
  Task<void> serve(ByteStream stream, Place place);
  bool takes_api_versions(Version version) const;
  SaslSession::Admission admission(const ConnectionState& connection, const RequestPrefix& prefix);
  Task<bool> handle_bare_message(ByteStream& stream, ConnectionState& connection, const Slice& message);
  bool is_taken(const ConnectionState& connection, const RequestPrefix& prefix);
  Task<bool> handle_frame(ByteStream& stream, ConnectionState& connection, const Slice& frame);
  Task<bool> handle_request(ByteStream& stream, RequestContext& context);
  void note(const RequestContext& context);
  Task<Reply> refuse_part(RequestContext& context, const FaultDecision& fault, const FaultNames& names);
  Task<Reply> run_handler(RequestContext& context);
  bool send_unsupported_version(ByteStream& stream, const RequestPrefix& prefix);
  bool send(ByteStream& stream, const RequestContext& context, const Reply& reply);
  void refuse(const ConnectionState& connection, Label why, std::int64_t detail);

  Process& process_;
  broker::Broker& broker_;
  KafkaService& service_;
  ServerOptions options_;
  std::size_t connections_ = 0;
  std::map<ConnectionId, const FrameBuffer*> reading_;
};

}  // namespace wt::kafka

// What a request handler gets and gives.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/kafka/handlers/sasl_session.h"
#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/frame.h"
#include "sim/kernel/task.h"
#include "sim/network/byte_stream.h"

namespace wt {
class Process;
}
namespace wt::broker {
class Broker;
}

namespace wt::kafka {

class KafkaService;

// One client connection; lives as long as it.
struct ConnectionState {
  ConnectionId id = 0;
  std::string client_software_name;
  std::string client_software_version;
  std::unique_ptr<SaslSession> sasl;  // null: the listener asks nobody who he is
};

struct RequestContext {
  Process& process;
  broker::Broker& broker;
  KafkaService& service;
  ConnectionState& connection;
  const Request& request;
  std::string_view client_id;

  Version version() const { return request.version(); }
  template <class T>
  const T& body() const {
    return *request.body.get<T>();
  }
};

struct Reply {
  enum class Kind : std::uint8_t {
    answer,
    none,   // the protocol has no answer here (acks=0)
    close,  // the connection ends instead
  };
  Reply() = default;
  explicit Reply(Kind k) : kind(k) {}
  explicit Reply(AnyMessage message) : body(std::move(message)) {}

  Kind kind = Kind::answer;
  bool last = false;  // the connection ends after it
  AnyMessage body;
};

// A response struct as a reply.
template <class Response>
Reply answer_with(Response response) {
  AnyMessage message(Response::kTable);
  *message.get<Response>() = std::move(response);
  return Reply(std::move(message));
}

using Handler = Task<Reply> (*)(RequestContext& context);

// Null for an API without a handler.
Handler find_handler(std::int16_t api_key);

// The answer with `code` wherever this API has room for it, as if the work had failed at once.
Reply error_reply(const RequestContext& context, ErrorCode code);

}  // namespace wt::kafka

// A tiny blocking Kafka client over real sockets: what the demonstration and the tests need, and no more.
// A lost connection or no answer in time is an error value; nothing here throws.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/frame.h"
#include "sim/kernel/status.h"

namespace wt::harness::cli {

// One connection to one broker, one request at a time.
class KafkaSocket {
 public:
  static StatusOr<std::unique_ptr<KafkaSocket>> connect(const std::string& address, int answer_limit_ms);
  KafkaSocket(const KafkaSocket&) = delete;
  KafkaSocket& operator=(const KafkaSocket&) = delete;
  ~KafkaSocket();

  // The answer's frame, without its length.
  StatusOr<Slice> exchange(const SliceList& request);

 private:
  explicit KafkaSocket(int descriptor) : descriptor_(descriptor) {}
  bool send_all(std::span<const std::uint8_t> bytes);
  bool receive_all(std::uint8_t* into, std::size_t size_bytes);

  int descriptor_;
};

struct ProducerIdentity {
  std::int64_t id = -1;
  std::int16_t epoch = -1;
};

struct Produced {
  std::int64_t base_offset = -1;
  int attempts = 0;  // requests sent until one was acknowledged
};

struct ClientRecord {
  std::int64_t offset = -1;
  std::string value;
};

class DemoClient {
 public:
  DemoClient(const std::string& bootstrap, std::string client_id, int answer_limit_ms = 5000);

  // The broker that leads, by its address; asks until there is one or the time is over.
  StatusOr<std::string> find_leader(const std::string& topic, std::int32_t partition);
  StatusOr<ProducerIdentity> init_producer();
  // One batch, idempotent when `producer` has an id. Sent again, to whoever leads then, until acknowledged.
  StatusOr<Produced> produce(const std::string& topic, std::int32_t partition,
                             const std::vector<std::string>& values, const ProducerIdentity& producer = {},
                             std::int32_t base_sequence = -1);
  // All records from `offset` on, up to the high watermark.
  StatusOr<std::vector<ClientRecord>> fetch(const std::string& topic, std::int32_t partition,
                                            std::int64_t offset);

  // One request to one broker. Keeps the connection; forgets it when it breaks.
  template <class Response, class Request>
  StatusOr<Response> ask(const std::string& address, std::int16_t api_key, std::int16_t version,
                         const Request& request);

 private:
  StatusOr<kafka::Response> exchange(const std::string& address, std::int16_t api_key, std::int16_t version,
                                     const void* body);
  // One attempt of produce().
  StatusOr<std::int64_t> try_produce(const std::string& address, const std::string& topic,
                                     std::int32_t partition, const Slice& batch);

  std::vector<std::string> bootstrap_;
  std::string client_id_;
  int answer_limit_ms_;
  std::int32_t next_correlation_ = 1;
  std::map<std::string, std::unique_ptr<KafkaSocket>> sockets_;
};

template <class Response, class Request>
StatusOr<Response> DemoClient::ask(const std::string& address, std::int16_t api_key, std::int16_t version,
                                   const Request& request) {
  StatusOr<kafka::Response> response = exchange(address, api_key, version, &request);
  if (!response.ok()) return response.status();
  Response* body = response->body.template get<Response>();
  if (body == nullptr) return make_status(StatusCode::kInternal, "The answer is of another API.");
  return std::move(*body);
}

}  // namespace wt::harness::cli

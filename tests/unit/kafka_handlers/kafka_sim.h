// A cluster in the simulation and plain connections to it, for tests that talk Kafka without a client.
//
// Nothing here suspends: a call steps the kernel until its answer is there.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/cluster/commands.h"
#include "sim/formats/record_batch.h"
#include "sim/kafka/wire/frame.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/produce.h"
#include "sim/network/frame_buffer.h"

namespace wt::test {

class KafkaSim {
 public:
  struct Connection {
    ConnectionId id = 0;
    FrameBuffer frames{std::int64_t{1} << 31};
    bool closed = false;
  };

  explicit KafkaSim(const cluster::ClusterOptions& options = {}) : cluster(options), commands(cluster) {
    cluster.start();
    cluster.kernel().run_until_condition([this] { return cluster.settled(); },
                                         cluster.kernel().now() + kMinute_ns);
  }

  Connection connect(std::int32_t broker) {
    Connection connection;
    const auto id = cluster.streams().external_connect(cluster.outside_node(), cluster.broker_node(broker));
    connection.closed = !id.ok();
    if (id.ok()) connection.id = *id;
    return connection;
  }
  void send_bytes(Connection& to, const Slice& bytes) { cluster.streams().external_write(to.id, bytes); }
  // Returns the correlation id; -1 when the request cannot be encoded.
  std::int32_t send(Connection& to, const kafka::ApiSpec& api, kafka::Version version, const void* body) {
    kafka::RequestHeader header;
    header.request_api_key = api.key;
    header.request_api_version = version;
    header.correlation_id = ++correlation_id_;
    header.client_id = "test";
    const auto bytes = kafka::encode_request(api, header, body);
    if (!bytes.ok()) return -1;
    send_bytes(to, flatten(*bytes));
    return header.correlation_id;
  }
  template <class Request>
  std::int32_t send(Connection& to, std::int16_t key, kafka::Version version, const Request& request) {
    return send(to, *kafka::find_api(key), version, &request);
  }

  // What came by now, without running anything.
  void take(Connection& from) {
    Streams::External out = cluster.streams().external_take(from.id);
    for (Slice& slice : out.bytes) from.frames.feed(std::move(slice));
    from.closed = from.closed || out.ended || out.reset;
  }
  // The next frame; nothing when the connection closes or the time is over first.
  std::optional<Slice> receive(Connection& from, DurationNs patience_ns = kMinute_ns) {
    const TimeNs limit_ns = cluster.kernel().now() + patience_ns;
    for (;;) {
      take(from);
      if (from.frames.state() == FrameBuffer::State::ready) return from.frames.pop();
      if (from.closed || !cluster.kernel().step(limit_ns)) return std::nullopt;
    }
  }
  template <class Response>
  std::optional<Response> receive_as(Connection& from, std::int16_t key, kafka::Version version,
                                     DurationNs patience_ns = kMinute_ns) {
    const auto frame = receive(from, patience_ns);
    if (!frame) return std::nullopt;
    auto response = kafka::decode_response(*kafka::find_api(key), version, *frame);
    if (!response.ok()) return std::nullopt;
    return std::move(*response->body.template get<Response>());
  }
  template <class Response, class Request>
  std::optional<Response> call(Connection& on, std::int16_t key, kafka::Version version,
                               const Request& request) {
    send(on, key, version, request);
    return receive_as<Response>(on, key, version);
  }

  std::string do_command(const std::string& text) {
    std::string answer = commands.execute(text);
    cluster.kernel().run_ready();
    return answer;
  }
  void create_topic(const std::string& name, int partitions = 1) {
    do_command(R"({"do":"create_topic","name":")" + name + R"(","partitions":)" + std::to_string(partitions) +
               "}");
  }
  std::int32_t leader(const std::string& topic, std::int32_t partition = 0) {
    return cluster.partition(topic, partition)->leader;
  }
  void run(DurationNs duration_ns) { cluster.kernel().run_until(cluster.kernel().now() + duration_ns); }
  // The check and the sentence, or nothing.
  std::string finding() const {
    const auto& found = const_cast<cluster::Cluster&>(cluster).kernel().finding();
    return found ? found->check + ": " + found->message : std::string();
  }

  Slice batch(const std::string& value, const formats::BatchOptions& options = {}) {
    formats::BatchBuilder builder(options);
    formats::NewRecord record;
    record.value = value;
    record.timestamp_ms = to_ms(cluster.kernel().now());
    builder.add(record);
    return builder.build();
  }
  kafka::ProduceRequest produce_request(const std::string& topic, const Slice& records,
                                        std::int16_t acks = -1) {
    kafka::ProduceRequest request;
    request.acks = acks;
    request.timeout_ms = 1000;
    auto& data = request.topic_data.emplace_back();
    data.name = topic;
    data.partition_data.emplace_back().records = SliceList{records};
    return request;
  }
  static kafka::FetchRequest fetch_request(const std::string& topic, std::int64_t offset,
                                           std::int32_t max_wait_ms) {
    kafka::FetchRequest request;
    request.max_wait_ms = max_wait_ms;
    request.min_bytes = 1;
    auto& wanted = request.topics.emplace_back();
    wanted.topic = topic;
    auto& partition = wanted.partitions.emplace_back();
    partition.fetch_offset = offset;
    partition.partition_max_bytes = 1 << 20;
    return request;
  }

  cluster::Cluster cluster;
  cluster::Commands commands;

 private:
  std::int32_t correlation_id_ = 0;
};

}  // namespace wt::test

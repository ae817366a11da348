// A settled cluster with one topic and one client inside the simulation, for the benches.
#pragma once

#include <memory>
#include <string>

#include "sim/clients/kafka_connection.h"
#include "sim/cluster/commands.h"
#include "sim/formats/record_batch.h"
#include "sim/kafka/wire/messages/produce.h"

namespace wt::bench {

inline constexpr const char* kTopic = "orders";
inline constexpr kafka::Version kProduceVersion = 9;

inline Slice one_record_batch(std::size_t value_bytes) {
  formats::BatchBuilder builder;
  formats::NewRecord record;
  record.value = std::string(value_bytes, 'x');
  record.timestamp_ms = to_ms(kDefaultEpoch_ns);
  builder.add(record);
  return builder.build();
}

inline kafka::ProduceRequest produce_request(Slice batch) {
  kafka::ProduceRequest request;
  request.acks = -1;
  request.timeout_ms = 1000;
  auto& data = request.topic_data.emplace_back();
  data.name = kTopic;
  auto& partition = data.partition_data.emplace_back();
  partition.records = SliceList();
  partition.records->push_back(std::move(batch));
  return request;
}

class World {
 public:
  explicit World(const cluster::ClusterOptions& options) : cluster_(options), commands_(cluster_) {
    cluster_.start();
    cluster_.kernel().run_ready();
    std::string command = R"({"do":"create_topic","name":")";
    command += kTopic;
    command += R"(","partitions":1})";
    created_ = commands_.execute(command).find("\"ok\":true") != std::string::npos;
    client_ = &cluster_.kernel().create_process("client");
    cluster_.links().attach(cluster_.outside_node(), *client_);
  }

  cluster::Cluster& cluster() { return cluster_; }
  Kernel& kernel() { return cluster_.kernel(); }
  bool ready() const { return created_ && cluster_.settled(); }

  // One connection, `count` produces, each waiting for its answer; then done() is `count` higher.
  void produce(const kafka::ProduceRequest& request, std::int64_t count) {
    client_->spawn(produce_task(request, count));
    cluster_.kernel().run_ready();
  }
  std::int64_t done() const { return done_; }
  // Empty when all went well.
  std::string problem() {
    if (cluster_.kernel().finding()) return cluster_.kernel().finding()->message;
    return problem_;
  }
  // Events from the first request's sending to the last answer's arrival, of the last produce().
  std::uint64_t produce_steps() const { return produce_steps_; }

 private:
  Task<void> produce_task(const kafka::ProduceRequest& request, std::int64_t count) {
    clients::KafkaConnection connection(*client_, cluster_.streams(), "bench");
    const NodeId leader = cluster_.broker_node(cluster_.partition(kTopic, 0)->leader);
    const Status connected = co_await connection.connect(cluster_.outside_node(), leader, kSecond_ns);
    if (!connected.ok()) {
      problem_ = "the connection was refused";
      co_return;
    }
    const std::uint64_t before = cluster_.kernel().steps();
    for (std::int64_t i = 0; i < count; ++i) {
      auto answer = co_await connection.call<kafka::ProduceResponse>(0, kProduceVersion, request);
      if (!answer.ok() ||
          answer->responses.at(0).partition_responses.at(0).error_code != kafka::ErrorCode::kNone) {
        problem_ = "a produce failed";
        co_return;
      }
      ++done_;
    }
    produce_steps_ = cluster_.kernel().steps() - before;
  }

  cluster::Cluster cluster_;
  cluster::Commands commands_;
  Process* client_ = nullptr;
  bool created_ = false;
  std::int64_t done_ = 0;
  std::uint64_t produce_steps_ = 0;
  std::string problem_;
};

}  // namespace wt::bench

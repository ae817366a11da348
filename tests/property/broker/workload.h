// Producers and a consumer that live inside the simulation and survive what the cluster does to them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/clients/kafka_connection.h"
#include "sim/cluster/cluster.h"
#include "sim/formats/record_batch.h"
#include "sim/kafka/wire/error_code.h"

namespace wt::test {

// Closes a connection whose answer does not come: the client's own time-out.
class Patience {
 public:
  Patience(Process& process, Streams& streams, ConnectionId connection, DurationNs patience_ns)
      : process_(process), streams_(streams), connection_(connection) {
    timer_ = process.schedule_at(process.now() + patience_ns, TimerKind::protocol, &Patience::fire, this);
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  ~Patience() { process_.cancel(timer_); }

 private:
  static void fire(void* self, std::uint64_t) {
    auto& patience = *static_cast<Patience*>(self);
    patience.timer_ = {};
    if (patience.streams_.exists(patience.connection_))
      patience.streams_.reset_connection(patience.connection_);
  }
  Process& process_;
  Streams& streams_;
  ConnectionId connection_;
  EventId timer_;
};

struct ProducerPlan {
  std::string name;
  std::string topic;
  bool idempotent = true;
  std::int32_t batches = 10;
  std::int32_t in_flight = 1;  // requests on the way at once, after the first one is acknowledged
};

// What a producer was told, by batch.
struct ProducerReport {
  bool done = false;
  std::vector<std::int64_t> offsets;  // of acknowledged batches, in order
  std::int32_t attempts = 0;
  kafka::ErrorCode fatal = kafka::ErrorCode::kNone;
};

// What a consumer saw, in order.
struct ConsumerReport {
  std::vector<std::string> values;
  std::int64_t next_offset = 0;
  bool skipped = false;  // an offset was not followed by the next one
};

class Workload {
 public:
  Workload(cluster::Cluster& cluster, Process& client) : cluster_(cluster), client_(client) {}

  // Produces `plan.batches` records, each until it is acknowledged. After an error everything that is not
  // acknowledged is sent again, with the same sequence numbers.
  Task<void> produce(const ProducerPlan& plan, ProducerReport& report);
  // Reads the topic's partition 0 until `stop`.
  Task<void> consume(const std::string& topic, ConsumerReport& report, const bool& stop);

  // The values in the log, and their offsets, read from the leader.
  struct Logged {
    std::int64_t offset;
    std::string value;
  };
  static void collect(const SliceList& records, std::int64_t from_offset, std::vector<Logged>& out);

 private:
  Task<bool> ensure_connected(clients::KafkaConnection& connection, const std::string& topic);
  // Sends the next requests and reads their answers up to the first error; false when one came.
  Task<bool> produce_some(clients::KafkaConnection& connection, const ProducerPlan& plan, std::int64_t id,
                          ProducerReport& report);
  Task<std::int64_t> producer_id(const std::string& topic, const std::string& name);

  cluster::Cluster& cluster_;
  Process& client_;
};

}  // namespace wt::test

// The inhabitants of the small workload: servers that echo and answer, clients that use them.
#pragma once

#include "sim/faults/rules.h"
#include "sim/kernel/kernel.h"
#include "sim/network/byte_stream.h"
#include "sim/network/calls.h"

namespace wt::test {

inline constexpr std::size_t kServers = 3;
inline constexpr std::size_t kClients = 2;

// Bytes of a connection from the position on, in two slices.
SliceList pattern(std::uint64_t from, std::size_t size_bytes, std::size_t cut);
// A finding unless the bytes are those of that position.
void check_pattern(const Slice& bytes, std::uint64_t position);

class Counter final : public DurableService {
 public:
  StatusOr<BodyPtr> execute(NodeId, MessageBody& request) override {
    auto* typed = message_cast<std::uint64_t>(&request);
    WT_INVARIANT(typed != nullptr, "test.request", "a request of the wrong type");
    total_ += typed->value;
    return BodyPtr(std::make_unique<Message<std::uint64_t>>(total_));
  }

 private:
  std::uint64_t total_ = 0;
};

struct World {
  explicit World(const KernelOptions& kernel_options, const LinkLatency& latency)
      : kernel(kernel_options),
        links(kernel, latency),
        rules(kernel),
        calls(kernel, links, rules),
        streams(kernel, links, StreamOptions{2000}) {}

  Kernel kernel;
  Links links;
  FaultRules rules;
  Calls calls;
  Streams streams;
  Counter counter;
  std::vector<NodeId> nodes;  // servers, clients, the durable service, the outside
  NodeId durable = 0;
  NodeId outside = 0;
  std::int64_t live = 0;
  std::uint64_t echoed_bytes = 0;
  std::uint64_t answers = 0;
};

// Starts what lives on the index-th server or client node.
void start_server(World& world, std::size_t index);
void start_client(World& world, std::size_t index);

}  // namespace wt::test

// A kernel with a network of three nodes, one process on each, for the tests of this folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/faults/rules.h"
#include "sim/kernel/kernel.h"
#include "sim/network/byte_stream.h"
#include "sim/network/calls.h"
#include "sim/network/links.h"

namespace wt::test {

using Lines = std::vector<std::string>;

struct Net {
  explicit Net(const LinkLatency& latency = {}, std::size_t window_bytes = 1000)
      : links(kernel, latency), streams(kernel, links, StreamOptions{window_bytes}) {
    for (const char* name : {"a", "b", "c"}) {
      links.add_node(name);
      Process& process = kernel.create_process(name);
      links.attach(static_cast<NodeId>(links.node_count()), process);
    }
  }
  Process& process(NodeId node) { return *links.process_at(node); }
  void run(DurationNs duration_ns) { kernel.run_until(kernel.now() + duration_ns); }

  Kernel kernel{KernelOptions{}};
  Links links;
  FaultRules rules{kernel};
  Calls calls{kernel, links, rules};
  Streams streams;
};

// Keeps what it accepts.
struct Keeper final : ProcessPart, Acceptor {
  void on_accept(ByteStream stream) override { accepted.push_back(std::move(stream)); }
  std::vector<ByteStream> accepted;
};

inline SliceList one_slice(std::string_view text) {
  SliceList list;
  list.push_back(Slice::copy_of(text));
  return list;
}

inline LinkLatency fixed_latency(DurationNs base_ns) {
  LinkLatency latency;
  latency.base_ns = base_ns;
  return latency;
}

}  // namespace wt::test

// The load itself: connections that each keep a window of Produce requests in flight, closed loop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/sockets/plain_socket.h"

namespace bench {

struct LoadOptions {
  std::string topic = "bench";
  std::int32_t connections = 1;
  std::int32_t window = 1;  // requests in flight on each connection
  std::int16_t acks = 1;
  std::size_t record_bytes = 100;
  std::int64_t warmup_requests = 100;  // in all; not counted
  std::int64_t requests = 100'000;
  double seconds = 10;  // ends earlier when this is over
  std::string pids;     // of the server, for its CPU time
};

struct LoadResult {
  std::string problem;  // empty: every answer was there, in order, without error
  std::int64_t requests = 0;
  double seconds = 0;
  double server_cpu_s = -1;  // -1: not known
  double client_cpu_s = 0;
  bool offsets_grow = false;  // the server seems to keep something
  std::vector<std::uint32_t> latencies_ns;
};

// Connection i writes to partition i modulo their number.
LoadResult run_load(const LoadOptions& options, const std::vector<Address>& leaders);

}  // namespace bench

// embed_start [ROUNDS]: what a test pays that embeds a cluster: construct three brokers, listen, have the
// first record acknowledged over a socket. Prints one JSON line with the median of the rounds, and the heap
// that the idle cluster holds.
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "tests/bench/sockets/plain_socket.h"
#include "wavetank/cluster.h"

namespace {

using namespace bench;

struct Round {
  double constructed_ms = 0;
  double acknowledged_ms = 0;
  double destroyed_ms = 0;
  double heap_kib = 0;
};

double heap_kib() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1024;
}

void produce_one(const std::string& bootstrap) {
  const auto broker = parse_address(bootstrap);
  if (!broker) throw std::runtime_error("no address");
  const auto leaders = find_leaders(*broker, {"bench", 1, -1}, 10);
  if (leaders.empty()) throw std::runtime_error("no leaders");
  const auto answer = ask(leaders[0], produce_request({"bench", 0, -1, 100}));
  const auto read = answer ? read_produce_answer(*answer) : std::nullopt;
  if (!read || read->error != 0) throw std::runtime_error("the produce failed");
}

Round run_once() {
  Round round;
  const double heap_before_kib = heap_kib();
  const double start_s = monotonic_s();
  double before_end_s = 0;
  {
    wavetank::Options options;
    options.brokers = 3;
    options.recording = wavetank::Recording::off();
    wavetank::Cluster cluster(options);
    round.constructed_ms = (monotonic_s() - start_s) * 1e3;
    round.heap_kib = heap_kib() - heap_before_kib;
    produce_one(cluster.kafka_bootstrap());
    before_end_s = monotonic_s();
    round.acknowledged_ms = (before_end_s - start_s) * 1e3;
  }
  round.destroyed_ms = (monotonic_s() - before_end_s) * 1e3;
  return round;
}

double median(const std::vector<Round>& rounds, double Round::*figure) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(round.*figure);
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 11;
  try {
    std::vector<Round> rounds;
    for (int i = 0; i < count; ++i) rounds.push_back(run_once());
    std::printf(
        "{\"first_ms\":%.3f,\"constructed_ms\":%.3f,\"acknowledged_ms\":%.3f,\"destroyed_ms\":%.3f,"
        "\"heap_kib\":%.0f}\n",
        rounds.front().acknowledged_ms, median(rounds, &Round::constructed_ms),
        median(rounds, &Round::acknowledged_ms), median(rounds, &Round::destroyed_ms),
        rounds.front().heap_kib);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "embed_start: %s\n", error.what());
    return 1;
  }
}

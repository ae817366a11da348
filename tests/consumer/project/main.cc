// A program that links the installed library and uses a cluster; errors must cross the library's border.
#include <wavetank/cluster.h>
#include <chrono>
#include <cstdio>

int main() {
  wavetank::Options options;
  options.seed = 42;
  options.clock = wavetank::Clock::frozen;
  wavetank::Cluster cluster(options);
  wavetank::TopicSpec spec;
  spec.partitions = 2;
  cluster.create_topic("orders", spec);
  const auto rule = cluster.on("kafka.produce.received").topic("orders").once().hold();
  cluster.advance(std::chrono::minutes(15));
  const bool ready =
      cluster.wait_until([](const wavetank::View& view) { return view.partition("orders", 1).writable; },
                         std::chrono::seconds(5));
  bool refused = false;
  try {
    cluster.create_topic("orders");
  } catch (const wavetank::Error& error) {
    refused = error.code() == wavetank::ErrorCode::already_exists;
  }
  const bool fine = ready && refused && rule.hits() == 0 && !cluster.finding();
  std::puts(fine ? "consumer: linked" : "consumer: the cluster does not work");
  return fine ? 0 : 1;
}

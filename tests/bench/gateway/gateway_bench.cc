// Round trips of a small echo over real sockets: the gateway with a simulation behind it, next to a bare
// epoll loop that answers with what it read. Both on one thread, the same loader against both.
//
// server_us is the CPU time of the answering thread for one round trip: on a busy machine it says more than
// the rate does.
#include <benchmark/benchmark.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <thread>

#include "tests/unit/gateway/rig.h"

namespace {

using namespace wt;
using namespace wt::harness;

constexpr int kTripsPerIteration = 4000;

double thread_cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// A bare responder: what one thread can reach at most.
class BareEcho {
 public:
  BareEcho() : listener_(*Listener::bind(0, "127.0.0.1", 0)), stop_(::eventfd(0, EFD_CLOEXEC)) {
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    ::listen(listener_->descriptor(), 128);
    watch(listener_->descriptor());
    watch(stop_);
    thread_ = std::thread([this] { run(); });
  }
  BareEcho(const BareEcho&) = delete;
  BareEcho& operator=(const BareEcho&) = delete;
  ~BareEcho() {
    const std::uint64_t one = 1;
    (void)!::write(stop_, &one, sizeof one);
    thread_.join();
    ::close(epoll_);
    ::close(stop_);
  }
  std::uint16_t port() const { return listener_->port(); }
  double cpu_us() const { return cpu_us_.load(); }

 private:
  void watch(int descriptor) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }
  void run() {
    std::array<epoll_event, 256> events;
    std::array<char, 65536> buffer;
    for (;;) {
      const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) {
        const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
        if (descriptor == stop_) return;
        if (descriptor == listener_->descriptor()) {
          watch(listener_->accept());
          continue;
        }
        const ssize_t got = ::recv(descriptor, buffer.data(), buffer.size(), 0);
        if (got <= 0) {
          ::close(descriptor);
        } else {
          (void)!::send(descriptor, buffer.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL);
        }
      }
      cpu_us_ = thread_cpu_us();
    }
  }

  std::unique_ptr<Listener> listener_;
  int stop_;
  int epoll_ = -1;
  std::atomic<double> cpu_us_ = 0;
  std::thread thread_;
};

// Keeps one request under way on each connection.
class Loader {
 public:
  Loader(std::uint16_t port, int connections, std::size_t size_bytes)
      : request_(framed("e" + std::string(size_bytes, 'x'))) {
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < connections; ++i) {
      clients_.emplace_back(port);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u32 = static_cast<std::uint32_t>(i);
      ::epoll_ctl(epoll_, EPOLL_CTL_ADD, clients_.back().descriptor(), &event);
    }
    received_bytes_.resize(clients_.size());
  }
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader() { ::close(epoll_); }

  void run(int trips) {
    int started = 0;
    int finished = 0;
    for (Client& client : clients_) {
      if (started == trips) break;
      client.send_raw(request_);
      ++started;
    }
    std::array<epoll_event, 64> events;
    std::vector<char> buffer(65536);
    while (finished < trips) {
      const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 1000);
      if (count <= 0) std::abort();
      for (int i = 0; i < count; ++i) {
        const std::uint32_t index = events[static_cast<std::size_t>(i)].data.u32;
        const ssize_t got = ::recv(clients_[index].descriptor(), buffer.data(), buffer.size(), 0);
        if (got <= 0) std::abort();
        received_bytes_[index] += static_cast<std::size_t>(got);
        if (received_bytes_[index] < request_.size()) continue;
        received_bytes_[index] = 0;
        ++finished;
        if (started == trips) continue;
        clients_[index].send_raw(request_);
        ++started;
      }
    }
  }

 private:
  std::string request_;
  int epoll_ = -1;
  std::vector<Client> clients_;
  std::vector<std::size_t> received_bytes_;
};

template <class CpuOfServer>
void load(benchmark::State& state, std::uint16_t port, const CpuOfServer& cpu_us) {
  const auto size_bytes = static_cast<std::size_t>(state.range(1));
  Loader loader(port, static_cast<int>(state.range(0)), size_bytes);
  loader.run(500);
  const double before_us = cpu_us();
  for (auto _ : state) loader.run(kTripsPerIteration);
  state.counters["server_us"] =
      (cpu_us() - before_us) / static_cast<double>(state.iterations() * kTripsPerIteration);
  state.SetItemsProcessed(state.iterations() * kTripsPerIteration);
  state.SetBytesProcessed(state.iterations() * kTripsPerIteration * static_cast<std::int64_t>(size_bytes));
}

void bare(benchmark::State& state) {
  BareEcho echo;
  load(state, echo.port(), [&echo] { return echo.cpu_us(); });
}

// Arguments: connections, bytes, rounds of gathering, recording (0 none, 1 memory).
void gateway(benchmark::State& state) {
  DriverOptions options;
  options.gather_rounds = static_cast<int>(state.range(2));
  EchoSimulated sim({});
  auto buffer = std::make_shared<MemorySink::Buffer>();
  Recorder recorder(std::make_unique<MemorySink>(buffer), {});
  Driver driver(sim, options, system_wall_clock(), state.range(3) != 0 ? &recorder : nullptr);
  if (!driver.start().ok()) std::abort();
  load(state, driver.addresses()[0].port,
       [&driver] { return driver.call([] { return thread_cpu_us(); }).value(); });
  const DriverStats stats = driver.stats();
  state.counters["trips_per_turn"] =
      static_cast<double>(sim.requests) / static_cast<double>(std::max<std::uint64_t>(1, stats.turns));
}

constexpr std::int64_t kSmall_bytes = 64;

BENCHMARK(bare)
    ->Args({1, kSmall_bytes})
    ->Args({8, kSmall_bytes})
    ->Args({64, kSmall_bytes})
    ->Args({8, 16384})
    ->UseRealTime();
BENCHMARK(gateway)
    ->ArgNames({"connections", "bytes", "rounds", "recorded"})
    ->Args({1, kSmall_bytes, 3, 0})
    ->Args({8, kSmall_bytes, 3, 0})
    ->Args({64, kSmall_bytes, 3, 0})
    ->Args({1, kSmall_bytes, 3, 1})
    ->Args({8, kSmall_bytes, 3, 1})
    ->Args({64, kSmall_bytes, 3, 1})
    ->Args({8, kSmall_bytes, 0, 1})
    ->Args({64, kSmall_bytes, 0, 1})
    ->Args({8, 16384, 3, 1})
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();

// raw_loader: single-record Produce requests, encoded once, against any Kafka broker.
//
//   raw_loader BROKER [--topic T] [--partitions N] [--replication N] [--connections N] [--window N]
//              [--acks 1|-1] [--bytes N] [--warmup N] [--requests N] [--seconds S] [--pid PID[,PID…]]
//   raw_loader --start-up [--topic T] [--acks …] -- COMMAND…
//
// The first prints one JSON line: rate, latencies, CPU time of client and server. The second starts a
// server whose first line of output is a JSON object with "kafka":"host:port", and measures from the start
// of the process to its first acknowledged record.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/bench/sockets/produce_load.h"

namespace {

using namespace bench;

constexpr double kPatience_s = 30;

struct Arguments {
  std::string broker;
  TopicWish topic;
  LoadOptions load;
  bool start_up = false;
  char** command = nullptr;
};

int usage() {
  std::fputs("usage: raw_loader BROKER [options] | raw_loader --start-up [options] -- COMMAND…\n", stderr);
  return 2;
}

bool read_option(Arguments& out, const std::string& name, const char* value) {
  const auto number = [&] { return std::strtoll(value, nullptr, 10); };
  if (name == "--topic")
    out.topic.name = value;
  else if (name == "--partitions")
    out.topic.partitions = static_cast<std::int32_t>(number());
  else if (name == "--replication")
    out.topic.replication = static_cast<std::int16_t>(number());
  else if (name == "--connections")
    out.load.connections = static_cast<std::int32_t>(number());
  else if (name == "--window")
    out.load.window = static_cast<std::int32_t>(number());
  else if (name == "--acks")
    out.load.acks = static_cast<std::int16_t>(number());
  else if (name == "--bytes")
    out.load.record_bytes = static_cast<std::size_t>(number());
  else if (name == "--warmup")
    out.load.warmup_requests = number();
  else if (name == "--requests")
    out.load.requests = number();
  else if (name == "--seconds")
    out.load.seconds = std::strtod(value, nullptr);
  else if (name == "--pid")
    out.load.pids = value;
  else
    return false;
  return true;
}

bool read_arguments(int count, char** words, Arguments& out) {
  out.topic.name = "bench";
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--") {
      out.command = words + i + 1;
      break;
    }
    if (word == "--start-up") {
      out.start_up = true;
    } else if (word.starts_with("--")) {
      if (i + 1 >= count || !read_option(out, word, words[i + 1])) return false;
      ++i;
    } else if (out.broker.empty()) {
      out.broker = word;
    } else {
      return false;
    }
  }
  const LoadOptions& load = out.load;
  if (load.connections < 1 || load.window < 1 || load.requests < 1 || load.record_bytes > 1 << 20)
    return false;
  if (out.topic.partitions < 1 || (load.acks != 1 && load.acks != -1)) return false;
  return out.start_up ? out.command != nullptr && *out.command != nullptr : !out.broker.empty();
}

// In microseconds; of sorted latencies.
double percentile(const std::vector<std::uint32_t>& sorted_ns, double part) {
  if (sorted_ns.empty()) return 0;
  const auto at = static_cast<std::size_t>(part * static_cast<double>(sorted_ns.size() - 1));
  return sorted_ns[at] / 1e3;
}

// A partition may take a moment after its leader is known.
bool write_first_record(const Address& leader, const ProduceShape& shape, double end_s) {
  const std::string request = produce_request(shape);
  do {
    const auto answer = ask(leader, request);
    const auto read = answer ? read_produce_answer(*answer) : std::nullopt;
    if (read && read->error == 0) return true;
    usleep(5'000);
  } while (monotonic_s() < end_s);
  return false;
}

int load(Arguments& arguments) {
  const auto broker = parse_address(arguments.broker);
  if (!broker) return usage();
  auto leaders = find_leaders(*broker, arguments.topic, kPatience_s);
  if (leaders.empty()) {
    std::fputs("raw_loader: the topic has no leaders\n", stderr);
    return 1;
  }
  // The topic may have been there with more.
  leaders.resize(static_cast<std::size_t>(arguments.topic.partitions));
  arguments.load.topic = arguments.topic.name;
  const double end_s = monotonic_s() + kPatience_s;
  for (std::size_t i = 0; i < leaders.size(); ++i) {
    const ProduceShape shape{arguments.topic.name, static_cast<std::int32_t>(i), arguments.load.acks,
                             arguments.load.record_bytes};
    if (write_first_record(leaders[i], shape, end_s)) continue;
    std::fprintf(stderr, "raw_loader: partition %zu takes no record\n", i);
    return 1;
  }
  LoadResult result = run_load(arguments.load, leaders);
  if (!result.problem.empty()) {
    std::fprintf(stderr, "raw_loader: %s after %lld answers\n", result.problem.c_str(),
                 static_cast<long long>(result.requests));
    return 1;
  }
  std::sort(result.latencies_ns.begin(), result.latencies_ns.end());
  const auto requests = static_cast<double>(result.requests);
  std::printf(
      "{\"requests\":%lld,\"seconds\":%.4f,\"rate\":%.1f,\"p50_us\":%.1f,\"p90_us\":%.1f,\"p99_us\":%.1f,"
      "\"p999_us\":%.1f,\"max_us\":%.1f,\"client_cpu_us\":%.3f,\"server_cpu_us\":%.3f,\"offsets_grow\":%s}\n",
      static_cast<long long>(result.requests), result.seconds, requests / result.seconds,
      percentile(result.latencies_ns, 0.5), percentile(result.latencies_ns, 0.9),
      percentile(result.latencies_ns, 0.99), percentile(result.latencies_ns, 0.999),
      percentile(result.latencies_ns, 1), result.client_cpu_s / requests * 1e6,
      result.server_cpu_s < 0 ? -1 : result.server_cpu_s / requests * 1e6,
      result.offsets_grow ? "true" : "false");
  return 0;
}

struct Child {
  pid_t pid = -1;
  int output = -1;
};

Child start(char** command) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // the server never outlives this program
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(command[0], command);
    _exit(127);
  }
  close(ends[1]);
  return {pid, ends[0]};
}

// The value of "kafka" in the server's first line.
std::string read_bootstrap(int output) {
  std::string line;
  for (char c = 0; line.size() < 65'536 && read(output, &c, 1) == 1 && c != '\n';) line.push_back(c);
  const std::string key = "\"kafka\":\"";
  const std::size_t from = line.find(key);
  if (from == std::string::npos) return {};
  const std::size_t value = from + key.size();
  return line.substr(value, line.find('"', value) - value);
}

int start_up(Arguments& arguments) {
  const double before_s = monotonic_s();
  const Child server = start(arguments.command);
  const auto broker = parse_address(read_bootstrap(server.output));
  const double listening_s = monotonic_s();
  bool acknowledged = false;
  if (broker) {
    const auto leaders = find_leaders(*broker, arguments.topic, kPatience_s);
    const ProduceShape shape{arguments.topic.name, 0, arguments.load.acks, 100};
    acknowledged = !leaders.empty() && write_first_record(leaders[0], shape, before_s + kPatience_s);
  }
  const double acknowledged_s = monotonic_s();
  if (server.pid > 0) {
    kill(server.pid, SIGKILL);
    waitpid(server.pid, nullptr, 0);
  }
  if (!acknowledged) {
    std::fputs("raw_loader: the server acknowledged nothing\n", stderr);
    return 1;
  }
  std::printf("{\"listening_ms\":%.3f,\"acknowledged_ms\":%.3f}\n", (listening_s - before_s) * 1e3,
              (acknowledged_s - before_s) * 1e3);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!read_arguments(argc, argv, arguments)) return usage();
  return arguments.start_up ? start_up(arguments) : load(arguments);
}

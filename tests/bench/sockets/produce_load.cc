#include "tests/bench/sockets/produce_load.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>

#include "tests/bench/sockets/server_cpu.h"

namespace bench {
namespace {

// One answer in this many is decoded whole; of the others only length, correlation id and error are
// looked at, where the decoded one has them.
constexpr std::uint32_t kSampleEvery = 64;

double own_cpu_s() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct Connection {
  Socket socket;
  std::string requests;  // `window` copies of the frame, sent as one when all can go
  std::size_t frame_bytes = 0;
  std::string unsent;  // what the socket did not take
  std::vector<char> input = std::vector<char>(64 * 1024);
  std::size_t filled = 0;
  std::int32_t next_to_send = 1;  // correlation ids count from 1
  std::int32_t next_to_arrive = 1;
  std::vector<std::int64_t> sent_ns;  // by correlation id modulo window
  std::size_t answer_bytes = 0;       // of the last decoded answer; 0: none yet
  std::size_t error_at = 0;
  std::int64_t first_offset = -1;
  std::int64_t last_offset = -1;
};

class Load {
 public:
  Load(const LoadOptions& options, const std::vector<Address>& leaders) : options_(options) {
    epoll_ = Socket(epoll_create1(EPOLL_CLOEXEC));
    for (std::int32_t i = 0; i < options.connections && problem_.empty(); ++i) open(i, leaders);
  }

  LoadResult run() {
    LoadResult result;
    pump(options_.warmup_requests, false);
    result.latencies_ns.reserve(static_cast<std::size_t>(options_.requests));
    latencies_ = &result.latencies_ns;
    const double server_before_s = options_.pids.empty() ? -1 : server_cpu_s(options_.pids.c_str());
    const double own_before_s = own_cpu_s();
    const double before_s = monotonic_s();
    end_s_ = before_s + options_.seconds;
    pump(options_.requests, true);
    result.seconds = monotonic_s() - before_s;
    result.client_cpu_s = own_cpu_s() - own_before_s;
    if (server_before_s >= 0) result.server_cpu_s = server_cpu_s(options_.pids.c_str()) - server_before_s;
    result.requests = static_cast<std::int64_t>(result.latencies_ns.size());
    result.problem = problem_;
    result.offsets_grow = std::all_of(connections_.begin(), connections_.end(),
                                      [](const auto& c) { return c->last_offset > c->first_offset; });
    return result;
  }

 private:
  void open(std::int32_t number, const std::vector<Address>& leaders) {
    auto connection = std::make_unique<Connection>();
    ProduceShape shape;
    shape.topic = options_.topic;
    shape.partition = number % static_cast<std::int32_t>(leaders.size());
    shape.acks = options_.acks;
    shape.record_bytes = options_.record_bytes;
    const std::string frame = produce_request(shape);
    connection->frame_bytes = frame.size();
    for (std::int32_t i = 0; i < options_.window; ++i) connection->requests += frame;
    connection->sent_ns.resize(static_cast<std::size_t>(options_.window));
    connection->socket = dial(leaders[static_cast<std::size_t>(shape.partition)]);
    if (!connection->socket) {
      problem_ = "cannot connect to the leader";
      return;
    }
    fcntl(connection->socket.get(), F_SETFL, O_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = connection.get();
    epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, connection->socket.get(), &event);
    connections_.push_back(std::move(connection));
  }

  // Sends `requests` in all and waits for their answers.
  void pump(std::int64_t requests, bool timed) {
    timed_ = timed;
    to_send_ = requests;
    in_flight_ = 0;
    for (const auto& connection : connections_) {
      if (problem_.empty()) send_more(*connection, options_.window);
    }
    epoll_event events[256];
    while (in_flight_ > 0 && problem_.empty()) {
      const int count = epoll_wait(epoll_.get(), events, 256, 10'000);
      if (count == 0) problem_ = "no answer for 10 s";
      if (count < 0 && errno != EINTR) problem_ = std::strerror(errno);
      if (timed_ && to_send_ > 0 && monotonic_s() > end_s_) to_send_ = 0;
      for (int i = 0; i < count && problem_.empty(); ++i) {
        auto& connection = *static_cast<Connection*>(events[i].data.ptr);
        if ((events[i].events & EPOLLOUT) != 0) flush(connection);
        if ((events[i].events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) receive(connection);
      }
    }
  }

  void send_more(Connection& connection, std::int32_t most) {
    const auto count = static_cast<std::int32_t>(std::min<std::int64_t>(most, to_send_));
    if (count == 0) return;
    const std::int64_t now_ns = monotonic_ns();
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int32_t id = connection.next_to_send++;
      put_big_endian32(
          &connection.requests[static_cast<std::size_t>(i) * connection.frame_bytes + kCorrelationAt],
          static_cast<std::uint32_t>(id));
      connection.sent_ns[static_cast<std::size_t>(id % options_.window)] = now_ns;
    }
    to_send_ -= count;
    in_flight_ += count;
    const std::string_view bytes(connection.requests.data(),
                                 static_cast<std::size_t>(count) * connection.frame_bytes);
    if (connection.unsent.empty()) {
      const ssize_t sent = send(connection.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent == static_cast<ssize_t>(bytes.size())) return;
      if (sent < 0 && errno != EAGAIN) return fail("a send failed: ", std::strerror(errno));
      connection.unsent = bytes.substr(sent > 0 ? static_cast<std::size_t>(sent) : 0);
      watch(connection, EPOLLIN | EPOLLOUT);
    } else {
      connection.unsent += bytes;
    }
  }

  void flush(Connection& connection) {
    const ssize_t sent =
        send(connection.socket.get(), connection.unsent.data(), connection.unsent.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return fail("a send failed: ", std::strerror(errno));
    if (sent > 0) connection.unsent.erase(0, static_cast<std::size_t>(sent));
    if (connection.unsent.empty()) watch(connection, EPOLLIN);
  }

  void watch(Connection& connection, std::uint32_t what) {
    epoll_event event{};
    event.events = what;
    event.data.ptr = &connection;
    epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, connection.socket.get(), &event);
  }

  void receive(Connection& connection) {
    const ssize_t got = recv(connection.socket.get(), connection.input.data() + connection.filled,
                             connection.input.size() - connection.filled, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return fail("the server ended a connection", "");
    connection.filled += static_cast<std::size_t>(got);
    const std::int64_t now_ns = monotonic_ns();
    std::size_t at = 0;
    std::int32_t answers = 0;
    while (connection.filled - at >= 4) {
      const std::size_t size = big_endian32(connection.input.data() + at);
      if (size > connection.input.size() - 4) return fail("an answer is too long", "");
      if (connection.filled - at < 4 + size) break;
      if (!check(connection, std::string_view(connection.input.data() + at + 4, size))) return;
      if (timed_) {
        const auto slot = static_cast<std::size_t>((connection.next_to_arrive - 1) % options_.window);
        latencies_->push_back(static_cast<std::uint32_t>(std::min<std::int64_t>(
            now_ns - connection.sent_ns[slot], std::numeric_limits<std::uint32_t>::max())));
      }
      at += 4 + size;
      ++answers;
    }
    connection.filled -= at;
    if (connection.filled > 0)
      std::memmove(connection.input.data(), connection.input.data() + at, connection.filled);
    in_flight_ -= answers;
    send_more(connection, answers);
  }

  bool check(Connection& connection, std::string_view frame) {
    const std::int32_t expected = connection.next_to_arrive++;
    const bool decode =
        connection.answer_bytes != frame.size() || static_cast<std::uint32_t>(expected) % kSampleEvery == 0;
    if (!decode) {
      const bool fine = frame[connection.error_at] == 0 && frame[connection.error_at + 1] == 0 &&
                        big_endian32(frame.data()) == static_cast<std::uint32_t>(expected);
      if (fine) return true;  // else the whole answer says what is wrong
    }
    const auto answer = read_produce_answer(frame);
    if (!answer) {
      fail("an answer cannot be read", "");
    } else if (answer->correlation_id != expected) {
      fail("an answer has the wrong correlation id", "");
    } else if (answer->error != 0) {
      fail("a produce failed with error ", std::to_string(answer->error));
    } else {
      connection.answer_bytes = frame.size();
      connection.error_at = answer->error_at;
      if (connection.first_offset < 0) connection.first_offset = answer->base_offset;
      connection.last_offset = answer->base_offset;
      return true;
    }
    return false;
  }

  void fail(const char* what, const std::string& why) {
    if (problem_.empty()) problem_ = what + why;
  }

  const LoadOptions& options_;
  Socket epoll_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::string problem_;
  std::vector<std::uint32_t>* latencies_ = nullptr;
  bool timed_ = false;
  std::int64_t to_send_ = 0;
  std::int64_t in_flight_ = 0;
  double end_s_ = 0;
};

}  // namespace

LoadResult run_load(const LoadOptions& options, const std::vector<Address>& leaders) {
  return Load(options, leaders).run();
}

}  // namespace bench

// epoll_limit [SECONDS]: what one thread can answer on this machine at most. A bare epoll loop that answers
// every Produce 7 with the same success, keeping nothing; for raw_loader only, whose topic it reads from
// the requests. Prints {"kafka":"127.0.0.1:port"} and ends by itself.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/bench/sockets/frames.h"

namespace {

using namespace bench;

constexpr std::size_t kInput_bytes = 256 * 1024;
constexpr std::size_t kClientIdAt = 12;

struct Peer {
  int descriptor = -1;
  std::size_t filled = 0;
  std::unique_ptr<char[]> input{new char[kInput_bytes]};
  std::string output;
};

class Responder {
 public:
  bool listen_anywhere() {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0) return false;
    if (listen(listener_, 256) != 0) return false;
    if (getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size) != 0) return false;
    port_ = ntohs(here.sin_port);
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    watch(listener_, nullptr);
    return true;
  }
  std::uint16_t port() const { return port_; }

  void run() {
    epoll_event events[256];
    for (;;) {
      const int count = epoll_wait(epoll_, events, 256, -1);
      for (int i = 0; i < count; ++i) {
        if (events[i].data.ptr == nullptr) {
          accept_all();
        } else {
          serve(static_cast<Peer*>(events[i].data.ptr));
        }
      }
    }
  }

 private:
  void watch(int descriptor, Peer* peer) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = peer;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }

  void accept_all() {
    for (;;) {
      const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor < 0) return;
      const int on = 1;
      setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      auto* peer = new Peer;
      peer->descriptor = descriptor;
      watch(descriptor, peer);
    }
  }

  void serve(Peer* peer) {
    const ssize_t got =
        recv(peer->descriptor, peer->input.get() + peer->filled, kInput_bytes - peer->filled, 0);
    if (got < 0 && errno == EAGAIN) return;
    bool fine = got > 0;
    if (fine) {
      peer->filled += static_cast<std::size_t>(got);
      fine = answer_all(*peer);
    }
    // A loader never has more in flight than a socket takes.
    if (fine && !peer->output.empty()) {
      const ssize_t sent = send(peer->descriptor, peer->output.data(), peer->output.size(), MSG_NOSIGNAL);
      fine = sent == static_cast<ssize_t>(peer->output.size());
      peer->output.clear();
    }
    if (!fine) {
      close(peer->descriptor);
      delete peer;
    }
  }

  bool answer_all(Peer& peer) {
    std::size_t at = 0;
    while (peer.filled - at >= 4) {
      const std::size_t size = big_endian32(peer.input.get() + at) + std::size_t{4};
      if (size < kClientIdAt || size > kInput_bytes) return false;
      if (peer.filled - at < size) break;
      answer(peer.output, std::string_view(peer.input.get() + at, size));
      at += size;
    }
    peer.filled -= at;
    std::memmove(peer.input.get(), peer.input.get() + at, peer.filled);
    return true;
  }

  void answer(std::string& output, std::string_view request) {
    const auto api_key = static_cast<std::int16_t>(big_endian32(request.data() + 4) >> 16);
    if (api_key == kProduce && produce_.empty()) produce_ = produce_answer(request);
    const std::size_t from = output.size();
    output += api_key == kProduce ? produce_ : other_answer(api_key, request);
    std::memcpy(&output[from + 4], request.data() + kCorrelationAt, 4);
  }

  static std::string framed(Writer body) {
    Writer out;
    out.int32(static_cast<std::int64_t>(body.size()));
    out.raw(body.view());
    return out.take();
  }

  std::string other_answer(std::int16_t api_key, std::string_view request) const {
    Writer body;
    body.int32(0);  // correlation id
    if (api_key != kMetadata) return framed(std::move(body));
    Reader in(request.substr(kClientIdAt));
    (void)in.text();
    (void)in.number(4);
    body.int32(1);  // brokers
    body.int32(1);
    body.text("127.0.0.1");
    body.int32(port_);
    body.null_text();
    body.int32(1);  // controller
    body.int32(1);  // topics
    body.int16(0);
    body.text(in.text());
    body.int8(0);
    body.int32(1);  // partitions
    body.int16(0);
    body.int32(0);
    body.int32(1);                              // leader
    for (int i = 0; i < 4; ++i) body.int32(1);  // replicas, in-sync replicas: one each, broker 1
    return framed(std::move(body));
  }

  static std::string produce_answer(std::string_view request) {
    Reader in(request.substr(kClientIdAt));
    (void)in.text();
    (void)in.text();  // transactional id
    in.skip(2 + 4 + 4);
    Writer body;
    body.int32(0);  // correlation id
    body.int32(1);
    body.text(in.text());
    body.int32(1);
    in.skip(4);
    body.int32(in.number(4));  // partition
    body.int16(0);             // error
    body.int64(0);             // base offset
    body.int64(-1);
    body.int64(0);
    body.int32(0);
    return framed(std::move(body));
  }

  int listener_ = -1;
  int epoll_ = -1;
  std::uint16_t port_ = 0;
  std::string produce_;
};

}  // namespace

int main(int argc, char** argv) {
  Responder responder;
  if (!responder.listen_anywhere()) {
    std::perror("epoll_limit");
    return 1;
  }
  alarm(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 600U);
  std::printf("{\"kafka\":\"127.0.0.1:%u\"}\n", responder.port());
  std::fflush(stdout);
  responder.run();
}

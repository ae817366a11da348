// The control API over real sockets: limits, malformed and slow clients, several at a time.
#include "harness/control/http_server.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace wt;
using namespace wt::harness;

namespace {

class SlowBackend final : public ControlBackend {
 public:
  std::string execute(std::string) override {
    ++begun;
    while (hold) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return R"({"ok":true,"executed":true})";
  }
  std::string query(std::string) override {
    if (broken) throw std::runtime_error("on purpose");
    return R"({"ok":true,"queried":true})";
  }
  std::string advance(DurationNs, bool) override { return R"({"ok":true})"; }
  std::string wait_rule(const RuleWait&) override { return R"({"ok":true})"; }
  std::string flush_recording() override { return R"({"ok":true})"; }
  std::atomic<bool> hold = false;
  std::atomic<bool> broken = false;
  std::atomic<int> begun = 0;
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(port);
    inet_pton(AF_INET, "127.0.0.1", &peer.sin_addr);
    const timeval limit{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&peer), sizeof peer) == 0);
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { ::close(socket_); }

  bool send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // Until the text was seen, or the connection ended.
  std::string read_until(std::string_view wanted) {
    std::string all;
    char piece[4096];
    while (wanted.empty() || all.find(wanted) == std::string::npos) {
      const ssize_t got = ::recv(socket_, piece, sizeof piece, 0);
      if (got <= 0) break;
      all.append(piece, static_cast<std::size_t>(got));
    }
    return all;
  }
  std::string read_all() { return read_until(""); }

 private:
  int socket_;
};

struct Rig {
  explicit Rig(const HttpServerOptions& options = {}) : server(*HttpServer::start(backend, options)) {}
  bool answers() {
    RawClient client(server->port());
    client.send("GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    return client.read_all().find("queried") != std::string::npos;
  }
  SlowBackend backend;
  std::unique_ptr<HttpServer> server;
};

}  // namespace

TEST_CASE("requests are answered one after the other on one connection") {
  Rig rig;
  RawClient client(rig.server->port());
  for (int i = 0; i < 3; ++i) {
    client.send("POST /v1/topics HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n{\"name\":\"x\"}");
    const std::string answer = client.read_until("executed");
    CHECK(answer.find("HTTP/1.1 201") == 0);
    CHECK(answer.find("Content-Type: application/json") != std::string::npos);
  }
}

TEST_CASE("what is no HTTP is answered 400 or dropped, and the next client is served") {
  Rig rig;
  const char* const wrong[] = {"nonsense\r\n\r\n",
                               "GET\r\n\r\n",
                               "GET /v1 HTTP/9.9\r\n\r\n",
                               "\x16\x03\x01\x02",
                               "POST /v1/topics HTTP/1.1\r\nContent-Length: x\r\n\r\n",
                               "GET /v1 HTTP/1.1\r\nbroken header\r\n\r\n"};
  for (const char* text : wrong) {
    RawClient client(rig.server->port());
    client.send(text);
    ::usleep(1000);
    INFO(text);
    if (std::string_view(text).find("\r\n\r\n") != std::string_view::npos) {
      CHECK(client.read_all().find("HTTP/1.1 400") == 0);
    }
    CHECK(rig.answers());
  }
}

TEST_CASE("a body or header that is too long is refused with a status") {
  Rig rig;
  {
    RawClient client(rig.server->port());
    client.send("POST /v1/topics HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
    CHECK(client.read_all().find("HTTP/1.1 413") == 0);
  }
  {
    RawClient client(rig.server->port());
    client.send("POST /v1/topics HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n" +
                std::string(2'000'000, 'x'));
    CHECK(client.read_all().find("HTTP/1.1 413") == 0);
  }
  {
    RawClient client(rig.server->port());
    client.send("GET /v1 HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n");
    CHECK(client.read_all().find("HTTP/1.1 431") == 0);
  }
  CHECK(rig.answers());
}

TEST_CASE("a client that does not finish its request is dropped, and meanwhile disturbs nobody") {
  HttpServerOptions options;
  options.read_limit_ms = 300;
  Rig rig(options);
  RawClient slow(rig.server->port());
  slow.send("POST /v1/topics HTTP/1.1\r\nHost: x\r\nContent-Le");
  CHECK(rig.answers());
  CHECK(slow.read_all().empty());  // ends, because the server closes
}

TEST_CASE("a call that takes long does not hold up others") {
  Rig rig;
  rig.backend.hold = true;
  RawClient waiting(rig.server->port());
  waiting.send("POST /v1/controller/crash HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  CHECK(rig.answers());
  rig.backend.hold = false;
  CHECK(waiting.read_until("executed").find("HTTP/1.1 200") == 0);
}

TEST_CASE("calls that wait, more than a few of them, do not hold up others") {
  Rig rig;
  rig.backend.hold = true;
  std::vector<std::unique_ptr<RawClient>> waiting;
  for (int i = 0; i < 16; ++i) {
    waiting.push_back(std::make_unique<RawClient>(rig.server->port()));
    waiting.back()->send("POST /v1/controller/crash HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  }
  CHECK(rig.answers());
  rig.backend.hold = false;
  for (auto& client : waiting) CHECK(client->read_until("executed").find("HTTP/1.1 200") == 0);
}

TEST_CASE("a client that leaves in the middle of its call disturbs nobody") {
  Rig rig;
  rig.backend.hold = true;
  {
    RawClient leaving(rig.server->port());
    leaving.send("POST /v1/controller/crash HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    while (rig.backend.begun == 0) std::this_thread::yield();
  }
  CHECK(rig.answers());
  rig.backend.hold = false;
  CHECK(rig.answers());
}

TEST_CASE("a call that is pending when the server stops is answered") {
  Rig rig;
  rig.backend.hold = true;
  RawClient idle(rig.server->port());
  RawClient waiting(rig.server->port());
  waiting.send("POST /v1/controller/crash HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  while (rig.backend.begun == 0) std::this_thread::yield();
  std::thread stopping([&] { rig.server->stop(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  rig.backend.hold = false;
  stopping.join();
  CHECK(waiting.read_all().find("executed") != std::string::npos);
}

TEST_CASE("an exception in a call is answered 500 and ends nothing") {
  Rig rig;
  rig.backend.broken = true;
  RawClient client(rig.server->port());
  client.send("GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(client.read_until("on purpose").find("HTTP/1.1 500") == 0);
  rig.backend.broken = false;
  CHECK(rig.answers());
}

TEST_CASE("beyond the limit of connections clients are told that it is busy") {
  HttpServerOptions options;
  options.max_connections = 2;
  Rig rig(options);
  RawClient first(rig.server->port());
  RawClient second(rig.server->port());
  RawClient third(rig.server->port());
  CHECK(third.read_all().find("HTTP/1.1 503") == 0);
}

TEST_CASE("a port that is taken is an error with a sentence") {
  Rig rig;
  HttpServerOptions options;
  options.port = rig.server->port();
  const auto second = HttpServer::start(rig.backend, options);
  REQUIRE_FALSE(second.ok());
  CHECK(std::string(message_of(second.status())).find(std::to_string(options.port)) != std::string::npos);
}

TEST_CASE("the server can be stopped with open connections, and twice") {
  Rig rig;
  RawClient idle(rig.server->port());
  RawClient half(rig.server->port());
  half.send("GET /v1 HT");
  rig.server->stop();
  rig.server->stop();
}

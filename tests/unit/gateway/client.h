// A plain blocking client, as a user's program would have one.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tests/unit/gateway/echo.h"

namespace wt::harness {

class Client {
 public:
  Client() = default;
  explicit Client(std::uint16_t port) { connect(port); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  Client(Client&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_) {}
  ~Client() { close(); }

  bool connect(std::uint16_t port) {
    close();
    descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval limit{5, 0};  // a test that hangs fails instead
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const int on = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    error_ =
        ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
    return error_ == 0;
  }
  int error() const { return error_; }
  int descriptor() const { return descriptor_; }

  void send_raw(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void send(std::string_view text) { send_raw(framed(text)); }
  // Exactly so many bytes, or fewer at the end of the stream.
  std::string receive_raw(std::size_t size_bytes) {
    std::string bytes(size_bytes, '\0');
    std::size_t at = 0;
    while (at < size_bytes) {
      const ssize_t got = ::recv(descriptor_, bytes.data() + at, size_bytes - at, 0);
      if (got < 0) error_ = errno;
      if (got <= 0) break;
      at += static_cast<std::size_t>(got);
    }
    bytes.resize(at);
    return bytes;
  }
  // The next answer; nothing at the end of the stream.
  std::optional<std::string> receive() {
    const std::string head = receive_raw(4);
    if (head.size() < 4) return std::nullopt;
    std::size_t size_bytes = 0;
    for (const char c : head) size_bytes = size_bytes << 8 | static_cast<std::uint8_t>(c);
    return receive_raw(size_bytes);
  }
  std::optional<std::string> ask(std::string_view text) {
    send(text);
    return receive();
  }
  void half_close() { ::shutdown(descriptor_, SHUT_WR); }
  void reset() {
    const linger at_once{1, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }

 private:
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace wt::harness

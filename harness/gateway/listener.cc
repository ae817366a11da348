#include "harness/gateway/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace wt::harness {

namespace {

constexpr int kBacklog = 1024;

// With it, a port whose last user's connections linger counts as free, and so does one that is bound by
// somebody who allows it and does not listen.
void set_reuse(int descriptor, bool on) {
  const int value = on ? 1 : 0;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &value, sizeof value);
}

Status socket_error(const std::string& what, int error) {
  StatusCode code = StatusCode::kUnavailable;
  if (error == EADDRINUSE) code = StatusCode::kAlreadyExists;
  if (error == EACCES || error == EPERM) code = StatusCode::kPermissionDenied;
  if (error == EMFILE || error == ENFILE || error == ENOMEM) code = StatusCode::kResourceExhausted;
  return make_status(code, what + ": " + std::strerror(error));
}

}  // namespace

StatusOr<std::unique_ptr<Listener>> Listener::bind(std::size_t index, const std::string& host,
                                                   std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
    return make_status(StatusCode::kInvalidArgument, "not an IPv4 address: " + host);
  }
  const std::string name = host + ":" + std::to_string(port);
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return socket_error("cannot open a socket for " + name, errno);
  std::unique_ptr<Listener> listener(new Listener(index, descriptor, port));
  set_reuse(descriptor, true);
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return socket_error("cannot bind " + name, errno);
  }
  socklen_t size_bytes = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size_bytes) != 0) {
    return socket_error("cannot learn the port of " + name, errno);
  }
  if (port == 0) {
    // A port that the machine has chosen is lost when the socket stops listening; one that was asked for
    // stays. So ask for the one that was found, while it is still held.
    return bind(index, host, ntohs(address.sin_port));
  }
  return listener;
}

Listener::~Listener() {
  ::close(descriptor_);
}

Status Listener::listen(Poller& poller) {
  if (listening_) return ok_status();
  set_reuse(descriptor_, true);  // connections of before may still be open on the port
  if (::listen(descriptor_, kBacklog) != 0) {
    return socket_error("cannot listen on port " + std::to_string(port_), errno);
  }
  Status watched = poller.add(descriptor_, Poller::kIn, *this);
  listening_ = watched.ok();
  return watched;
}

void Listener::stop(Poller& poller) {
  if (!listening_) return;
  listening_ = false;
  poller.remove(descriptor_);
  // On Linux this ends listening and keeps the socket bound.
  ::shutdown(descriptor_, SHUT_RDWR);
  set_reuse(descriptor_, false);  // nobody else may bind the port meanwhile
}

int Listener::accept() {
  for (;;) {
    const int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) {
      const int on = 1;
      ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return descriptor;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) return kOutOfDescriptors;
    return -1;
  }
}

}  // namespace wt::harness

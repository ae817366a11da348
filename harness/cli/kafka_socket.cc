#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/cli/demo_client.h"

namespace wt::harness::cli {
namespace {

constexpr std::uint32_t kMostAnswer_bytes = 64U << 20;

Status unavailable(const std::string& message) {
  return make_status(StatusCode::kUnavailable, message);
}

void set_limits(int descriptor, int limit_ms) {
  const timeval limit{limit_ms / 1000, (limit_ms % 1000) * 1000};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

StatusOr<std::unique_ptr<KafkaSocket>> KafkaSocket::connect(const std::string& address, int answer_limit_ms) {
  const std::size_t colon = address.rfind(':');
  sockaddr_in peer{};
  peer.sin_family = AF_INET;
  if (colon == std::string::npos ||
      inet_pton(AF_INET, address.substr(0, colon).c_str(), &peer.sin_addr) != 1) {
    return make_status(StatusCode::kInvalidArgument, "'" + address + "' is no address.");
  }
  peer.sin_port = htons(static_cast<std::uint16_t>(std::strtoul(address.c_str() + colon + 1, nullptr, 10)));
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return unavailable("There is no socket left.");
  std::unique_ptr<KafkaSocket> socket(new KafkaSocket(descriptor));
  set_limits(descriptor, answer_limit_ms);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) != 0) {
    return unavailable(address + " refuses the connection.");
  }
  return socket;
}

KafkaSocket::~KafkaSocket() {
  ::close(descriptor_);
}

bool KafkaSocket::send_all(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool KafkaSocket::receive_all(std::uint8_t* into, std::size_t size_bytes) {
  while (size_bytes > 0) {
    const ssize_t got = ::recv(descriptor_, into, size_bytes, 0);
    if (got <= 0) return false;
    into += got;
    size_bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

StatusOr<Slice> KafkaSocket::exchange(const SliceList& request) {
  if (!send_all(flatten(request).bytes())) return unavailable("The connection broke while sending.");
  std::uint8_t prefix[4];
  if (!receive_all(prefix, sizeof prefix)) return unavailable("The connection broke before the answer.");
  std::uint32_t size_bytes = 0;
  for (const std::uint8_t byte : prefix) size_bytes = size_bytes << 8 | byte;
  if (size_bytes > kMostAnswer_bytes) return unavailable("The answer has no sensible length.");
  std::vector<std::uint8_t> frame(size_bytes);
  if (!receive_all(frame.data(), frame.size())) return unavailable("The connection broke within the answer.");
  return Slice::copy_of(frame);
}

}  // namespace wt::harness::cli

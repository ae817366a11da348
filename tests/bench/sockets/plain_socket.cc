#include "tests/bench/sockets/plain_socket.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

namespace bench {

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<Address> parse_address(const std::string& text) {
  const std::string first = text.substr(0, text.find(','));
  const std::size_t colon = first.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  Address address;
  address.host = first.substr(0, colon);
  const auto read = std::from_chars(first.data() + colon + 1, first.data() + first.size(), address.port);
  if (read.ec != std::errc() || read.ptr != first.data() + first.size()) return std::nullopt;
  return address;
}

Socket dial(const Address& address) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(address.port);
  const std::string host = address.host == "localhost" ? "127.0.0.1" : address.host;
  if (inet_pton(AF_INET, host.c_str(), &to.sin_addr) != 1) return {};
  Socket out(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!out || connect(out.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return {};
  const int on = 1;
  setsockopt(out.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // Nothing here waits for ever.
  const timeval patience{10, 0};
  setsockopt(out.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return out;
}

bool send_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

namespace {

bool receive_exactly(int descriptor, char* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = recv(descriptor, to, bytes, 0);
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::optional<std::string> receive_frame(int descriptor) {
  constexpr std::uint32_t kMost_bytes = 64U << 20;
  char length[4];
  if (!receive_exactly(descriptor, length, sizeof length)) return std::nullopt;
  const std::uint32_t size = big_endian32(length);
  if (size > kMost_bytes) return std::nullopt;
  std::string frame(size, '\0');
  if (!receive_exactly(descriptor, frame.data(), size)) return std::nullopt;
  return frame;
}

std::optional<std::string> ask(const Address& address, const std::string& request) {
  const Socket socket = dial(address);
  if (!socket || !send_all(socket.get(), request)) return std::nullopt;
  return receive_frame(socket.get());
}

namespace {

std::optional<ClusterMap> look(const Address& broker, std::optional<std::string_view> topic) {
  const auto answer = ask(broker, metadata_request(topic));
  return answer ? read_metadata(*answer, topic.value_or("")) : std::nullopt;
}

}  // namespace

std::vector<Address> find_leaders(const Address& broker, const TopicWish& topic, double patience_s) {
  // Some servers create topics at the controller only. Whatever the answer is, Metadata tells whether the
  // topic is there.
  if (const auto map = look(broker, std::nullopt); map && map->controller.port != 0) {
    (void)ask(map->controller, create_topic_request(topic.name, topic.partitions, topic.replication));
  }
  const double end_s = monotonic_s() + patience_s;
  for (;;) {
    const auto leaders = look(broker, topic.name).value_or(ClusterMap()).leaders;
    const auto led = [](const Address& leader) { return leader.port != 0; };
    if (leaders.size() >= static_cast<std::size_t>(topic.partitions) &&
        std::all_of(leaders.begin(), leaders.end(), led)) {
      return leaders;
    }
    if (monotonic_s() >= end_s) return {};
    usleep(20'000);
  }
}

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

double monotonic_s() {
  return static_cast<double>(monotonic_ns()) * 1e-9;
}

}  // namespace bench

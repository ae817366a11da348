#include "tests/conformance/runner/socket_target.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <thread>

#include "absl/strings/str_cat.h"
#include "sim/formats/byte_reader.h"

namespace wt::conformance {

namespace {

constexpr std::size_t kLargestFrame_bytes = 256U << 20;

int connect_to(const Address& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found) != 0) return -1;
  int fd = -1;
  for (const addrinfo* at = found; at != nullptr && fd < 0; at = at->ai_next) {
    fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
      ::close(fd);
      fd = -1;
    }
  }
  freeaddrinfo(found);
  const int on = 1;
  if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

bool wait_readable(int fd, std::int64_t wait_ms) {
  pollfd entry{fd, POLLIN, 0};
  return poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(wait_ms, 0))) > 0;
}

}  // namespace

struct SocketTarget::Connection {
  explicit Connection(int descriptor) : fd(descriptor) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(fd); }

  // Whether the other side closed while nobody was reading.
  bool is_dead() const {
    std::uint8_t byte = 0;
    if (!buffered.empty() || !wait_readable(fd, 0)) return false;
    return recv(fd, &byte, 1, MSG_PEEK) <= 0;
  }
  // Nothing while the frame is incomplete; the length is taken as it is, the caller bounds it.
  bool take_frame(Slice& frame) {
    if (buffered.size() < 4) return false;
    ByteReader reader(buffered);
    const std::size_t size = reader.u32();
    if (buffered.size() < 4 + size) return false;
    frame = Slice::copy_of(std::span(buffered).subspan(4, size));
    buffered.erase(buffered.begin(), buffered.begin() + static_cast<std::ptrdiff_t>(4 + size));
    return true;
  }

  int fd;
  std::vector<std::uint8_t> buffered;
};

absl::StatusOr<std::vector<Address>> parse_addresses(std::string_view text) {
  std::vector<Address> out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    const std::size_t colon = one.rfind(':');
    Address address;
    if (colon != std::string_view::npos) {
      address.host = std::string(one.substr(0, colon));
      std::from_chars(one.data() + colon + 1, one.data() + one.size(), address.port);
    }
    if (address.host.empty() || address.port <= 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("no host:port: ", absl::string_view(one.data(), one.size())));
    }
    out.push_back(std::move(address));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  if (out.empty()) return absl::InvalidArgumentError("no addresses");
  return out;
}

SocketTarget::SocketTarget(std::vector<Address> brokers, Control control)
    : brokers_(std::move(brokers)), control_(std::move(control)) {}
SocketTarget::~SocketTarget() = default;

std::int64_t SocketTarget::now_ms() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

void SocketTarget::sleep_ms(std::int64_t duration_ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(duration_ms));
}

void SocketTarget::close_all() {
  connections_.clear();
}

absl::StatusOr<SocketTarget::Connection*> SocketTarget::open(const ConnectionId& id) {
  if (id.broker < 1 || id.broker > broker_count()) return absl::InvalidArgumentError("no such broker");
  std::unique_ptr<Connection>& slot = connections_[id];
  if (slot != nullptr && slot->is_dead()) slot.reset();
  if (slot == nullptr) {
    const int fd = connect_to(brokers_[static_cast<std::size_t>(id.broker - 1)]);
    if (fd < 0) return absl::UnavailableError(absl::StrCat("cannot connect to broker ", id.broker));
    slot = std::make_unique<Connection>(fd);
  }
  return slot.get();
}

absl::Status SocketTarget::send(const ConnectionId& id, const SliceList& bytes) {
  const absl::StatusOr<Connection*> connection = open(id);
  if (!connection.ok()) return connection.status();
  const Slice all = flatten(bytes);
  for (std::size_t sent = 0; sent < all.size();) {
    const ssize_t n = ::send((*connection)->fd, all.data() + sent, all.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return absl::OkStatus();  // closed already: receive() will say so
    sent += static_cast<std::size_t>(n);
  }
  return absl::OkStatus();
}

Reply SocketTarget::receive(const ConnectionId& id, std::int64_t wait_ms) {
  const auto found = connections_.find(id);
  if (found == connections_.end() || found->second == nullptr) return {Reply::Kind::kClosed, {}};
  Connection& connection = *found->second;
  const std::int64_t give_up_ms = now_ms() + wait_ms;
  while (true) {
    Reply reply{Reply::Kind::kFrame, {}};
    if (connection.take_frame(reply.frame)) return reply;
    const std::int64_t left_ms = give_up_ms - now_ms();
    if (left_ms <= 0 || !wait_readable(connection.fd, left_ms)) return {Reply::Kind::kNothing, {}};
    std::uint8_t piece[65536];
    const ssize_t n = recv(connection.fd, piece, sizeof piece, 0);
    if (n <= 0 || connection.buffered.size() > kLargestFrame_bytes) {
      connections_.erase(found);
      return {Reply::Kind::kClosed, {}};
    }
    connection.buffered.insert(connection.buffered.end(), piece, piece + n);
  }
}

absl::Status SocketTarget::crash_broker(int broker) {
  if (!control_) return absl::UnimplementedError("nobody can crash brokers of this target (--control)");
  return control_("crash", broker);
}

absl::Status SocketTarget::restart_broker(int broker) {
  if (!control_) return absl::UnimplementedError("nobody can restart brokers of this target (--control)");
  return control_("restart", broker);
}

}  // namespace wt::conformance

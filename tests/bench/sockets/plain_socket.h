// Blocking TCP to 127.0.0.1 and the simple exchanges that come before a measurement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/bench/sockets/frames.h"

namespace bench {

// Owns a descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// "host:port", the first of a list separated by commas. Hosts are IPv4 addresses or "localhost".
std::optional<Address> parse_address(const std::string& text);
// Not connected: empty.
Socket dial(const Address& address);
bool send_all(int descriptor, std::string_view bytes);
// The next frame without its length; nothing when the connection ended or it is over 64 MiB.
std::optional<std::string> receive_frame(int descriptor);
std::optional<std::string> ask(const Address& address, const std::string& request);

struct TopicWish {
  std::string name;
  std::int32_t partitions = 1;
  std::int16_t replication = -1;
};
// Creates the topic if it is not there (a broker without CreateTopics makes it when asked for it) and
// returns the leaders of the partitions; empty when there are none in time.
std::vector<Address> find_leaders(const Address& broker, const TopicWish& topic, double patience_s);

double monotonic_s();
std::int64_t monotonic_ns();

}  // namespace bench

// A port on the loopback address that can stop and start listening without being given up: while a
// simulated broker is down, its port refuses connections and stays reserved.
#pragma once

#include <memory>
#include <string>

#include "harness/gateway/poller.h"

namespace wt::harness {

class Listener final : public PollSource {
 public:
  // Binds; does not listen yet. Port 0: any free one.
  static StatusOr<std::unique_ptr<Listener>> bind(std::size_t index, const std::string& host,
                                                  std::uint16_t port);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  std::size_t index() const noexcept { return index_; }
  std::uint16_t port() const noexcept { return port_; }
  int descriptor() const noexcept { return descriptor_; }
  bool listening() const noexcept { return listening_; }

  Status listen(Poller& poller);
  // Refuses from now on. Connections that nobody has accepted yet are reset.
  void stop(Poller& poller);

  // One connection: its socket, non-blocking and without delay; -1 when none waits now, and
  // kOutOfDescriptors when one waits but no descriptor is left for it.
  int accept();
  static constexpr int kOutOfDescriptors = -2;

 private:
  Listener(std::size_t index, int descriptor, std::uint16_t port)
      : PollSource(Kind::listener), index_(index), descriptor_(descriptor), port_(port) {}

  std::size_t index_;
  int descriptor_;
  std::uint16_t port_;
  bool listening_ = false;
};

}  // namespace wt::harness

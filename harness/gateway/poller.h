// Readiness of sockets: epoll, level-triggered, and a way to wake it from another thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/kernel/status.h"
#include "sim/kernel/time.h"

namespace wt::harness {

// What an event is for; connections and listeners begin with this.
struct PollSource {
  enum class Kind : std::uint8_t { wake, listener, connection };
  explicit PollSource(Kind source_kind) : kind(source_kind) {}
  Kind kind;
};

class Poller {
 public:
  static constexpr std::uint32_t kIn = 1;
  static constexpr std::uint32_t kOut = 4;
  static constexpr std::uint32_t kBroken = 8 | 16;  // error or both directions closed

  struct Ready {
    PollSource* source;
    std::uint32_t events;
  };

  Poller() = default;
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;
  ~Poller();

  Status open();
  // From any thread: ends a wait, or keeps the next one from sleeping.
  void wake() noexcept;
  Status add(int descriptor, std::uint32_t events, PollSource& source);
  void change(int descriptor, std::uint32_t events, PollSource& source);
  void remove(int descriptor);
  // Waits at most so long (negative: without limit) and gives what is ready. Woken: an empty answer is fine.
  std::span<const Ready> wait(DurationNs at_most_ns);

 private:
  int epoll_ = -1;
  int wake_ = -1;
  PollSource wake_source_{PollSource::Kind::wake};
  std::vector<Ready> ready_;
};

}  // namespace wt::harness

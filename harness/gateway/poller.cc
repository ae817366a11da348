#include "harness/gateway/poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace wt::harness {

static_assert(Poller::kIn == EPOLLIN && Poller::kOut == EPOLLOUT && Poller::kBroken == (EPOLLERR | EPOLLHUP));

namespace {

epoll_event event_for(std::uint32_t events, PollSource& source) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &source;
  return event;
}

}  // namespace

Poller::~Poller() {
  if (epoll_ >= 0) ::close(epoll_);
  if (wake_ >= 0) ::close(wake_);
}

Status Poller::open() {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (epoll_ < 0 || wake_ < 0) {
    return make_status(StatusCode::kResourceExhausted,
                       std::string("cannot watch sockets: ") + std::strerror(errno));
  }
  return add(wake_, kIn, wake_source_);
}

void Poller::wake() noexcept {
  const std::uint64_t one = 1;
  (void)!::write(wake_, &one, sizeof one);
}

Status Poller::add(int descriptor, std::uint32_t events, PollSource& source) {
  epoll_event event = event_for(events, source);
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0) return ok_status();
  return make_status(StatusCode::kResourceExhausted,
                     std::string("cannot watch a socket: ") + std::strerror(errno));
}

void Poller::change(int descriptor, std::uint32_t events, PollSource& source) {
  epoll_event event = event_for(events, source);
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event);
}

void Poller::remove(int descriptor) {
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
}

std::span<const Poller::Ready> Poller::wait(DurationNs at_most_ns) {
  constexpr DurationNs kMost_ms = 1'000'000;
  const int timeout_ms =
      at_most_ns < 0
          ? -1
          : static_cast<int>(std::min(kMost_ms, (at_most_ns + kMillisecond_ns - 1) / kMillisecond_ns));
  std::array<epoll_event, 256> events;
  const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
  ready_.clear();
  for (int i = 0; i < count; ++i) {
    auto* source = static_cast<PollSource*>(events[static_cast<std::size_t>(i)].data.ptr);
    if (source == &wake_source_) {
      std::uint64_t wakes = 0;
      (void)!::read(wake_, &wakes, sizeof wakes);
      continue;
    }
    ready_.push_back({source, events[static_cast<std::size_t>(i)].events});
  }
  return ready_;
}

}  // namespace wt::harness

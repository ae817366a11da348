#include "harness/gateway/connection.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace wt::harness {

namespace {

constexpr std::size_t kMaxGathered = 512;

}  // namespace

// --- readiness ---

Connection::~Connection() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Connection::update_interest(Poller& poller) {
  if (descriptor_ < 0) return;
  const std::uint32_t wanted = (reading() ? Poller::kIn : 0U) | (waits_to_write_ ? Poller::kOut : 0U);
  // The poller reports a closed socket even to those who wait for nothing, again and again.
  if (wanted == 0 && (broken_ || hung_up_)) {
    if (in_poller_) poller.remove(descriptor_);
    in_poller_ = false;
    watched_ = 0;
    return;
  }
  if (!in_poller_) {
    in_poller_ = poller.add(descriptor_, wanted, *this).ok();
  } else if (watched_ != wanted) {
    poller.change(descriptor_, wanted, *this);
  }
  watched_ = wanted;
}

// --- reading ---

Connection::ReadEnd Connection::read(ReadBuffer& buffer, std::size_t limit_bytes,
                                     std::vector<Slice>& pieces) {
  if (tls_ != nullptr) return read_tls(buffer, limit_bytes, pieces);
  while (limit_bytes > 0) {
    std::span<std::uint8_t> room = buffer.room();
    room = room.first(std::min(room.size(), limit_bytes));
    const ssize_t got = ::recv(descriptor_, room.data(), room.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return ReadEnd::open;
    if (got < 0) {
      broken_ = true;
      return ReadEnd::reset;
    }
    if (got == 0) {
      read_ended_ = true;
      return ReadEnd::end_of_stream;
    }
    pieces.push_back(buffer.take(static_cast<std::size_t>(got)));
    limit_bytes -= static_cast<std::size_t>(got);
    if (static_cast<std::size_t>(got) < room.size()) return ReadEnd::open;  // nothing more for now
  }
  return ReadEnd::open;
}

bool Connection::broken_by_peer() {
  int error = 0;
  socklen_t size_bytes = sizeof error;
  ::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size_bytes);
  if (error != 0) {
    broken_ = true;
  } else {
    hung_up_ = true;
  }
  return error != 0;
}

// --- writing ---

void Connection::queue(SliceList bytes) {
  if (broken_) return;
  for (Slice& slice : bytes) {
    if (slice.empty()) continue;
    queued_bytes_ += slice.size();
    queued_.push_back(std::move(slice));
  }
}

namespace {

void drop_sent(std::deque<Slice>& from, std::size_t size_bytes) noexcept {
  while (size_bytes > 0) {
    Slice& first = from.front();
    if (size_bytes < first.size()) {
      first = first.from(size_bytes);
      return;
    }
    size_bytes -= first.size();
    from.pop_front();
  }
}

}  // namespace

Connection::SendEnd Connection::send_from(std::deque<Slice>& from, std::size_t& size_bytes) noexcept {
  while (!from.empty()) {
    std::array<iovec, kMaxGathered> gathered;
    std::size_t count = 0;
    std::size_t gathered_bytes = 0;
    for (const Slice& slice : from) {
      if (count == gathered.size()) break;
      gathered[count++] = {const_cast<std::uint8_t*>(slice.data()), slice.size()};
      gathered_bytes += slice.size();
    }
    msghdr message{};
    message.msg_iov = gathered.data();
    message.msg_iovlen = count;
    const ssize_t sent = ::sendmsg(descriptor_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM))
      return SendEnd::blocked;
    if (sent < 0) return SendEnd::broken;
    size_bytes -= static_cast<std::size_t>(sent);
    drop_sent(from, static_cast<std::size_t>(sent));
    if (static_cast<std::size_t>(sent) < gathered_bytes) return SendEnd::blocked;
  }
  return SendEnd::all;
}

bool Connection::gone() noexcept {
  broken_ = true;
  queued_.clear();
  queued_bytes_ = 0;
  wire_.clear();
  wire_bytes_ = 0;
  return false;
}

bool Connection::send_queued() {
  if (broken_ || descriptor_ < 0) return false;
  waits_to_write_ = false;
  if (tls_ != nullptr) return send_tls();
  const SendEnd end = send_from(queued_, queued_bytes_);
  if (end == SendEnd::broken) return gone();
  waits_to_write_ = end == SendEnd::blocked;
  if (end == SendEnd::all) after_sending();
  return true;
}

void Connection::after_sending() noexcept {
  if (!ending_ || write_shut_) return;
  write_shut_ = true;
  ::shutdown(descriptor_, SHUT_WR);
}

void Connection::abort() noexcept {
  if (descriptor_ < 0) return;
  queued_.clear();
  queued_bytes_ = 0;
  wire_.clear();
  wire_bytes_ = 0;
  const linger at_once{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(descriptor_);
  descriptor_ = -1;
}

void Connection::close() noexcept {
  if (descriptor_ < 0) return;
  // Unread bytes would turn the close into a reset, which can overtake what was just sent.
  std::array<std::uint8_t, 4096> rest;
  for (int i = 0; i < 64 && ::recv(descriptor_, rest.data(), rest.size(), MSG_DONTWAIT) > 0; ++i) {
  }
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace wt::harness

#include "harness/gateway/connection.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace wt::harness {

namespace {

// A block with less room than this is not read into any more: short reads cost more than memory.
constexpr std::size_t kLeastRoom_bytes = 64 * 1024;
constexpr std::size_t kMaxGathered = 512;

}  // namespace

// --- blocks ---

ReadBuffer::~ReadBuffer() {
  if (block_ != nullptr) block_->unref();
}

std::span<std::uint8_t> ReadBuffer::room() {
  if (block_ != nullptr && block_->unique()) used_bytes_ = 0;  // nobody refers to what was read before
  if (block_ != nullptr && block_->capacity() - used_bytes_ < kLeastRoom_bytes) {
    block_->unref();
    block_ = nullptr;
  }
  if (block_ == nullptr) {
    block_ = Block::create(kReadBlock_bytes);
    used_bytes_ = 0;
  }
  return {block_->data() + used_bytes_, block_->capacity() - used_bytes_};
}

Slice ReadBuffer::take(std::size_t size_bytes) {
  Slice slice(block_, block_->data() + used_bytes_, size_bytes);
  used_bytes_ += size_bytes;
  return slice;
}

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

void Connection::drop_sent(std::size_t size_bytes) noexcept {
  queued_bytes_ -= size_bytes;
  while (size_bytes > 0) {
    Slice& first = queued_.front();
    if (size_bytes < first.size()) {
      first = first.from(size_bytes);
      return;
    }
    size_bytes -= first.size();
    queued_.pop_front();
  }
}

bool Connection::send_queued() {
  if (broken_ || descriptor_ < 0) return false;
  waits_to_write_ = false;
  while (!queued_.empty()) {
    std::array<iovec, kMaxGathered> gathered;
    std::size_t count = 0;
    std::size_t gathered_bytes = 0;
    for (const Slice& slice : queued_) {
      if (count == gathered.size()) break;
      gathered[count++] = {const_cast<std::uint8_t*>(slice.data()), slice.size()};
      gathered_bytes += slice.size();
    }
    msghdr message{};
    message.msg_iov = gathered.data();
    message.msg_iovlen = count;
    const ssize_t sent = ::sendmsg(descriptor_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM)) {
      waits_to_write_ = true;
      return true;
    }
    if (sent < 0) {
      broken_ = true;
      queued_.clear();
      queued_bytes_ = 0;
      return false;
    }
    drop_sent(static_cast<std::size_t>(sent));
    if (static_cast<std::size_t>(sent) < gathered_bytes) {
      waits_to_write_ = true;
      return true;
    }
  }
  after_sending();
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

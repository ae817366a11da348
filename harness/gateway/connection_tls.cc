// A connection whose peer speaks TLS.
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "harness/gateway/connection.h"

namespace wt::harness {
namespace {

// Encrypted and not sent: no more than this is made ahead.
constexpr std::size_t kMostAhead_bytes = 256 * 1024;

}  // namespace

void Connection::take_tls_output() {
  Slice bytes = tls_->output();
  if (bytes.empty()) return;
  wire_bytes_ += bytes.size();
  wire_.push_back(std::move(bytes));
}

// All that is read from the socket is decrypted at once, so that nothing is left where the poller cannot
// see it; what is plain is never more than what was encrypted, but for the rest of one record.
Connection::ReadEnd Connection::read_tls(ReadBuffer& buffer, std::size_t limit_bytes,
                                         std::vector<Slice>& pieces) {
  std::array<std::uint8_t, 64 * 1024> encrypted;
  while (limit_bytes > 0) {
    const std::size_t most = std::min(encrypted.size(), limit_bytes);
    const ssize_t got = ::recv(descriptor_, encrypted.data(), most, 0);
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
    const auto size_bytes = static_cast<std::size_t>(got);
    const TlsEngine::End end = tls_->take(std::span(encrypted.data(), size_bytes), buffer, pieces);
    take_tls_output();
    if (end == TlsEngine::End::failed) {
      (void)send_from(wire_, wire_bytes_);  // the alert that says why, if the socket takes it
      gone();
      return ReadEnd::reset;
    }
    if (end == TlsEngine::End::end_of_stream) {
      read_ended_ = true;
      return ReadEnd::end_of_stream;
    }
    limit_bytes -= size_bytes;
    if (size_bytes < most) return ReadEnd::open;
  }
  return ReadEnd::open;
}

bool Connection::send_tls() {
  for (;;) {
    while (!queued_.empty() && wire_bytes_ < kMostAhead_bytes && tls_->established()) {
      const Slice next = queued_.front();
      if (!tls_->encrypt(next.bytes())) return gone();
      queued_bytes_ -= next.size();
      queued_.pop_front();
      take_tls_output();
    }
    if (queued_.empty() && (ending_ || over_) && !std::exchange(end_told_, true)) {
      tls_->end();
      take_tls_output();
    }
    const SendEnd end = send_from(wire_, wire_bytes_);
    if (end == SendEnd::broken) return gone();
    waits_to_write_ = end == SendEnd::blocked;
    if (waits_to_write_) return true;
    if (queued_.empty() || !tls_->established()) break;
  }
  if (queued_.empty()) after_sending();
  return true;
}

}  // namespace wt::harness

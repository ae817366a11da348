// The real socket of one connection: non-blocking reads into shared blocks, gathered sends.
//
// Knows nothing about the simulation; the driver carries bytes between the two.
#pragma once

#include <deque>
#include <memory>

#include "harness/gateway/poller.h"
#include "harness/gateway/read_buffer.h"
#include "harness/gateway/tls.h"
#include "sim/network/byte_stream.h"

namespace wt::harness {

class Connection final : public PollSource {
 public:
  // Takes the socket over. With `tls` the peer has to speak it; null: plain text.
  Connection(ConnectionId id, int descriptor, const TlsContext* tls = nullptr)
      : PollSource(Kind::connection), id_(id), descriptor_(descriptor) {
    if (tls != nullptr) tls_ = std::make_unique<TlsEngine>(*tls);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  ConnectionId id() const noexcept { return id_; }
  bool closed() const noexcept { return descriptor_ < 0; }

  // --- readiness ---
  // Tells the poller what this connection waits for; call after anything here has changed.
  void update_interest(Poller& poller);

  // --- reading ---
  enum class ReadEnd : std::uint8_t { open, end_of_stream, reset };
  // Reads until nothing is left or `limit_bytes` came; each piece is one read.
  ReadEnd read(ReadBuffer& buffer, std::size_t limit_bytes, std::vector<Slice>& pieces);
  // Something to send has come of reading: TLS answers by itself.
  bool wants_to_send() const noexcept { return !wire_.empty(); }
  // Why the peer's bytes made no sense, after a reset for that reason; else empty.
  std::string refusal() const { return tls_ == nullptr ? std::string() : tls_->failure(); }
  bool reading() const noexcept { return !read_paused_ && !read_ended_ && !broken_; }
  void pause_reading(bool paused) noexcept { read_paused_ = paused; }
  bool reading_paused() const noexcept { return read_paused_; }
  bool read_ended() const noexcept { return read_ended_; }
  // After an event that says "broken": true when the peer has reset the connection; otherwise both
  // directions have ended in good order, and the poller is not asked about that again.
  bool broken_by_peer();

  // --- writing ---
  void queue(SliceList bytes);
  // No more bytes will be queued; when all are sent, the peer is told the end.
  void end_writing() noexcept { ending_ = true; }
  // The simulation has let go: when all is sent, the socket can be closed.
  void set_over() noexcept { over_ = true; }
  // Sends what the socket takes. False when the peer is gone.
  bool send_queued();
  bool waits_to_write() const noexcept { return waits_to_write_; }
  std::size_t queued_bytes() const noexcept { return queued_bytes_; }
  bool finished() const noexcept { return over_ && queued_.empty() && wire_.empty(); }
  // Drops what is queued and closes with a reset.
  void abort() noexcept;
  // Closes in good order.
  void close() noexcept;

  // Marks of the driver.
  bool output_blocked = false;
  bool dirty = false;  // on the driver's list for sending
  std::size_t listener = 0;

 private:
  enum class SendEnd : std::uint8_t { all, blocked, broken };
  SendEnd send_from(std::deque<Slice>& from, std::size_t& size_bytes) noexcept;
  ReadEnd read_tls(ReadBuffer& buffer, std::size_t limit_bytes, std::vector<Slice>& pieces);
  bool send_tls();
  void take_tls_output();
  bool gone() noexcept;
  void after_sending() noexcept;

  ConnectionId id_;
  int descriptor_;
  std::uint32_t watched_ = 0;  // events that the poller knows
  bool in_poller_ = false;
  bool read_paused_ = false;
  bool read_ended_ = false;
  bool write_shut_ = false;
  bool waits_to_write_ = false;
  bool ending_ = false;
  bool over_ = false;
  bool broken_ = false;
  bool hung_up_ = false;
  std::deque<Slice> queued_;
  std::size_t queued_bytes_ = 0;
  // With TLS: what is queued goes through the engine, some of it at a time, and then waits here.
  std::unique_ptr<TlsEngine> tls_;
  std::deque<Slice> wire_;
  std::size_t wire_bytes_ = 0;
  bool end_told_ = false;
};

}  // namespace wt::harness

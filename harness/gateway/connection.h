// The real socket of one connection: non-blocking reads into shared blocks, gathered sends.
//
// Knows nothing about the simulation; the driver carries bytes between the two.
#pragma once

#include <deque>

#include "harness/gateway/poller.h"
#include "sim/network/byte_stream.h"

namespace wt::harness {

// Where bytes are read to. Small reads of many connections share a block.
class ReadBuffer {
 public:
  ReadBuffer() = default;
  ReadBuffer(const ReadBuffer&) = delete;
  ReadBuffer& operator=(const ReadBuffer&) = delete;
  ~ReadBuffer();
  // Room for one read: never empty.
  std::span<std::uint8_t> room();
  // The first bytes of the room, which were filled.
  Slice take(std::size_t size_bytes);

 private:
  Block* block_ = nullptr;
  std::size_t used_bytes_ = 0;
};

class Connection final : public PollSource {
 public:
  // Takes the socket over.
  Connection(ConnectionId id, int descriptor)
      : PollSource(Kind::connection), id_(id), descriptor_(descriptor) {}
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
  bool finished() const noexcept { return over_ && queued_.empty(); }
  // Drops what is queued and closes with a reset.
  void abort() noexcept;
  // Closes in good order.
  void close() noexcept;

  // Marks of the driver.
  bool output_blocked = false;
  bool dirty = false;  // on the driver's list for sending

 private:
  void after_sending() noexcept;
  void drop_sent(std::size_t size_bytes) noexcept;

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
};

}  // namespace wt::harness

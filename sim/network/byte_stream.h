// Byte streams between nodes: what TCP is to the protocols above.
//
// A connection has two ends. An end in the simulation is held as a ByteStream by a task of a process
// and read with `co_await`. An end outside (a real socket behind the gateway, or a recording that is
// replayed) is driven through the external_* calls of Streams; those are inputs and go to the journal
// first. Bytes are slices and are never copied here.
//
// When a process dies its connections end: what it had written still arrives, then end of stream;
// a node that vanishes (`Streams::vanish`) says nothing at all.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "sim/formats/slice.h"
#include "sim/kernel/status.h"
#include "sim/kernel/sync.h"
#include "sim/network/links.h"

namespace wt {

using ConnectionId = std::uint64_t;

class Streams;

// One end of a connection. Movable; destroying it closes the connection in good order. It may outlive
// the Streams it came from, and then acts on nothing. Tasks that wait on an end that is closed or reset
// here go on: a read says Unavailable.
class ByteStream {
 public:
  ByteStream() = default;
  ByteStream(Streams* streams, ConnectionId id, int side);
  ByteStream(ByteStream&& other) noexcept
      : network_(std::move(other.network_)), id_(other.id_), side_(other.side_) {}
  ByteStream& operator=(ByteStream&& other) noexcept {
    if (this == &other) return *this;
    close();
    network_ = std::move(other.network_);
    id_ = other.id_;
    side_ = other.side_;
    return *this;
  }
  ~ByteStream() { close(); }

  ConnectionId id() const noexcept { return id_; }
  explicit operator bool() const noexcept { return network_ != nullptr; }

  // The next bytes, in pieces as they arrived. An empty slice at end of stream; Unavailable once the
  // connection was reset, or closed here. One reader at a time.
  class ReadAwaiter;
  ReadAwaiter read(Process& process);
  // Waits until the peer has taken enough that writing may go on. One waiter at a time.
  class DrainAwaiter;
  DrainAwaiter drained(Process& process);
  // True when the peer lags behind by more than the window; write() takes the bytes all the same.
  bool congested() const;
  // Bytes that have arrived and were not read.
  std::size_t readable_bytes() const;
  // Whether another side still exists and no reset came.
  bool open() const;

  // Sends; dropped silently when the connection is gone, as a socket's buffer would be.
  void write(SliceList bytes);
  void shutdown_write();
  void close();
  void reset();

 private:
  Streams* streams() const noexcept { return network_ == nullptr ? nullptr : *network_; }

  std::shared_ptr<Streams*> network_;  // what it points to is null once the Streams are gone
  ConnectionId id_ = 0;
  int side_ = 0;
};

class Acceptor {
 public:
  virtual ~Acceptor() = default;
  virtual void on_accept(ByteStream stream) = 0;
};

struct StreamOptions {
  std::size_t window_bytes = 4 * 1024 * 1024;  // unread bytes after which a writer should wait
};

class Streams {
 public:
  Streams(Kernel& kernel, Links& links, const StreamOptions& options);
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  // Ends all processes, whose frames may wait here.
  ~Streams();

  // The acceptor is part of `process` and is forgotten when it dies.
  void listen(NodeId node, Process& process, Acceptor& acceptor);
  // How a node answers a connect although somebody listens.
  enum class ConnectFault : std::uint8_t { none, refuse, hang };
  void set_connect_fault(NodeId node, ConnectFault fault) { connect_faults_[node] = fault; }

  // For tasks. Unavailable: refused. DeadlineExceeded: no answer in time.
  Task<StatusOr<ByteStream>> connect(Process& process, NodeId from, NodeId to, DurationNs timeout_ns);

  // The node goes silent: its connections neither end nor answer (half-open at the peers).
  void vanish(NodeId node);

  // --- ends outside the simulation ---
  // A client of the outside node `from` has connected to `to`. Unavailable when nobody listens.
  StatusOr<ConnectionId> external_connect(NodeId from, NodeId to);
  void external_write(ConnectionId id, Slice bytes);
  void external_shutdown_write(ConnectionId id);
  void external_reset(ConnectionId id);
  // The outside cannot take more for now: bytes stay here and count against the writer's window.
  void external_blocked(ConnectionId id, bool blocked);
  // Connections whose outgoing side changed since the last call, ascending.
  std::vector<ConnectionId> external_changed();
  bool external_pending() const noexcept { return !changed_.empty(); }
  struct External {
    SliceList bytes;
    bool ended = false;  // the simulation closed its side: no more bytes will come
    bool reset = false;  // … at once; the connection is gone
  };
  // What is to be sent to the outside now.
  External external_take(ConnectionId id);
  // Bytes given in that the simulation has not read yet; none once it will not read them any more.
  std::size_t external_backlog(ConnectionId id) const;
  bool exists(ConnectionId id) const { return connections_.contains(id); }

  std::size_t open_connections() const noexcept { return connections_.size(); }
  // Connections with an end on this node, ascending.
  std::vector<ConnectionId> connections_of(NodeId node) const;
  // Ends a connection from above, as a rule or an operator would.
  void reset_connection(ConnectionId id);

 private:
  friend class ByteStream;
  friend class ByteStream::ReadAwaiter;
  friend class ByteStream::DrainAwaiter;

  struct End {
    NodeId node = 0;
    ProcessId process = 0;  // 0: outside
    bool outside = false;
    bool blocked = false;    // outside only
    bool gone = false;       // handle destroyed, process dead or socket closed
    bool silent = false;     // vanished: says nothing and hears nothing
    bool unheld = false;     // no program has ever taken it
    std::uint64_t sent = 0;  // pieces sent by this end
    // What came from the other end. A piece that overtook another waits for it.
    std::uint64_t arrived = 0;
    std::map<std::uint64_t, SliceList> early;
    std::deque<Slice> received;
    std::size_t received_bytes = 0;
    std::size_t expected_bytes = 0;  // sent by the other end and not yet read here
    bool end_of_stream = false;
    bool end_sent = false;  // this end has said that it writes no more
    bool reset = false;
    ByteStream::ReadAwaiter* reader = nullptr;
    ByteStream::DrainAwaiter* drain = nullptr;  // waits on this end for the other one to read
  };
  struct Connection {
    End ends[2];
    bool opened = false;  // the connecting side knows
  };

  class ConnectAwaiter;

  Connection* find(ConnectionId id);
  const Connection* find(ConnectionId id) const;
  ConnectionId create(NodeId from, ProcessId from_process, NodeId to, ProcessId to_process);
  void send(ConnectionId id, int from_side, SliceList bytes);
  void post(ConnectionId id, int from_side, Label kind, SliceList bytes);
  void arrive(ConnectionId id, int at_side, std::uint64_t piece, SliceList bytes);
  void take_piece(End& end, SliceList bytes);
  void send_end(ConnectionId id, int from_side);
  void send_reset(ConnectionId id, int from_side);
  void mark_reset(ConnectionId id, int at_side);
  void mark_reset_end(ConnectionId id, int at_side);
  void leave(ConnectionId id, int side);
  void consumed(ConnectionId id, int at_side, std::size_t size_bytes);
  void changed(ConnectionId id, int side);
  void accept_connect(std::uint64_t attempt, NodeId from, NodeId to, ProcessId connecting);
  void on_death(ProcessId process);
  bool is_congested(const Connection& connection, int side) const;
  void collect(ConnectionId id);
  Acceptor* acceptor_at(NodeId node);
  void hand_over(Acceptor& acceptor, ConnectionId id);

  struct Listener {
    ProcessId process = 0;
    Acceptor* acceptor = nullptr;
  };

  Kernel& kernel_;
  Links& links_;
  StreamOptions options_;
  std::map<NodeId, Listener> listeners_;
  std::map<NodeId, ConnectFault> connect_faults_;
  std::map<ConnectionId, Connection> connections_;
  std::set<ConnectionId> changed_;
  std::map<std::uint64_t, ConnectAwaiter*> connecting_;
  ConnectionId next_connection_ = 1;
  std::uint64_t next_connect_ = 1;
  std::uint64_t death_callback_ = 0;
  std::shared_ptr<Streams*> self_ = std::make_shared<Streams*>(this);
};

class [[nodiscard]] ByteStream::ReadAwaiter {
 public:
  ReadAwaiter(Streams* streams, Process& process, ConnectionId id, int side)
      : streams_(streams), process_(process), id_(id), side_(side) {}
  ReadAwaiter(const ReadAwaiter&) = delete;
  ReadAwaiter& operator=(const ReadAwaiter&) = delete;
  ~ReadAwaiter();
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> frame);
  StatusOr<Slice> await_resume();

 private:
  friend class Streams;
  void wake();

  Streams* streams_;
  Process& process_;
  ConnectionId id_;
  int side_;
  bool linked_ = false;
  std::coroutine_handle<> frame_;
  EventId event_;
};

class [[nodiscard]] ByteStream::DrainAwaiter {
 public:
  DrainAwaiter(Streams* streams, Process& process, ConnectionId id, int side)
      : streams_(streams), process_(process), id_(id), side_(side) {}
  DrainAwaiter(const DrainAwaiter&) = delete;
  DrainAwaiter& operator=(const DrainAwaiter&) = delete;
  ~DrainAwaiter();
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> frame);
  void await_resume() const noexcept {}

 private:
  friend class Streams;
  void wake();

  Streams* streams_;
  Process& process_;
  ConnectionId id_;
  int side_;
  bool linked_ = false;
  std::coroutine_handle<> frame_;
  EventId event_;
};

}  // namespace wt

#include "sim/network/byte_stream.h"

#include <utility>

namespace wt {

// --- the handle ---

ByteStream::ReadAwaiter ByteStream::read(Process& process) {
  return ReadAwaiter(streams_, process, id_, side_);
}
ByteStream::DrainAwaiter ByteStream::drained(Process& process) {
  return DrainAwaiter(streams_, process, id_, side_);
}

bool ByteStream::congested() const {
  const Streams::Connection* connection = streams_ != nullptr ? streams_->find(id_) : nullptr;
  if (connection == nullptr) return false;
  const Streams::End& peer = connection->ends[1 - side_];
  return !peer.gone && !connection->ends[side_].reset &&
         peer.expected_bytes > streams_->options_.window_bytes;
}

std::size_t ByteStream::readable_bytes() const {
  const Streams::Connection* connection = streams_ != nullptr ? streams_->find(id_) : nullptr;
  return connection == nullptr ? 0 : connection->ends[side_].received_bytes;
}

bool ByteStream::open() const {
  const Streams::Connection* connection = streams_ != nullptr ? streams_->find(id_) : nullptr;
  return connection != nullptr && !connection->ends[side_].reset && !connection->ends[1 - side_].gone;
}

void ByteStream::write(SliceList bytes) {
  if (streams_ != nullptr) streams_->send(id_, side_, std::move(bytes));
}

void ByteStream::shutdown_write() {
  if (streams_ != nullptr) streams_->send_end(id_, side_);
}

void ByteStream::close() {
  if (streams_ == nullptr) return;
  Streams* streams = std::exchange(streams_, nullptr);
  streams->send_end(id_, side_);
  streams->leave(id_, side_);
}

void ByteStream::reset() {
  if (streams_ == nullptr) return;
  Streams* streams = std::exchange(streams_, nullptr);
  streams->send_reset(id_, side_);
  streams->leave(id_, side_);
}

// --- waiting ---

ByteStream::ReadAwaiter::~ReadAwaiter() {
  process_.cancel(event_);
  if (!linked_) return;
  if (Streams::Connection* connection = streams_->find(id_)) connection->ends[side_].reader = nullptr;
}

bool ByteStream::ReadAwaiter::await_ready() const {
  const Streams::Connection* connection = streams_ != nullptr ? streams_->find(id_) : nullptr;
  if (connection == nullptr) return true;
  const Streams::End& end = connection->ends[side_];
  return !end.received.empty() || end.end_of_stream || end.reset;
}

void ByteStream::ReadAwaiter::await_suspend(std::coroutine_handle<> frame) {
  Streams::End& end = streams_->find(id_)->ends[side_];
  WT_INVARIANT(end.reader == nullptr, "network.stream.reader",
               "two readers on connection " + std::to_string(id_));
  frame_ = frame;
  linked_ = true;
  end.reader = this;
}

void ByteStream::ReadAwaiter::wake() {
  linked_ = false;
  event_ = process_.resume_soon(frame_);
}

StatusOr<Slice> ByteStream::ReadAwaiter::await_resume() {
  Streams::Connection* connection = streams_ != nullptr ? streams_->find(id_) : nullptr;
  if (connection == nullptr) return make_status(StatusCode::kUnavailable, "connection is gone");
  Streams::End& end = connection->ends[side_];
  if (end.reset) return make_status(StatusCode::kUnavailable, "connection reset");
  if (end.received.empty()) return Slice();
  Slice bytes = std::move(end.received.front());
  end.received.pop_front();
  streams_->consumed(id_, side_, bytes.size());
  return bytes;
}

ByteStream::DrainAwaiter::~DrainAwaiter() {
  process_.cancel(event_);
  if (!linked_) return;
  if (Streams::Connection* connection = streams_->find(id_)) connection->ends[side_].drain = nullptr;
}

bool ByteStream::DrainAwaiter::await_ready() const {
  const Streams::Connection* connection = streams_ != nullptr ? streams_->find(id_) : nullptr;
  if (connection == nullptr) return true;
  const Streams::End& peer = connection->ends[1 - side_];
  return peer.gone || connection->ends[side_].reset || peer.expected_bytes <= streams_->options_.window_bytes;
}

void ByteStream::DrainAwaiter::await_suspend(std::coroutine_handle<> frame) {
  frame_ = frame;
  linked_ = true;
  streams_->find(id_)->ends[side_].drain = this;
}

void ByteStream::DrainAwaiter::wake() {
  linked_ = false;
  event_ = process_.resume_soon(frame_);
}

// --- connections ---

Streams::Streams(Kernel& kernel, Links& links, const StreamOptions& options)
    : kernel_(kernel), links_(links), options_(options) {
  kernel_.on_death([this](ProcessId process) { on_death(process); });
}

void Streams::listen(NodeId node, Process& process, Acceptor& acceptor) {
  listeners_[node] = Listener{process.id(), &acceptor};
}

Acceptor* Streams::acceptor_at(NodeId node) {
  const auto found = listeners_.find(node);
  if (found == listeners_.end() || kernel_.process(found->second.process) == nullptr) return nullptr;
  return found->second.acceptor;
}

Streams::Connection* Streams::find(ConnectionId id) {
  const auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : &found->second;
}
const Streams::Connection* Streams::find(ConnectionId id) const {
  const auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : &found->second;
}

ConnectionId Streams::create(NodeId from, ProcessId from_process, NodeId to, ProcessId to_process) {
  const ConnectionId id = next_connection_++;
  Connection& connection = connections_[id];
  connection.ends[0].node = from;
  connection.ends[0].process = from_process;
  connection.ends[0].outside = from_process == 0;
  connection.ends[1].node = to;
  connection.ends[1].process = to_process;
  kernel_.record(to_process, "network.accept"_label, id, from, to);
  return id;
}

void Streams::send(ConnectionId id, int from_side, SliceList bytes) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[from_side];
  End& peer = connection->ends[1 - from_side];
  if (end.end_sent || end.reset || peer.gone) return;
  const std::size_t size_bytes = total_size(bytes);
  if (size_bytes == 0) return;
  peer.expected_bytes += size_bytes;
  if (links_.clear(end.node, peer.node)) {
    arrive(id, 1 - from_side, std::move(bytes));
    return;
  }
  auto shared = std::make_shared<SliceList>(std::move(bytes));
  links_.transmit(end.node, peer.node, "network.bytes"_label, Links::WhenBlocked::wait,
                  [this, id, from_side, shared] { arrive(id, 1 - from_side, std::move(*shared)); });
}

void Streams::arrive(ConnectionId id, int at_side, SliceList bytes) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[at_side];
  if (end.gone || end.reset || end.silent) return;
  for (Slice& slice : bytes) {
    if (slice.empty()) continue;
    end.received_bytes += slice.size();
    end.received.push_back(std::move(slice));
  }
  changed(id, at_side);
}

// Wakes the reader of an end, or tells the outside.
void Streams::changed(ConnectionId id, int side) {
  End& end = connections_.at(id).ends[side];
  if (end.outside) {
    changed_.insert(id);
  } else if (end.reader != nullptr) {
    std::exchange(end.reader, nullptr)->wake();
  }
}

void Streams::consumed(ConnectionId id, int at_side, std::size_t size_bytes) {
  Connection& connection = connections_.at(id);
  End& end = connection.ends[at_side];
  WT_INVARIANT(end.received_bytes >= size_bytes && end.expected_bytes >= size_bytes,
               "network.stream.accounting", "more bytes read than sent on connection " + std::to_string(id));
  end.received_bytes -= size_bytes;
  end.expected_bytes -= size_bytes;
  End& writer = connection.ends[1 - at_side];
  if (writer.drain != nullptr && end.expected_bytes <= options_.window_bytes) {
    std::exchange(writer.drain, nullptr)->wake();
  }
}

void Streams::send_end(ConnectionId id, int from_side) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[from_side];
  End& peer = connection->ends[1 - from_side];
  if (std::exchange(end.end_sent, true) || end.silent) return;
  if (links_.clear(end.node, peer.node)) {
    mark_end(id, 1 - from_side);
    return;
  }
  links_.transmit(end.node, peer.node, "network.end"_label, Links::WhenBlocked::wait,
                  [this, id, from_side] { mark_end(id, 1 - from_side); });
}

void Streams::mark_end(ConnectionId id, int at_side) {
  Connection* connection = find(id);
  if (connection == nullptr || connection->ends[at_side].gone) return;
  connection->ends[at_side].end_of_stream = true;
  changed(id, at_side);
}

void Streams::send_reset(ConnectionId id, int from_side) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[from_side];
  End& peer = connection->ends[1 - from_side];
  end.end_sent = true;
  if (end.silent) return;
  if (links_.clear(end.node, peer.node)) {
    mark_reset(id, 1 - from_side);
    return;
  }
  links_.transmit(end.node, peer.node, "network.reset"_label, Links::WhenBlocked::wait,
                  [this, id, from_side] { mark_reset(id, 1 - from_side); });
}

void Streams::mark_reset(ConnectionId id, int at_side) {
  Connection* connection = find(id);
  if (connection == nullptr || connection->ends[at_side].gone) return;
  End& end = connection->ends[at_side];
  end.reset = true;
  end.received.clear();
  end.received_bytes = 0;
  end.expected_bytes = 0;
  changed(id, at_side);
  if (end.drain != nullptr) std::exchange(end.drain, nullptr)->wake();
}

// One end is no longer held by anybody.
void Streams::leave(ConnectionId id, int side) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[side];
  if (std::exchange(end.gone, true)) return;
  end.received.clear();
  end.received_bytes = 0;
  end.reader = nullptr;
  end.drain = nullptr;
  End& peer = connection->ends[1 - side];
  if (peer.drain != nullptr) std::exchange(peer.drain, nullptr)->wake();
  // A client of the outside that was told the end before learns now that the connection is over.
  if (peer.outside && !peer.gone && peer.end_of_stream) changed_.insert(id);
  collect(id);
}

void Streams::collect(ConnectionId id) {
  Connection* connection = find(id);
  if (connection == nullptr || !connection->ends[0].gone || !connection->ends[1].gone) return;
  connections_.erase(id);
  changed_.erase(id);
}

void Streams::on_death(ProcessId process) {
  std::erase_if(listeners_, [process](const auto& entry) { return entry.second.process == process; });
  std::vector<std::pair<ConnectionId, int>> mine;
  for (auto& [id, connection] : connections_) {
    for (int side = 0; side < 2; ++side) {
      if (!connection.ends[side].outside && connection.ends[side].process == process)
        mine.emplace_back(id, side);
    }
  }
  for (const auto& [id, side] : mine) {
    send_end(id, side);
    leave(id, side);
  }
}

void Streams::vanish(NodeId node) {
  for (auto& [id, connection] : connections_) {
    for (End& end : connection.ends) {
      if (end.node == node) end.silent = true;
    }
  }
}

std::vector<ConnectionId> Streams::connections_of(NodeId node) const {
  std::vector<ConnectionId> ids;
  for (const auto& [id, connection] : connections_) {
    if (connection.ends[0].node == node || connection.ends[1].node == node) ids.push_back(id);
  }
  return ids;
}

void Streams::reset_connection(ConnectionId id) {
  if (find(id) == nullptr) return;
  mark_reset(id, 0);
  mark_reset(id, 1);
}

// --- connecting from inside ---

class Streams::ConnectAwaiter {
 public:
  ConnectAwaiter(Streams& streams, Process& process, std::uint64_t attempt, DurationNs timeout_ns)
      : streams_(streams), process_(process), attempt_(attempt), timeout_ns_(timeout_ns) {
    streams_.connecting_[attempt_] = this;
  }
  ConnectAwaiter(const ConnectAwaiter&) = delete;
  ConnectAwaiter& operator=(const ConnectAwaiter&) = delete;
  ~ConnectAwaiter() {
    streams_.connecting_.erase(attempt_);
    process_.cancel(event_);
  }
  bool await_ready() const noexcept { return finished_; }
  void await_suspend(std::coroutine_handle<> frame) {
    frame_ = frame;
    event_ = process_.schedule_at(
        saturating_add(process_.now(), timeout_ns_), TimerKind::protocol,
        [](void* awaiter, std::uint64_t) {
          auto& self = *static_cast<ConnectAwaiter*>(awaiter);
          self.event_ = {};
          self.streams_.connecting_.erase(self.attempt_);
          self.process_.kernel().resume(self.frame_);
        },
        this);
  }
  StatusOr<ConnectionId> await_resume() { return std::move(result_); }
  void finish(StatusOr<ConnectionId> result) {
    result_ = std::move(result);
    finished_ = true;
    streams_.connecting_.erase(attempt_);
    if (!frame_) return;
    process_.cancel(event_);
    event_ = process_.resume_soon(frame_);
  }

 private:
  Streams& streams_;
  Process& process_;
  std::uint64_t attempt_;
  DurationNs timeout_ns_;
  bool finished_ = false;
  std::coroutine_handle<> frame_;
  EventId event_;
  StatusOr<ConnectionId> result_ = make_status(StatusCode::kDeadlineExceeded, "no answer to connect in time");
};

Task<StatusOr<ByteStream>> Streams::connect(Process& process, NodeId from, NodeId to, DurationNs timeout_ns) {
  const std::uint64_t attempt = next_connect_++;
  ConnectAwaiter answer(*this, process, attempt, timeout_ns);
  const ProcessId connecting_process = process.id();
  links_.transmit(
      from, to, "network.connect"_label, Links::WhenBlocked::wait,
      [this, attempt, from, to, connecting_process] {
        if (connect_faults_[to] == ConnectFault::hang) return;
        Acceptor* acceptor = connect_faults_[to] == ConnectFault::refuse ? nullptr : acceptor_at(to);
        StatusOr<ConnectionId> result = make_status(StatusCode::kUnavailable, "connection refused");
        if (acceptor != nullptr && kernel_.process(connecting_process) != nullptr) {
          const ConnectionId id = create(from, connecting_process, to, listeners_[to].process);
          acceptor->on_accept(ByteStream(this, id, 1));
          result = id;
        }
        links_.transmit(to, from, "network.connected"_label, Links::WhenBlocked::wait,
                        [this, attempt, result] {
                          const auto found = connecting_.find(attempt);
                          if (found != connecting_.end()) {
                            found->second->finish(result);
                          } else if (result.ok()) {
                            // Nobody waits any more: the connecting side closes.
                            ByteStream(this, *result, 0).close();
                          }
                        });
      });
  StatusOr<ConnectionId> id = co_await answer;
  if (!id.ok()) co_return id.status();
  co_return ByteStream(this, *id, 0);
}

// --- ends outside ---

StatusOr<ConnectionId> Streams::external_connect(NodeId from, NodeId to) {
  const auto fault = connect_faults_.find(to);
  Acceptor* acceptor = acceptor_at(to);
  if (acceptor == nullptr || (fault != connect_faults_.end() && fault->second == ConnectFault::refuse)) {
    return make_status(StatusCode::kUnavailable, "connection refused");
  }
  const ConnectionId id = create(from, 0, to, listeners_[to].process);
  if (fault != connect_faults_.end() && fault->second == ConnectFault::hang) {
    // Accepted by the machine, never by the program: bytes go nowhere.
    connections_[id].ends[1].silent = true;
    return id;
  }
  acceptor->on_accept(ByteStream(this, id, 1));
  return id;
}

void Streams::external_write(ConnectionId id, Slice bytes) {
  SliceList list;
  list.push_back(std::move(bytes));
  send(id, 0, std::move(list));
}

void Streams::external_shutdown_write(ConnectionId id) {
  send_end(id, 0);
}

void Streams::external_reset(ConnectionId id) {
  send_reset(id, 0);
  leave(id, 0);
}

void Streams::external_blocked(ConnectionId id, bool blocked) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  connection->ends[0].blocked = blocked;
  if (!blocked) changed_.insert(id);
}

std::vector<ConnectionId> Streams::external_changed() {
  const std::set<ConnectionId> taken = std::exchange(changed_, {});
  return {taken.begin(), taken.end()};
}

Streams::External Streams::external_take(ConnectionId id) {
  External out;
  Connection* connection = find(id);
  if (connection == nullptr) {
    out.ended = out.reset = true;
    return out;
  }
  End& end = connection->ends[0];
  out.reset = end.reset;
  if (!end.blocked) {
    const std::size_t size_bytes = end.received_bytes;
    out.bytes.assign(std::make_move_iterator(end.received.begin()),
                     std::make_move_iterator(end.received.end()));
    end.received.clear();
    if (size_bytes > 0) consumed(id, 0, size_bytes);
    out.ended = end.end_of_stream;
  }
  // Nothing more can come and the simulation has let go: the connection is over.
  if (out.reset || (out.ended && connection->ends[1].gone)) leave(id, 0);
  return out;
}

std::size_t Streams::external_backlog(ConnectionId id) const {
  const Connection* connection = find(id);
  return connection == nullptr ? 0 : connection->ends[1].expected_bytes;
}

}  // namespace wt

#include "sim/network/byte_stream.h"

#include <utility>

namespace wt {

// --- the handle ---

ByteStream::ByteStream(Streams* streams, ConnectionId id, int side)
    : network_(streams->self_), id_(id), side_(side) {}

ByteStream::ReadAwaiter ByteStream::read(Process& process) {
  return ReadAwaiter(streams(), process, id_, side_);
}
ByteStream::DrainAwaiter ByteStream::drained(Process& process) {
  return DrainAwaiter(streams(), process, id_, side_);
}

bool ByteStream::congested() const {
  const Streams::Connection* connection = streams() != nullptr ? streams()->find(id_) : nullptr;
  return connection != nullptr && streams()->is_congested(*connection, side_);
}

std::size_t ByteStream::readable_bytes() const {
  const Streams::Connection* connection = streams() != nullptr ? streams()->find(id_) : nullptr;
  return connection == nullptr ? 0 : connection->ends[side_].received_bytes;
}

bool ByteStream::open() const {
  const Streams::Connection* connection = streams() != nullptr ? streams()->find(id_) : nullptr;
  if (connection == nullptr || connection->ends[side_].reset) return false;
  const Streams::End& peer = connection->ends[1 - side_];
  return !peer.gone || peer.silent;
}

void ByteStream::write(SliceList bytes) {
  if (streams() != nullptr) streams()->send(id_, side_, std::move(bytes));
}

void ByteStream::shutdown_write() {
  if (streams() != nullptr) streams()->send_end(id_, side_);
}

void ByteStream::close() {
  Streams* network = streams();
  network_.reset();
  if (network == nullptr) return;
  network->send_end(id_, side_);
  network->leave(id_, side_);
}

void ByteStream::reset() {
  Streams* network = streams();
  network_.reset();
  if (network == nullptr) return;
  network->send_reset(id_, side_);
  network->leave(id_, side_);
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
  return !end.received.empty() || end.end_of_stream || end.reset || end.gone;
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
  if (end.gone) return make_status(StatusCode::kUnavailable, "connection closed here");
  WT_INVARIANT(!end.received.empty() || end.end_of_stream, "network.stream.reader",
               "two readers on connection " + std::to_string(id_));
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
  return connection == nullptr || !streams_->is_congested(*connection, side_);
}

void ByteStream::DrainAwaiter::await_suspend(std::coroutine_handle<> frame) {
  Streams::End& end = streams_->find(id_)->ends[side_];
  WT_INVARIANT(end.drain == nullptr, "network.stream.drain",
               "two tasks wait to write on connection " + std::to_string(id_));
  frame_ = frame;
  linked_ = true;
  end.drain = this;
}

void ByteStream::DrainAwaiter::wake() {
  linked_ = false;
  event_ = process_.resume_soon(frame_);
}

// --- connections ---

Streams::Streams(Kernel& kernel, Links& links, const StreamOptions& options)
    : kernel_(kernel), links_(links), options_(options) {
  death_callback_ = kernel_.on_death([this](ProcessId process) { on_death(process); });
}

Streams::~Streams() {
  kernel_.shut_down();
  kernel_.forget_death(death_callback_);
  *self_ = nullptr;
}

void Streams::listen(NodeId node, Process& process, Acceptor& acceptor) {
  listeners_[node] = Listener{process.id(), &acceptor};
}

Acceptor* Streams::acceptor_at(NodeId node) {
  const auto found = listeners_.find(node);
  if (found == listeners_.end() || kernel_.process(found->second.process) == nullptr) return nullptr;
  return found->second.acceptor;
}

// Gives the accepting end to the program that listens; that may well kill its process.
void Streams::hand_over(Acceptor& acceptor, ConnectionId id) {
  const Kernel::Visit visit(kernel_, *kernel_.process(connections_.at(id).ends[1].process));
  acceptor.on_accept(ByteStream(this, id, 1));
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

// A writer waits for an end that has vanished, as for one that does not read.
bool Streams::is_congested(const Connection& connection, int side) const {
  const End& peer = connection.ends[1 - side];
  if (connection.ends[side].reset || connection.ends[side].gone || (peer.gone && !peer.silent)) return false;
  return peer.expected_bytes > options_.window_bytes;
}

void Streams::send(ConnectionId id, int from_side, SliceList bytes) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[from_side];
  End& peer = connection->ends[1 - from_side];
  if (end.end_sent || end.reset || (peer.gone && !peer.silent)) return;
  std::erase_if(bytes, [](const Slice& slice) { return slice.empty(); });
  if (bytes.empty()) return;
  peer.expected_bytes += total_size(bytes);
  if (!end.silent) post(id, from_side, "network.bytes"_label, std::move(bytes));
}

// Sends one numbered piece: bytes, or the end of the stream when there are none.
void Streams::post(ConnectionId id, int from_side, Label kind, SliceList bytes) {
  Connection& connection = connections_.at(id);
  End& end = connection.ends[from_side];
  const End& peer = connection.ends[1 - from_side];
  const std::uint64_t piece = end.sent++;
  if (links_.clear(end.node, peer.node)) {
    arrive(id, 1 - from_side, piece, std::move(bytes));
    return;
  }
  links_.transmit(end.node, peer.node, kind, Links::WhenBlocked::wait,
                  [this, id, from_side, piece, bytes = std::move(bytes)]() mutable {
                    arrive(id, 1 - from_side, piece, std::move(bytes));
                  });
}

// Pieces count in the order of sending, whatever the order in which a test let them go.
void Streams::arrive(ConnectionId id, int at_side, std::uint64_t piece, SliceList bytes) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[at_side];
  if (end.gone || end.reset || end.silent) return;
  if (piece != end.arrived) {
    end.early.emplace(piece, std::move(bytes));
    return;
  }
  take_piece(end, std::move(bytes));
  for (auto next = end.early.begin(); next != end.early.end() && next->first == end.arrived;) {
    take_piece(end, std::move(next->second));
    next = end.early.erase(next);
  }
  changed(id, at_side);
}

void Streams::take_piece(End& end, SliceList bytes) {
  ++end.arrived;
  if (bytes.empty()) end.end_of_stream = true;
  for (Slice& slice : bytes) {
    end.received_bytes += slice.size();
    end.received.push_back(std::move(slice));
  }
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
  if (std::exchange(end.end_sent, true) || end.silent || end.reset) return;
  post(id, from_side, "network.end"_label, {});
}

void Streams::send_reset(ConnectionId id, int from_side) {
  Connection* connection = find(id);
  if (connection == nullptr) return;
  End& end = connection->ends[from_side];
  const End& peer = connection->ends[1 - from_side];
  end.end_sent = true;
  if (end.silent || end.gone || end.reset) return;
  if (links_.clear(end.node, peer.node)) {
    mark_reset(id, 1 - from_side);
    return;
  }
  links_.transmit(end.node, peer.node, "network.reset"_label, Links::WhenBlocked::wait,
                  [this, id, from_side] { mark_reset(id, 1 - from_side); });
}

void Streams::mark_reset(ConnectionId id, int at_side) {
  const Connection* connection = find(id);
  if (connection != nullptr && !connection->ends[at_side].silent) mark_reset_end(id, at_side);
}

void Streams::mark_reset_end(ConnectionId id, int at_side) {
  Connection* connection = find(id);
  if (connection == nullptr || connection->ends[at_side].gone) return;
  End& end = connection->ends[at_side];
  end.reset = true;
  end.received.clear();
  end.early.clear();
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
  end.early.clear();
  end.received_bytes = 0;
  if (!end.silent) end.expected_bytes = 0;
  // A task that still waits on this end goes on; in a dead process nothing does.
  if (end.reader != nullptr) std::exchange(end.reader, nullptr)->wake();
  if (end.drain != nullptr) std::exchange(end.drain, nullptr)->wake();
  End& peer = connection->ends[1 - side];
  if (peer.unheld) peer.gone = true;
  if (!end.silent && peer.drain != nullptr) std::exchange(peer.drain, nullptr)->wake();
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
  mark_reset_end(id, 0);
  mark_reset_end(id, 1);
}

}  // namespace wt

#include <fcntl.h>
#include <unistd.h>

#include "harness/gateway/driver.h"

namespace wt::harness {

namespace {
constexpr int kMaxAcceptsPerTurn = 128;
}

// --- waiting ---

std::span<const Poller::Ready> Driver::wait_for_sockets(DurationNs at_most_wall_ns) {
  if (recorder_ != nullptr && recorder_->has_unwritten() && at_most_wall_ns != 0) {
    // Before going to sleep, write down what happened; but not while there is something to do.
    const std::span<const Poller::Ready> ready = poller_.wait(0);
    if (!ready.empty() || !mailbox_.empty()) return ready;
    recorder_->flush();
  }
  return poller_.wait(at_most_wall_ns);
}

// --- inputs ---

// Reads from all that is ready, and asks again a few times: what comes while others are read is worked on
// in the same turn and answered with the same send.
void Driver::gather(std::span<const Poller::Ready> ready) {
  for (int round = 0; !ready.empty(); ++round) {
    for (const Poller::Ready& event : ready) {
      if (event.source->kind == PollSource::Kind::listener) {
        accept_from(static_cast<Listener&>(*event.source));
      } else {
        on_ready(static_cast<Connection&>(*event.source), event.events);
      }
    }
    if (round >= options_.gather_rounds) break;
    ready = poller_.wait(0);
  }
}

void Driver::accept_from(Listener& listener) {
  for (int i = 0; i < kMaxAcceptsPerTurn; ++i) {
    const int descriptor = listener.accept();
    if (descriptor == Listener::kOutOfDescriptors) return turn_away(listener);
    if (descriptor < 0) return;
    if (connections_.size() >= options_.max_connections) {
      ++stats_.connections_turned_away;
      ::close(descriptor);
      continue;
    }
    give_inputs();  // what was read before this connection came, in its own batch
    begin_batch();
    if (recorder_ != nullptr) {
      AcceptPayload payload;
      payload.listener = listener.index();
      recorder_->input_of(EntryKind::accept, payload);
      recorder_->flush();
    }
    const StatusOr<ConnectionId> id = boundary_.accept(listener.index());
    if (!id.ok()) {
      Connection refused(0, descriptor);
      refused.abort();
      boundary_.settle();
      continue;
    }
    ++stats_.connections_accepted;
    connections_[*id] = std::make_unique<Connection>(*id, descriptor, options_.tls.get());
    connections_[*id]->listener = listener.index();
    boundary_.settle();  // can end the connection again
    const auto accepted = connections_.find(*id);
    if (accepted != connections_.end()) accepted->second->update_interest(poller_);
  }
}

// No descriptor is left: with the spare one the connection is taken and closed, so that the client learns
// it and the poller does not report it for ever.
void Driver::turn_away(Listener& listener) {
  ++stats_.connections_turned_away;
  if (spare_descriptor_ < 0) return;
  ::close(spare_descriptor_);
  const int descriptor = listener.accept();
  if (descriptor >= 0) ::close(descriptor);
  spare_descriptor_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void Driver::on_ready(Connection& connection, std::uint32_t events) {
  if (connection.closed()) return;
  bool at_end = false;
  if ((events & Poller::kIn) != 0 && connection.reading()) {
    read_from(connection);
    at_end = !connection.reading();
  }
  if ((events & Poller::kOut) != 0) mark_dirty(connection);
  const bool unread = (events & Poller::kIn) != 0 && !at_end;
  if ((events & Poller::kBroken) != 0 && !unread) {
    if (connection.broken_by_peer()) inputs_.push_back({EntryKind::reset, connection.id(), {}});
  }
  connection.update_interest(poller_);
}

void Driver::read_from(Connection& connection) {
  pieces_.clear();
  const Connection::ReadEnd end = connection.read(read_buffer_, options_.read_limit_bytes, pieces_);
  for (Slice& piece : pieces_) {
    stats_.received_bytes += piece.size();
    inputs_.push_back({EntryKind::bytes, connection.id(), std::move(piece)});
  }
  pieces_.clear();
  if (end == Connection::ReadEnd::end_of_stream)
    inputs_.push_back({EntryKind::half_close, connection.id(), {}});
  if (end == Connection::ReadEnd::reset) {
    inputs_.push_back({EntryKind::reset, connection.id(), {}});
    note_refusal(connection);
  }
  if (connection.wants_to_send()) mark_dirty(connection);
}

void Driver::note_refusal(const Connection& connection) {
  constexpr std::size_t kMostKept = 256;
  std::string why = connection.refusal();
  if (why.empty()) return;
  if (turned_away_.size() >= kMostKept) turned_away_.pop_front();
  turned_away_.push_back({connection.id(), connection.listener, std::move(why), kernel_.now()});
}

// One batch: ordered by connection, written down with one write, given in together, worked off.
void Driver::give_inputs() {
  if (inputs_.empty()) return;
  std::stable_sort(inputs_.begin(), inputs_.end(),
                   [](const Input& a, const Input& b) { return a.connection < b.connection; });
  ConnectionId reset = 0;  // nothing counts after a reset, nor on a connection that was dropped meanwhile
  std::erase_if(inputs_, [this, &reset](const Input& input) {
    if (input.connection == reset || !connections_.contains(input.connection)) return true;
    if (input.kind == EntryKind::reset) reset = input.connection;
    if (streams_.exists(input.connection)) return false;
    // The simulation has let go before. A peer that is gone will not take the rest.
    if (input.kind == EntryKind::reset) drop(*connections_.at(input.connection), true);
    return true;
  });
  if (inputs_.empty()) return;
  begin_batch();
  if (recorder_ != nullptr) {
    for (const Input& input : inputs_) recorder_->input(input.kind, input.connection, input.bytes.bytes());
    recorder_->flush();
  }
  for (const Input& input : inputs_) give(input);
  inputs_.clear();
  boundary_.settle();
}

void Driver::give(const Input& input) {
  const auto found = connections_.find(input.connection);
  if (found == connections_.end()) return;
  Connection& connection = *found->second;
  switch (input.kind) {
    case EntryKind::bytes:
      touched_.push_back(&connection);
      boundary_.bytes(input.connection, input.bytes);
      break;
    case EntryKind::half_close:
      boundary_.half_close(input.connection);
      break;
    case EntryKind::reset:
      boundary_.reset(input.connection);
      drop(connection, true);
      break;
    default:
      break;
  }
}

// --- outputs ---

void Driver::on_outputs(std::vector<Output>& outputs) {
  if (recorder_ != nullptr) recorder_->outputs(outputs);
  for (Output& output : outputs) {
    const auto found = connections_.find(output.connection);
    if (found == connections_.end()) continue;
    Connection& connection = *found->second;
    if (output.reset) {
      drop(connection, true);
      continue;
    }
    connection.queue(std::move(output.bytes));
    if (output.ended) connection.end_writing();
    if (output.over) connection.set_over();
    if (output.blocked) connection.output_blocked = true;
    mark_dirty(connection);
  }
}

void Driver::mark_dirty(Connection& connection) {
  if (connection.dirty) return;
  connection.dirty = true;
  dirty_.push_back(&connection);
}

// Sending can show that a peer has gone, or that it has caught up, and both can set off more output.
void Driver::work_off_outputs() {
  constexpr int kMostRounds = 16;
  for (int round = 0; round < kMostRounds && outputs_left(); ++round) {
    send_all();
    give_inputs();
    unblock();
  }
}

void Driver::send_all() {
  std::sort(dirty_.begin(), dirty_.end(), [](const auto* a, const auto* b) { return a->id() < b->id(); });
  const std::vector<Connection*> dirty = std::exchange(dirty_, {});
  for (Connection* connection : dirty) {
    connection->dirty = false;
    send(*connection);
  }
}

void Driver::send(Connection& connection) {
  const std::size_t before_bytes = connection.queued_bytes();
  if (!connection.send_queued()) {
    inputs_.push_back({EntryKind::reset, connection.id(), {}});
    connection.update_interest(poller_);
    return;
  }
  stats_.sent_bytes += before_bytes - connection.queued_bytes();
  if (connection.finished()) return drop(connection, false);
  connection.update_interest(poller_);
  if (connection.output_blocked && connection.queued_bytes() < options_.unblocked_below_bytes) {
    caught_up_.push_back(connection.id());
  }
}

// An input, because when a client reads is up to the outside.
void Driver::unblock() {
  if (caught_up_.empty()) return;
  begin_batch();
  for (const ConnectionId id : caught_up_) {
    if (recorder_ != nullptr) recorder_->input(EntryKind::output_unblocked, id, {});
  }
  for (const ConnectionId id : std::exchange(caught_up_, {})) {
    connections_.at(id)->output_blocked = false;
    boundary_.unblocked(id);
  }
  boundary_.settle();
}

// Stops reading from clients that are ahead of the simulation, and goes on when it has caught up.
void Driver::check_backlogs() {
  std::vector<Connection*> paused = std::exchange(paused_, {});
  paused.insert(paused.end(), touched_.begin(), touched_.end());
  touched_.clear();
  std::sort(paused.begin(), paused.end());
  paused.erase(std::unique(paused.begin(), paused.end()), paused.end());
  for (Connection* connection : paused) {
    const bool ahead = streams_.external_backlog(connection->id()) > options_.max_backlog_bytes;
    if (ahead) paused_.push_back(connection);
    if (ahead == connection->reading_paused()) continue;
    connection->pause_reading(ahead);
    connection->update_interest(poller_);
  }
}

void Driver::drop(Connection& connection, bool abort) {
  if (abort) {
    connection.abort();
  } else {
    connection.close();
  }
  std::erase(dirty_, &connection);
  std::erase(touched_, &connection);
  std::erase(paused_, &connection);
  std::erase(caught_up_, connection.id());
  const auto found = connections_.find(connection.id());
  dropped_.push_back(std::move(found->second));
  connections_.erase(found);
}

}  // namespace wt::harness

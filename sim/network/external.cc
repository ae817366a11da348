// The ends of connections that are outside the simulation.
#include <iterator>
#include <utility>

#include "sim/network/byte_stream.h"

namespace wt {

StatusOr<ConnectionId> Streams::external_connect(NodeId from, NodeId to) {
  const auto fault = connect_faults_.find(to);
  Acceptor* acceptor = acceptor_at(to);
  if (acceptor == nullptr || (fault != connect_faults_.end() && fault->second == ConnectFault::refuse)) {
    return make_status(StatusCode::kUnavailable, "connection refused");
  }
  const ConnectionId id = create(from, 0, to, listeners_[to].process);
  if (fault != connect_faults_.end() && fault->second == ConnectFault::hang) {
    // Accepted by the machine, never by the program: bytes go nowhere.
    connections_[id].ends[1].silent = connections_[id].ends[1].unheld = true;
    return id;
  }
  hand_over(*acceptor, id);
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
  if (connection == nullptr || connection->ends[0].reset) return 0;
  const End& end = connection->ends[1];
  return end.gone && !end.silent ? 0 : end.expected_bytes;
}

}  // namespace wt

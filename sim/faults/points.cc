#include "sim/faults/rules.h"

namespace wt {

const std::vector<std::string_view>& known_fault_points() {
  static const std::vector<std::string_view> points = {
      // Appending to a stream, in the order of the path.
      "append.admitted",
      "append.lane.entered",
      "append.wal.before",
      "append.wal.durable",
      "append.protected",
      "append.intent.written",
      "append.head.before",
      "append.head.committed",
      "append.index.written",
      "append.recovery.started",
      "append.recovery.resolved",
      // Opening a partition as its leader, in the order of the path.
      "open.binding.resolved",
      "open.session.acquired",
      "open.head.read",
      "open.tail.replayed",
      "open.writable",
      "broker.derived.before",
      // Requests of Kafka clients; filter by api_key.
      "kafka.request.received",
      "kafka.request.answered",
      "kafka.sasl.authenticated",
      "kafka.produce.received",
      "kafka.produce.appended",
      "kafka.produce.answered",
      "kafka.fetch.received",
      "kafka.fetch.answered",
      // Group coordinator, in the order of an operation that writes; filter by group or api_key.
      "group.records.prepared",
      "group.records.appended",
      "group.answer.before",
      // Calls of the durable services.
      "metadata.get",
      "metadata.cas",
      "metadata.list",
      "metadata.session",
      "objects.put",
      "objects.get",
      "objects.head",
      "objects.delete",
      "objects.list",
      // The controller and its brokers.
      "controller.activation.snapshot",
      "controller.log.claim",
      "controller.log.read",
      "controller.record.append",
      "controller.record.applied",
      "controller.heartbeat",
      "controller.registration",
      "broker.metadata.apply",
  };
  return points;
}

}  // namespace wt

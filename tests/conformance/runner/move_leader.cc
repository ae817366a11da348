// SocketTarget::move_leader: how an operator moves a leader, by requests.
#include "tests/conformance/runner/message.h"
#include "tests/conformance/runner/socket_target.h"

namespace wt::conformance {

namespace {

constexpr std::int64_t kWait_ms = 15'000;
constexpr std::int64_t kMoveWait_ms = 60'000;
constexpr std::string_view kConnection = "(mover)";

json::string_view key_of(std::string_view name) {
  return {name.data(), name.size()};
}

}  // namespace

absl::StatusOr<json::value> SocketTarget::ask(int broker, std::string_view api, std::int16_t version,
                                              const json::value& request) {
  RequestText header;
  const auto spec = api_by_name(api);
  if (!spec.ok()) return spec.status();
  header.api = *spec;
  header.version = version;
  const auto frame = encode_request_text(header, request, 0);
  if (!frame.ok()) return frame.status();
  const ConnectionId id{std::string(kConnection), broker};
  absl::Status sent = send(id, *frame);
  if (!sent.ok()) return sent;
  const Reply reply = receive(id, kWait_ms);
  if (reply.kind != Reply::Kind::kFrame) return absl::UnavailableError("no answer");
  return decode_answer(**spec, version, reply.frame);
}

absl::StatusOr<json::value> SocketTarget::ask_partition(int broker, std::string_view topic,
                                                        std::int32_t partition) {
  json::object entry;
  entry["name"] = key_of(topic);
  const auto answer = ask(broker, "Metadata", 12, json::object{{"topics", json::array{entry}}});
  if (!answer.ok()) return answer.status();
  const json::value* found = find(*answer, "topics[0].partitions");
  if (found == nullptr || !found->is_array()) return absl::NotFoundError("no partitions");
  for (const json::value& candidate : found->get_array()) {
    const json::value* index = find(candidate, "partitionIndex");
    if (index != nullptr && *index == partition) return candidate;
  }
  return absl::NotFoundError("no such partition");
}

absl::Status SocketTarget::put_first(std::string_view topic, std::int32_t partition,
                                     const json::value& replicas, int broker) {
  json::array order{broker};
  for (const json::value& replica : replicas.as_array()) {
    if (replica != broker) order.push_back(replica);
  }
  if (order.size() != replicas.as_array().size())
    return absl::InvalidArgumentError("that broker is no replica");
  json::object moved{{"partitionIndex", partition}};
  moved["replicas"] = std::move(order);
  json::object of_topic{{"partitions", json::array{moved}}};
  of_topic["name"] = key_of(topic);
  const json::object request{{"timeoutMs", 30'000}, {"topics", json::array{of_topic}}};
  return ask(broker, "AlterPartitionReassignments", 0, request).status();
}

// Everybody knows the new leader, which leads, while the old one does not any more.
bool SocketTarget::has_moved(std::string_view topic, std::int32_t partition, int from, int to) {
  for (int broker = 1; broker <= broker_count(); ++broker) {
    const auto known = ask_partition(broker, topic, partition);
    if (absl::IsUnavailable(known.status())) continue;
    if (!known.ok() || *find(*known, "leaderId") != to) return false;
  }
  json::object entry{{"partitionIndex", partition}, {"timestamp", -1}};
  json::object of_topic{{"partitions", json::array{entry}}};
  of_topic["name"] = key_of(topic);
  const json::object request{{"replicaId", -1}, {"topics", json::array{of_topic}}};
  for (const int broker : {from, to}) {
    const auto answer = ask(broker, "ListOffsets", 5, request);
    const json::value* error = answer.ok() ? find(*answer, "topics[0].partitions[0].errorCode") : nullptr;
    if (error == nullptr || (*error == 0) != (broker == to)) return false;
  }
  return true;
}

absl::Status SocketTarget::move_leader(std::string_view topic, std::int32_t partition, int broker) {
  const auto before = ask_partition(broker, topic, partition);
  if (!before.ok()) return before.status();
  const auto old_leader = static_cast<int>(find(*before, "leaderId")->as_int64());
  if (old_leader == broker) return absl::InvalidArgumentError("that broker leads already");
  absl::Status ordered = put_first(topic, partition, *find(*before, "replicaNodes"), broker);
  if (!ordered.ok()) return ordered;
  json::object wanted{{"partitions", json::array{partition}}};
  wanted["topic"] = key_of(topic);
  const json::object election{
      {"electionType", 0}, {"timeoutMs", 10'000}, {"topicPartitions", json::array{wanted}}};
  const std::int64_t give_up_ms = now_ms() + kMoveWait_ms;
  while (now_ms() < give_up_ms) {
    const auto known = ask_partition(broker, topic, partition);
    if (known.ok() && *find(*known, "leaderId") != broker) {
      const auto elected = ask(broker, "ElectLeaders", 2, election);
      if (!elected.ok()) return elected.status();
    } else if (has_moved(topic, partition, old_leader, broker)) {
      return absl::OkStatus();
    }
    sleep_ms(20);
  }
  return absl::DeadlineExceededError("the leader does not move");
}

}  // namespace wt::conformance

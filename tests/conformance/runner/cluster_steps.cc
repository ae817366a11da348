#include "tests/conformance/runner/cluster_steps.h"

#include "absl/strings/str_cat.h"
#include "tests/conformance/runner/step_fields.h"

namespace wt::conformance {

namespace {

// A real coordinator hears of new topics a little later than the broker around it.
constexpr std::int64_t kCoordinatorLags_ms = 100;

}  // namespace

absl::StatusOr<json::value> ClusterSteps::ask_topic(int broker, std::string_view topic) {
  json::object entry{{"name", json_view(topic)}};
  json::object fields{{"topics", json::array{entry}}, {"allowAutoTopicCreation", false}};
  return exchange_.ask(broker, {"Metadata", 12, std::move(fields)});
}

absl::Status ClusterSteps::create_topic(const json::object& step) {
  const std::string_view name = text(step, "topic");
  json::object topic{{"numPartitions", -1}, {"replicationFactor", -1}};
  topic["name"] = json_view(name);
  json::array assignments;
  if (const json::value* lists = field(step, "assignments"); lists != nullptr && lists->is_array()) {
    for (const json::value& brokers : lists->get_array()) {
      assignments.push_back(
          {{"partitionIndex", static_cast<std::int64_t>(assignments.size())}, {"brokerIds", brokers}});
    }
  }
  topic["assignments"] = std::move(assignments);
  json::array configs;
  if (const json::value* settings = field(step, "configs"); settings != nullptr && settings->is_object()) {
    for (const auto& [key, value] : settings->get_object())
      configs.push_back({{"name", key}, {"value", value}});
  }
  topic["configs"] = std::move(configs);
  json::object fields{{"timeoutMs", 30'000}, {"topics", json::array{topic}}};
  const auto answer = exchange_.ask(1, {"CreateTopics", 7, std::move(fields)});
  if (!answer.ok()) return answer.status();
  const json::value* error = find(*answer, "topics[0].errorCode");
  const json::value* id = find(*answer, "topics[0].topicId");
  if (error == nullptr || id == nullptr || *error != 0) {
    return absl::InternalError(absl::StrCat("cannot create the topic: ", json::serialize(*answer)));
  }
  variables_.set(absl::StrCat(absl_view(name.substr(0, name.rfind('-'))), ".id"), *id, "topicId");
  for (int broker = 1; broker <= target_.broker_count(); ++broker) {
    absl::Status status = wait_until_known(broker, name, *id);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Until `broker` knows a leader of every partition, and the leaders know that they lead.
absl::Status ClusterSteps::wait_until_known(int broker, std::string_view topic, const json::value& id) {
  const std::int64_t give_up_ms = target_.now_ms() + kSettleWait_ms;
  while (target_.now_ms() < give_up_ms) {
    const auto answer = ask_topic(broker, topic);
    if (absl::IsUnavailable(answer.status())) return absl::OkStatus();  // it is down: the row knows
    if (!answer.ok()) return answer.status();
    const json::value* found = find(*answer, "topics[0].topicId");
    if (found != nullptr && *found == id && leaders_ready(broker, topic, *answer)) return absl::OkStatus();
    target_.sleep_ms(kPollEvery_ms);
  }
  return absl::DeadlineExceededError(absl::StrCat("broker ", broker, " does not learn of the topic"));
}

bool ClusterSteps::leaders_ready(int broker, std::string_view topic, const json::value& metadata) {
  const json::value* partitions = find(metadata, "topics[0].partitions");
  if (partitions == nullptr || !partitions->is_array() || partitions->get_array().empty()) return false;
  for (const json::value& partition : partitions->get_array()) {
    const json::value* leader = find(partition, "leaderId");
    if (leader == nullptr || !leader->is_int64() || leader->get_int64() < 0) return false;
    if (leader->get_int64() != broker) continue;
    if (!serves(broker, topic, *find(partition, "partitionIndex"))) return false;
  }
  return true;
}

// Whether the broker knows that it leads the partition, not only the others.
bool ClusterSteps::serves(int broker, std::string_view topic, const json::value& partition) {
  json::object entry{{"partitionIndex", partition}, {"timestamp", -1}};
  json::object of_topic{{"partitions", json::array{entry}}};
  of_topic["name"] = json_view(topic);
  json::object fields{{"replicaId", -1}, {"topics", json::array{of_topic}}};
  const auto answer = exchange_.ask(broker, {"ListOffsets", 5, std::move(fields)});
  const json::value* error = answer.ok() ? find(*answer, "topics[0].partitions[0].errorCode") : nullptr;
  return error != nullptr && *error == 0;
}

absl::Status ClusterSteps::wait_leader(const json::object& step) {
  const std::int64_t give_up_ms = target_.now_ms() + kSettleWait_ms;
  const json::value* leader = field(step, "leader");
  const std::int64_t isr = number(step, "isr", 0);
  const std::string path = absl::StrCat("topics[0].partitions[", number(step, "partition", 0), "]");
  while (target_.now_ms() < give_up_ms) {
    if (is_led(step, path, leader, isr)) return absl::OkStatus();
    target_.sleep_ms(kPollEvery_ms);
  }
  return absl::DeadlineExceededError("the leader that the step waits for does not come");
}

// On every broker that answers.
bool ClusterSteps::is_led(const json::object& step, const std::string& path, const json::value* leader,
                          std::int64_t isr) {
  for (int broker = 1; broker <= target_.broker_count(); ++broker) {
    const auto answer = ask_topic(broker, text(step, "topic"));
    if (absl::IsUnavailable(answer.status())) continue;
    const json::value* partition = answer.ok() ? find(*answer, path) : nullptr;
    if (partition == nullptr) return false;
    if (leader != nullptr && *find(*partition, "leaderId") != *leader) return false;
    const json::value* replicas = find(*partition, "isrNodes");
    if (static_cast<std::int64_t>(replicas->get_array().size()) < isr) return false;
  }
  const bool is_somebody = leader != nullptr && leader->is_int64() && leader->get_int64() > 0;
  return !is_somebody || serves(static_cast<int>(leader->get_int64()), text(step, "topic"),
                                json::value(number(step, "partition", 0)));
}

absl::StatusOr<int> ClusterSteps::find_coordinator(std::string_view group) {
  const std::int64_t give_up_ms = target_.now_ms() + kSettleWait_ms;
  while (target_.now_ms() < give_up_ms) {
    for (int broker = 1; broker <= target_.broker_count(); ++broker) {
      const int coordinator = named_coordinator(broker, group);
      if (coordinator > 0 && is_coordinator(coordinator, group)) {
        target_.sleep_ms(kCoordinatorLags_ms);
        return coordinator;
      }
    }
    target_.sleep_ms(kPollEvery_ms);
  }
  return absl::DeadlineExceededError(absl::StrCat("nobody coordinates ", absl_view(group)));
}

// Nobody: 0.
int ClusterSteps::named_coordinator(int broker, std::string_view group) {
  json::object fields{{"keyType", 0}, {"coordinatorKeys", json::array{json_view(group)}}};
  const auto answer = exchange_.ask(broker, {"FindCoordinator", 4, std::move(fields)});
  const json::value* error = answer.ok() ? find(*answer, "coordinators[0].errorCode") : nullptr;
  if (error == nullptr || *error != 0) return 0;
  return static_cast<int>(find(*answer, "coordinators[0].nodeId")->as_int64());
}

// Whether the broker knows it too, and has read the group's log.
bool ClusterSteps::is_coordinator(int broker, std::string_view group) {
  json::object asked{{"groupId", json_view(group)}, {"topics", nullptr}};
  const auto answer = exchange_.ask(broker, {"OffsetFetch", 8, json::object{{"groups", json::array{asked}}}});
  const json::value* error = answer.ok() ? find(*answer, "groups[0].errorCode") : nullptr;
  return error != nullptr && *error == 0;
}

}  // namespace wt::conformance

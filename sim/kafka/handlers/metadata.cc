// Metadata (3).
#include <set>

#include "sim/broker/broker.h"
#include "sim/controller/names.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr DurationNs kCreateTimeout_ns = 30 * kSecond_ns;
constexpr std::int32_t kTopicOperations = 3576;       // what somebody with every right may do to a topic …
constexpr std::int32_t kClusterOperations = 8096;     // … and to the cluster
constexpr Version kFirstVersionWithDeadReplicas = 1;  // before it a replica is listed only while it lives
constexpr Version kFirstVersionWithIds = 10;
constexpr Version kFirstVersionByIdOnly = 12;

using TopicAnswer = MetadataResponse::MetadataResponseTopic;
using PartitionAnswer = MetadataResponse::MetadataResponsePartition;
using TopicQuestion = MetadataRequest::MetadataRequestTopic;

class MetadataRun {
 public:
  explicit MetadataRun(RequestContext& context)
      : context_(context), request_(context.body<MetadataRequest>()), image_(context.broker.image()) {}

  MetadataResponse run();

 private:
  std::optional<MetadataResponse> refuse_whole() const;
  void add_brokers(MetadataResponse& response) const;
  void answer_one(const TopicQuestion& question, MetadataResponse& response);
  TopicAnswer describe(const controller::TopicState& topic, const std::string& name) const;
  void leave_out_dead(PartitionAnswer& partition) const;
  TopicAnswer unknown(const TopicQuestion& question, ErrorCode code) const;
  void create(const std::string& name);

  RequestContext& context_;
  const MetadataRequest& request_;
  const controller::MetadataImage& image_;
  std::set<std::string> answered_;
};

// Versions 10 and 11 know topic ids only in answers; a request that uses one fails as a whole.
std::optional<MetadataResponse> MetadataRun::refuse_whole() const {
  if (!request_.topics || context_.version() < kFirstVersionWithIds) return std::nullopt;
  ErrorCode code = ErrorCode::kNone;
  for (const TopicQuestion& topic : *request_.topics) {
    const bool by_id = !topic.topic_id.is_zero();
    if (context_.version() < kFirstVersionByIdOnly && (by_id || !topic.name))
      code = ErrorCode::kInvalidRequest;
    if (context_.version() >= kFirstVersionByIdOnly && !by_id && !topic.name)
      code = ErrorCode::kUnknownServerError;
  }
  if (code == ErrorCode::kNone) return std::nullopt;
  MetadataResponse response;
  for (const TopicQuestion& topic : *request_.topics) {
    TopicAnswer& answer = response.topics.emplace_back();
    answer.name = topic.name.value_or("");
    answer.topic_id = topic.topic_id;
    answer.error_code = code;
  }
  return response;
}

void MetadataRun::add_brokers(MetadataResponse& response) const {
  for (const std::int32_t id : image_.active_brokers()) {
    const auto address = context_.broker.endpoint_of(id);
    if (!address) continue;
    auto& broker = response.brokers.emplace_back();
    broker.node_id = id;
    broker.host = address->host;
    broker.port = address->port;
    broker.rack = address->rack;
  }
  // A client sends to any broker what is for the controller.
  if (!response.brokers.empty()) response.controller_id = response.brokers.front().node_id;
}

TopicAnswer MetadataRun::describe(const controller::TopicState& topic, const std::string& name) const {
  TopicAnswer answer;
  answer.name = name;
  answer.topic_id = topic.topic_id;
  answer.is_internal = broker::Broker::is_internal_topic(topic.name);
  if (request_.include_topic_authorized_operations) answer.topic_authorized_operations = kTopicOperations;
  for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
    const controller::PartitionState& state = *topic.partition(number);
    auto& partition = answer.partitions.emplace_back();
    partition.partition_index = number;
    partition.leader_epoch = state.leader_epoch;
    partition.replica_nodes = state.replicas;
    partition.isr_nodes = state.isr;
    for (const std::int32_t replica : state.replicas) {
      if (!image_.is_active(replica)) partition.offline_replicas.push_back(replica);
    }
    const bool led = state.leader >= 0 && image_.is_active(state.leader);
    partition.leader_id = led ? state.leader : -1;
    if (!led) partition.error_code = ErrorCode::kLeaderNotAvailable;
    if (context_.version() < kFirstVersionWithDeadReplicas) leave_out_dead(partition);
  }
  return answer;
}

void MetadataRun::leave_out_dead(PartitionAnswer& partition) const {
  const auto is_dead = [this](std::int32_t replica) { return !image_.is_active(replica); };
  const std::size_t left_out =
      std::erase_if(partition.replica_nodes, is_dead) + std::erase_if(partition.isr_nodes, is_dead);
  if (left_out > 0 && partition.error_code == ErrorCode::kNone)
    partition.error_code = ErrorCode::kReplicaNotAvailable;
}

TopicAnswer MetadataRun::unknown(const TopicQuestion& question, ErrorCode code) const {
  TopicAnswer answer;
  answer.error_code = code;
  answer.name = question.name;
  answer.topic_id = question.topic_id;
  return answer;
}

// In the background: the client asks again.
void MetadataRun::create(const std::string& name) {
  struct Creation {
    static Task<void> run(broker::Broker* broker, KafkaService* service, std::string topic_name,
                          std::int32_t partitions, std::int16_t replication_factor) {
      controller::CreateTopics request;
      controller::CreateTopics::Topic topic;
      topic.name = topic_name;
      topic.partitions = partitions;
      topic.replication_factor = replication_factor;
      request.topics.push_back(std::move(topic));
      request.allow_full_names = true;
      auto answer = co_await broker->follower().ask(request, kCreateTimeout_ns);
      (void)answer;  // a client that still wants the topic asks again
      service->end_creation(topic_name);
    }
  };
  if (!context_.service.begin_creation(name)) return;
  const ServiceOptions& options = context_.service.options();
  context_.process.spawn(Creation::run(&context_.broker, &context_.service, name, options.num_partitions,
                                       options.default_replication_factor));
}

void MetadataRun::answer_one(const TopicQuestion& question, MetadataResponse& response) {
  if (!question.topic_id.is_zero()) {
    const controller::TopicState* topic = image_.topic(question.topic_id);
    if (topic != nullptr) {
      if (answered_.insert(topic->name).second) response.topics.push_back(describe(*topic, topic->name));
      return;
    }
    TopicAnswer& answer = response.topics.emplace_back(unknown(question, ErrorCode::kUnknownTopicId));
    answer.name.reset();
    return;
  }
  const std::string name = question.name.value_or("");
  if (!answered_.insert(name).second) return;
  const controller::TopicState* topic = image_.topic(controller::kafka_topic_name(name));
  if (topic != nullptr) {
    response.topics.push_back(describe(*topic, name));
    return;
  }
  if (!controller::validate_topic_name(name, true).ok()) {
    response.topics.push_back(unknown(question, ErrorCode::kInvalidTopicException));
    return;
  }
  const bool wanted = context_.version() < 4 || request_.allow_auto_topic_creation;
  if (wanted && context_.service.options().auto_create_topics) create(name);
  response.topics.push_back(unknown(question, ErrorCode::kUnknownTopicOrPartition));
}

MetadataResponse MetadataRun::run() {
  if (auto refused = refuse_whole()) return *std::move(refused);
  MetadataResponse response;
  response.cluster_id = context_.broker.cluster_id();
  if (request_.include_cluster_authorized_operations)
    response.cluster_authorized_operations = kClusterOperations;
  add_brokers(response);
  const bool everything = !request_.topics || (context_.version() == 0 && request_.topics->empty());
  if (everything) {
    image_.for_each_topic(
        [&](const controller::TopicState& topic) { response.topics.push_back(describe(topic, topic.name)); });
    return response;
  }
  for (const TopicQuestion& question : *request_.topics) answer_one(question, response);
  return response;
}

}  // namespace

Task<Reply> handle_metadata(RequestContext& context) {
  MetadataRun run(context);
  co_return answer_with(run.run());
}

}  // namespace wt::kafka

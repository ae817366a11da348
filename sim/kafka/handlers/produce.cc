// Produce (0).
#include <map>
#include <utility>
#include <vector>

#include "sim/broker/broker.h"
#include "sim/formats/batch_validation.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/partition_errors.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/produce.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionById = 13;
constexpr Version kFirstVersionWithHints = 10;
constexpr std::string_view kAdminClient = "__admin_client";  // of Kafka's own tools

using PartitionAnswer = ProduceResponse::PartitionProduceResponse;

PartitionAnswer refused(std::int32_t index, ErrorCode code) {
  PartitionAnswer answer;
  answer.index = index;
  answer.error_code = code;
  answer.base_offset = -1;
  return answer;
}

void fill_bad_batch(const formats::BatchVerdict& verdict, PartitionAnswer& answer) {
  answer.error_code = static_cast<ErrorCode>(verdict.error_code);
  const bool shapeless = verdict.fault == formats::BatchFault::kBadMagic ||
                         verdict.fault == formats::BatchFault::kLengthTooSmall;
  if (verdict.message_in_response || shapeless) answer.error_message = verdict.message;
  for (const formats::RecordError& error : verdict.record_errors) {
    auto& listed = answer.record_errors.emplace_back();
    listed.batch_index = error.batch_index;
    listed.batch_index_error_message = error.message;
  }
}

// One partition of a request, with what its records look like from outside.
struct PartitionWork {
  std::int32_t index = 0;
  Slice records;
  formats::BatchVerdict form;
};
struct TopicWork {
  std::string name;
  Uuid topic_id;
  std::vector<PartitionWork> partitions;
};

PartitionWork work_of(const ProduceRequest::PartitionProduceData& data, Version version) {
  PartitionWork work;
  work.index = data.index;
  if (data.records) work.records = flatten(*data.records).compact();
  work.form = formats::check_produce_records(work.records, version);
  return work;
}

// The request by topic and partition, in its order. Of twins the last one counts, in the place of the first.
std::vector<TopicWork> sort_out(const ProduceRequest& request, Version version) {
  std::vector<TopicWork> work;
  // Nearly every request of a client that does not batch: nothing to look for.
  if (request.topic_data.size() == 1 && request.topic_data.front().partition_data.size() == 1) {
    const auto& topic = request.topic_data.front();
    work.push_back({topic.name, topic.topic_id, {}});
    work.back().partitions.push_back(work_of(topic.partition_data.front(), version));
    return work;
  }
  std::map<std::pair<std::string, Uuid>, std::size_t> topics;
  std::map<std::pair<std::size_t, std::int32_t>, std::size_t> places;
  for (const auto& topic : request.topic_data) {
    const auto at = topics.emplace(std::pair(topic.name, topic.topic_id), work.size());
    if (at.second) work.push_back({topic.name, topic.topic_id, {}});
    std::vector<PartitionWork>& partitions = work[at.first->second].partitions;
    for (const auto& data : topic.partition_data) {
      const auto place = places.emplace(std::pair(at.first->second, data.index), partitions.size());
      if (place.second) partitions.emplace_back();
      partitions[place.first->second] = work_of(data, version);
    }
  }
  return work;
}

// One transactional batch without a transactional id spoils the whole request.
bool lacks_transactional_id(const ProduceRequest& request, const std::vector<TopicWork>& work) {
  if (request.transactional_id) return false;
  for (const TopicWork& topic : work) {
    for (const PartitionWork& partition : topic.partitions) {
      if (partition.form.header.transactional()) return true;
    }
  }
  return false;
}

// What is wrong before any log is asked, in the order in which a broker looks.
std::optional<PartitionAnswer> refuse_early(const RequestContext& context, const broker::Found& found,
                                            const PartitionWork& work) {
  using broker::Lookup;
  if (found.lookup == Lookup::unknown_topic || found.lookup == Lookup::unknown_partition) {
    return refused(work.index, error_of(found.lookup, context.version() >= kFirstVersionById));
  }
  if (!work.form.ok()) {
    PartitionAnswer bad = refused(work.index, ErrorCode::kNone);
    fill_bad_batch(work.form, bad);
    return bad;
  }
  const std::int16_t acks = context.body<ProduceRequest>().acks;
  if (acks < -1 || acks > 1) return refused(work.index, ErrorCode::kInvalidRequiredAcks);
  if (found.is_internal && context.client_id != kAdminClient) {
    return refused(work.index, ErrorCode::kInvalidTopicException);
  }
  if (found.lookup == Lookup::not_replica) return refused(work.index, ErrorCode::kNotLeaderOrFollower);
  return std::nullopt;
}

FaultSite site_of(const RequestContext& context, Label point, const std::string& topic,
                  std::int32_t partition) {
  FaultSite site(point);
  site.broker = context.broker.id();
  site.topic = topic;
  site.partition = partition;
  site.client_id = context.client_id;
  site.api_key = context.request.api->key;
  site.api_version = context.version();
  site.connection = context.connection.id;
  return site;
}

// One partition of the request, from its records to its answer.
Task<PartitionAnswer> produce_partition(RequestContext& context, const broker::Found& found,
                                        const PartitionWork& work) {
  const std::int32_t index = work.index;
  std::optional<PartitionAnswer> early = refuse_early(context, found, work);
  if (early) co_return std::move(*early);
  const FaultSite received = site_of(context, "kafka.produce.received"_label, found.topic, index);
  const FaultDecision fault = co_await context.broker.rules().at(context.process, received);
  if (fault.is(FaultAction::answer)) co_return refused(index, static_cast<ErrorCode>(fault.error_code));

  broker::AdmissionOptions admission;
  admission.client_id = context.client_id;
  admission.all_in_sync = context.body<ProduceRequest>().acks == -1;
  broker::ProduceResult result = co_await found.partition->produce(work.records, admission);
  PartitionAnswer answer;
  answer.index = index;
  answer.base_offset = result.base_offset;
  answer.log_append_time_ms = result.log_append_time_ms;
  answer.log_start_offset = result.log_start_offset;
  answer.error_code = error_of(result.refusal);
  if (result.refusal == broker::Refusal::bad_batch) {
    fill_bad_batch(result.verdict, answer);
    // What a broker finds before it reaches the log does not tell the log's start.
    const formats::BatchFault check = result.verdict.fault;
    if (check == formats::BatchFault::kChecksum || check == formats::BatchFault::kTooLarge) {
      answer.log_start_offset = -1;
    }
  }
  if (result.refusal == broker::Refusal::none) {
    const FaultSite appended = site_of(context, "kafka.produce.appended"_label, found.topic, index);
    const FaultDecision after = co_await context.broker.rules().at(context.process, appended);
    if (after.is(FaultAction::answer) || after.is(FaultAction::answer_after)) {
      co_return refused(index, static_cast<ErrorCode>(after.error_code));
    }
  }
  co_return answer;
}

void add_leader_hint(const RequestContext& context, const broker::Found& found, PartitionAnswer& answer,
                     ProduceResponse& response) {
  const bool opening = found.partition != nullptr && found.partition->role() == broker::Role::opening;
  if (context.version() < kFirstVersionWithHints || answer.error_code != ErrorCode::kNotLeaderOrFollower ||
      opening) {
    return;
  }
  const broker::LeaderHint hint = context.broker.leader_of(found.topic_id, answer.index);
  answer.current_leader.leader_id = hint.leader;
  answer.current_leader.leader_epoch = hint.epoch;
  add_endpoint(response.node_endpoints, context.broker, hint.leader);
}

}  // namespace

Task<Reply> handle_produce(RequestContext& context) {
  const auto& request = context.body<ProduceRequest>();
  const bool by_id = context.version() >= kFirstVersionById;
  const std::vector<TopicWork> work = sort_out(request, context.version());
  const bool spoilt = lacks_transactional_id(request, work);
  ProduceResponse response;
  bool failed = false;
  for (const TopicWork& topic : work) {
    auto& answers = response.responses.emplace_back();
    answers.name = topic.name;
    answers.topic_id = topic.topic_id;
    for (const PartitionWork& partition : topic.partitions) {
      PartitionAnswer answer = refused(partition.index, ErrorCode::kTransactionalIdAuthorizationFailed);
      if (!spoilt) {
        broker::Found found;
        if (by_id) found = context.broker.find(topic.topic_id, partition.index);
        if (!by_id) found = context.broker.find(topic.name, partition.index);
        answer = co_await produce_partition(context, found, partition);
        add_leader_hint(context, found, answer, response);
      }
      failed = failed || answer.error_code != ErrorCode::kNone;
      answers.partition_responses.push_back(std::move(answer));
    }
  }
  // Without acknowledgements an error can be told in one way only.
  if (request.acks == 0) {
    Reply silent(failed ? Reply::Kind::close : Reply::Kind::none);
    co_return silent;
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

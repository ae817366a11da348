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

// What the request's own form rules out, before any partition is looked at.
std::optional<ErrorCode> request_error(const ProduceRequest& request) {
  if (request.acks < -1 || request.acks > 1) return ErrorCode::kInvalidRequiredAcks;
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
                                        std::int32_t index, const Slice& records) {
  if (found.lookup != broker::Lookup::found) {
    const bool by_id = context.version() >= kFirstVersionById;
    co_return refused(index, error_of(found.lookup, by_id));
  }
  if (found.is_internal && context.client_id != "__admin_client") {
    co_return refused(index, ErrorCode::kInvalidTopicException);
  }
  const formats::BatchVerdict form = formats::check_produce_records(records, context.version());
  if (!form.ok()) {
    PartitionAnswer bad = refused(index, ErrorCode::kNone);
    fill_bad_batch(form, bad);
    co_return bad;
  }
  const bool has_transactional_id = context.body<ProduceRequest>().transactional_id.has_value();
  if (form.header.transactional() && !has_transactional_id) {
    co_return refused(index, ErrorCode::kTransactionalIdAuthorizationFailed);
  }
  const FaultSite received = site_of(context, "kafka.produce.received"_label, found.topic, index);
  const FaultDecision fault = co_await context.broker.rules().at(context.process, received);
  if (fault.is(FaultAction::answer)) co_return refused(index, static_cast<ErrorCode>(fault.error_code));

  broker::AdmissionOptions admission;
  admission.client_id = context.client_id;
  admission.all_in_sync = context.body<ProduceRequest>().acks == -1;
  broker::ProduceResult result = co_await found.partition->produce(records, admission);
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

using PartitionRecords = ProduceRequest::PartitionProduceData;

// The request by topic and partition, in its order. Of twins the last one counts, in the place of the first.
struct TopicWork {
  std::string name;
  Uuid topic_id;
  std::vector<const PartitionRecords*> partitions;
};
std::vector<TopicWork> sort_out(const ProduceRequest& request) {
  std::vector<TopicWork> work;
  std::map<std::pair<std::string, Uuid>, std::size_t> topics;
  std::map<std::pair<std::size_t, std::int32_t>, std::size_t> places;
  for (const auto& topic : request.topic_data) {
    const auto at = topics.emplace(std::pair(topic.name, topic.topic_id), work.size());
    if (at.second) work.push_back({topic.name, topic.topic_id, {}});
    std::vector<const PartitionRecords*>& partitions = work[at.first->second].partitions;
    for (const PartitionRecords& data : topic.partition_data) {
      const auto place = places.emplace(std::pair(at.first->second, data.index), partitions.size());
      if (place.second) {
        partitions.push_back(&data);
      } else {
        partitions[place.first->second] = &data;
      }
    }
  }
  return work;
}

}  // namespace

Task<Reply> handle_produce(RequestContext& context) {
  const auto& request = context.body<ProduceRequest>();
  const bool by_id = context.version() >= kFirstVersionById;
  const std::optional<ErrorCode> whole = request_error(request);
  const std::vector<TopicWork> work = sort_out(request);
  ProduceResponse response;
  bool failed = false;
  for (const TopicWork& topic : work) {
    auto& answers = response.responses.emplace_back();
    answers.name = topic.name;
    answers.topic_id = topic.topic_id;
    for (const PartitionRecords* data : topic.partitions) {
      if (whole) {
        answers.partition_responses.push_back(refused(data->index, *whole));
        failed = true;
        continue;
      }
      broker::Found found;
      found = by_id ? context.broker.find(topic.topic_id, data->index)
                    : context.broker.find(topic.name, data->index);
      Slice records;
      if (data->records) records = flatten(*data->records).compact();
      PartitionAnswer answer = co_await produce_partition(context, found, data->index, records);
      add_leader_hint(context, found, answer, response);
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

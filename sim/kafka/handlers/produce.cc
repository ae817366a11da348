// Produce (0).
#include <set>

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
  if (verdict.message_in_response) answer.error_message = verdict.message;
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

FaultSite site_of(const RequestContext& context, Label point, const std::string& topic, std::int32_t partition) {
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
Task<PartitionAnswer> produce_partition(RequestContext& context, const broker::Found& found, std::int32_t index,
                                        const Slice& records) {
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

  broker::ProduceResult result = co_await found.partition->produce(records, context.client_id);
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
  if (context.version() < kFirstVersionWithHints || answer.error_code != ErrorCode::kNotLeaderOrFollower || opening) {
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
  const std::optional<ErrorCode> whole = request_error(request);
  ProduceResponse response;
  bool failed = false;
  for (const auto& topic : request.topic_data) {
    auto& answers = response.responses.emplace_back();
    answers.name = topic.name;
    answers.topic_id = topic.topic_id;
    std::set<std::int32_t> seen;
    for (const auto& data : topic.partition_data) {
      if (!seen.insert(data.index).second) continue;
      if (whole) {
        answers.partition_responses.push_back(refused(data.index, *whole));
        failed = true;
        continue;
      }
      const bool by_id = context.version() >= kFirstVersionById;
      const broker::Found found = by_id ? context.broker.find(topic.topic_id, data.index)
                                        : context.broker.find(topic.name, data.index);
      const Slice records = data.records ? flatten(*data.records).compact() : Slice();
      PartitionAnswer answer = co_await produce_partition(context, found, data.index, records);
      add_leader_hint(context, found, answer, response);
      failed = failed || answer.error_code != ErrorCode::kNone;
      answers.partition_responses.push_back(std::move(answer));
    }
  }
  // Without acknowledgements an error can be told in one way only.
  if (request.acks == 0) co_return Reply(failed ? Reply::Kind::close : Reply::Kind::none);
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

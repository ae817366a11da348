// DescribeProducers (61), DescribeTransactions (65), ListTransactions (66).
#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/controller/names.h"
#include "sim/kafka/groups/consumer/regex.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/partition_errors.h"
#include "sim/kafka/wire/messages/producers.h"
#include "sim/kafka/wire/messages/transaction_admin.h"

namespace wt::kafka {
namespace {

using PartitionAnswer = DescribeProducersResponse::PartitionResponse;

constexpr std::string_view kTransactionStates[] = {"Empty",        "Ongoing",          "PrepareCommit",
                                                   "PrepareAbort", "CompleteCommit",   "CompleteAbort",
                                                   "Dead",         "PrepareEpochFence"};

void describe(const broker::Partition& partition, PartitionAnswer& answer) {
  partition.producers().for_each([&answer](std::int64_t producer_id, const broker::ProducerEntry& entry) {
    auto& producer = answer.active_producers.emplace_back();
    producer.producer_id = producer_id;
    producer.producer_epoch = entry.epoch;
    if (!entry.batches.empty()) producer.last_sequence = entry.batches.back().last_sequence;
    producer.last_timestamp = entry.last_seen_ms;
    producer.coordinator_epoch = entry.coordinator_epoch;
    producer.current_txn_start_offset = entry.open_transaction_first_offset.value_or(-1);
  });
}

PartitionAnswer describe(const broker::Broker& broker, const std::string& topic, std::int32_t number) {
  PartitionAnswer answer;
  answer.partition_index = number;
  const controller::Error named = controller::validate_topic_name(topic, true);
  if (!named.ok()) {
    answer.error_code = ErrorCode::kInvalidTopicException;
    answer.error_message = named.message;
    return answer;
  }
  const broker::Found found = broker.find(topic, number);
  answer.error_code = error_of(found.lookup, false);
  if (found.lookup == broker::Lookup::unknown_topic)
    answer.error_message = "This server does not host this topic-partition.";
  if (found.partition == nullptr) return answer;
  answer.error_code = error_of(found.partition->check_leader(-1));
  if (answer.error_code == ErrorCode::kNone) describe(*found.partition, answer);
  return answer;
}

}  // namespace

Task<Reply> handle_describe_producers(RequestContext& context) {
  DescribeProducersResponse response;
  for (const auto& topic : context.body<DescribeProducersRequest>().topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    for (const std::int32_t number : topic.partition_indexes)
      answers.partitions.push_back(describe(context.broker, topic.name, number));
  }
  co_return answer_with(std::move(response));
}

// Nobody coordinates transactions here yet, as on a cluster where none ever was.
Task<Reply> handle_describe_transactions(RequestContext& context) {
  DescribeTransactionsResponse response;
  for (const std::string& id : context.body<DescribeTransactionsRequest>().transactional_ids) {
    auto& state = response.transaction_states.emplace_back();
    state.transactional_id = id;
    state.error_code = id.empty() ? ErrorCode::kInvalidRequest : ErrorCode::kNotCoordinator;
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_list_transactions(RequestContext& context) {
  const auto& request = context.body<ListTransactionsRequest>();
  ListTransactionsResponse response;
  const std::string pattern = request.transactional_id_pattern.value_or("");
  if (!pattern.empty() && regex_problem(pattern)) {
    response.error_code = ErrorCode::kInvalidRegularExpression;
    co_return answer_with(std::move(response));
  }
  for (const std::string& state : request.state_filters) {
    const bool known = std::find(std::begin(kTransactionStates), std::end(kTransactionStates), state) !=
                       std::end(kTransactionStates);
    if (!known) response.unknown_state_filters.push_back(state);
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

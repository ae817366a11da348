#include "tests/property/broker/workload.h"

#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/produce.h"
#include "sim/kafka/wire/messages/producers.h"

namespace wt::test {
namespace {

constexpr DurationNs kConnectPatience_ns = 500 * kMillisecond_ns;
constexpr DurationNs kAnswerPatience_ns = 2 * kSecond_ns;
constexpr DurationNs kRetry_ns = 20 * kMillisecond_ns;

Slice batch_of(const std::string& value, std::int64_t timestamp_ms, std::int64_t producer_id,
               std::int32_t sequence) {
  formats::BatchOptions options;
  options.producer_id = producer_id;
  options.producer_epoch = producer_id < 0 ? std::int16_t{-1} : std::int16_t{0};
  options.base_sequence = producer_id < 0 ? formats::kNoSequence : sequence;
  formats::BatchBuilder builder(options);
  formats::NewRecord record;
  record.value = value;
  record.timestamp_ms = timestamp_ms;
  builder.add(record);
  return builder.build();
}

}  // namespace

Task<bool> Workload::ensure_connected(clients::KafkaConnection& connection, const std::string& topic) {
  if (connection.connected()) co_return true;
  const auto view = cluster_.partition(topic, 0);
  if (!view || view->leader < 0) co_return false;
  const Status connected = co_await connection.connect(
      cluster_.outside_node(), cluster_.broker_node(view->leader), kConnectPatience_ns);
  co_return connected.ok();
}

Task<std::int64_t> Workload::producer_id(const std::string& topic, const std::string& name) {
  clients::KafkaConnection connection(client_, cluster_.streams(), name);
  kafka::InitProducerIdRequest request;
  request.transactional_id.reset();
  for (;;) {
    const bool connected = co_await ensure_connected(connection, topic);
    if (connected) {
      const Patience patience(client_, cluster_.streams(), connection.id(), kAnswerPatience_ns);
      auto answer = co_await connection.call<kafka::InitProducerIdResponse>(22, 4, request);
      if (answer.ok() && answer->error_code == kafka::ErrorCode::kNone) co_return answer->producer_id;
      if (!answer.ok()) connection.close();
    }
    co_await client_.sleep(kRetry_ns);
  }
}

Task<bool> Workload::produce_some(clients::KafkaConnection& connection, const ProducerPlan& plan,
                                  std::int64_t id, ProducerReport& report) {
  const kafka::ApiSpec& api = *kafka::find_api(0);
  const auto first = static_cast<std::int32_t>(report.offsets.size());
  // Before the broker knows the producer it would take a later sequence as the first one.
  const std::int32_t window = first == 0 ? 1 : plan.in_flight;
  const std::int32_t sent_before = report.attempts;
  const std::int32_t end = std::min(plan.batches, first + window);
  for (std::int32_t sequence = first; sequence < end; ++sequence) {
    kafka::ProduceRequest request;
    request.acks = -1;
    request.timeout_ms = 1000;
    auto& data = request.topic_data.emplace_back();
    data.name = plan.topic;
    const std::string value = plan.name + "-" + std::to_string(sequence);
    data.partition_data.emplace_back().records =
        SliceList{batch_of(value, to_ms(client_.now()), id, sequence)};
    ++report.attempts;
    if (!connection.send_only(api, 9, &request).ok()) co_return false;
  }
  const Patience patience(client_, cluster_.streams(), connection.id(), kAnswerPatience_ns);
  for (std::int32_t sequence = first; sequence < end; ++sequence) {
    StatusOr<Slice> frame = co_await connection.next_frame();
    if (!frame.ok()) co_return false;
    const auto response = kafka::decode_response(api, 9, *frame);
    if (!response.ok()) co_return false;
    // An answer to a later request: this one was swallowed. The connection numbers its requests from 1.
    if (response->header.correlation_id != sent_before + 1 + sequence - first) co_return false;
    const auto& told =
        response->body.get<kafka::ProduceResponse>()->responses.at(0).partition_responses.at(0);
    if (told.error_code != kafka::ErrorCode::kNone) {
      if (!kafka::is_retriable(told.error_code)) report.fatal = told.error_code;
      co_return false;
    }
    report.offsets.push_back(told.base_offset);
  }
  co_return true;
}

Task<void> Workload::produce(const ProducerPlan& plan, ProducerReport& report) {
  std::int64_t id = -1;
  if (plan.idempotent) id = co_await producer_id(plan.topic, plan.name);
  clients::KafkaConnection connection(client_, cluster_.streams(), plan.name);
  while (static_cast<std::int32_t>(report.offsets.size()) < plan.batches) {
    bool went_well = co_await ensure_connected(connection, plan.topic);
    if (went_well) went_well = co_await produce_some(connection, plan, id, report);
    if (report.fatal != kafka::ErrorCode::kNone) co_return;
    if (went_well) continue;
    // Whoever leads now is asked next.
    connection.close();
    co_await client_.sleep(kRetry_ns);
  }
  report.done = true;
}

void Workload::collect(const SliceList& records, std::int64_t from_offset, std::vector<Logged>& out) {
  for (const Slice& batch : formats::split_batches(flatten(records)).batches) {
    const auto header = formats::parse_batch_header(batch.bytes());
    const auto content = formats::BatchRecords::open(batch, *header, 1 << 20);
    formats::RecordReader reader(*header, content->bytes());
    formats::RecordView record;
    while (reader.next(record)) {
      const std::int64_t offset = header->base_offset + record.offset_delta;
      if (offset < from_offset) continue;
      out.push_back(
          {offset, std::string(reinterpret_cast<const char*>(record.value->data()), record.value->size())});
    }
  }
}

Task<void> Workload::consume(const std::string& topic, ConsumerReport& report, const bool& stop) {
  clients::KafkaConnection connection(client_, cluster_.streams(), "consumer");
  while (!stop) {
    const bool connected = co_await ensure_connected(connection, topic);
    if (!connected) {
      co_await client_.sleep(kRetry_ns);
      continue;
    }
    kafka::FetchRequest request;
    request.max_wait_ms = 500;
    request.min_bytes = 1;
    auto& wanted = request.topics.emplace_back();
    wanted.topic = topic;
    auto& partition = wanted.partitions.emplace_back();
    partition.fetch_offset = report.next_offset;
    partition.partition_max_bytes = 1 << 20;
    const Patience patience(client_, cluster_.streams(), connection.id(), kAnswerPatience_ns);
    auto answer = co_await connection.call<kafka::FetchResponse>(1, 12, request);
    bool good = answer.ok() && !answer->responses.empty();
    if (good) good = answer->responses[0].partitions[0].error_code == kafka::ErrorCode::kNone;
    if (!good) {
      connection.close();
      co_await client_.sleep(kRetry_ns);
      continue;
    }
    std::vector<Logged> logged;
    collect(*answer->responses[0].partitions[0].records, report.next_offset, logged);
    for (const Logged& record : logged) {
      report.skipped = report.skipped || record.offset != report.next_offset;
      report.next_offset = record.offset + 1;
      report.values.push_back(record.value);
    }
  }
}

}  // namespace wt::test

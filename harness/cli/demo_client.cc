#include "harness/cli/demo_client.h"

#include <chrono>
#include <thread>

#include "sim/formats/record_batch.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/produce.h"
#include "sim/kafka/wire/messages/producers.h"

namespace wt::harness::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int16_t kProduceKey = 0;
constexpr std::int16_t kFetchKey = 1;
constexpr std::int16_t kMetadataKey = 3;
constexpr std::int16_t kInitProducerIdKey = 22;
// Versions that name topics, so that no ids are needed.
constexpr std::int16_t kProduceVersion = 9;
constexpr std::int16_t kFetchVersion = 12;
constexpr std::int16_t kMetadataVersion = 9;
constexpr std::int16_t kInitProducerIdVersion = 4;
constexpr std::chrono::seconds kRetryLimit{15};
constexpr std::chrono::milliseconds kRetryPause{20};
constexpr std::size_t kMostBatch_bytes = 16U << 20;

Status error_status(kafka::ErrorCode code) {
  const StatusCode kind = kafka::is_retriable(code) ? StatusCode::kUnavailable : StatusCode::kInvalidArgument;
  return make_status(kind, kafka::error_name(code));
}

bool worth_retrying(const Status& status) {
  return status.code() == StatusCode::kUnavailable;
}

std::int64_t wall_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Calls `work` until it gives something else than a failure that may pass.
template <class Work>
auto retried(const Work& work) {
  const Clock::time_point deadline = Clock::now() + kRetryLimit;
  for (;;) {
    auto result = work();
    if (result.ok() || !worth_retrying(result.status()) || Clock::now() > deadline) return result;
    std::this_thread::sleep_for(kRetryPause);
  }
}

std::vector<std::string> split_addresses(const std::string& text) {
  std::vector<std::string> addresses;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    addresses.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return addresses;
}

void read_records(const Slice& batch, std::int64_t from_offset, std::vector<ClientRecord>& out) {
  const auto header = formats::parse_batch_header(batch.bytes());
  if (!header.ok() || header->control()) return;
  const auto records = formats::BatchRecords::open(batch, *header, kMostBatch_bytes);
  if (!records.ok()) return;
  formats::RecordReader reader(*header, records->bytes());
  formats::RecordView record;
  while (reader.next(record)) {
    ClientRecord read;
    read.offset = header->base_offset + record.offset_delta;
    if (record.value) read.value.assign(record.value->begin(), record.value->end());
    if (read.offset >= from_offset) out.push_back(std::move(read));
  }
}

}  // namespace

DemoClient::DemoClient(const std::string& bootstrap, std::string client_id, int answer_limit_ms)
    : bootstrap_(split_addresses(bootstrap)),
      client_id_(std::move(client_id)),
      answer_limit_ms_(answer_limit_ms) {}

StatusOr<kafka::Response> DemoClient::exchange(const std::string& address, std::int16_t api_key,
                                               std::int16_t version, const void* body) {
  const kafka::ApiSpec* api = kafka::find_api(api_key);
  kafka::RequestHeader header;
  header.request_api_key = api_key;
  header.request_api_version = version;
  header.correlation_id = next_correlation_++;
  header.client_id = client_id_;
  const auto request = kafka::encode_request(*api, header, body);
  if (!request.ok()) return request.status();
  std::unique_ptr<KafkaSocket>& socket = sockets_[address];
  if (socket == nullptr) {
    auto connected = KafkaSocket::connect(address, answer_limit_ms_);
    if (!connected.ok()) return connected.status();
    socket = std::move(*connected);
  }
  const StatusOr<Slice> frame = socket->exchange(*request);
  if (!frame.ok()) {
    socket.reset();
    return frame.status();
  }
  return kafka::decode_response(*api, version, *frame);
}

StatusOr<std::string> DemoClient::find_leader(const std::string& topic, std::int32_t partition) {
  kafka::MetadataRequest request;
  request.topics->emplace_back().name = topic;
  return retried([&]() -> StatusOr<std::string> {
    for (const std::string& address : bootstrap_) {
      const auto answer = ask<kafka::MetadataResponse>(address, kMetadataKey, kMetadataVersion, request);
      if (!answer.ok() || answer->topics.empty()) continue;
      for (const auto& state : answer->topics.front().partitions) {
        if (state.partition_index != partition) continue;
        for (const auto& broker : answer->brokers) {
          if (broker.node_id == state.leader_id) return broker.host + ":" + std::to_string(broker.port);
        }
      }
    }
    return make_status(StatusCode::kUnavailable,
                       "Nobody leads " + topic + "-" + std::to_string(partition) + ".");
  });
}

StatusOr<ProducerIdentity> DemoClient::init_producer() {
  kafka::InitProducerIdRequest request;
  request.transactional_id = std::nullopt;
  request.transaction_timeout_ms = 60'000;
  return retried([&]() -> StatusOr<ProducerIdentity> {
    Status last = make_status(StatusCode::kUnavailable, "There is no broker.");
    for (const std::string& address : bootstrap_) {
      const auto answer =
          ask<kafka::InitProducerIdResponse>(address, kInitProducerIdKey, kInitProducerIdVersion, request);
      if (answer.ok() && answer->error_code == kafka::ErrorCode::kNone) {
        return ProducerIdentity{answer->producer_id, answer->producer_epoch};
      }
      last = answer.ok() ? error_status(answer->error_code) : answer.status();
    }
    return last;
  });
}

StatusOr<std::int64_t> DemoClient::try_produce(const std::string& address, const std::string& topic,
                                               std::int32_t partition, const Slice& batch) {
  kafka::ProduceRequest request;
  request.acks = -1;
  request.timeout_ms = answer_limit_ms_;
  auto& data = request.topic_data.emplace_back();
  data.name = topic;
  auto& part = data.partition_data.emplace_back();
  part.index = partition;
  part.records = SliceList{batch};
  const auto answer = ask<kafka::ProduceResponse>(address, kProduceKey, kProduceVersion, request);
  if (!answer.ok()) return answer.status();
  if (answer->responses.empty() || answer->responses.front().partition_responses.empty()) {
    return make_status(StatusCode::kInternal, "The answer to the produce request is empty.");
  }
  const auto& result = answer->responses.front().partition_responses.front();
  if (result.error_code != kafka::ErrorCode::kNone) return error_status(result.error_code);
  return result.base_offset;
}

StatusOr<Produced> DemoClient::produce(const std::string& topic, std::int32_t partition,
                                       const std::vector<std::string>& values,
                                       const ProducerIdentity& producer, std::int32_t base_sequence) {
  formats::BatchOptions options;
  options.producer_id = producer.id;
  options.producer_epoch = producer.epoch;
  options.base_sequence = base_sequence;
  formats::BatchBuilder builder(options);
  for (const std::string& value : values) {
    formats::NewRecord record;
    record.timestamp_ms = wall_ms();
    record.value = value;
    builder.add(record);
  }
  const Slice batch = builder.build();
  Produced produced;
  const auto offset = retried([&]() -> StatusOr<std::int64_t> {
    const StatusOr<std::string> leader = find_leader(topic, partition);
    if (!leader.ok()) return leader.status();
    ++produced.attempts;
    return try_produce(*leader, topic, partition, batch);
  });
  if (!offset.ok()) return offset.status();
  produced.base_offset = *offset;
  return produced;
}

StatusOr<std::vector<ClientRecord>> DemoClient::fetch(const std::string& topic, std::int32_t partition,
                                                      std::int64_t offset) {
  return retried([&]() -> StatusOr<std::vector<ClientRecord>> {
    const StatusOr<std::string> leader = find_leader(topic, partition);
    if (!leader.ok()) return leader.status();
    std::vector<ClientRecord> records;
    for (std::int64_t next = offset;;) {
      kafka::FetchRequest request;
      request.max_wait_ms = 0;
      request.max_bytes = 8 << 20;
      auto& asked = request.topics.emplace_back();
      asked.topic = topic;
      auto& part = asked.partitions.emplace_back();
      part.partition = partition;
      part.fetch_offset = next;
      part.partition_max_bytes = 4 << 20;
      const auto answer = ask<kafka::FetchResponse>(*leader, kFetchKey, kFetchVersion, request);
      if (!answer.ok()) return answer.status();
      if (answer->error_code != kafka::ErrorCode::kNone) return error_status(answer->error_code);
      if (answer->responses.empty() || answer->responses.front().partitions.empty()) return records;
      const auto& result = answer->responses.front().partitions.front();
      if (result.error_code != kafka::ErrorCode::kNone) return error_status(result.error_code);
      const std::size_t before = records.size();
      const Slice bytes = result.records ? flatten(*result.records) : Slice();
      for (const Slice& batch : formats::split_batches(bytes).batches) read_records(batch, next, records);
      if (records.size() == before) return records;
      next = records.back().offset + 1;
      if (next >= result.high_watermark) return records;
    }
  });
}

}  // namespace wt::harness::cli

#include "tests/conformance/runner/group_log.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "sim/formats/byte_reader.h"
#include "sim/formats/record_batch.h"
#include "sim/kafka/groups/classic/module.h"
#include "sim/kafka/groups/consumer/module.h"
#include "sim/kafka/groups/offset_records.h"
#include "sim/kafka/wire/frame.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/schema_text.h"
#include "tests/conformance/runner/embedded.h"
#include "tests/conformance/runner/message.h"
#include "tests/conformance/runner/records.h"
#include "tests/conformance/runner/step_fields.h"

namespace wt::conformance {

namespace {

namespace f = wt::formats;

constexpr std::string_view kTopic = "__consumer_offsets";
constexpr std::size_t kLargestBatch_bytes = std::size_t{64} << 20;

using Bytes = std::span<const std::uint8_t>;

kafka::RecordCodec make_codec() {
  kafka::RecordCodec codec;
  for (const kafka::RecordType& type : kafka::offset_record_types()) codec.add(type);
  for (const kafka::RecordType& type : kafka::classic_module().types) codec.add(type);
  for (const kafka::RecordType& type : kafka::consumer_group_module().types) codec.add(type);
  return codec;
}

json::value hex_of(Bytes bytes) {
  json::object out;
  out["hex"] = to_hex(bytes);
  return json::value(std::move(out));
}

// Version and fields of a key or a value that begins with its version.
json::value describe_part(const schema::AnyMessage& message, Bytes bytes) {
  ByteReader reader(bytes);
  const std::int16_t version = reader.i16();
  json::object out{{"version", version}};
  const absl::StatusOr<json::value> fields =
      parse_json(schema::to_text(message.table(), message.object(), version));
  if (!fields.ok()) return hex_of(bytes);
  for (const auto& [name, value] : fields->as_object()) out[name] = value;
  json::value described(std::move(out));
  describe_embedded(described);
  return described;
}

// All kinds of keys begin with their version and the group.
bool belongs_to(std::string_view group, Bytes key) {
  ByteReader reader(key);
  reader.i16();
  const auto size = static_cast<std::size_t>(reader.i16());
  if (!reader.ok() || size != group.size() || key.size() < 4 + size) return false;
  return std::string_view(reinterpret_cast<const char*>(key.data()) + 4, size) == group;
}

void add_records(std::string_view group, const Slice& batch, json::array& out) {
  const absl::StatusOr<f::BatchHeader> header = f::parse_batch_header(batch.bytes());
  if (!header.ok() || header->control()) return;
  const auto opened = f::BatchRecords::open(batch, *header, kLargestBatch_bytes);
  if (!opened.ok()) return;
  f::RecordReader reader(*header, opened->bytes());
  f::RecordView record;
  while (reader.next(record)) {
    if (!record.key) continue;
    json::value described = describe_group_record(group, *record.key, record.value);
    if (!described.is_null()) out.push_back(std::move(described));
  }
}

absl::StatusOr<std::int32_t> partition_count(Exchange& exchange, int broker) {
  json::object topic{{"name", json_view(kTopic)}};
  json::object fields{{"topics", json::array{topic}}, {"allowAutoTopicCreation", false}};
  const auto answer = exchange.ask(broker, {"Metadata", 12, std::move(fields)});
  if (!answer.ok()) return answer.status();
  const json::value* partitions = find(*answer, "topics[0].partitions");
  if (partitions == nullptr || partitions->get_array().empty())
    return absl::NotFoundError("no offsets topic");
  return static_cast<std::int32_t>(partitions->get_array().size());
}

RequestStep fetch_from(std::int32_t partition, std::int64_t offset) {
  json::object wanted{{"fetchOffset", offset}, {"partitionMaxBytes", 1 << 20}};
  wanted["partition"] = partition;
  json::object topic{{"partitions", json::array{wanted}}};
  topic["topic"] = json_view(kTopic);
  json::object fields{{"replicaId", -1}, {"maxWaitMs", 0}, {"minBytes", 0}, {"maxBytes", 1 << 20}};
  fields["topics"] = json::array{topic};
  return {"Fetch", 12, std::move(fields)};
}

absl::StatusOr<Slice> fetch_records(Exchange& exchange, int broker, const RequestStep& request) {
  const absl::StatusOr<Slice> frame = exchange.ask_frame(broker, request);
  if (!frame.ok()) return frame.status();
  const auto api = api_by_name(request.api);
  const absl::StatusOr<kafka::Response> response = kafka::decode_response(**api, request.version, *frame);
  if (!response.ok()) return response.status();
  const auto& fetched = *response->body.get<kafka::FetchResponse>();
  if (fetched.responses.empty() || fetched.responses[0].partitions.empty())
    return absl::InternalError("the fetch has no answer");
  const auto& partition = fetched.responses[0].partitions[0];
  if (partition.error_code != kafka::ErrorCode::kNone)
    return absl::InternalError(absl::StrCat("error ", static_cast<int>(partition.error_code), " of a fetch"));
  return partition.records ? flatten(*partition.records) : Slice();
}

}  // namespace

std::int32_t partition_of_group(std::string_view group, std::int32_t partitions) {
  std::uint32_t hash = 0;
  for (const char c : group) hash = 31 * hash + static_cast<unsigned char>(c);
  const auto number = static_cast<std::int32_t>(hash);
  if (number == std::numeric_limits<std::int32_t>::min()) return 0;
  return (number < 0 ? -number : number) % partitions;
}

json::value describe_group_record(std::string_view group, Bytes key, std::optional<Bytes> value) {
  static const kafka::RecordCodec kCodec = make_codec();
  if (!belongs_to(group, key)) return nullptr;
  json::object out;
  const auto record = kCodec.decode(key, value);
  if (record.ok()) {
    out["key"] = describe_part(record->key, key);
    out["value"] = value ? describe_part(record->value, *value) : json::value(nullptr);
  } else {
    out["key"] = hex_of(key);
    out["value"] = value ? hex_of(*value) : json::value(nullptr);
  }
  return json::value(std::move(out));
}

absl::StatusOr<json::value> read_group_log(Exchange& exchange, int coordinator, std::string_view group) {
  const absl::StatusOr<std::int32_t> partitions = partition_count(exchange, coordinator);
  if (!partitions.ok()) return partitions.status();
  const std::int32_t partition = partition_of_group(group, *partitions);
  json::array records;
  std::int64_t offset = 0;
  while (true) {
    const absl::StatusOr<Slice> bytes = fetch_records(exchange, coordinator, fetch_from(partition, offset));
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) break;
    const f::BatchSplit split = f::split_batches(*bytes);
    for (const Slice& batch : split.batches) {
      const absl::StatusOr<f::BatchHeader> header = f::parse_batch_header(batch.bytes());
      if (!header.ok()) return header.status();
      offset = header->last_offset() + 1;
      add_records(group, batch, records);
    }
    if (split.batches.empty()) return absl::InternalError("a batch that is larger than a fetch");
  }
  json::object out;
  out["records"] = std::move(records);
  return json::value(std::move(out));
}

}  // namespace wt::conformance

#include "tests/conformance/runner/embedded.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "sim/formats/base64.h"
#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"
#include "sim/kafka/wire/codec.h"
#include "sim/kafka/wire/json/from_json.h"
#include "sim/kafka/wire/schema_text.h"
#include "tests/conformance/runner/records.h"
#include "tests/conformance/runner/scram_final.h"

namespace wt::conformance {

namespace {

struct Subscription {
  struct TopicPartition {
    std::string topic;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  std::vector<std::string> topics;
  std::optional<Slice> user_data;
  std::vector<TopicPartition> owned_partitions;
  std::int32_t generation_id = -1;
  std::optional<std::string> rack_id;
  WT_HAS_TABLE;
};

struct Assignment {
  struct TopicPartition {
    std::string topic;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  std::vector<TopicPartition> assigned_partitions;
  std::optional<Slice> user_data;
  WT_HAS_TABLE;
};

// One field a line.
// clang-format off
WT_STRUCT(Subscription::TopicPartition,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_MESSAGE(Subscription, 0, 3, schema::kNeverFlexible,
    WT_FIELD(topics),
    WT_FIELD(user_data).or_null(),
    WT_FIELD(owned_partitions).in(schema::since(1)).ignorable(),
    WT_FIELD(generation_id).in(schema::since(2)).ignorable(),
    WT_FIELD(rack_id).in(schema::since(3)).or_null().ignorable());

WT_STRUCT(Assignment::TopicPartition,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_MESSAGE(Assignment, 0, 3, schema::kNeverFlexible,
    WT_FIELD(assigned_partitions),
    WT_FIELD(user_data).or_null());
// clang-format on

std::string base64(std::span<const std::uint8_t> bytes) {
  return base64_encode(bytes, Base64Alphabet::kStandard);
}

std::string base64_of_text(std::string_view text) {
  return base64(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

template <class Message>
absl::StatusOr<std::string> build(const json::value& description) {
  if (!description.is_object()) return absl::InvalidArgumentError("an object is wanted");
  json::object fields = description.get_object();
  const json::value* version_field = fields.if_contains("version");
  if (version_field == nullptr || !version_field->is_int64())
    return absl::InvalidArgumentError("no version in embedded bytes");
  const auto version = static_cast<std::int16_t>(version_field->get_int64());
  fields.erase("version");
  const absl::StatusOr<Message> message = kafka::from_json<Message>(json::serialize(fields));
  if (!message.ok()) return message.status();
  const absl::StatusOr<SliceList> body = kafka::encode(*message, version);
  if (!body.ok()) return body.status();
  ByteWriter out;
  out.i16(version);
  out.bytes(flatten(*body).bytes());
  return base64(out.to_slice().bytes());
}

// Null when the bytes are nothing of the kind.
template <class Message>
std::optional<json::value> read(std::string_view name, const Slice& bytes) {
  if (bytes.size() < 2) return std::nullopt;
  ByteReader reader(bytes.bytes());
  const std::int16_t version = reader.i16();
  if (!Message::kTable.versions.contains(version)) return std::nullopt;
  const absl::StatusOr<Message> message = kafka::decode<Message>(bytes.from(2), version);
  if (!message.ok()) return std::nullopt;
  const absl::StatusOr<json::value> fields = parse_json(schema::to_text(Message::kTable, &*message, version));
  if (!fields.ok()) return std::nullopt;
  json::object described{{"version", version}};
  for (const auto& [key, value] : fields->as_object()) described[key] = value;
  json::object out;
  out[json::string_view(name.data(), name.size())] = std::move(described);
  return json::value(std::move(out));
}

bool is_printable(const Slice& bytes) {
  const auto all = bytes.bytes();
  return std::all_of(all.begin(), all.end(), [](std::uint8_t byte) { return byte >= 0x20 && byte < 0x7f; });
}

// Null when the object describes no bytes.
std::optional<absl::StatusOr<std::string>> build_description(const json::object& object) {
  if (object.size() != 1) return std::nullopt;
  const json::value& content = object.begin()->value();
  const json::string_view kind = object.begin()->key();
  if (kind == "subscription") return build<Subscription>(content);
  if (kind == "assignment" && content.is_object()) return build<Assignment>(content);
  if (kind == "scram_final") {
    absl::StatusOr<std::string> message = scram_final(content);
    if (!message.ok()) return message.status();
    return base64_of_text(*message);
  }
  if (kind == "text" && content.is_string()) return base64_of_text(view(content.get_string()));
  if (kind == "hex" && content.is_string()) {
    const auto bytes = from_hex(view(content.get_string()));
    if (!bytes.ok()) return bytes.status();
    return base64(*bytes);
  }
  return std::nullopt;
}

json::value describe_bytes(std::string_view base64_text, bool is_assignment) {
  const auto decoded = base64_decode(base64_text, Base64Alphabet::kStandard);
  if (!decoded || decoded->empty())
    return json::value(json::string_view(base64_text.data(), base64_text.size()));
  const Slice bytes = Slice::copy_of(*decoded);
  std::optional<json::value> described =
      is_assignment ? read<Assignment>("assignment", bytes) : read<Subscription>("subscription", bytes);
  if (described) return *std::move(described);
  json::object out;
  if (is_printable(bytes)) {
    out["text"] = json::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  } else {
    out["hex"] = to_hex(bytes.bytes());
  }
  return json::value(std::move(out));
}

}  // namespace

bool has_embedded(std::string_view api) {
  return api == "JoinGroup" || api == "SyncGroup" || api == "DescribeGroups" || api == "SaslAuthenticate";
}

absl::StatusOr<json::value> with_embedded_built(const json::value& request) {
  if (request.is_array()) {
    json::array out;
    for (const json::value& inner : request.get_array()) {
      absl::StatusOr<json::value> built = with_embedded_built(inner);
      if (!built.ok()) return built.status();
      out.push_back(*std::move(built));
    }
    return json::value(std::move(out));
  }
  if (!request.is_object()) return request;
  if (auto built = build_description(request.get_object())) {
    if (!built->ok()) return built->status();
    return json::value(**built);
  }
  json::object out;
  for (const auto& [key, inner] : request.get_object()) {
    absl::StatusOr<json::value> built = with_embedded_built(inner);
    if (!built.ok()) return built.status();
    out[key] = *std::move(built);
  }
  return json::value(std::move(out));
}

void describe_embedded(json::value& answer) {
  if (answer.is_array()) {
    for (json::value& inner : answer.get_array()) describe_embedded(inner);
    return;
  }
  if (!answer.is_object()) return;
  for (auto& [key, inner] : answer.get_object()) {
    const bool is_assignment = key == "assignment" || key == "memberAssignment";
    if (inner.is_string() &&
        (is_assignment || key == "metadata" || key == "memberMetadata" || key == "subscription")) {
      inner = describe_bytes(view(inner.get_string()), is_assignment);
    } else {
      describe_embedded(inner);
    }
  }
}

}  // namespace wt::conformance

#include "sim/kafka/groups/consumer/consumer_protocol.h"

#include <algorithm>

#include "sim/controller/image.h"
#include "sim/formats/byte_writer.h"
#include "sim/kafka/wire/codec.h"

namespace wt::kafka {

using schema::kNeverFlexible;
using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(ConsumerProtocolTopic,
    WT_FIELD(topic),
    WT_FIELD(partitions));
WT_MESSAGE(ConsumerProtocolSubscription, 0, 3, kNeverFlexible,
    WT_FIELD(topics),
    WT_FIELD(user_data).or_null(),
    WT_FIELD(owned_partitions).in(since(1)).ignorable(),
    WT_FIELD(generation_id).in(since(2)).ignorable(),
    WT_FIELD(rack_id).in(since(3)).or_null().ignorable());
WT_MESSAGE(ConsumerProtocolAssignment, 0, 3, kNeverFlexible,
    WT_FIELD(assigned_partitions),
    WT_FIELD(user_data).or_null());
// clang-format on

namespace {

constexpr std::size_t kVersion_bytes = 2;

std::optional<Version> version_of(const Slice& bytes) {
  if (bytes.size() < kVersion_bytes) return std::nullopt;
  const auto high = static_cast<std::uint16_t>(bytes.data()[0]);
  const auto version = static_cast<std::int16_t>(high << 8U | bytes.data()[1]);
  if (version < 0) return std::nullopt;
  return std::min(version, ConsumerProtocolSubscription::kTable.versions.last);
}

template <class Message>
std::optional<Message> parse(const Slice& bytes) {
  const std::optional<Version> version = version_of(bytes);
  if (!version) return std::nullopt;
  DecodeLimits limits;
  limits.strictness = Strictness::kLikeBroker;
  limits.allow_trailing_bytes = true;
  auto message = decode<Message>(bytes.from(kVersion_bytes), *version, limits);
  if (!message.ok()) return std::nullopt;
  return *std::move(message);
}

}  // namespace

std::optional<ConsumerProtocolSubscription> parse_subscription(const Slice& bytes) {
  return parse<ConsumerProtocolSubscription>(bytes);
}

std::optional<ConsumerProtocolAssignment> parse_assignment(const Slice& bytes) {
  return parse<ConsumerProtocolAssignment>(bytes);
}

std::optional<Slice> assignment_bytes(const TopicPartitions& partitions,
                                      const controller::MetadataImage& image, const Slice& subscription) {
  const std::optional<Version> version = version_of(subscription);
  if (!version) return std::nullopt;
  ConsumerProtocolAssignment assignment;
  for (const auto& [topic_id, numbers] : partitions) {
    const controller::TopicState* topic = image.topic(topic_id);
    if (topic == nullptr) continue;
    auto& entry = assignment.assigned_partitions.emplace_back();
    entry.topic = topic->name;
    entry.partitions = {numbers.begin(), numbers.end()};
  }
  const auto fields = encode_any(ConsumerProtocolAssignment::kTable, &assignment, *version);
  if (!fields.ok()) return std::nullopt;
  ByteWriter out;
  out.i16(*version);
  for (const Slice& part : *fields) out.bytes(part.bytes());
  return out.to_slice();
}

TopicPartitions to_partitions(const std::vector<ConsumerProtocolTopic>& topics,
                              const controller::MetadataImage& image) {
  TopicPartitions partitions;
  for (const ConsumerProtocolTopic& topic : topics) {
    const controller::TopicState* known = image.topic(topic.topic);
    if (known == nullptr || topic.partitions.empty()) continue;
    partitions[known->topic_id] = {topic.partitions.begin(), topic.partitions.end()};
  }
  return partitions;
}

OwnedTopics to_owned(const std::vector<ConsumerProtocolTopic>& topics,
                     const controller::MetadataImage& image) {
  OwnedTopics owned;
  owned.emplace();
  for (const ConsumerProtocolTopic& topic : topics) {
    const controller::TopicState* known = image.topic(topic.topic);
    if (known == nullptr) continue;
    auto& entry = owned->emplace_back();
    entry.topic_id = known->topic_id;
    entry.partitions = topic.partitions;
  }
  return owned;
}

}  // namespace wt::kafka

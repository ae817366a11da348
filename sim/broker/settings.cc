#include "sim/broker/settings.h"

#include <charconv>

namespace wt::broker {
namespace {

using controller::ConfigResourceType;

// The value of a topic config: the topic's own, else this broker's, else the default of all brokers.
class ConfigReader {
 public:
  ConfigReader(const controller::MetadataImage& image, const std::string& topic, std::int32_t broker)
      : image_(image), topic_(topic), broker_(std::to_string(broker)) {}

  std::optional<std::string_view> text(std::string_view key, std::string_view broker_key) const {
    if (const std::string* value = image_.config(ConfigResourceType::topic, topic_, key)) return *value;
    if (const std::string* value = image_.config(ConfigResourceType::broker, broker_, broker_key))
      return *value;
    if (const std::string* value = image_.config(ConfigResourceType::broker, "", broker_key)) return *value;
    return std::nullopt;
  }

  std::int64_t number(std::string_view key, std::string_view broker_key, std::int64_t otherwise) const {
    const auto value = text(key, broker_key);
    if (!value) return otherwise;
    std::int64_t parsed = otherwise;
    std::from_chars(value->data(), value->data() + value->size(), parsed);
    return parsed;
  }

 private:
  const controller::MetadataImage& image_;
  const std::string& topic_;
  std::string broker_;
};

bool contains_policy(std::string_view list, std::string_view policy) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (item == policy) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
  return false;
}

// Nothing for "producer": as the client compressed it.
std::optional<formats::Codec> codec_of(std::string_view name) {
  if (name == "uncompressed") return formats::Codec::kNone;
  if (name == "gzip") return formats::Codec::kGzip;
  if (name == "snappy") return formats::Codec::kSnappy;
  if (name == "lz4") return formats::Codec::kLz4;
  if (name == "zstd") return formats::Codec::kZstd;
  return std::nullopt;
}

}  // namespace

PartitionSettings partition_settings(const controller::MetadataImage& image,
                                     const controller::TopicState& topic, std::int32_t broker) {
  const ConfigReader configs(image, topic.name, broker);
  PartitionSettings settings;
  const auto timestamp_type = configs.text("message.timestamp.type", "log.message.timestamp.type");
  if (timestamp_type == "LogAppendTime") settings.timestamp_type = formats::TimestampType::kLogAppendTime;
  settings.timestamp_before_max_ms =
      configs.number("message.timestamp.before.max.ms", "log.message.timestamp.before.max.ms",
                     settings.timestamp_before_max_ms);
  settings.timestamp_after_max_ms =
      configs.number("message.timestamp.after.max.ms", "log.message.timestamp.after.max.ms",
                     settings.timestamp_after_max_ms);
  settings.max_message_bytes =
      configs.number("max.message.bytes", "message.max.bytes", settings.max_message_bytes);
  settings.producer_id_expiration_ms =
      configs.number("", "producer.id.expiration.ms", settings.producer_id_expiration_ms);
  settings.min_in_sync = configs.number("min.insync.replicas", "min.insync.replicas", settings.min_in_sync);
  settings.codec = codec_of(configs.text("compression.type", "compression.type").value_or("producer"));
  const std::string_view policy = configs.text("cleanup.policy", "log.cleanup.policy").value_or("delete");
  settings.compacted = contains_policy(policy, "compact");
  settings.segments.deletable = contains_policy(policy, "delete") || !settings.compacted;
  settings.segments.segment_bytes =
      configs.number("segment.bytes", "log.segment.bytes", settings.segments.segment_bytes);
  settings.segments.segment_ms = configs.number("segment.ms", "log.roll.ms", settings.segments.segment_ms);
  settings.segments.retention_bytes =
      configs.number("retention.bytes", "log.retention.bytes", settings.segments.retention_bytes);
  settings.segments.retention_ms =
      configs.number("retention.ms", "log.retention.ms", settings.segments.retention_ms);
  if (const std::string* format = topic.property("kafkaEntryFormat")) {
    if (*format == "kafka") settings.entry_format = formats::EntryFormat::kKafka;
    if (*format == "pulsar_non_batched") settings.entry_format = formats::EntryFormat::kPulsarNonBatched;
  }
  return settings;
}

}  // namespace wt::broker

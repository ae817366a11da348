#include "sim/kafka/groups/settings.h"

#include <charconv>

namespace wt::kafka {
namespace {

using controller::ConfigResourceType;

class Reader {
 public:
  Reader(const controller::MetadataImage& image, std::int32_t broker, std::string_view group)
      : image_(image), broker_(std::to_string(broker)), group_(group) {}

  // `broker_key` of this broker or of all; `group_key` of the group goes before it.
  void read(std::int32_t& number, std::string_view broker_key, std::string_view group_key = {}) const {
    const std::string* value =
        group_key.empty() ? nullptr : image_.config(ConfigResourceType::group, group_, group_key);
    if (value == nullptr) value = image_.config(ConfigResourceType::broker, broker_, broker_key);
    if (value == nullptr) value = image_.config(ConfigResourceType::broker, "", broker_key);
    if (value != nullptr) std::from_chars(value->data(), value->data() + value->size(), number);
  }

 private:
  const controller::MetadataImage& image_;
  std::string broker_;
  std::string_view group_;
};

}  // namespace

GroupSettings group_settings(const controller::MetadataImage& image, std::int32_t broker,
                             const GroupSettings& defaults, std::string_view group) {
  GroupSettings settings = defaults;
  const Reader reader(image, broker, group);
  reader.read(settings.consumer_session_timeout_ms, "group.consumer.session.timeout.ms",
              "consumer.session.timeout.ms");
  reader.read(settings.consumer_heartbeat_interval_ms, "group.consumer.heartbeat.interval.ms",
              "consumer.heartbeat.interval.ms");
  return settings;
}

}  // namespace wt::kafka

// ListConfigResources (74).
#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/telemetry.h"

namespace wt::kafka {
namespace {

using controller::ConfigResourceType;

constexpr std::int8_t kBrokerLogger = 8;
constexpr std::int8_t kKnownTypes[] = {32, 16, kBrokerLogger, 4, 2};

class Lister {
 public:
  Lister(const RequestContext& context, ListConfigResourcesResponse& response)
      : image_(context.broker.image()), response_(response) {}

  void list(std::int8_t type) {
    switch (type) {
      case static_cast<std::int8_t>(ConfigResourceType::topic):
        image_.for_each_topic([&](const controller::TopicState& topic) { add(topic.name, type); });
        break;
      case static_cast<std::int8_t>(ConfigResourceType::broker):
      case kBrokerLogger:
        for (const auto& [id, broker] : image_.brokers()) add(std::to_string(id), type);
        break;
      default:
        image_.for_each_configured([&](const controller::ConfigResource& resource) {
          if (static_cast<std::int8_t>(resource.first) == type) add(resource.second, type);
        });
    }
  }

 private:
  void add(const std::string& name, std::int8_t type) {
    auto& resource = response_.config_resources.emplace_back();
    resource.resource_name = name;
    resource.resource_type = type;
  }
  const controller::MetadataImage& image_;
  ListConfigResourcesResponse& response_;
};

bool is_known(std::int8_t type) {
  return std::find(std::begin(kKnownTypes), std::end(kKnownTypes), type) != std::end(kKnownTypes);
}

}  // namespace

// Version 0 knows client metrics only; in version 1 no types mean all.
Task<Reply> handle_list_config_resources(RequestContext& context) {
  std::vector<std::int8_t> types = context.body<ListConfigResourcesRequest>().resource_types;
  ListConfigResourcesResponse response;
  Lister lister(context, response);
  if (!std::all_of(types.begin(), types.end(), is_known)) {
    response.error_code = ErrorCode::kUnsupportedVersion;
    co_return answer_with(std::move(response));
  }
  if (context.version() == 0) {
    types = {static_cast<std::int8_t>(ConfigResourceType::client_metrics)};
  } else if (types.empty()) {
    types.assign(std::begin(kKnownTypes), std::end(kKnownTypes));
  }
  for (const std::int8_t type : types) lister.list(type);
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka

#include "sim/kafka/handlers/service.h"

#include <algorithm>

#include "sim/kafka/handlers/context.h"
#include "sim/kafka/wire/api.h"

namespace wt::kafka {
namespace {
constexpr std::size_t kKeptRefusals = 256;
constexpr std::size_t kMaxInCreation = 1000;
}  // namespace

ApiKeySet KafkaService::advertised_keys() const {
  ApiKeySet keys;
  for (const ApiRange& range : profile().apis) {
    if (!options_.advertise_only_implemented || find_handler(range.key) != nullptr) {
      keys.set(static_cast<std::size_t>(range.key));
    }
  }
  return keys;
}

bool KafkaService::takes(std::int16_t key, Version version) const {
  const bool is_telemetry = std::any_of(
      std::begin(kTelemetryApis), std::end(kTelemetryApis),
      [&](const ApiRange& range) { return range.key == key && range.versions.contains(version); });
  return is_telemetry ? options_.telemetry_receiver : is_supported(profile(), key, version);
}

bool KafkaService::begin_creation(const std::string& topic) {
  return in_creation_.size() < kMaxInCreation && in_creation_.insert(topic).second;
}

void KafkaService::log_refusal(std::string_view why, ConnectionId connection, std::int64_t detail) {
  if (refusals_.size() >= kKeptRefusals) refusals_.pop_front();
  refusals_.push_back({process_.now(), std::string(why), connection, detail});
}

}  // namespace wt::kafka

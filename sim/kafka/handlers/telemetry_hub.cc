#include "sim/kafka/handlers/telemetry_hub.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "sim/controller/config_defs.h"
#include "sim/kernel/hash.h"

namespace wt::kafka {
namespace {

using controller::ConfigResourceType;

constexpr std::string_view kAllMetrics = "*";
constexpr std::string_view kAnything = ".*";

// Patterns are literal, but for a ".*" at the end.
bool matches_pattern(std::string_view text, std::string_view pattern) {
  if (!pattern.ends_with(kAnything)) return text == pattern;
  pattern.remove_suffix(kAnything.size());
  return text.starts_with(pattern);
}

std::string_view property_of(const TelemetryClient& client, std::string_view name, const std::string& id) {
  if (name == "client_id") return client.client_id;
  if (name == "client_instance_id") return id;
  if (name == "client_software_name") return client.software_name;
  if (name == "client_software_version") return client.software_version;
  return {};
}

// All patterns must fit; without any, every client does.
bool is_matched(const TelemetryClient& client, std::string_view patterns) {
  const std::string id = client.instance_id.text();
  for (const std::string& pattern : controller::split_list(patterns)) {
    const std::size_t equals = pattern.find('=');
    if (equals == std::string::npos) return false;
    const std::string_view value = property_of(client, std::string_view(pattern).substr(0, equals), id);
    if (!matches_pattern(value, std::string_view(pattern).substr(equals + 1))) return false;
  }
  return true;
}

std::string_view value_of(const controller::ConfigMap& configs, std::string_view key) {
  const auto found = configs.find(key);
  return found == configs.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace

TelemetrySubscription subscription_of(const TelemetryClient& client, const controller::MetadataImage& image) {
  TelemetrySubscription all;
  std::set<std::string> metrics;
  image.for_each_configured([&](const controller::ConfigResource& resource) {
    if (resource.first != ConfigResourceType::client_metrics) return;
    const controller::ConfigMap& configs = image.configs(resource.first, resource.second);
    if (!is_matched(client, value_of(configs, "match"))) return;
    for (std::string& metric : controller::split_list(value_of(configs, "metrics")))
      metrics.insert(std::move(metric));
    const std::string_view interval = value_of(configs, "interval.ms");
    std::int32_t interval_ms = all.push_interval_ms;
    std::from_chars(interval.data(), interval.data() + interval.size(), interval_ms);
    all.push_interval_ms = std::min(all.push_interval_ms, interval_ms);
  });
  if (metrics.contains(std::string(kAllMetrics))) metrics = {std::string(kAllMetrics)};
  all.metrics.assign(metrics.begin(), metrics.end());
  // Any number does that changes with what is asked and differs between clients.
  std::uint64_t hash = fold64(client.instance_id.high(), client.instance_id.low());
  for (const std::string& metric : all.metrics) hash = fold64(hash, hash_text(metric));
  hash = fold64(hash, static_cast<std::uint64_t>(all.push_interval_ms));
  all.id = static_cast<std::int32_t>(hash & 0x7fffffff);
  return all;
}

TelemetryHub::Client& TelemetryHub::client(const TelemetryClient& who,
                                           const TelemetrySubscription& subscription, TimeNs now_ns) {
  if (clients_.size() >= kMaxClients && !clients_.contains(who.instance_id)) {
    const auto oldest = std::min_element(clients_.begin(), clients_.end(), [](const auto& a, const auto& b) {
      return a.second.last_seen_ns < b.second.last_seen_ns;
    });
    clients_.erase(oldest);
  }
  Client& known = clients_[who.instance_id];
  // With other subscriptions a client starts anew: it is told of them at once.
  if (known.subscription_id != subscription.id) known = Client();
  known.subscription_id = subscription.id;
  known.last_seen_ns = now_ns;
  return known;
}

ErrorCode TelemetryHub::on_get(const TelemetryClient& who, const TelemetrySubscription& subscription,
                               TimeNs now_ns) {
  Client& known = client(who, subscription, now_ns);
  const TimeNs last_ns = std::max(known.last_get_ns, known.last_push_ns);
  if (last_ns != kNever && now_ns - last_ns < from_ms(subscription.push_interval_ms))
    return ErrorCode::kThrottlingQuotaExceeded;
  known.last_get_ns = now_ns;
  return ErrorCode::kNone;
}

ErrorCode TelemetryHub::on_push(const TelemetryClient& who, const TelemetrySubscription& subscription,
                                std::int32_t subscription_id, bool terminating, TimeNs now_ns) {
  Client& known = client(who, subscription, now_ns);
  const bool was_terminating = std::exchange(known.terminating, terminating);
  if (was_terminating) return ErrorCode::kInvalidRequest;
  const bool first_after_get = known.last_get_ns > known.last_push_ns;
  const bool in_time = first_after_get || known.last_push_ns == kNever ||
                       now_ns - known.last_push_ns >= from_ms(subscription.push_interval_ms);
  if (in_time) known.last_push_ns = now_ns;
  if (!in_time && !terminating) return ErrorCode::kThrottlingQuotaExceeded;
  if (subscription_id != subscription.id) return ErrorCode::kUnknownSubscriptionId;
  return ErrorCode::kNone;
}

}  // namespace wt::kafka

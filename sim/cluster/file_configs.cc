#include "sim/cluster/file_configs.h"

namespace wt::cluster {

std::map<std::string, std::string> file_configs(const ClusterOptions& options) {
  const ClusterOptions defaults;
  std::map<std::string, std::string> configs;
  const auto number = [&configs](const char* name, std::int64_t value, std::int64_t otherwise) {
    if (value != otherwise) configs[name] = std::to_string(value);
  };
  const auto milliseconds = [&number](const char* name, DurationNs value_ns, DurationNs otherwise_ns) {
    number(name, value_ns / kMillisecond_ns, otherwise_ns / kMillisecond_ns);
  };
  const auto truth = [&configs](const char* name, bool value) {
    if (!value) configs[name] = "false";
  };
  number("num.partitions", options.default_partitions, 1);
  // -1 is no factor that a file can have.
  if (options.default_replication_factor > 0)
    number("default.replication.factor", options.default_replication_factor, 1);
  truth("auto.create.topics.enable", options.auto_create_topics);
  truth("delete.topic.enable", options.delete_topics);
  number("max.incremental.fetch.session.cache.slots", static_cast<std::int64_t>(options.max_fetch_sessions),
         static_cast<std::int64_t>(defaults.max_fetch_sessions));
  milliseconds("broker.session.timeout.ms", options.broker_session_timeout_ns,
               defaults.broker_session_timeout_ns);
  milliseconds("log.retention.check.interval.ms", options.retention_check_ns, defaults.retention_check_ns);
  milliseconds("connections.max.idle.ms", options.max_idle_ns, defaults.max_idle_ns);
  milliseconds("connections.max.reauth.ms", options.security.max_reauth_ns, defaults.security.max_reauth_ns);
  number("max.connections", static_cast<std::int64_t>(options.max_connections),
         static_cast<std::int64_t>(defaults.max_connections));
  number("socket.request.max.bytes", options.max_request_bytes, defaults.max_request_bytes);
  return configs;
}

}  // namespace wt::cluster

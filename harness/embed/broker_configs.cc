// apply_broker_config: broker properties that the cluster has an option for, and those that it can keep.
#include <charconv>

#include "harness/embed/session.h"
#include "sim/controller/config_defs.h"
#include "sim/kafka/groups/settings.h"

namespace wt::harness {
namespace {

Status bad(const std::string& message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

bool read_number(const std::string& text, std::int64_t low, std::int64_t high, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= low && out <= high;
}

// Sets the option that stands for `key`; false when there is none.
bool set_option(cluster::ClusterOptions& options, const std::string& key, std::int64_t number, bool truth) {
  if (key == "num.partitions") {
    options.default_partitions = static_cast<std::int32_t>(number);
  } else if (key == "default.replication.factor") {
    options.default_replication_factor = static_cast<std::int16_t>(number);
  } else if (key == "auto.create.topics.enable") {
    options.auto_create_topics = truth;
  } else if (key == "delete.topic.enable") {
    options.delete_topics = truth;
  } else if (key == "max.incremental.fetch.session.cache.slots") {
    options.max_fetch_sessions = static_cast<std::size_t>(number);
  } else if (key == "broker.session.timeout.ms") {
    options.broker_session_timeout_ns = from_ms(number);
  } else if (key == "producer.id.expiration.check.interval.ms") {
    options.producer_expiry_check_ns = from_ms(number);
  } else if (key == "log.initial.task.delay.ms") {
    options.first_retention_check_ns = from_ms(number);
  } else if (key == "log.retention.check.interval.ms") {
    options.retention_check_ns = from_ms(number);
  } else if (key == "connections.max.idle.ms") {
    options.max_idle_ns = from_ms(number);
  } else if (key == "connections.max.reauth.ms") {
    options.security.max_reauth_ns = from_ms(number);
  } else if (key == "max.connections") {
    options.max_connections = static_cast<std::size_t>(number);
  } else if (key == "socket.request.max.bytes") {
    options.max_request_bytes = number;
  } else {
    return false;
  }
  return true;
}

std::pair<std::int64_t, std::int64_t> limits_of(const std::string& key) {
  if (key == "num.partitions") return {1, 100'000};
  if (key == "default.replication.factor") return {1, 64};
  if (key == "connections.max.reauth.ms" || key == "log.initial.task.delay.ms") return {0, 1'000'000'000'000};
  if (key == "max.connections") return {1, 10'000'000};
  if (key == "max.incremental.fetch.session.cache.slots") return {0, 10'000'000};
  if (key == "socket.request.max.bytes") return {1024, 2'147'483'647};
  return {1, 1'000'000'000'000};
}

bool is_truth(const std::string& key) {
  return key == "auto.create.topics.enable" || key == "delete.topic.enable";
}

// "1:broker.rack" is the rack of broker 1, "broker.rack" that of all.
Status set_rack(cluster::ClusterOptions& options, std::string_view brokers, const std::string& rack) {
  options.racks.resize(static_cast<std::size_t>(options.brokers));
  if (brokers.empty()) {
    for (std::string& each : options.racks) each = rack;
    return ok_status();
  }
  std::int64_t broker = 0;
  const std::int64_t last = std::int64_t{options.first_broker_id} + options.brokers - 1;
  if (!read_number(std::string(brokers), options.first_broker_id, last, broker)) {
    return bad("There is no broker '" + std::string(brokers) + "'.");
  }
  options.racks[static_cast<std::size_t>(broker - options.first_broker_id)] = rack;
  return ok_status();
}

bool is_option(const std::string& key) {
  cluster::ClusterOptions scratch;
  return set_option(scratch, key, 1, true);
}

}  // namespace

Status apply_broker_config(SessionOptions& options, const std::string& key, const std::string& value) {
  if (const std::size_t colon = key.find(':'); colon != std::string::npos || key == "broker.rack") {
    const std::string of = colon == std::string::npos ? std::string() : key.substr(0, colon);
    if (colon != std::string::npos && key.substr(colon + 1) != "broker.rack") {
      return bad("Only 'broker.rack' can be set for one broker, not '" + key.substr(colon + 1) + "'.");
    }
    return set_rack(options.cluster, of, value);
  }
  if (key == "metric.reporters") {
    // Whatever the classes are called: there is one receiver, and it counts.
    options.cluster.telemetry_receiver = !value.empty();
    return ok_status();
  }
  if (is_option(key)) {
    std::int64_t number = 0;
    if (is_truth(key)) {
      if (value != "true" && value != "false")
        return bad("'" + key + "' is true or false, not '" + value + "'.");
    } else if (const auto [low, high] = limits_of(key); !read_number(value, low, high, number)) {
      return bad("'" + key + "' is a whole number between " + std::to_string(low) + " and " +
                 std::to_string(high) + ", not '" + value + "'.");
    }
    set_option(options.cluster, key, number, value == "true");
    return ok_status();
  }
  if (const kafka::GroupConfig* config = kafka::find_group_config(key)) {
    const std::optional<std::int64_t> number = kafka::read_group_config(*config, value);
    if (!number) {
      const std::string what = config->read != nullptr
                                   ? std::string(config->words)
                                   : "a whole number between " + std::to_string(config->low) + " and " +
                                         std::to_string(config->high);
      return bad("'" + key + "' is " + what + ", not '" + value + "'.");
    }
    options.cluster.group_configs[key] = *number;
    return ok_status();
  }
  const controller::ConfigDef* def = controller::find_config(controller::broker_config_defs(), key);
  if (def == nullptr) return bad("Kafka has no broker config '" + key + "'.");
  if (const controller::Error error = controller::validate_config_value(*def, value); !error.ok()) {
    return bad("'" + key + "': " + error.message);
  }
  if (def->read_only) {
    // A properties file from elsewhere should start a double all the same; what it asks is not promised.
    options.without_effect.push_back(key);
    return ok_status();
  }
  options.broker_configs[key] = value;
  return ok_status();
}

}  // namespace wt::harness

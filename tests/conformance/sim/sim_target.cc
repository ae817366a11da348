#include "tests/conformance/sim/sim_target.h"

#include <charconv>

#include "absl/strings/str_split.h"
#include "sim/formats/byte_reader.h"
#include "sim/kafka/groups/settings.h"

namespace wt::conformance {
namespace {

absl::Status bad_setting(const std::string& setting) {
  return absl::UnimplementedError("Wavetank has no setting " + setting);
}

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

absl::Status apply(const std::string& setting, cluster::ClusterOptions& options) {
  const std::size_t equals = setting.find('=');
  const std::string key = setting.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  if (key == "auto.create.topics.enable") {
    options.auto_create_topics = value == "true";
  } else if (key == "delete.topic.enable") {
    options.delete_topics = value == "true";
  } else if (key == "num.partitions") {
    options.default_partitions = static_cast<std::int32_t>(number_of(value));
  } else if (key == "default.replication.factor") {
    options.default_replication_factor = static_cast<std::int16_t>(number_of(value));
  } else if (key == "max.incremental.fetch.session.cache.slots") {
    options.max_fetch_sessions = static_cast<std::size_t>(number_of(value));
  } else if (key == "producer.id.expiration.check.interval.ms") {
    options.producer_expiry_check_ns = from_ms(number_of(value));
  } else if (key == "log.initial.task.delay.ms") {
    options.first_retention_check_ns = from_ms(number_of(value));
  } else if (key == "log.retention.check.interval.ms") {
    options.retention_check_ns = from_ms(number_of(value));
  } else if (key == "broker.session.timeout.ms") {
    options.broker_session_timeout_ns = from_ms(number_of(value));
  } else if (key == "connections.max.idle.ms") {
    options.max_idle_ns = from_ms(number_of(value));
  } else if (key == "max.connections") {
    options.max_connections = static_cast<std::size_t>(number_of(value));
  } else if (key == "socket.request.max.bytes") {
    options.max_request_bytes = number_of(value);
  } else if (key == "connections.max.reauth.ms") {
    options.security.max_reauth_ns = from_ms(number_of(value));
  } else if (key == "sasl.enabled.mechanisms") {
    options.security.mechanisms = absl::StrSplit(value, ',');
  } else if (const kafka::GroupConfig* config = kafka::find_group_config(key)) {
    const std::optional<std::int64_t> number = kafka::read_group_config(*config, value);
    if (!number) return bad_setting(setting);
    options.group_configs[key] = *number;
  } else {
    return bad_setting(setting);
  }
  return absl::OkStatus();
}

}  // namespace

SimTarget::SimTarget(const cluster::ClusterOptions& options) : cluster_(options), commands_(cluster_) {
  cluster_.start();
  cluster_.kernel().run_ready();
}

absl::StatusOr<std::unique_ptr<SimTarget>> SimTarget::start(const ClusterSpec& spec, std::uint64_t seed) {
  cluster::ClusterOptions options;
  options.seed = seed;
  options.brokers = spec.brokers;
  options.security.users = spec.users;
  if (!spec.users.empty()) options.security.protocol = cluster::SecurityProtocol::sasl_plaintext;
  for (const std::string& setting : spec.settings) {
    const absl::Status applied = apply(setting, options);
    if (!applied.ok()) return applied;
  }
  return std::unique_ptr<SimTarget>(new SimTarget(options));
}

absl::Status SimTarget::send(const ConnectionId& connection, const SliceList& bytes) {
  Open& open = open_[connection];
  if (open.id != 0 && !open.closed) take(open);
  if (open.id == 0 || open.closed) {
    const auto id =
        cluster_.streams().external_connect(cluster_.outside_node(), cluster_.broker_node(connection.broker));
    if (!id.ok()) return id.status();
    open = Open();
    open.id = *id;
  }
  for (const Slice& slice : bytes) cluster_.streams().external_write(open.id, slice);
  return absl::OkStatus();
}

void SimTarget::take(Open& open) {
  Streams::External out = cluster_.streams().external_take(open.id);
  for (const Slice& slice : out.bytes) {
    open.buffered.insert(open.buffered.end(), slice.bytes().begin(), slice.bytes().end());
  }
  open.closed = open.closed || out.ended || out.reset;
}

std::optional<Slice> SimTarget::cut_frame(Open& open) {
  if (open.buffered.size() < 4) return std::nullopt;
  ByteReader reader(open.buffered);
  const std::size_t end = 4 + std::size_t{reader.u32()};
  if (open.buffered.size() < end) return std::nullopt;
  Slice frame = Slice::copy_of(std::span(open.buffered).first(end).subspan(4));
  open.buffered.erase(open.buffered.begin(), open.buffered.begin() + static_cast<std::ptrdiff_t>(end));
  return frame;
}

Reply SimTarget::receive(const ConnectionId& connection, std::int64_t wait_ms) {
  Open& open = open_[connection];
  Kernel& kernel = cluster_.kernel();
  const TimeNs limit_ns = kernel.now() + from_ms(wait_ms);
  Reply reply;
  for (;;) {
    take(open);
    if (std::optional<Slice> frame = cut_frame(open)) {
      reply.kind = Reply::Kind::kFrame;
      reply.frame = *std::move(frame);
      return reply;
    }
    if (open.closed) {
      reply.kind = Reply::Kind::kClosed;
      return reply;
    }
    if (!kernel.step(limit_ns)) {
      kernel.run_until(limit_ns);
      return reply;
    }
  }
}

void SimTarget::close_all() {
  for (auto& [name, open] : open_) {
    if (!open.closed) cluster_.streams().external_reset(open.id);
  }
  open_.clear();
  cluster_.kernel().run_ready();
}

void SimTarget::sleep_ms(std::int64_t duration_ms) {
  cluster_.kernel().run_until(cluster_.kernel().now() + from_ms(duration_ms));
}

absl::Status SimTarget::do_command(const std::string& command) {
  const std::string answer = commands_.execute(command);
  cluster_.kernel().run_ready();
  return answer.find("\"ok\":true") != std::string::npos ? absl::OkStatus() : absl::InternalError(answer);
}

absl::Status SimTarget::crash_broker(int broker) {
  return do_command(R"({"do":"crash_broker","broker":)" + std::to_string(broker) + "}");
}

absl::Status SimTarget::restart_broker(int broker) {
  return do_command(R"({"do":"restart_broker","broker":)" + std::to_string(broker) + "}");
}

absl::Status SimTarget::move_leader(std::string_view topic, std::int32_t partition, int broker) {
  return do_command(R"({"do":"move_leader","topic":")" + std::string(topic) + R"(","partition":)" +
                    std::to_string(partition) + R"(,"to":)" + std::to_string(broker) + "}");
}

std::string SimTarget::finding() {
  const std::optional<Finding>& found = cluster_.kernel().finding();
  return found ? found->check + ": " + found->message : std::string();
}

}  // namespace wt::conformance

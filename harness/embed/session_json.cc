#include "harness/embed/session_json.h"

#include "sim/cluster/json_fields.h"

namespace wt::harness {
namespace {

using cluster::json::object;
using cluster::json::value;

Status bad(const std::string& message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

Status take_clock(const value& from, SessionOptions& out) {
  const std::string name = from.is_string() ? std::string(cluster::view(from.get_string())) : "";
  if (name == "flow") {
    out.clock = ClockMode::flow;
  } else if (name == "frozen") {
    out.clock = ClockMode::frozen;
  } else if (name == "virtual") {
    out.clock = ClockMode::virtual_time;
  } else {
    return bad("'clock' must be \"flow\", \"frozen\" or \"virtual\".");
  }
  return ok_status();
}

Status take_ports(const value& from, SessionOptions& out) {
  if (!from.is_array()) return bad("'ports' must be a list of numbers.");
  for (const value& port : from.get_array()) {
    if (!port.is_int64() || port.get_int64() < 0 || port.get_int64() > 65'535) {
      return bad("'ports' must be a list of numbers between 0 and 65535.");
    }
    out.ports.push_back(static_cast<std::uint16_t>(port.get_int64()));
  }
  return ok_status();
}

Status take_recording(const value& from, SessionOptions& out) {
  using Where = RecordingOptions::Where;
  if (from.is_null()) {
    out.recording.where = Where::off;
  } else if (!from.is_string() || from.get_string().empty()) {
    return bad("'recording' must be a path, \"memory\" or null.");
  } else if (from.get_string() != "memory") {
    out.recording.where = Where::file;
    out.recording.path = std::string(cluster::view(from.get_string()));
  }
  return ok_status();
}

Status take_configs(const value& from, SessionOptions& out) {
  if (!from.is_object()) return bad("'broker_configs' must be an object.");
  for (const auto& config : from.get_object()) {
    const std::string key(config.key().data(), config.key().size());
    const value& setting = config.value();
    const std::string text = setting.is_string() ? std::string(cluster::view(setting.get_string()))
                                                 : cluster::json::serialize(setting);
    if (Status applied = apply_broker_config(out, key, text); !applied.ok()) return applied;
  }
  return ok_status();
}

Status take_tls(const value& from, SessionOptions& out) {
  if (!from.is_object()) return bad("'tls' must be an object.");
  cluster::Fields fields(from.get_object());
  out.tls.certificate_file = fields.text("certificate_file", "");
  out.tls.key_file = fields.text("key_file", "");
  out.tls.client_ca_file = fields.text("client_ca_file", "");
  const std::string ask = fields.text("client_auth", "none");
  fields.finish();
  if (!fields.ok()) return bad("'tls': " + fields.error());
  if (ask != "none" && ask != "requested" && ask != "required")
    return bad("'client_auth' must be \"none\", \"requested\" or \"required\".");
  if (ask == "requested") out.tls.client_auth = ClientAuth::requested;
  if (ask == "required") out.tls.client_auth = ClientAuth::required;
  return ok_status();
}

// Takes the fields that are not the cluster's own; leaves the others in `rest`.
Status take_field(std::string_view name, const value& from, SessionOptions& out, object& rest) {
  if (name == "clock") return take_clock(from, out);
  if (name == "ports") return take_ports(from, out);
  if (name == "tls") return take_tls(from, out);
  if (name == "recording") return take_recording(from, out);
  if (name == "broker_configs") return ok_status();  // after the cluster's own
  if (name == "rate") {
    if (!from.is_number() || !(from.to_number<double>() > 0)) return bad("'rate' must be a positive number.");
    out.rate = from.to_number<double>();
    return ok_status();
  }
  if (name == "real_delays") {
    if (!from.is_bool()) return bad("'real_delays' must be true or false.");
    out.real_delays = from.get_bool();
    return ok_status();
  }
  if (name == "recording_limit_bytes") {
    if (!from.is_int64() || from.get_int64() < 0)
      return bad("'recording_limit_bytes' must be a whole number.");
    out.recording.limit_bytes = static_cast<std::uint64_t>(from.get_int64());
    return ok_status();
  }
  const cluster::json::string_view key(name.data(), name.size());
  static const object known = *cluster::parse_object(cluster::to_json(cluster::ClusterOptions()));
  if (!known.contains(key)) return bad("There is no option '" + std::string(name) + "'.");
  rest[key] = name == "seed" && from.is_number() ? value(cluster::json::serialize(from)) : from;
  return ok_status();
}

}  // namespace

StatusOr<SessionOptions> session_options_from_json(std::string_view text) {
  const StatusOr<object> parsed = cluster::parse_object(text);
  if (!parsed.ok()) return parsed.status();
  SessionOptions out;
  object rest;
  for (const auto& field : *parsed) {
    const std::string_view name(field.key().data(), field.key().size());
    if (Status taken = take_field(name, field.value(), out, rest); !taken.ok()) return taken;
  }
  const StatusOr<cluster::ClusterOptions> cluster =
      cluster::options_from_json(cluster::json::serialize(rest));
  if (!cluster.ok()) return cluster.status();
  out.cluster = *cluster;
  if (const value* configs = parsed->if_contains("broker_configs")) {
    if (Status taken = take_configs(*configs, out); !taken.ok()) return taken;
  }
  return out;
}

}  // namespace wt::harness

#include "sim/cluster/security_json.h"

namespace wt::cluster {
namespace {

Status bad(const std::string& message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

Status take_mechanisms(const json::value& from, SecurityOptions& options) {
  const json::array* names = from.if_array();
  if (names == nullptr) return bad("'sasl_mechanisms' must be a list of names.");
  for (const json::value& name : *names) {
    if (!name.is_string()) return bad("'sasl_mechanisms' must be a list of names.");
    options.mechanisms.emplace_back(view(name.get_string()));
  }
  return ok_status();
}

Status take_users(const json::value& from, SecurityOptions& options) {
  const json::object* users = from.if_object();
  if (users == nullptr) return bad("'sasl_users' must be an object of passwords by name.");
  for (const auto& user : *users) {
    if (!user.value().is_string()) return bad("'sasl_users' must be an object of passwords by name.");
    options.users[std::string(user.key().data(), user.key().size())] = view(user.value().get_string());
  }
  return ok_status();
}

}  // namespace

void add_to_json(const SecurityOptions& options, json::object& out) {
  const std::string_view protocol = protocol_name(options.protocol);
  out["security_protocol"] = json::string_view(protocol.data(), protocol.size());
  json::array mechanisms;
  for (const std::string& name : options.mechanisms) mechanisms.emplace_back(name);
  out["sasl_mechanisms"] = std::move(mechanisms);
  json::object users;
  for (const auto& [name, password] : options.users) users[name] = password;
  out["sasl_users"] = std::move(users);
  out["sasl_max_reauth_ns"] = options.max_reauth_ns;
}

Status take_from_json(const json::object& from, SecurityOptions& options) {
  Fields fields(from);
  const std::string name = fields.text("security_protocol", std::string(protocol_name(options.protocol)));
  options.max_reauth_ns = fields.number("sasl_max_reauth_ns", options.max_reauth_ns, 0);
  if (!fields.ok()) return bad(fields.error());
  const StatusOr<SecurityProtocol> protocol = protocol_from_name(name);
  if (!protocol.ok()) return protocol.status();
  options.protocol = *protocol;
  if (const json::value* mechanisms = from.if_contains("sasl_mechanisms"); mechanisms != nullptr) {
    if (Status taken = take_mechanisms(*mechanisms, options); !taken.ok()) return taken;
  }
  if (const json::value* users = from.if_contains("sasl_users"); users != nullptr)
    return take_users(*users, options);
  return ok_status();
}

}  // namespace wt::cluster

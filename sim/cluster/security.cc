#include "sim/cluster/security.h"

#include "sim/kafka/sasl/scram.h"
#include "sim/kernel/hash.h"
#include "sim/kernel/random.h"

namespace wt::cluster {
namespace {

using kafka::sasl::Mechanism;

constexpr SecurityProtocol kProtocols[] = {SecurityProtocol::plaintext, SecurityProtocol::sasl_plaintext,
                                           SecurityProtocol::ssl, SecurityProtocol::sasl_ssl};
constexpr std::size_t kSalt_bytes = 16;
constexpr std::size_t kMaxUsers = 1000;
constexpr std::size_t kMaxName_bytes = 255;

Status bad(const std::string& message) {
  return make_status(StatusCode::kInvalidArgument, message);
}

Status check_user(const std::string& name, const std::string& password) {
  const auto fits = [](const std::string& text) {
    return !text.empty() && text.size() <= kMaxName_bytes && text.find('\0') == std::string::npos;
  };
  if (!fits(name) || !fits(password))
    return bad("A SASL user has a name and a password, both of 1 to 255 bytes.");
  return ok_status();
}

// All when none is named, in the order in which a broker lists them.
std::vector<Mechanism> enabled(const SecurityOptions& options) {
  std::vector<Mechanism> mechanisms = kafka::sasl::all_mechanisms();
  if (options.mechanisms.empty()) return mechanisms;
  std::erase_if(mechanisms, [&options](Mechanism mechanism) {
    const std::string_view name = kafka::sasl::mechanism_name(mechanism);
    return std::find(options.mechanisms.begin(), options.mechanisms.end(), name) == options.mechanisms.end();
  });
  return mechanisms;
}

std::string draw_salt(RandomStream& random) {
  std::string salt(kSalt_bytes, '\0');
  for (char& byte : salt) byte = static_cast<char>(random.below(256));
  return salt;
}

}  // namespace

std::string_view protocol_name(SecurityProtocol protocol) noexcept {
  switch (protocol) {
    case SecurityProtocol::plaintext:
      return "PLAINTEXT";
    case SecurityProtocol::sasl_plaintext:
      return "SASL_PLAINTEXT";
    case SecurityProtocol::ssl:
      return "SSL";
    case SecurityProtocol::sasl_ssl:
      return "SASL_SSL";
  }
  return "?";
}

StatusOr<SecurityProtocol> protocol_from_name(std::string_view name) {
  for (const SecurityProtocol protocol : kProtocols) {
    if (protocol_name(protocol) == name) return protocol;
  }
  return bad("There is no security protocol '" + std::string(name) +
             "'; there are: PLAINTEXT SASL_PLAINTEXT SSL SASL_SSL.");
}

Status add_user(SecurityOptions& options, std::string_view name_and_password) {
  const std::size_t colon = name_and_password.find(':');
  if (colon == std::string_view::npos) return bad("A SASL user is written NAME:PASSWORD.");
  const std::string name(name_and_password.substr(0, colon));
  const std::string password(name_and_password.substr(colon + 1));
  if (Status checked = check_user(name, password); !checked.ok()) return checked;
  options.users[name] = password;
  return ok_status();
}

Status validate(const SecurityOptions& options) {
  for (const std::string& name : options.mechanisms) {
    if (kafka::sasl::mechanism_from_name(name)) continue;
    return bad("There is no SASL mechanism '" + name + "'; there are: PLAIN SCRAM-SHA-256 SCRAM-SHA-512.");
  }
  if (options.users.size() > kMaxUsers)
    return bad("There can be at most " + std::to_string(kMaxUsers) + " SASL users.");
  for (const auto& [name, password] : options.users) {
    if (Status checked = check_user(name, password); !checked.ok()) return checked;
  }
  if (options.max_reauth_ns < 0) return bad("The time until a client authenticates again is not negative.");
  const bool given = !options.users.empty() || !options.mechanisms.empty();
  if (given && !options.sasl()) {
    return bad("SASL users and mechanisms need the security protocol SASL_PLAINTEXT or SASL_SSL.");
  }
  if (options.sasl() && options.users.empty())
    return bad("With SASL somebody must be able to connect: name at least one SASL user.");
  return ok_status();
}

kafka::SaslSettings sasl_settings(const SecurityOptions& options) {
  kafka::SaslSettings settings;
  settings.mechanisms = enabled(options);
  settings.plain_users.insert(options.users.begin(), options.users.end());
  settings.max_reauth_ns = options.max_reauth_ns;
  return settings;
}

std::vector<controller::UserScramRecord> scram_users(const SecurityOptions& options, std::uint64_t seed) {
  std::vector<controller::UserScramRecord> records;
  RandomStream random(fold64(seed, hash_text("cluster.scram.salt")));
  for (const auto& [name, password] : options.users) {
    for (const Mechanism mechanism : enabled(options)) {
      if (mechanism == Mechanism::plain) continue;
      std::string salt = draw_salt(random);
      controller::UserScramRecord record;
      record.user = name;
      record.mechanism = kafka::sasl::scram_type(mechanism);
      record.credential =
          kafka::sasl::credential_of(mechanism, password, std::move(salt), controller::kMinScramIterations);
      records.push_back(std::move(record));
    }
  }
  return records;
}

}  // namespace wt::cluster

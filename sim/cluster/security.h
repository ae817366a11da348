// Who may connect, and how clients say who they are. One protocol for the sockets of all brokers.
//
// Of TLS the simulation knows the name only: it sees the plain text (harness/gateway).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/records.h"
#include "sim/kafka/handlers/sasl_session.h"
#include "sim/kernel/status.h"
#include "sim/kernel/time.h"

namespace wt::cluster {

enum class SecurityProtocol : std::uint8_t { plaintext, sasl_plaintext, ssl, sasl_ssl };

// "SASL_PLAINTEXT"
std::string_view protocol_name(SecurityProtocol protocol) noexcept;
// InvalidArgument with a sentence for another name.
StatusOr<SecurityProtocol> protocol_from_name(std::string_view name);

struct SecurityOptions {
  SecurityProtocol protocol = SecurityProtocol::plaintext;
  std::vector<std::string> mechanisms;       // sasl.enabled.mechanisms; empty: all there are
  std::map<std::string, std::string> users;  // passwords, for every mechanism
  DurationNs max_reauth_ns = 0;              // connections.max.reauth.ms; 0: sessions have no end

  bool sasl() const noexcept {
    return protocol == SecurityProtocol::sasl_plaintext || protocol == SecurityProtocol::sasl_ssl;
  }
  bool tls() const noexcept {
    return protocol == SecurityProtocol::ssl || protocol == SecurityProtocol::sasl_ssl;
  }
};

// "name:password", as on a command line; the password may contain colons.
Status add_user(SecurityOptions& options, std::string_view name_and_password);
Status validate(const SecurityOptions& options);

// For a broker; only when there is SASL.
kafka::SaslSettings sasl_settings(const SecurityOptions& options);
// The users' passwords for SCRAM as the first controller writes them down; the salts come from the seed.
std::vector<controller::UserScramRecord> scram_users(const SecurityOptions& options, std::uint64_t seed);

}  // namespace wt::cluster

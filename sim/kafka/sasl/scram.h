// SCRAM (RFC 5802, RFC 7677) without channel binding: the server's side, and credentials.
#pragma once

#include "sim/kafka/sasl/digest.h"
#include "sim/kafka/sasl/mechanism.h"
#include "sim/kafka/sasl/scram_messages.h"

namespace wt::kafka::sasl {

Digest digest_of(Mechanism mechanism) noexcept;

// What a server keeps of a password; the salted one is what clients send to set a credential.
ScramCredential credential_of_salted(Mechanism mechanism, std::string_view salted_password, std::string salt,
                                     std::int32_t iterations);
ScramCredential credential_of(Mechanism mechanism, std::string_view password, std::string salt,
                              std::int32_t iterations);

class ScramExchange final : public Exchange {
 public:
  ScramExchange(Mechanism mechanism, std::string server_nonce)
      : mechanism_(mechanism), server_nonce_(std::move(server_nonce)) {}

  Step evaluate(std::string_view message, const Users& users) override;

 private:
  Step first(std::string_view message, const Users& users);
  Step last(std::string_view message);

  Mechanism mechanism_;
  std::string server_nonce_;
  ScramCredential credential_;
  std::string nonce_;         // the client's part and ours
  std::string client_first_;  // without the header
  std::string server_first_;  // empty: it was not sent yet
};

}  // namespace wt::kafka::sasl

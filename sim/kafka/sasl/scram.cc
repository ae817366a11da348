#include "sim/kafka/sasl/scram.h"

#include "sim/formats/base64.h"

namespace wt::kafka::sasl {
namespace {

std::string base64(std::string_view bytes) {
  return base64_encode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                       Base64Alphabet::kStandard);
}

Step failed(std::string message = {}) {
  return {Step::Kind::failed, {}, std::move(message)};
}

// A client that asks for a delegation token's owner; there are no tokens.
bool wants_token(const ClientFirst& message) {
  for (const auto& [name, value] : message.extensions) {
    if (name == "tokenauth" && value == "true") return true;
  }
  return false;
}

}  // namespace

Digest digest_of(Mechanism mechanism) noexcept {
  return mechanism == Mechanism::scram_sha_512 ? Digest::sha512 : Digest::sha256;
}

ScramCredential credential_of_salted(Mechanism mechanism, std::string_view salted_password, std::string salt,
                                     std::int32_t iterations) {
  const Digest digest = digest_of(mechanism);
  const std::string client_key = hmac(digest, salted_password, "Client Key");
  ScramCredential credential;
  credential.salt = std::move(salt);
  credential.stored_key = hash(digest, client_key);
  credential.server_key = hmac(digest, salted_password, "Server Key");
  credential.iterations = iterations;
  return credential;
}

ScramCredential credential_of(Mechanism mechanism, std::string_view password, std::string salt,
                              std::int32_t iterations) {
  const std::string salted = pbkdf2(digest_of(mechanism), password, salt, iterations);
  return credential_of_salted(mechanism, salted, std::move(salt), iterations);
}

Step ScramExchange::evaluate(std::string_view message, const Users& users) {
  return server_first_.empty() ? first(message, users) : last(message);
}

Step ScramExchange::first(std::string_view message, const Users& users) {
  const std::optional<ClientFirst> client = parse_client_first(message);
  if (!client || wants_token(*client)) return failed();
  const std::optional<std::string> user = user_of_sasl_name(client->sasl_name);
  if (!user) return failed();
  std::optional<ScramCredential> credential = users.scram(*user, mechanism_);
  if (!credential) return failed();
  if (!client->act_as.empty() && client->act_as != *user) {
    return failed(
        "Authentication failed: Client requested an authorization id that is different from username");
  }
  if (credential->iterations < controller::kMinScramIterations) return failed();
  user_ = *user;
  credential_ = std::move(*credential);
  client_first_ = client->without_header();
  nonce_ = client->nonce + server_nonce_;
  server_first_ =
      "r=" + nonce_ + ",s=" + base64(credential_.salt) + ",i=" + std::to_string(credential_.iterations);
  return {Step::Kind::challenge, server_first_, {}};
}

Step ScramExchange::last(std::string_view message) {
  const std::optional<ClientFinal> client = parse_client_final(message);
  if (!client) return failed();
  // A real broker looks at the end only, too; a longer nonce spoils the proof, not the check.
  const std::string_view nonce = client->nonce;
  if (nonce.size() < nonce_.size() || nonce.substr(nonce.size() - nonce_.size()) != nonce_) return failed();
  const Digest digest = digest_of(mechanism_);
  if (client->proof.size() != size_bytes(digest)) return {Step::Kind::broken, {}, {}};
  const std::string signed_text = client_first_ + "," + server_first_ + "," + client->without_proof();
  const std::string client_key =
      exclusive_or(client->proof, hmac(digest, credential_.stored_key, signed_text));
  if (hash(digest, client_key) != credential_.stored_key) return failed();
  return {Step::Kind::complete, "v=" + base64(hmac(digest, credential_.server_key, signed_text)), {}};
}

}  // namespace wt::kafka::sasl

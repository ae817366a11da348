// A client that logs in, step by step, for tests.
#pragma once

#include "sim/formats/base64.h"
#include "sim/formats/byte_writer.h"
#include "sim/kafka/sasl/scram.h"
#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/sasl.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::test {

inline constexpr std::int16_t kMetadataKey = 3;
inline constexpr std::int16_t kHandshakeKey = 17;
inline constexpr std::int16_t kAuthenticateKey = 36;

inline cluster::ClusterOptions sasl_cluster() {
  cluster::ClusterOptions options;
  options.brokers = 1;
  options.security.protocol = cluster::SecurityProtocol::sasl_plaintext;
  options.security.users = {{"alice", "wonder"}, {"bob", "builder"}};
  return options;
}

// What a SCRAM client sends last: `bare` is its first message without the header.
inline std::string scram_final_message(kafka::sasl::Mechanism mechanism, const std::string& password,
                                       const std::string& bare, const std::string& server_first) {
  using namespace kafka::sasl;
  const Digest digest = digest_of(mechanism);
  const std::size_t salt_at = server_first.find(",s=");
  const std::size_t count_at = server_first.find(",i=");
  const std::string text_of_salt = server_first.substr(salt_at + 3, count_at - salt_at - 3);
  const auto salt = base64_decode(text_of_salt, Base64Alphabet::kStandard).value();
  const std::string salted = pbkdf2(digest, password, std::string(salt.begin(), salt.end()),
                                    std::stoi(server_first.substr(count_at + 3)));
  const std::string client_key = hmac(digest, salted, "Client Key");
  const std::string without_proof = "c=biws," + server_first.substr(0, salt_at);
  const std::string text = bare + "," + server_first + "," + without_proof;
  const std::string proof = exclusive_or(client_key, hmac(digest, hash(digest, client_key), text));
  return without_proof + ",p=" +
         base64_encode({reinterpret_cast<const std::uint8_t*>(proof.data()), proof.size()},
                       Base64Alphabet::kStandard);
}

class SaslClient {
 public:
  explicit SaslClient(KafkaSim& sim) : sim_(sim), connection_(sim.connect(1)) {}

  std::optional<kafka::SaslHandshakeResponse> handshake(const std::string& mechanism,
                                                        kafka::Version version = 1) {
    kafka::SaslHandshakeRequest request;
    request.mechanism = mechanism;
    return sim_.call<kafka::SaslHandshakeResponse>(connection_, kHandshakeKey, version, request);
  }
  std::optional<kafka::SaslAuthenticateResponse> authenticate(const std::string& message,
                                                              kafka::Version version = 2) {
    kafka::SaslAuthenticateRequest request;
    request.auth_bytes = Slice::copy_of(message);
    return sim_.call<kafka::SaslAuthenticateResponse>(connection_, kAuthenticateKey, version, request);
  }
  std::optional<kafka::SaslAuthenticateResponse> plain(const std::string& user, const std::string& password,
                                                       kafka::Version version = 2) {
    return authenticate(std::string(1, '\0') + user + std::string(1, '\0') + password, version);
  }
  // From the handshake on. The first answer that is no success, or the last one.
  std::optional<kafka::SaslAuthenticateResponse> scram(kafka::sasl::Mechanism mechanism,
                                                       const std::string& user, const std::string& password) {
    const auto hello = handshake(std::string(kafka::sasl::mechanism_name(mechanism)));
    if (!hello || hello->error_code != kafka::ErrorCode::kNone) return std::nullopt;
    const std::string bare = "n=" + user + ",r=clientnonce";
    const auto first = authenticate("n,," + bare);
    if (!first || first->error_code != kafka::ErrorCode::kNone) return first;
    return authenticate(
        scram_final_message(mechanism, password, bare, std::string(first->auth_bytes.text())));
  }
  // One message without a request around it, and what comes back.
  std::optional<std::string> bare(const std::string& message) {
    ByteWriter out;
    out.i32(static_cast<std::int32_t>(message.size()));
    SliceList bytes{Slice::copy_of(out.take()), Slice::copy_of(message)};
    sim_.send_bytes(connection_, flatten(bytes));
    const auto frame = sim_.receive(connection_, kSecond_ns);
    if (!frame) return std::nullopt;
    return std::string(frame->text());
  }

  std::optional<kafka::ApiVersionsResponse> api_versions(kafka::Version version = 0) {
    kafka::ApiVersionsRequest request;
    request.client_software_name = request.client_software_version = "1";
    return sim_.call<kafka::ApiVersionsResponse>(connection_, kafka::kApiVersionsKey, version, request);
  }
  std::optional<kafka::MetadataResponse> metadata() {
    return sim_.call<kafka::MetadataResponse>(connection_, kMetadataKey, 1, kafka::MetadataRequest());
  }
  bool works() { return metadata().has_value() && !closed(); }
  bool closed() {
    sim_.cluster.kernel().run_ready();
    sim_.take(connection_);
    return connection_.closed;
  }
  KafkaSim::Connection& connection() { return connection_; }

 private:
  KafkaSim& sim_;
  KafkaSim::Connection connection_;
};

}  // namespace wt::test

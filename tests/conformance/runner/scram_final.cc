#include "tests/conformance/runner/scram_final.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "sim/formats/base64.h"
#include "sim/kafka/sasl/scram.h"
#include "tests/conformance/runner/step_fields.h"

namespace wt::conformance {

namespace {

using kafka::sasl::Digest;

struct Challenge {
  std::string text;  // as it came
  std::string nonce;
  std::string salt;
  std::int32_t iterations = 0;
};

std::optional<std::string> bytes_of(std::string_view base64_text) {
  const auto bytes = base64_decode(base64_text, Base64Alphabet::kStandard);
  if (!bytes) return std::nullopt;
  return std::string(bytes->begin(), bytes->end());
}

// "r=nonce,s=salt,i=4096"
std::optional<Challenge> read_challenge(std::string_view base64_text) {
  const std::optional<std::string> text = bytes_of(base64_text);
  if (!text || !text->starts_with("r=")) return std::nullopt;
  const std::size_t salt_at = text->find(",s=");
  const std::size_t count_at = text->find(",i=");
  if (salt_at == std::string::npos || count_at == std::string::npos || count_at < salt_at)
    return std::nullopt;
  const auto salt = bytes_of(std::string_view(*text).substr(salt_at + 3, count_at - salt_at - 3));
  Challenge challenge{*text, text->substr(2, salt_at - 2), salt.value_or("")};
  if (!salt || !absl::SimpleAtoi(text->substr(count_at + 3), &challenge.iterations)) return std::nullopt;
  return challenge;
}

}  // namespace

absl::StatusOr<std::string> scram_final(const json::value& description) {
  if (!description.is_object()) return absl::InvalidArgumentError("scram_final is no object");
  const json::object& fields = description.get_object();
  const auto mechanism = kafka::sasl::mechanism_from_name(text(fields, "mechanism"));
  const std::string_view first = text(fields, "first");
  if (!mechanism || kafka::sasl::scram_type(*mechanism) == 0 || first.size() < 3)
    return absl::InvalidArgumentError("scram_final has no mechanism, or no first message");
  const auto challenge = read_challenge(text(fields, "challenge"));
  if (!challenge) return absl::InvalidArgumentError("scram_final has no challenge");
  const Digest digest = kafka::sasl::digest_of(*mechanism);
  const std::string salted =
      kafka::sasl::pbkdf2(digest, text(fields, "password"), challenge->salt, challenge->iterations);
  const std::string client_key = kafka::sasl::hmac(digest, salted, "Client Key");
  const std::string nonce(text(fields, "nonce", challenge->nonce));
  const std::string without_proof = "c=biws,r=" + nonce;
  const std::string signed_text = std::string(first.substr(3)) + "," + challenge->text + "," + without_proof;
  const std::string signature = kafka::sasl::hmac(digest, kafka::sasl::hash(digest, client_key), signed_text);
  const std::string proof = kafka::sasl::exclusive_or(client_key, signature);
  return without_proof + ",p=" +
         base64_encode({reinterpret_cast<const std::uint8_t*>(proof.data()), proof.size()},
                       Base64Alphabet::kStandard);
}

}  // namespace wt::conformance

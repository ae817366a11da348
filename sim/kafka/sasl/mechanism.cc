#include "sim/kafka/sasl/mechanism.h"

#include "sim/kafka/sasl/plain.h"
#include "sim/kafka/sasl/scram.h"

namespace wt::kafka::sasl {

std::string_view mechanism_name(Mechanism mechanism) noexcept {
  switch (mechanism) {
    case Mechanism::plain:
      return "PLAIN";
    case Mechanism::scram_sha_256:
      return "SCRAM-SHA-256";
    case Mechanism::scram_sha_512:
      return "SCRAM-SHA-512";
  }
  return "?";
}

std::optional<Mechanism> mechanism_from_name(std::string_view name) noexcept {
  for (const Mechanism mechanism : {Mechanism::plain, Mechanism::scram_sha_256, Mechanism::scram_sha_512}) {
    if (mechanism_name(mechanism) == name) return mechanism;
  }
  return std::nullopt;
}

std::vector<Mechanism> all_mechanisms() {
  return {Mechanism::plain, Mechanism::scram_sha_512, Mechanism::scram_sha_256};
}

std::int8_t scram_type(Mechanism mechanism) noexcept {
  if (mechanism == Mechanism::scram_sha_256) return controller::kScramSha256;
  return mechanism == Mechanism::scram_sha_512 ? controller::kScramSha512 : std::int8_t{0};
}

std::optional<Mechanism> scram_from_type(std::int8_t type) noexcept {
  if (type == controller::kScramSha256) return Mechanism::scram_sha_256;
  if (type == controller::kScramSha512) return Mechanism::scram_sha_512;
  return std::nullopt;
}

std::unique_ptr<Exchange> begin_exchange(Mechanism mechanism, std::string nonce) {
  if (mechanism == Mechanism::plain) return std::make_unique<PlainExchange>();
  return std::make_unique<ScramExchange>(mechanism, std::move(nonce));
}

}  // namespace wt::kafka::sasl

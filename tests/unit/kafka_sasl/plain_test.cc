#include "sim/kafka/sasl/plain.h"

#include <catch2/catch.hpp>

using namespace wt::kafka::sasl;

namespace {

class Alice final : public Users {
 public:
  std::optional<std::string> plain_password(std::string_view user) const override {
    if (user != "alice") return std::nullopt;
    return "wonder";
  }
  std::optional<ScramCredential> scram(std::string_view, Mechanism) const override { return std::nullopt; }
};

// Zero bytes are written as '|'.
Step answer(std::string message) {
  std::replace(message.begin(), message.end(), '|', '\0');
  PlainExchange exchange;
  return exchange.evaluate(message, Alice());
}

}  // namespace

TEST_CASE("PLAIN takes the right password") {
  CHECK(answer("|alice|wonder").kind == Step::Kind::complete);
  CHECK(answer("alice|alice|wonder").kind == Step::Kind::complete);
}

TEST_CASE("PLAIN says what is wrong as a broker does") {
  const auto wrong = GENERATE(table<const char*, const char*>({
      {"|alice|wander", "Authentication failed: Invalid username or password"},
      {"|bob|wonder", "Authentication failed: Invalid username or password"},
      {"|alice|", "Authentication failed: password not specified"},
      {"||wonder", "Authentication failed: username not specified"},
      {"bob|alice|wonder",
       "Authentication failed: Client requested an authorization id that is different from username"},
      {"", "Invalid SASL/PLAIN response: expected 3 tokens, got 1"},
      {"alice|wonder", "Invalid SASL/PLAIN response: expected 3 tokens, got 2"},
      {"|alice|wonder|", "Invalid SASL/PLAIN response: expected 3 tokens, got 4"},
      {"||||||", "Invalid SASL/PLAIN response: expected 3 tokens, got 4"},
  }));
  const Step step = answer(std::get<0>(wrong));
  CHECK(step.kind == Step::Kind::failed);
  CHECK(step.message == std::get<1>(wrong));
}
